/** Checks all invariants of the books over the whole database, tenant by tenant. */
import assert from 'node:assert';
import { type Database, forReading } from '../../db/connection/database.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { type OrderRow, loadOrders } from '../../db/queries/billing/load.ts';
import { type PeriodPart, ordersWithParts, partsOfOrders } from '../../db/queries/billing/parts.ts';
import { readClock } from '../../db/queries/clock/test-clock.ts';
import { readRunState } from '../../db/queries/due/billing-runs.ts';
import { allTenantIds } from '../../db/queries/outbox/missing-workflows.ts';
import { scheduleOfOrder } from '../../domain/billing/order-to-rate.ts';
import { standingAt } from '../../domain/billing/rate/pricing.ts';
import { daysWithout } from '../../domain/billing/due/served-days.ts';
import { type Schedule, daysFromTo, periodAt } from '../../domain/calendar/calendar.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import { compare, formatAmount, roundedAmount } from '../../domain/money/money.ts';
import type { ShownHead } from '../access/audit-heads.ts';
import {
  type Dependencies,
  type TenantInfo,
  type TenantTime,
  tenantInfo,
  tenantTimeOf,
} from '../context/context.ts';
import { planVersions } from '../plans/versions.ts';
import { auditChanges } from './changes.ts';
import { auditHeads } from './checks/access.ts';
import { checks } from './checks/checks.ts';
import { auditDue } from './due.ts';
import { auditLedger } from './ledger.ts';
import { auditReports } from './reports.ts';
import { recomputeTenant } from './recompute.ts';
import { auditVersions } from './versions.ts';
import type {
  AuditReport,
  Fault,
  HeldFromBilling,
  TenantAudit,
  WaitingForTaxes,
  WorkflowLook,
} from './report.ts';
import { type AuditedEngine, auditWorkflows, findWorkflows } from './workflows.ts';
import type { TemporalNamespace } from '../../providers/temporal/connect.ts';

/** The newest invoices of each tenant that are recomputed. */
export const RECOMPUTED_BY_DEFAULT = 200;

/** Of all tenants. */
const RECOMPUTED_IN_ALL_MAX = 20_000;

/** How long after 00:00 the billing run may begin. */
const RUN_BEGINS_WITHIN_MS = 60_000;

export interface AuditOptions {
  /** A connection with the role sundial_relay, the only role that sees all tenants. */
  readonly relayDb: Database;
  /** The workflow engine; null skips the checks of workflows. */
  readonly engine: TemporalNamespace | null;
  /** The label of the only tenant to check. */
  readonly only?: string | undefined;
  /** The newest invoices of each tenant to recompute. */
  readonly recompute?: number | undefined;
  /** Whether the ledger is derived anew and compared, which reads all facts; true by default. */
  readonly ledger?: boolean | undefined;
  /** Whether the reports of the last month are; by default if the ledger is. */
  readonly reports?: boolean | undefined;
  /** The heads of audit logs that have left the database. */
  readonly heads?: readonly ShownHead[] | undefined;
}

/**
 * Reads only. The report is clean if no check found a fault and the engine, if one is given,
 * answered.
 */
export async function audit(
  dependencies: Dependencies,
  options: AuditOptions,
): Promise<AuditReport> {
  const { look, finder } = await engineOf(options.engine);
  const tenants: TenantAudit[] = [];
  let left = RECOMPUTED_IN_ALL_MAX;
  try {
    for (const id of await allTenantIds(options.relayDb.pool, options.only)) {
      const tenant = await tenantInfo(dependencies, id);
      const invoicesMax = Math.min(left, options.recompute ?? RECOMPUTED_BY_DEFAULT);
      const { ledger = true, reports = ledger, heads = [] } = options;
      const given = { finder, invoicesMax, ledger, reports, heads };
      const audited = await auditTenant(dependencies, tenant, given);
      left -= audited.recomputed.invoices;
      tenants.push(audited);
    }
  } finally {
    await finder?.close();
  }
  const faultless = tenants.every((tenant) => tenant.faults.length === 0);
  return { clean: faultless && look !== 'unreachable', workflows: look, tenants };
}

async function engineOf(
  engine: TemporalNamespace | null,
): Promise<{ look: WorkflowLook; finder: AuditedEngine | undefined }> {
  if (engine === null) return { look: 'skipped', finder: undefined };
  try {
    return { look: 'checked', finder: await findWorkflows(engine) };
  } catch {
    return { look: 'unreachable', finder: undefined };
  }
}

interface BooksOptions {
  readonly invoicesMax: number;
  readonly ledger: boolean;
  readonly reports: boolean;
  readonly heads: readonly ShownHead[];
}

async function auditTenant(
  dependencies: Dependencies,
  tenant: TenantInfo,
  { finder, ...options }: BooksOptions & { readonly finder: AuditedEngine | undefined },
): Promise<TenantAudit> {
  // All checks use one snapshot, so they see each concurrent transaction whole or not at all.
  const books = await inTenant(
    await forReading(dependencies.db),
    tenant.id,
    (tx) => auditBooks(dependencies, { tenant, tx, ...options }),
    {
      readOnly: true,
      snapshot: true,
    },
  );
  if (finder === undefined) return books;
  return {
    ...books,
    faults: [...books.faults, ...(await auditWorkflows(dependencies, tenant, finder))],
  };
}

async function auditBooks(
  dependencies: Dependencies,
  {
    tenant,
    tx,
    invoicesMax,
    ledger,
    reports,
    heads,
  }: BooksOptions & { readonly tenant: TenantInfo; readonly tx: Tx },
): Promise<TenantAudit> {
  // Each check reads a whole tenant. If the tenant has grown since PostgreSQL's last statistics, the
  // planner expects one row, and a nested loop would scan one table for each row of another.
  await tx.query('set local enable_nestloop = off');
  const time = await tenantTimeOf(dependencies, tenant, tx, 'none');
  const faults = [...(await checked(tx))];
  faults.push(...(await auditHeads(tx, tenant.label, heads)));
  faults.push(...(await auditChanges(tx, dependencies.db)));
  faults.push(...(await auditParts(tx, dependencies.db)));
  faults.push(...(await auditVersions(tx, dependencies.db, time.today)));
  const isBilling = await isAtWork(tenant, tx, time);
  const { usageGraceDays } = tenant.settings;
  const { db } = dependencies;
  const due = await auditDue(tx, { db, ...time, usageGraceDays, isBilling });
  if (ledger) faults.push(...(await auditLedger(tx)));
  if (reports) faults.push(...(await auditReports(tx, time.today)));
  // Documents are read by keys again.
  await tx.query('set local enable_nestloop = on');
  const where = { tx, tenant };
  const { faults: miscounted, ...recomputed } = await recomputeTenant(
    dependencies,
    where,
    invoicesMax,
  );
  return {
    tenant: tenant.label,
    today: time.today,
    ...(await countsOf(tx)),
    underWay: due.underWay,
    held: await heldCustomers(tx),
    waiting: await waitingCustomers(tx),
    recomputed,
    faults: [...faults, ...due.faults, ...miscounted],
  };
}

/** All at once: most find nothing, so that waiting for each answer would take longer than the checks. */
async function checked(tx: Tx): Promise<readonly Fault[]> {
  const found = await Promise.all(
    checks.map(async ({ name, sql }) => {
      const rows = await tx.query<{ object: string; detail: string }>(
        sql,
        [tx.tenantId],
        `audit-${name}`,
      );
      return rows.map(({ object, detail }) => ({ check: name, object, detail }));
    }),
  );
  return found.flat();
}

async function isAtWork(tenant: TenantInfo, tx: Tx, { now, today }: TenantTime): Promise<boolean> {
  if (tenant.hasTestClock) return (await readClock(tx, 'none'))?.status === 'Advancing';
  if (now.getTime() - startOfDay(tenant.timezone, today) < RUN_BEGINS_WITHIN_MS) return true;
  return (await readRunState(tx, today)) === 'running';
}

async function countsOf(tx: Tx): Promise<{ customers: number; orders: number; invoices: number }> {
  const [counts] = await tx.query<{ customers: number; orders: number; invoices: number }>(
    `select (select count(*) from customer where tenant_id = $1) as customers,
            (select count(*) from subscription_order where tenant_id = $1) as orders,
            (select count(*) from invoice where tenant_id = $1) as invoices`,
    [tx.tenantId],
  );
  return counts ?? { customers: 0, orders: 0, invoices: 0 };
}

function heldCustomers(tx: Tx): Promise<HeldFromBilling[]> {
  return tx.query<HeldFromBilling & Record<string, unknown>>(
    `select id as customer_id, ext_customer_ref,
            coalesce(billing_held_code, 'unknown') as code, billing_held_text as text,
            to_char(billing_held_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
     from customer where tenant_id = $1 and billing_held_at is not null order by id`,
    [tx.tenantId],
  );
}

function waitingCustomers(tx: Tx): Promise<WaitingForTaxes[]> {
  return tx.query<WaitingForTaxes & Record<string, unknown>>(
    `select c.id as customer_id, c.ext_customer_ref, w.code,
            to_char(w.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since,
            to_char(w.next_try_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
              as next_try_at
     from tax_wait w join customer c on c.tenant_id = w.tenant_id and c.id = w.customer_id
     where w.tenant_id = $1 order by c.id`,
    [tx.tenantId],
  );
}

/* Recomputes what the parts of periods cost together, and compares it with what was billed. */

const ORDERS_AT_ONCE = 200;

/**
 * The parts of one period sum up to the price of their days, tier by tier. In batches, so that its
 * memory does not grow with the orders.
 */
async function auditParts(tx: Tx, db: Database): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (let after = 0; ;) {
    const ids = await ordersWithParts(tx, { after, limit: ORDERS_AT_ONCE });
    const last = ids.at(-1);
    if (last === undefined) return faults;
    after = last;
    faults.push(...(await faultsOf(tx, db, ids)));
  }
}

async function faultsOf(tx: Tx, db: Database, ids: readonly number[]): Promise<readonly Fault[]> {
  const [rows, parts] = await Promise.all([loadOrders(tx, ids), partsOfOrders(tx, ids)]);
  const planIds = rows.map((row) => row.planId);
  const plans = await planVersions(db, tx, planIds);
  const partsOf = Map.groupBy(parts, ({ orderId }) => orderId);
  return rows.flatMap((row) => {
    const plan = plans.get(row.planId);
    assert(plan, `order ${row.id} has a plan`);
    const schedule = scheduleOfOrder(row, plan);
    const periods = Map.groupBy(
      partsOf.get(row.id) ?? [],
      ({ lineId, periodIndex }) => `${lineId} ${periodIndex}`,
    );
    return [...periods.values()].flatMap((period) => faultsOfPeriod(row, schedule, period));
  });
}

function faultsOfPeriod(
  { orderNumber, currency }: OrderRow,
  schedule: Schedule,
  period: readonly PeriodPart[],
): readonly Fault[] {
  const standing = period.filter(({ isVoided }) => !isVoided);
  const [first] = standing;
  const last = standing.at(-1);
  // What was rolled back is billed with what stands, and only then do they sum up.
  const isOpen = period.some((part) => part.isVoided && daysWithout(part, standing).length > 0);
  if (first === undefined || last === undefined || isOpen) return [];
  const { start, end } = periodAt(schedule, first.periodIndex);
  const prices = standing.flatMap(({ cost }) => cost?.parts ?? []);
  const faults = prices.flatMap((price) => {
    const { days, amount } = standingAt(price, standing);
    const { unitPrice, quantity } = price;
    const share = { numerator: days, denominator: daysFromTo(start, end), currency };
    const right = roundedAmount({ price: unitPrice, quantity, ...share });
    if (compare(amount, right) === 0) return [];
    return [
      `line ${first.linePosition} is billed ${formatAmount(currency, amount)} for ${days} days of ` +
        `period ${first.periodIndex}, ${first.from} to ${last.to}, which cost ${right}`,
    ];
  });
  const object = `order ${orderNumber}`;
  return [...new Set(faults)].map((detail) => ({ check: 'period.parts', object, detail }));
}
