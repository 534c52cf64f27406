/** Hashes the passwords of imported customers, some at a time. */
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type HashedPassword,
  type SealedPassword,
  countSealed,
  readSealed,
  storeHashes,
} from '../../db/queries/imports/rows.ts';
import { waitingPasswordContext } from '../../db/entities/sealed.ts';
import { COUNTED_MAX } from '../../workflows/contract/contract.ts';
import type { Dependencies } from '../context/context.ts';

/** Hashed between two transactions: some seconds of work. */
const HASHED_AT_ONCE = 32;
const PASS_MS = 10_000;

export interface PasswordHashing {
  /** Decrypts what `Seal` has encrypted; throws if it cannot. */
  readonly open: (sealed: string, tenantId: number, contactId: number) => string;
  /** Hashes beside everything else that the process does. */
  readonly hash: (password: string) => Promise<string>;
  readonly onProgress: () => void;
  readonly signal: AbortSignal;
}

/** What a waiting password is sealed for. */
export const passwordContext = (tenantId: number, contactId: number): string =>
  waitingPasswordContext({ tenantId, contactId });

export interface PasswordProgress {
  readonly hashed: number;
  /** COUNTED_MAX + 1 stands for any more. */
  readonly open: number;
  /** 0 while some are left; null if none is. */
  readonly waitMs: number | null;
}

/** Hashes for some seconds. Repeating a part of it after a crash is harmless. */
export async function hashPasswords(
  { db, onAlert }: Dependencies,
  tenantId: number,
  { open, hash, onProgress, signal }: PasswordHashing,
): Promise<PasswordProgress> {
  const until = performance.now() + PASS_MS;
  let hashed = 0;
  while (performance.now() < until && !signal.aborted) {
    const sealed = await inTenant(db, tenantId, (tx) => readSealed(tx, HASHED_AT_ONCE), {
      readOnly: true,
    });
    if (sealed.length === 0) break;
    const done = await Promise.all(
      sealed.map(async (each): Promise<HashedPassword> => {
        const password = opened(each);
        return { ...each, hash: password === null ? null : await hash(password) };
      }),
    );
    await inTenant(db, tenantId, async (tx) => storeHashes(tx, done));
    hashed += done.length;
    onProgress();
  }
  const left = await inTenant(db, tenantId, (tx) => countSealed(tx, COUNTED_MAX + 1), {
    readOnly: true,
  });
  return { hashed, open: left, waitMs: left === 0 ? null : 0 };

  function opened({ contactId, sealed }: SealedPassword): string | null {
    try {
      return open(sealed, tenantId, contactId);
    } catch {
      onAlert?.(`the imported password of contact ${contactId} cannot be decrypted`);
      return null;
    }
  }
}
