/**
 * Limits password hashing, which takes a core and 19 MiB each: few at a time, and tenants take
 * turns.
 */
import { createTurns, type TurnsOptions } from '../../db/connection/turns.ts';
import { hashPassword, type HashCost } from './passwords.ts';

/** Fewer than Node's worker threads, which files, DNS and compression need as well. */
const HASHES_AT_ONCE_MAX = 3;
/** The limit for one tenant, so that a place is left for the others. */
const TENANT_HASHES_AT_ONCE_MAX = 1;
const WAITING_MAX = 400;
const TENANT_WAITING_MAX = 100;
/** The limit for one network of a tenant's callers. */
const NETWORK_WAITING_MAX = 50;
const WAIT_MS = 20_000;

export const hashTurnsOptions: TurnsOptions = {
  placesMax: HASHES_AT_ONCE_MAX,
  lanePlacesMax: TENANT_HASHES_AT_ONCE_MAX,
  waitingMax: WAITING_MAX,
  laneWaitingMax: TENANT_WAITING_MAX,
  partyWaitingMax: NETWORK_WAITING_MAX,
  waitMs: WAIT_MS,
};

/** The turns of this process for all hashing. */
export const hashTurns = createTurns({ of: 'hashing', ...hashTurnsOptions });

/* Hashes a password in its tenant's turn. */

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
