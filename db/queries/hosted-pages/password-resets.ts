/** The rows of password resets; all their instants are real time. */
import type { Tx } from '../../connection/tenancy.ts';
import { pruneOldest } from '../context/prune.ts';
import { PasswordReset } from '../../entities/hosted-pages.ts';
import type { RowOf } from '../../entities/rows.ts';
import { oneRow } from '../context/insertion.ts';
import type { Contact } from '../../entities/customers.ts';

export interface RequestedReset {
  readonly customerId: number;
  readonly contactId: number;
  readonly at: Date;
}

const resetRow = oneRow({
  into: PasswordReset,
  columns: ['customerId', 'contactId', 'requestedAt'],
  ending: 'returning id',
});

export async function addReset(
  tx: Tx,
  { customerId, contactId, at }: RequestedReset,
): Promise<number> {
  const [added] = await tx.query<{ id: number }>(
    resetRow.text,
    resetRow.values(tx.tenantId, { customerId, contactId, requestedAt: at }),
    'add-reset',
  );
  if (added === undefined) throw new Error('an inserted password reset has no id');
  return added.id;
}

/** Those that a customer, whom this transaction has locked, was given since then. */
export async function countResets(
  tx: Tx,
  { customerId, since }: { readonly customerId: number; readonly since: Date },
): Promise<number> {
  const [found] = await tx.query<{ count: number }>(
    `select count(*)::int as count from password_reset
     where tenant_id = $1 and customer_id = $2 and requested_at > $3`,
    [tx.tenantId, customerId, since],
    'count-resets',
  );
  return found?.count ?? 0;
}

/** For each request, whether it finds somebody or not. */
const PRUNED_MAX = 10;

export function pruneResets(tx: Tx, until: Date): void {
  const at = 'requested_at';
  pruneOldest(tx, { table: 'password_reset', key: 'id', at, until, max: PRUNED_MAX });
}

/** Contacts that have a new password need none of their resets any more. */
export function endResets(
  tx: Tx,
  { contactIds, at }: { readonly contactIds: readonly number[]; readonly at: Date },
): void {
  tx.send(
    `update password_reset set used_at = $3
     where tenant_id = $1 and contact_id = any($2) and used_at is null`,
    [tx.tenantId, contactIds, at],
    'end-resets',
  );
}

export interface NewToken {
  readonly hash: Buffer;
  readonly expiresAt: Date;
  /** Who asked before is not answered any more. */
  readonly requestedAfter: Date;
}

/** Gives a reset a token in place of the one before; undefined if it is over. */
export async function renewReset(
  tx: Tx,
  id: number,
  { hash, expiresAt, requestedAfter }: NewToken,
): Promise<{ readonly username: string; readonly person: Person } | undefined> {
  const [renewed] = await tx.query<Person & { readonly username: string | null }>(
    `update password_reset r set token_hash = $3, expires_at = $4
     from contact k
     where r.tenant_id = $1 and r.id = $2 and r.used_at is null and r.requested_at > $5
       and k.tenant_id = r.tenant_id and k.id = r.contact_id and k.login is not null
     returning k.login as username, k.first_name, k.last_name`,
    [tx.tenantId, id, hash, expiresAt, requestedAfter],
    'renew-reset',
  );
  if (renewed?.username == null) return undefined;
  const { username, ...person } = renewed;
  return { username, person };
}

export type Person = Record<string, unknown> & RowOf<typeof Contact, 'firstName' | 'lastName'>;

export interface StoredReset extends RowOf<
  typeof PasswordReset,
  'id' | 'customerId' | 'contactId' | 'usedAt'
> {
  readonly contactKind: 'billing' | 'sales';
  readonly username: string | null;
  readonly expiresAt: Date;
}

export async function readReset(tx: Tx, tokenHash: Buffer): Promise<StoredReset | undefined> {
  const [reset] = await tx.query<StoredReset & Record<string, unknown>>(
    `select r.id, r.customer_id, k.id as contact_id, k.kind as contact_kind, k.login as username,
       r.expires_at, r.used_at
     from password_reset r join contact k on k.tenant_id = r.tenant_id and k.id = r.contact_id
     where r.tenant_id = $1 and r.token_hash = $2`,
    [tx.tenantId, tokenHash],
    'read-reset',
  );
  return reset;
}

/** False if it is over: of two at once, the second waits for the first. */
export async function takeReset(
  tx: Tx,
  { tokenHash, at }: { readonly tokenHash: Buffer; readonly at: Date },
): Promise<boolean> {
  const taken = await tx.query(
    `update password_reset set used_at = $3
     where tenant_id = $1 and token_hash = $2 and used_at is null and expires_at > $3
     returning id`,
    [tx.tenantId, tokenHash, at],
    'take-reset',
  );
  return taken.length > 0;
}
