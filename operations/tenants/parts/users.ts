/** The users of a tenant: a password is hashed only if it is new. */
import { z } from 'zod';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { userRights } from '../../../domain/access/rights.ts';
import { type HashCost, hashBeside, hashPassword, verifyPassword } from '../../access/passwords.ts';
import { type Change, isSame } from '../file/changes.ts';
import { checkRepeats, checkTogether, checkUnique } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import { MovedMeanwhile, type ApplyTime } from '../file/part.ts';
import * as kind from '../file/scalars.ts';
import type { ClearSecrets, SecretPlace } from '../file/secrets.ts';
import { BaseUser } from '../../../db/entities/access.ts';
import type { RowOf } from '../../../db/entities/rows.ts';
import { oneRow } from '../../../db/queries/context/insertion.ts';

const REQUESTS_MAX = 1_000_000;
const NETWORKS_MAX = 100;

const lastDay = (text: string) =>
  kind
    .date()
    .optional()
    .describe(`${text} It may be past; real time in the zone of the tenant, not a test clock.`);

const user = z.strictObject({
  username: kind.username().describe('The user id of the credentials. Unique.'),
  password: kind.secret().describe('Stored as a hash only.'),
  oldPassword: kind
    .secret()
    .optional()
    .describe(
      'The password before, which is taken, too, until oldPasswordUntil. Stored as a hash.',
    ),
  oldPasswordUntil: lastDay('The last day of oldPassword; needed with it.'),
  roles: z.array(kind.choice(['ROLE_API'])).describe('ROLE_API lets the user call the interface.'),
  rights: z
    .array(kind.choice(userRights))
    .min(1, 'must have at least one right, or be left out')
    .optional()
    .describe(
      'read: calls that read, and reports. finance: also payments, credits, refunds, credit notes, and metadata of invoices and payments. admin: users, the audit log, and erasing customers, and nothing else. They add up. Without the key: all calls but those of admin.',
    ),
  expires: lastDay('The last day on which the user may log in.'),
  requestsPerMinute: kind
    .whole(1, REQUESTS_MAX)
    .optional()
    .describe('More requests in a minute are refused; unlimited by default.'),
  allowedNetworks: z
    .array(kind.network())
    .min(1, 'must have at least one network, or be left out')
    .max(NETWORKS_MAX, `must have at most ${NETWORKS_MAX} networks`)
    .optional()
    .describe('From where the user may log in; from everywhere without the key.'),
  firstName: kind.text().optional(),
  lastName: kind.text().optional(),
});

type User = z.output<typeof user>;
type StoredUser = Omit<User, 'password' | 'oldPassword'>;
type LooseUsers = Loose<{ readonly users: readonly User[] }>;

export const users = {
  schema: z.array(user).default([]).describe('A user removed from the file is disabled.'),
  check: ({ users: given }: LooseUsers, report: Report): void => {
    checkUnique(given, 'username', ['users'], report);
    given?.forEach((each, index) => {
      for (const key of ['roles', 'rights', 'allowedNetworks'] as const) {
        checkRepeats(each?.[key], ['users', index, key], report);
      }
      const path = ['users', index];
      if (each) checkTogether(each, ['oldPassword', 'oldPasswordUntil'], path, report);
    });
  },
  secrets: ({ users: given }: LooseUsers): SecretPlace[] =>
    (given ?? []).flatMap((each, index) =>
      (['password', 'oldPassword'] as const)
        .filter((key) => key === 'password' || each?.[key] !== undefined)
        .map((key) => ({ path: ['users', index, key], secret: each?.[key] })),
    ),
  store: (value: readonly User[]): StoredUser[] =>
    value.map(({ password: _password, oldPassword: _old, ...each }) => each),
  // Applying compares them with their rows.
  changes: () => [],
  // Every user has a password.
  show: (stored: readonly StoredUser[]) =>
    stored.map((each) => ({
      ...each,
      password: { withheld: 'set' },
      ...(each.oldPasswordUntil !== undefined && { oldPassword: { withheld: 'set' } }),
    })),
  apply: applyUsers,
};

type Written =
  | 'username'
  | 'passwordHash'
  | 'oldPasswordHash'
  | 'oldPasswordUntil'
  | 'roles'
  | 'rights'
  | 'expiresOn'
  | 'requestsPerMinute'
  | 'allowedNetworks'
  | 'firstName'
  | 'lastName';

interface UserRow extends RowOf<typeof BaseUser, Written> {
  readonly isDisabled: boolean;
}

/** Hashes of the file's passwords, and the stored hashes that they were compared with. */
export interface PreparedPassword {
  readonly storedHash: string | null;
  readonly storedOldHash: string | null;
  readonly hash: string;
  readonly oldHash: string | null;
}

export type PreparedPasswords = ReadonlyMap<string, PreparedPassword>;

export function readUsers(tx: Tx): Promise<UserRow[]> {
  return tx.query<UserRow>(
    `select username, password_hash, old_password_hash, old_password_until, roles, rights,
            expires_on, requests_per_minute, allowed_networks, first_name, last_name,
            disabled_at is not null as is_disabled
     from base_user order by username`,
  );
}

interface ToPrepare {
  readonly users: readonly Pick<User, 'username'>[];
  readonly clear: ClearSecrets;
  readonly stored: readonly Pick<UserRow, 'username' | 'passwordHash' | 'oldPasswordHash'>[];
  readonly hashCost: HashCost | undefined;
}

/** Hashing is slow by design, so it runs before the transaction. */
export async function preparePasswords({
  users,
  clear,
  stored,
  hashCost,
}: ToPrepare): Promise<PreparedPasswords> {
  const rows = new Map(stored.map((row) => [row.username, row]));
  const prepared = new Map<string, PreparedPassword>();
  for (const [index, { username }] of users.entries()) {
    const password = clear.get(`users[${index}].password`);
    if (typeof password !== 'string') throw new Error('a checked file has every password');
    const row = rows.get(username);
    const storedHash = row?.passwordHash ?? null;
    const isUnchanged = storedHash !== null && (await verifyPassword(password, storedHash));
    const hash = isUnchanged ? storedHash : await hashPassword(password, hashCost);
    const storedOldHash = row?.oldPasswordHash ?? null;
    const old = clear.get(`users[${index}].oldPassword`);
    // Made again it is the same, unless it or the salt of the password has changed.
    const oldHash = old === undefined ? null : await hashBeside(old, hash);
    prepared.set(username, { storedHash, storedOldHash, hash, oldHash });
  }
  return prepared;
}

interface UsersToApply extends ApplyTime {
  readonly file: { readonly users: readonly User[] };
  readonly passwords: PreparedPasswords;
}

/** Throws MovedMeanwhile if another apply has changed a password since they were prepared. */
async function applyUsers(tx: Tx, wanted: UsersToApply): Promise<Change[]> {
  const rows = new Map((await readUsers(tx)).map((row) => [row.username, row]));
  const changes: Change[] = [];
  for (const user of wanted.file.users) {
    const password = wanted.passwords.get(user.username);
    const row = rows.get(user.username);
    rows.delete(user.username);
    if (
      !password ||
      password.storedHash !== (row?.passwordHash ?? null) ||
      password.storedOldHash !== (row?.oldPasswordHash ?? null)
    ) {
      throw new MovedMeanwhile();
    }
    const next = {
      username: user.username,
      passwordHash: password.hash,
      oldPasswordHash: password.oldHash,
      oldPasswordUntil: user.oldPasswordUntil ?? null,
      roles: user.roles,
      rights: user.rights ?? null,
      expiresOn: user.expires ?? null,
      requestsPerMinute: user.requestsPerMinute ?? null,
      allowedNetworks: user.allowedNetworks ?? null,
      firstName: user.firstName ?? null,
      lastName: user.lastName ?? null,
      isDisabled: false,
    };
    const change = whatChanged(row, next);
    if (change === null) continue;
    changes.push({ subject: `user ${user.username}`, change });
    await writeUser(tx, next);
  }
  for (const row of rows.values()) {
    if (row.isDisabled) continue;
    changes.push({ subject: `user ${row.username}`, change: 'disabled' });
    await tx.query('update base_user set disabled_at = $2 where username = $1', [
      row.username,
      wanted.now,
    ]);
  }
  return changes;
}

function whatChanged(before: UserRow | undefined, after: UserRow): string | null {
  if (!before) return 'created';
  const parts = [
    ...(before.isDisabled ? ['enabled'] : []),
    ...(before.passwordHash === after.passwordHash ? [] : ['password changed']),
    ...(before.oldPasswordHash === after.oldPasswordHash &&
    before.oldPasswordUntil === after.oldPasswordUntil
      ? []
      : ['old password changed']),
    ...(isSame(before.roles, after.roles) ? [] : ['roles changed']),
    ...(isSame(before.rights, after.rights) ? [] : ['rights changed']),
    ...(before.expiresOn === after.expiresOn ? [] : ['expiry changed']),
    ...(before.requestsPerMinute === after.requestsPerMinute ? [] : ['requests changed']),
    ...(isSame(before.allowedNetworks, after.allowedNetworks) ? [] : ['networks changed']),
    ...(before.firstName === after.firstName && before.lastName === after.lastName
      ? []
      : ['name changed']),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

const userRow = oneRow({
  into: BaseUser,
  columns: [
    'username',
    'passwordHash',
    'oldPasswordHash',
    'oldPasswordUntil',
    'roles',
    'rights',
    'expiresOn',
    'requestsPerMinute',
    'allowedNetworks',
    'firstName',
    'lastName',
  ],
  // The last use is that of one old password.
  ending: `on conflict (tenant_id, username) do update
    set password_hash = excluded.password_hash,
        old_password_used_at = case
          when base_user.old_password_hash is not distinct from excluded.old_password_hash
          then base_user.old_password_used_at end,
        old_password_hash = excluded.old_password_hash,
        old_password_until = excluded.old_password_until,
        roles = excluded.roles, rights = excluded.rights, expires_on = excluded.expires_on,
        requests_per_minute = excluded.requests_per_minute,
        allowed_networks = excluded.allowed_networks,
        first_name = excluded.first_name, last_name = excluded.last_name, disabled_at = null`,
});

// `suspended_at` stays: only a person, not a file, enables a user after cross-tenant attempts.
async function writeUser(tx: Tx, user: UserRow): Promise<void> {
  await tx.query(userRow.text, userRow.values(tx.tenantId, user));
}
