/** Applies the tenant's row and clock; refuses changes that are no longer allowed. */
import { dateIn } from '../../domain/calendar/zone.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { TenantTime } from '../context/context.ts';
import type { Refusal } from './numbers.ts';
import type { StoredFile, TenantFile } from './parts.ts';
import type { Tenant } from '../../db/entities/tenants.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { freezeTenant } from '../../db/queries/parties/parties.ts';

export interface TenantRow extends RowOf<typeof Tenant, 'timezone' | 'currency' | 'hasTestClock'> {
  readonly file: StoredFile;
}

export async function readTenantRow(tx: Tx): Promise<TenantRow | undefined> {
  const [row] = await tx.query<TenantRow>(
    'select timezone, currency, has_test_clock, file from tenant where id = $1',
    [tx.tenantId],
  );
  return row;
}

export interface Present {
  readonly file: TenantFile;
  readonly existing: TenantRow | undefined;
  readonly realNow: number;
}

/** The tenant's present time in its new zone; a new clock begins at its start. */
export async function presentOf(tx: Tx, { file, existing, realNow }: Present): Promise<TenantTime> {
  const [clock] = await tx.query<{ now: Date }>(
    'select now from test_clock where tenant_id = $1 for share',
    [tx.tenantId],
  );
  const isStarting = !existing && file.testClock !== undefined;
  const now = clock?.now ?? new Date(isStarting ? (file.testClock ?? '') : realNow);
  return { now, today: dateIn(file.timezone, now.getTime()) };
}

export async function insertTenant(
  tx: Tx,
  file: TenantFile,
  stored: StoredFile,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into tenant (id, label, name, timezone, currency, payment_terms_value,
       payment_terms_units, has_test_clock, file, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      tx.tenantId,
      file.tenant,
      file.name,
      file.timezone,
      file.currency,
      file.paymentTerms.value,
      file.paymentTerms.units,
      file.testClock !== undefined,
      JSON.stringify(stored),
      now,
    ],
  );
  if (file.testClock !== undefined) {
    await tx.query(`insert into test_clock (tenant_id, now, status) values ($1, $2, 'Ready')`, [
      tx.tenantId,
      now,
    ]);
  }
  await freezeTenant(tx);
}

export async function updateTenant(
  tx: Tx,
  file: TenantFile,
  stored: StoredFile,
  now: Date,
): Promise<void> {
  await tx.query(
    `update tenant set name = $2, timezone = $3, currency = $4, payment_terms_value = $5,
       payment_terms_units = $6, file = $7, updated_at = $8,
       -- The dates of its orders are to follow.
       usage_days_moved_at = case
         when file->'settings'->>'usageGraceDays'
           is distinct from $7::jsonb->'settings'->>'usageGraceDays'
         then now() else usage_days_moved_at end
     where id = $1`,
    [
      tx.tenantId,
      file.name,
      file.timezone,
      file.currency,
      file.paymentTerms.value,
      file.paymentTerms.units,
      JSON.stringify(stored),
      now,
    ],
  );
  await freezeTenant(tx);
}

/** Returns the changes that an existing tenant cannot have. */
export async function applyToExisting(
  tx: Tx,
  file: TenantFile,
  existing: TenantRow,
): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  if (existing.hasTestClock !== (file.testClock !== undefined)) {
    const message = existing.hasTestClock
      ? 'cannot be removed: the tenant lives on a test clock'
      : 'cannot be added: the tenant lives in real time';
    refusals.push({ path: ['testClock'], message });
  }
  const fixed = (['timezone', 'currency'] as const).filter((key) => existing[key] !== file[key]);
  if (fixed.length === 0) return refusals;
  // This waits for transactions that are making orders, and then sees them.
  await tx.query(`select from counter where kind = 'order' for update`);
  return [...refusals, ...(await refuseFixed(tx, file, existing, fixed))];
}

async function refuseFixed(
  tx: Tx,
  file: TenantFile,
  existing: TenantRow,
  keys: readonly ('timezone' | 'currency')[],
): Promise<Refusal[]> {
  const [row] = await tx.query<{ hasOrders: boolean }>(
    'select exists (select from subscription_order) as has_orders',
  );
  if (!row?.hasOrders) return [];
  return keys.map((key) => ({
    path: [key],
    message: `cannot change from ${existing[key]} to ${file[key]}: there are orders`,
  }));
}
