/** The users of a tenant: a password is hashed only if it is new. */
import { z } from 'zod';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { hashPassword, verifyPassword } from '../../access/passwords.ts';
import { type Change, isSame } from '../file/changes.ts';
import { checkRepeats, checkUnique } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import { MovedMeanwhile, type ApplyTime } from '../file/part.ts';
import * as kind from '../file/scalars.ts';
import type { ClearSecrets, SecretPlace } from '../file/secrets.ts';
import { BaseUser } from '../../../db/entities/access.ts';
import type { RowOf } from '../../../db/entities/rows.ts';
import { oneRow } from '../../../db/queries/context/insertion.ts';

const user = z.strictObject({
  username: kind.username().describe('The user id of the credentials. Unique.'),
  password: kind.secret().describe('Stored as a hash only.'),
  roles: z.array(kind.choice(['ROLE_API'])).describe('ROLE_API lets the user call the interface.'),
  firstName: kind.text().optional(),
  lastName: kind.text().optional(),
});

type User = z.output<typeof user>;
type LooseUsers = Loose<{ readonly users: readonly User[] }>;

export const users = {
  schema: z.array(user).default([]).describe('A user removed from the file is disabled.'),
  check: ({ users: given }: LooseUsers, report: Report): void => {
    checkUnique(given, 'username', ['users'], report);
    given?.forEach((each, index) => checkRepeats(each?.roles, ['users', index, 'roles'], report));
  },
  secrets: ({ users: given }: LooseUsers): SecretPlace[] =>
    (given ?? []).map((each, index) => ({
      path: ['users', index, 'password'],
      secret: each?.password,
    })),
  store: (value: readonly User[]): Omit<User, 'password'>[] =>
    value.map(({ password: _password, ...each }) => each),
  // Applying compares them with their rows.
  changes: () => [],
  // Every user has a password.
  show: (stored: readonly Omit<User, 'password'>[]) =>
    stored.map((each) => ({ ...each, password: { withheld: 'set' } })),
  apply: applyUsers,
};

interface UserRow extends RowOf<
  typeof BaseUser,
  'username' | 'passwordHash' | 'roles' | 'firstName' | 'lastName'
> {
  readonly isDisabled: boolean;
}

/** A hash of the file's password, and the stored hash that it was compared with. */
export interface PreparedPassword {
  readonly storedHash: string | null;
  readonly hash: string;
}

export type PreparedPasswords = ReadonlyMap<string, PreparedPassword>;

export function readUsers(tx: Tx): Promise<UserRow[]> {
  return tx.query<UserRow>(
    `select username, password_hash, roles, first_name, last_name,
            disabled_at is not null as is_disabled
     from base_user order by username`,
  );
}

/** Hashing is slow by design, so it runs before the transaction. */
export async function preparePasswords(
  users: readonly Pick<User, 'username'>[],
  clear: ClearSecrets,
  stored: readonly Pick<UserRow, 'username' | 'passwordHash'>[],
): Promise<PreparedPasswords> {
  const hashes = new Map(stored.map((row) => [row.username, row.passwordHash]));
  const prepared = new Map<string, PreparedPassword>();
  for (const [index, { username }] of users.entries()) {
    const password = clear.get(`users[${index}].password`);
    if (typeof password !== 'string') throw new Error('a checked file has every password');
    const storedHash = hashes.get(username) ?? null;
    const isUnchanged = storedHash !== null && (await verifyPassword(password, storedHash));
    const hash = isUnchanged ? storedHash : await hashPassword(password);
    prepared.set(username, { storedHash, hash });
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
    if (!password || password.storedHash !== (row?.passwordHash ?? null)) {
      throw new MovedMeanwhile();
    }
    const next = {
      username: user.username,
      passwordHash: password.hash,
      roles: user.roles,
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
    ...(isSame(before.roles, after.roles) ? [] : ['roles changed']),
    ...(before.firstName === after.firstName && before.lastName === after.lastName
      ? []
      : ['name changed']),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

const userRow = oneRow({
  into: BaseUser,
  columns: ['username', 'passwordHash', 'roles', 'firstName', 'lastName'],
  ending: `on conflict (tenant_id, username) do update
    set password_hash = excluded.password_hash, roles = excluded.roles,
        first_name = excluded.first_name, last_name = excluded.last_name, disabled_at = null`,
});

// `suspended_at` stays: only a person, not a file, enables a user after cross-tenant attempts.
async function writeUser(tx: Tx, user: UserRow): Promise<void> {
  await tx.query(userRow.text, userRow.values(tx.tenantId, user));
}
