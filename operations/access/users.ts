/** The users of a tenant as its admins see them, and suspends and enables them. */
import { changesOf } from '../../domain/access/audit-log.ts';
import { type UserRight, type UserStatus, statusOfUser } from '../../domain/access/rights.ts';
import { noteChanges } from '../../db/connection/audited.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { BaseUser } from '../../db/entities/access.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import type { OperationContext } from '../context/context.ts';
import type { Reader } from '../context/listing.ts';
import { type AuditEntry, writeAudit } from './audit-log.ts';

export interface UserView {
  readonly id: number;
  readonly username: string;
  readonly roles: readonly string[];
  readonly rights: readonly UserRight[] | null;
  readonly status: UserStatus;
  readonly expiresOn: string | null;
  readonly oldPasswordUntil: string | null;
  readonly oldPasswordUsedAt: Date | null;
}

interface UserRow
  extends Omit<UserView, 'status'>, RowOf<typeof BaseUser, 'disabledAt' | 'suspendedAt'> {
  readonly isExpired: boolean;
}

/** Days of users are of the tenant's zone, in real time whatever its test clock says. */
const columns = `id, username, roles, rights, disabled_at, suspended_at, expires_on,
  coalesce(expires_on < (now() at time zone $1)::date, false) as is_expired,
  old_password_until, old_password_used_at`;

const viewOf = ({ disabledAt, suspendedAt, isExpired, ...user }: UserRow): UserView => ({
  ...user,
  status: statusOfUser({
    isDisabled: disabledAt !== null,
    isSuspended: suspendedAt !== null,
    isExpired,
  }),
});

interface Zoned {
  readonly timezone: string;
}

interface Page {
  readonly offset: number;
  readonly max: number;
}

/** By ascending id. */
export async function listUsers(
  tx: Reader,
  { timezone }: Zoned,
  { offset, max }: Page,
): Promise<UserView[]> {
  const rows = await tx.query<UserRow & Record<string, unknown>>(
    `select ${columns} from base_user order by id offset $2 limit $3`,
    [timezone, offset, max],
    'list-users',
  );
  return rows.map(viewOf);
}

export interface Suspending {
  readonly id: number;
  readonly isSuspended: boolean;
  /** The user who asks. */
  readonly by: number;
  readonly trace: Pick<AuditEntry, 'requestId'>;
}

/**
 * Suspends a user, or enables it again; what is so already stays. Other processes read a user every
 * second. Throws user.self and user.unknown.
 */
export async function setUserSuspended(
  { tx, tenant }: OperationContext,
  { id, isSuspended, by, trace }: Suspending,
): Promise<UserView> {
  const value = String(id);
  if (id === by)
    throw new DomainError('user.self', 'a user cannot suspend or enable itself', { value });
  const [row] = await tx.query<UserRow & Record<string, unknown>>(
    `select ${columns} from base_user where id = $2 for no key update`,
    [tenant.timezone, id],
  );
  if (row === undefined) {
    throw new DomainError('user.unknown', 'there is no such user', { value, id });
  }
  if ((row.suspendedAt !== null) === isSuspended) return viewOf(row);
  await writeSuspension(tx, row, { isSuspended, trace });
  const after = viewOf({ ...row, suspendedAt: isSuspended ? new Date() : null });
  const { status: before } = viewOf(row);
  noteChanges(tx, { type: 'user', id }, changesOf({ status: before }, { status: after.status }));
  return after;
}

async function writeSuspension(
  tx: Tx,
  { id, username }: Pick<UserRow, 'id' | 'username'>,
  { isSuspended, trace }: Pick<Suspending, 'isSuspended' | 'trace'>,
): Promise<void> {
  await tx.query('update base_user set suspended_at = case when $2 then now() end where id = $1', [
    id,
    isSuspended,
  ]);
  // Otherwise the next attempt at another tenant would suspend it again.
  if (!isSuspended) await tx.query('delete from foreign_attempt where user_id = $1', [id]);
  const action = isSuspended ? 'userSuspended' : 'userEnabled';
  writeAudit(tx, { ...trace, action, userId: id, username });
}

export type Mended = 'done' | 'unknown' | 'disabled' | 'notSuspended' | 'suspended';

/** By name, for whoever runs the installation. Only the tenant file enables a disabled user. */
export async function suspendByName(
  tx: Tx,
  username: string,
  isSuspended: boolean,
): Promise<Mended> {
  const [user] = await tx.query<
    RowOf<typeof BaseUser, 'id' | 'username' | 'disabledAt' | 'suspendedAt'>
  >(
    `select id, username, disabled_at, suspended_at from base_user
     where username = $1 for no key update`,
    [username],
  );
  if (!user) return 'unknown';
  if (user.disabledAt !== null) return 'disabled';
  if ((user.suspendedAt !== null) === isSuspended)
    return isSuspended ? 'suspended' : 'notSuspended';
  await writeSuspension(tx, user, { isSuspended, trace: {} });
  return 'done';
}

/** What `user_at_login` says, which is asked before a tenant's transaction. */
export type UserOfLogin = RowOf<
  typeof BaseUser,
  | 'id'
  | 'passwordHash'
  | 'oldPasswordHash'
  | 'roles'
  | 'rights'
  | 'requestsPerMinute'
  | 'allowedNetworks'
> & { readonly isBarred: boolean };

/** Notes that the password before still lets somebody in. */
export async function noteOldPassword(tx: Tx, userId: number): Promise<void> {
  await tx.query('update base_user set old_password_used_at = now() where id = $1', [userId]);
}
