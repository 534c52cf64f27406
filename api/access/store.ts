/** Database reads outside calls: users, health. */
import type { Database } from '../../db/connection/database.ts';
import { standardCost, type HashCost } from '../../operations/access/passwords.ts';
import type { CredentialStore, StoredUser } from './credentials.ts';

const WORKER_STALE_SECONDS = 6;
/** A separate lane, so that health checks do not wait behind tenants for a connection. */
const HEALTH = 'health';
/** Then the driver ends the connection, which may have been lost without a word. */
const HEALTH_MS_MAX = 2_000;

export function credentialStore(db: Database, hashCost: HashCost = standardCost): CredentialStore {
  return {
    hashCost,
    clock: () => performance.now(),
    findUser: (tenantId, username) => userByLogin(db, tenantId, username),
  };
}

interface UserRow {
  readonly id: string;
  readonly passwordHash: string;
  readonly roles: readonly string[];
  readonly disabled: boolean;
}

async function userByLogin(
  db: Database,
  tenantId: number,
  username: string,
): Promise<StoredUser | undefined> {
  // PostgreSQL cannot store a zero byte, so no such user exists.
  if (username.includes('\u0000')) return undefined;
  const rows = await db.ask<UserRow>(
    {
      name: 'user-by-login',
      text: 'select id, password_hash, roles, disabled from user_by_login($1, $2)',
      values: [tenantId, username],
    },
    String(tenantId),
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    id: Number(row.id),
    username,
    roles: row.roles,
    passwordHash: row.passwordHash,
    isBarred: row.disabled,
  };
}

export async function databaseAnswers(db: Database): Promise<boolean> {
  await db.ask({ text: 'select 1', query_timeout: HEALTH_MS_MAX }, HEALTH);
  return true;
}

export async function workerIsAlive(db: Database): Promise<boolean> {
  const rows = await db.ask<{ alive: boolean }>(
    {
      name: 'worker-is-alive',
      text: `select exists (select from worker_heartbeat
                            where beat_at > now() - make_interval(secs => $1)) as alive`,
      values: [WORKER_STALE_SECONDS],
      query_timeout: HEALTH_MS_MAX,
    },
    HEALTH,
  );
  return rows[0]?.alive === true;
}
