/**
 * Holds all processes of an installation to its secret keys: those by which there may be encrypted
 * values. A process that lacks one of them does not start.
 */
import { OperatorError } from '../../operator-error.ts';
import { type Database, openDatabase } from '../../db/connection/database.ts';
import {
  insertInstallation,
  readInstallation,
  replaceInstallation,
} from '../../db/queries/context/installation.ts';
import { allTenantIds } from '../../db/queries/outbox/missing-workflows.ts';
import type { Vault } from '../../providers/vault.ts';
import { walkTenant } from './sealed-values.ts';

export class SecretKeyError extends OperatorError {
  override readonly name = 'SecretKeyError';
}

/** The rows of `installation`: a text that a key of the installation opens; the ids of its keys. */
export const CHECK = 'secret_key_check';
export const KEYS = 'secret_keys';
/** Encrypted: the key of fingerprints, by which requests, names and networks are looked up. */
export const FINGERPRINT = 'fingerprint_key';
export const CONTEXT = 'installation';

export interface HoldOptions {
  /** Whether an installation without a key gets this one; true by default. */
  readonly stores?: boolean;
  /** The database's address, by which a refusal counts the values that cannot be opened. */
  readonly url?: string | undefined;
}

export interface HeldKeys {
  readonly fingerprintKey: Buffer;
  /** Keys, besides that which encrypts, by which there may be values still. */
  readonly older: readonly string[];
}

/** Throws a SecretKeyError if the vault lacks a key of the installation. */
export async function holdSecretKey(
  db: Database,
  vault: Vault,
  { stores = true, url }: HoldOptions = {},
): Promise<HeldKeys> {
  const { pool } = db;
  let check = await readInstallation(pool, CHECK);
  if (check === undefined && stores) {
    // Of processes that start at once, one is the first.
    await insertInstallation(pool, CHECK, vault.seal(CHECK, CONTEXT));
    check = await readInstallation(pool, CHECK);
  }
  const [first] = vault.ids;
  const opener = check === undefined ? first : vault.keyOf(check, CONTEXT);
  const known = (await readInstallation(pool, KEYS))?.split(' ') ?? [];
  const missing = known.filter((id) => !vault.ids.includes(id));
  if (opener === undefined || missing.length > 0) {
    const count = url === undefined ? undefined : await countUnreadable(db, url, vault);
    throw new SecretKeyError(refusalOf(opener === undefined, missing, count));
  }
  const keys = stores ? await register(pool, opener, first) : known;
  const fingerprintKey = await heldFingerprintKey(pool, vault, { opener, stores });
  return { fingerprintKey, older: keys.filter((id) => id !== first) };
}

/** From now on there may be values by the first key. The keys of the installation. */
async function register(
  pool: Database['pool'],
  opener: string,
  first: string,
): Promise<readonly string[]> {
  for (;;) {
    const before = await readInstallation(pool, KEYS);
    const keys = [...new Set([...(before?.split(' ') ?? [opener]), first])];
    const value = keys.join(' ');
    if (value === before || (await replaceInstallation(pool, KEYS, { before, value }))) return keys;
  }
}

/**
 * Stays the same when the secret key is replaced: what is looked up by fingerprints would be lost,
 * and processes with another first key would count apart. At first it is the one that releases
 * before derive from SECRET_KEY.
 */
async function heldFingerprintKey(
  pool: Database['pool'],
  vault: Vault,
  { opener, stores }: { readonly opener: string; readonly stores: boolean },
): Promise<Buffer> {
  const first = firstFingerprintKey(vault, opener);
  let sealed = await readInstallation(pool, FINGERPRINT);
  if (sealed === undefined) {
    if (!stores) return first;
    await insertInstallation(pool, FINGERPRINT, vault.seal(first.toString('base64url'), CONTEXT));
    sealed = await readInstallation(pool, FINGERPRINT);
  }
  if (sealed === undefined || vault.keyOf(sealed, CONTEXT) === undefined) {
    throw new SecretKeyError(refusalOf(true, [], undefined));
  }
  return Buffer.from(vault.open(sealed, CONTEXT), 'base64url');
}

/** With which an installation begins. */
export const firstFingerprintKey = (vault: Vault, id: string): Buffer =>
  vault.derive(id, 'sundial requests v1');

function refusalOf(isStranger: boolean, missing: readonly string[], count?: Unreadable): string {
  const lead = isStranger
    ? 'SECRET_KEY is not that of this installation, whose secrets it cannot read.'
    : `The secret key ${missing.join(', ')} of this installation is neither SECRET_KEY nor in ` +
      'SECRET_KEYS_OTHER.';
  const told = count === undefined ? '' : ` ${count.text} cannot be decrypted without it.`;
  const what = isStranger
    ? 'Set the key of the other processes;'
    : 'Add it, and run npm run rekey before you remove it;';
  return `${lead}${told} ${what} "The secret key" in docs/operations.md says how to change it.`;
}

/* What cannot be opened without a missing key. */

/** Opening takes some 5 µs each. */
const COUNTED_MAX = 100_000;

interface Unreadable {
  readonly text: string;
}

class Enough extends Error {}

async function countUnreadable(db: Database, url: string, vault: Vault): Promise<Unreadable> {
  let count = 0;
  const reseal = (text: string, context: string): string => {
    if (vault.keyOf(text, context) === undefined) count += 1;
    if (count > COUNTED_MAX) throw new Enough();
    return text;
  };
  try {
    for (const tenantId of await tenantIdsAt(url)) {
      await walkTenant({ db, tenantId, vault, writes: false, reseal });
    }
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    return { text: `More than ${COUNTED_MAX} values` };
  }
  return { text: count === 1 ? '1 value' : `${count} values` };
}

const RELAY_TIMEOUT_MS = 30_000;

export async function tenantIdsAt(url: string): Promise<readonly number[]> {
  const role = 'sundial_relay';
  const name = 'sundial keys';
  const relay = await openDatabase({
    url,
    role,
    poolMax: 1,
    statementTimeoutMs: RELAY_TIMEOUT_MS,
    name,
  });
  try {
    return await allTenantIds(relay.pool);
  } finally {
    await relay.close();
  }
}
