/** Encrypts again, by the first of the secret keys, what another one of them has encrypted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/connection/database.ts';
import {
  keepInstallation,
  readInstallation,
  replaceInstallation,
} from '../../db/queries/context/installation.ts';
import type { Vault } from '../../providers/vault.ts';
import { CHECK, CONTEXT, FINGERPRINT, firstFingerprintKey, KEYS } from './secret-key.ts';
import { type Reseal, walkTenant } from './sealed-values.ts';

export interface RekeyOptions {
  readonly db: Database;
  readonly tenantIds: readonly number[];
  readonly vault: Vault;
  /** How many values have the first key now; after each batch. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

export interface Counted {
  /** Values by key, that of the first one apart. */
  readonly others: ReadonlyMap<string, number>;
  /** Values that none of the keys opens. */
  readonly unreadable: number;
}

export interface Rekeyed extends Counted {
  readonly done: number;
  /** Keys that the installation no longer needs; none as long as a value has another key. */
  readonly retired: readonly string[];
}

/** Rows that others hold are passed over, and taken in the next pass. */
const PASSES_MAX = 20;
const PAUSE_MS = 1_000;

/** May be interrupted at any time, and begins where it ended: a value says which key it has. */
export async function rekey(options: RekeyOptions): Promise<Rekeyed> {
  const { vault } = options;
  const [first] = vault.ids;
  let done = 0;
  const reseal: Reseal = (text, context) => {
    const id = vault.keyOf(text, context);
    if (id === undefined || id === first) return text;
    done += 1;
    return vault.seal(vault.open(text, context), context);
  };
  const onBatch = (): void => options.onProgress?.(done);
  for (let pass = 1; ; pass += 1) {
    for (const tenantId of options.tenantIds) {
      await walkTenant({ ...options, tenantId, writes: true, reseal, onBatch });
    }
    const counted = await countValues(options);
    const isDone = counted.others.size === 0;
    if (isDone || pass === PASSES_MAX) {
      const retired = isDone && counted.unreadable === 0 ? await retireOthers(options) : [];
      return { ...counted, done, retired };
    }
    await sleep(PAUSE_MS);
  }
}

/** Changes nothing. */
export async function countValues({ db, tenantIds, vault }: RekeyOptions): Promise<Counted> {
  const others = new Map<string, number>();
  let unreadable = 0;
  const reseal: Reseal = (text, context) => {
    const id = vault.keyOf(text, context);
    if (id === undefined) unreadable += 1;
    else if (id !== vault.ids[0]) others.set(id, (others.get(id) ?? 0) + 1);
    return text;
  };
  for (const tenantId of tenantIds) {
    await walkTenant({ db, tenantId, vault, writes: false, reseal });
  }
  return { others, unreadable };
}

/** From now on processes start without the other keys, and none that has the first one not. */
async function retireOthers({ db, vault }: RekeyOptions): Promise<readonly string[]> {
  const { pool } = db;
  const before = await readInstallation(pool, KEYS);
  const [first] = vault.ids;
  const retired = (before?.split(' ') ?? []).filter((id) => id !== first);
  const fingerprint = await readInstallation(pool, FINGERPRINT);
  if (fingerprint !== undefined) {
    const renewed = vault.seal(vault.open(fingerprint, CONTEXT), CONTEXT);
    await keepInstallation(pool, FINGERPRINT, renewed);
  }
  await keepInstallation(pool, CHECK, vault.seal(CHECK, CONTEXT));
  // A process that has started meanwhile with yet another key has noted that key.
  if (!(await replaceInstallation(pool, KEYS, { before, value: first }))) return [];
  return retired;
}

/** For an installation whose key is lost: it gets the vault's; what the other one encrypted is lost. */
export async function startAnew({ db, vault }: RekeyOptions): Promise<void> {
  const { pool } = db;
  const [first] = vault.ids;
  await keepInstallation(pool, CHECK, vault.seal(CHECK, CONTEXT));
  const fingerprintKey = firstFingerprintKey(vault, first).toString('base64url');
  await keepInstallation(pool, FINGERPRINT, vault.seal(fingerprintKey, CONTEXT));
  await keepInstallation(pool, KEYS, first);
}
