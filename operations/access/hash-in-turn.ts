/** Hashes a password in its tenant's turn. */
import { hashTurns } from './hash-turns.ts';
import { hashPassword } from './passwords.ts';
import type { HashCost } from './passwords.ts';

/** The cost of hashing, and the lane whose turn it takes. */
export interface Hashing {
  readonly hashCost: HashCost;
  readonly tenant: { readonly id: number };
}

export async function hashInTurn(password: string, { hashCost, tenant }: Hashing): Promise<string> {
  const leave = await hashTurns.take(String(tenant.id));
  try {
    return await hashPassword(password, hashCost);
  } finally {
    leave();
  }
}
