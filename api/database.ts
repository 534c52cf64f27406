/** What the API asks of the database before a call is known: hosts, users, health. */
import type { Database } from '../db/database.ts';
import { standardCost } from '../operations/passwords.ts';
import type { HashCost } from '../operations/passwords.ts';
import { tenantIdOf, tenantInfo } from '../operations/services.ts';
import type { Services } from '../operations/services.ts';
import type { CredentialStore, StoredUser } from './credentials.ts';
import type { FindTenant } from './middleware/tenant.ts';

const TENANT_ID_MS = 5_000;
const LABELS_MAX = 10_000;
const WORKER_STALE_SECONDS = 6;
/** Its own lane: health is asked for while tenants wait for connections. */
const HEALTH = 'health';

/** Labels are looked up once in a few seconds; their settings by the operations' own rule. */
export function tenantFinder(services: Services): FindTenant {
  const ids = new Map<string, { readonly id: number | null; readonly until: number }>();
  return async (label) => {
    const cached = ids.get(label);
    let id = cached !== undefined && cached.until > services.realNow() ? cached.id : undefined;
    if (id === undefined) {
      id = await tenantIdOf(services.db, label);
      if (ids.size >= LABELS_MAX) ids.clear();
      ids.set(label, { id, until: services.realNow() + TENANT_ID_MS });
    }
    return id === null ? undefined : tenantInfo(services, id);
  };
}

export function credentialStore(db: Database, hashCost: HashCost = standardCost): CredentialStore {
  return {
    hashCost,
    clock: () => performance.now(),
    findUser: (tenantId, username) => userByLogin(db, tenantId, username),
  };
}

interface UserRow {
  readonly id: string;
  readonly password_hash: string;
  readonly roles: readonly string[];
  readonly disabled: boolean;
}

async function userByLogin(
  db: Database,
  tenantId: number,
  username: string,
): Promise<StoredUser | undefined> {
  // PostgreSQL has no text with a zero byte, and so no such user.
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
    passwordHash: row.password_hash,
    isBarred: row.disabled,
  };
}

export async function databaseAnswers(db: Database): Promise<boolean> {
  await db.ask({ text: 'select 1' }, HEALTH);
  return true;
}

export async function workerIsAlive(db: Database): Promise<boolean> {
  const rows = await db.ask<{ alive: boolean }>(
    {
      name: 'worker-is-alive',
      text: `select exists (select from worker_heartbeat
                            where beat_at > now() - make_interval(secs => $1)) as alive`,
      values: [WORKER_STALE_SECONDS],
    },
    HEALTH,
  );
  return rows[0]?.alive === true;
}
