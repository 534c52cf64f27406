/** Counts cross-tenant attempts of a user, and suspends the user after too many. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { writeAudit, type AuditEntry } from './audit-log.ts';
import { tenantInfo, type Dependencies } from '../context/context.ts';
import type { AddressedKind } from '../context/kinds.ts';

/** Whether an unknown id belongs to another tenant. */
export async function isForeign(
  db: Database,
  kind: AddressedKind | 'any',
  id: number,
  tenantId: number,
): Promise<boolean> {
  const rows = await db.ask<{ foreign: boolean }>(
    {
      name: 'id-is-foreign',
      text: 'select id_is_foreign($1, $2, $3) as foreign',
      values: [kind, id, tenantId],
    },
    String(tenantId),
  );
  return rows[0]?.foreign === true;
}

/** Up to five other tenants that have a user of this name. */
export async function tenantsOfLogin(
  db: Database,
  username: string,
  ownTenantId: number,
): Promise<number[]> {
  if (username.includes('\u0000')) return [];
  const rows = await db.ask<{ id: string }>(
    {
      name: 'tenants-of-login',
      text: 'select tenants_of_login($1, $2) as id',
      values: [username, ownTenantId],
    },
    String(ownTenantId),
  );
  return rows.map((row) => Number(row.id));
}

export interface CrossTenantAttempt {
  /** Whether the object is another tenant's; an id that nobody has takes as long, and counts nothing. */
  readonly isOfAnother: boolean;
  readonly tenantId: number;
  readonly userId: number;
  readonly username: string;
  readonly trace: Omit<AuditEntry, 'userId' | 'username'>;
}

/**
 * Counts one attempt, in real time; true when it is the one that suspends the user. The time of the
 * answer tells nobody whether another tenant has the object: both cases write, and wait for the disk.
 */
export async function countCrossTenantAttempt(
  dependencies: Dependencies,
  { isOfAnother, tenantId, userId, username, trace }: CrossTenantAttempt,
): Promise<boolean> {
  const { max, withinMinutes } = (await tenantInfo(dependencies, tenantId)).settings
    .crossTenantAttempts;
  const entry = { userId, username, ...trace };
  return inTenant(dependencies.db, tenantId, async (tx) => {
    // Serialize: two simultaneous attempts must not both find that one more is allowed.
    await tx.query('select id from base_user where id = $1 for no key update', [userId]);
    await tx.query(
      `delete from foreign_attempt where user_id = $1
         and attempted_at <= now() - make_interval(mins => $2)`,
      [userId, withinMinutes],
    );
    const noted = 'insert into foreign_attempt (tenant_id, user_id) values ($1, $2) returning id';
    const [attempt] = await tx.query<{ id: number }>(noted, [tenantId, userId]);
    if (isOfAnother) writeAudit(tx, entry);
    else tx.send('delete from foreign_attempt where id = $1', [attempt?.id]);
    const suspended = await tx.query(
      `update base_user set suspended_at = now()
       where id = $1 and suspended_at is null and $3
         and (select count(*) from foreign_attempt where user_id = $1) >= $2
       returning id`,
      [userId, max, isOfAnother],
    );
    if (suspended.length > 0) writeAudit(tx, { ...entry, action: 'userSuspended' });
    return suspended.length > 0;
  });
}
