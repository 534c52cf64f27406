/** Database reads before a call and outside of calls: users, tenants by their hosts, health. */
import type { Database } from '../../db/connection/database.ts';
import { type HashCost, standardCost } from '../../operations/access/passwords.ts';
import type { CredentialStore, StoredUser } from './credentials.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { grantedBy } from '../../domain/access/rights.ts';
import { type UserOfLogin, noteOldPassword } from '../../operations/access/users.ts';
import { type Dependencies, tenantIdsOf, tenantInfo } from '../../operations/context/context.ts';
import { createTimedCache } from '../../operations/context/timed-cache.ts';
import type { FindTenant } from '../http/middleware.ts';

const WORKER_STALE_SECONDS = 6;
/** A separate lane, so that health checks do not wait behind tenants for a connection. */
const HEALTH = 'health';
/** Then the driver ends the connection, which may have been lost without a word. */
const HEALTH_MS_MAX = 2_000;

export function credentialStore(db: Database, hashCost: HashCost = standardCost): CredentialStore {
  return {
    hashCost,
    clock: () => performance.now(),
    findUser: (tenantId, username) => userAtLogin(db, tenantId, username),
    noteOldPassword: (tenantId, userId) =>
      inTenant(db, tenantId, (tx) => noteOldPassword(tx, userId)),
  };
}

async function userAtLogin(
  db: Database,
  tenantId: number,
  username: string,
): Promise<StoredUser | undefined> {
  // PostgreSQL cannot store a zero byte, so no such user exists.
  if (username.includes('\u0000')) return undefined;
  const [row] = await db.ask<UserOfLogin>(
    {
      name: 'user-at-login',
      text: `select id, password_hash, old_password_hash, roles, rights, requests_per_minute,
          allowed_networks, is_barred from user_at_login($1, $2)`,
      values: [tenantId, username],
    },
    String(tenantId),
  );
  return row && { ...row, id: Number(row.id), username, granted: grantedBy(row.rights) };
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

/*
 * Finds the tenant of a host's label. A hit is cached for some seconds. A miss is looked up again
 * each time, so that a tenant answers as soon as it is applied, but with at most one statement at a
 * time, however many unknown hosts are called.
 */

const TENANT_ID_MS = 5_000;
const TENANTS_KEPT_MAX = 10_000;
const LABELS_ASKED_MAX = 1_000;
/** A separate lane, so that known tenants do not wait for lookups. */
const HOSTS = 'hosts';

/** Looks a known label up once every few seconds; operations read its settings themselves. */
export function tenantFinder(dependencies: Dependencies): FindTenant {
  const { realNow: clock } = dependencies;
  const ids = createTimedCache<string, number>({ clock, entriesMax: TENANTS_KEPT_MAX });
  const lookUp = batched((labels) => tenantIdsOf(dependencies.db, labels, HOSTS), LABELS_ASKED_MAX);
  return async (label) => {
    const known = ids.get(label);
    if (known !== undefined) return tenantInfo(dependencies, known);
    const id = await lookUp(label);
    if (id === undefined) return undefined;
    ids.set(label, id, { forMs: TENANT_ID_MS });
    return tenantInfo(dependencies, id);
  };
}

/**
 * Runs one batch of lookups at a time. A lookup that arrives while a batch runs joins the next
 * batch, so each answer comes from a query that started after its caller arrived.
 */
export function batched<Answer>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
  keysMax: number,
): (key: string) => Promise<Answer | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<Answer | undefined>>();
  let isAsking = false;

  async function askAll(): Promise<void> {
    isAsking = true;
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, keysMax);
      for (const [key] of batch) waiting.delete(key);
      try {
        const answers = await ask(batch.map(([key]) => key));
        for (const [key, { resolve }] of batch) resolve(answers.get(key));
      } catch (error) {
        for (const [, { reject }] of batch) reject(error);
      }
    }
    isAsking = false;
  }

  return (key) => {
    const entry = waiting.get(key) ?? Promise.withResolvers<Answer | undefined>();
    waiting.set(key, entry);
    if (!isAsking) void askAll();
    return entry.promise;
  };
}
