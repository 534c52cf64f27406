/**
 * Holds all processes of an installation to the keys of payloads: one that lacks a key by which others
 * encrypt would fail the tasks of their workflows.
 */
import type { Database } from '../../db/connection/database.ts';
import { readInstallation, replaceInstallation } from '../../db/queries/context/installation.ts';
import { keyIdOf } from '../../providers/vault.ts';
import type { TemporalServer } from '../../providers/temporal/connect.ts';
import { SecretKeyError } from './secret-key.ts';

/** The row of `installation`: the ids of the keys by which payloads may be encrypted. */
const KEYS = 'payload_keys';

/** Throws a SecretKeyError if the access lacks a key by which payloads are encrypted. */
export async function holdPayloadKeys(
  { pool }: Pick<Database, 'pool'>,
  access: TemporalServer['access'],
): Promise<void> {
  const { encrypts, others = [] } = access?.payloadKeys ?? {};
  const first = encrypts === undefined ? [] : [keyIdOf(encrypts)];
  const own = [...first, ...others.map(keyIdOf)];
  for (;;) {
    const before = await readInstallation(pool, KEYS);
    const known = idsIn(before);
    const missing = known.filter((id) => !own.includes(id));
    if (missing.length > 0) throw new SecretKeyError(refusalOf(missing));
    const value = [...new Set([...known, ...first])].join(' ');
    if (value === (before ?? '')) return;
    if (await replaceInstallation(pool, KEYS, { before, value })) return;
  }
}

/** No history has payloads of this key any more. False if the installation does not know it. */
export async function retirePayloadKey(
  { pool }: Pick<Database, 'pool'>,
  id: string,
): Promise<boolean> {
  for (;;) {
    const before = await readInstallation(pool, KEYS);
    const known = idsIn(before);
    if (!known.includes(id)) return false;
    const value = known.filter((each) => each !== id).join(' ');
    if (await replaceInstallation(pool, KEYS, { before, value })) return true;
  }
}

const idsIn = (value: string | undefined): readonly string[] =>
  (value ?? '').split(' ').filter((id) => id !== '');

const refusalOf = (missing: readonly string[]): string =>
  `Payloads in Temporal are encrypted by the key ${missing.join(', ')}, which is neither PAYLOAD_KEY ` +
  'nor in PAYLOAD_KEYS_OTHER. Add it; "Encrypted payloads" in docs/operations.md says when it may go.';
