/**
 * Recomputes each tenant's newest invoices by the second calculator, which reads documents. They are
 * read as a GET reads them; terms that no document has are read as `tenant show` prints them.
 */
import type {
  CouponTerms,
  ShownActivity,
  ShownRate,
  Shown,
  ShownInvoice,
  ShownPause,
} from '../../domain/recompute/documents.ts';
import { recompute, type Recomputed } from '../../domain/recompute/recompute.ts';
import { readLineDays } from '../../db/queries/orders/current.ts';
import { readTimelinePauses } from '../../db/queries/orders/timeline.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { readCustomers } from '../customers/read.ts';
import { readInvoices } from '../invoices/read.ts';
import { readOrders, type OrderView } from '../orders/read.ts';
import { readPlan, type PlanView } from '../plans/read.ts';
import { readShownFile } from '../tenants/show.ts';
import { listActivities, readActivities } from '../usage/read.ts';

/** Of these the documents are in memory at once, with those of their orders. */
const INVOICES_AT_ONCE = 100;
/** The newest invoices of an order that are read to judge one of them. */
const INVOICES_OF_ORDER_MAX = 24;
/** Changes of one order, in both directions. */
const CHANGES_MAX = 50;
const RECORDS_OF_INVOICE_MAX = 5_000;

/** What the tenant's file says of taxes, terms and usage. */
interface Terms extends Pick<Shown, 'paymentTerms' | 'taxType' | 'rates' | 'usageGraceDays'> {}

/** The newest invoices of a tenant, at most so many. */
export async function recomputeTenant(
  dependencies: Pick<Dependencies, 'realNow'>,
  { tx, tenant }: Where,
  invoicesMax: number,
): Promise<Recomputed> {
  const ids = await newestInvoices(tx, invoicesMax);
  const isWhole = ids.length < invoicesMax;
  const terms = await readTerms(tx);
  const results: Recomputed[] = [];
  for (const batch of batchesOf(ids)) {
    const shown = await readShown(dependencies, { tx, tenant }, batch);
    results.push(recompute({ ...shown, ...terms, isWhole }));
  }
  return merged(results);
}

interface Where {
  readonly tx: Tx;
  readonly tenant: TenantInfo;
}

function newestInvoices(tx: Tx, limit: number): Promise<{ id: number; customerId: number }[]> {
  return tx.query(
    `select id, customer_id from invoice where tenant_id = $1
     order by id desc limit $2`,
    [tx.tenantId, limit],
  );
}

/** All invoices of a customer are in one batch. */
function batchesOf(
  invoices: readonly { readonly id: number; readonly customerId: number }[],
): number[][] {
  const batches: number[][] = [];
  for (const own of Map.groupBy(invoices, ({ customerId }) => customerId).values()) {
    const ids = own.map(({ id }) => id);
    const last = batches.at(-1);
    if (last && last.length + ids.length <= INVOICES_AT_ONCE) last.push(...ids);
    else batches.push(ids);
  }
  return batches;
}

async function readShown(
  dependencies: Pick<Dependencies, 'realNow'>,
  { tx, tenant }: Where,
  ids: readonly number[],
): Promise<Omit<Shown, keyof Terms | 'isWhole'>> {
  const sample = (await readInvoices(tx, tenant, ids)).toSorted((a, b) => a.id - b.id);
  const orders = await readChains({ tx, tenant }, ordersOf(sample));
  const known = new Set(ids);
  const further = [...orders.values()]
    .flatMap(({ invoiceIds }) => invoiceIds.slice(-INVOICES_OF_ORDER_MAX))
    .filter((id) => !known.has(id));
  const others = await readInvoices(tx, tenant, [...new Set(further)]);
  const customerIds = [...new Set(sample.map(({ customerId }) => customerId))];
  const customers = await readCustomers(dependencies, tx, tenant, customerIds);
  return {
    sample,
    others,
    orders,
    plans: await readPlans({ tx, tenant }, [...orders.values()]),
    customers: new Map(customers.map((customer) => [customer.id, customer])),
    ...(await readUsage({ tx, tenant }, sample)),
    lineDays: await readLineDays(tx, [...orders.keys()]),
    coupons: await readCoupons(tx, [...orders.keys()]),
    pauses: await readPauses(tx, [...orders.values()]),
  };
}

const ordersOf = (invoices: readonly ShownInvoice[]): number[] => [
  ...new Set(
    invoices.flatMap(({ lines }) => lines.flatMap((line) => line.subscriptionOrderId ?? [])),
  ),
];

/** The orders and those that they replace, or that replace them. */
async function readChains(
  { tx, tenant }: Where,
  ids: readonly number[],
): Promise<Map<number, OrderView>> {
  const orders = new Map<number, OrderView>();
  let wanted = ids;
  for (let step = 0; step < CHANGES_MAX && wanted.length > 0; step += 1) {
    for (const order of await readOrders(tx, tenant, wanted)) orders.set(order.id, order);
    wanted = [...orders.values()]
      .flatMap(({ previousOrderId, nextOrderId }) => [previousOrderId ?? 0, nextOrderId ?? 0])
      .filter((id) => id !== 0 && !orders.has(id));
  }
  return orders;
}

async function readPlans(
  { tx, tenant }: Where,
  orders: readonly OrderView[],
): Promise<Map<number, PlanView>> {
  const plans = new Map<number, PlanView>();
  for (const id of new Set(orders.map(({ contractOfferingId }) => contractOfferingId))) {
    const plan = await readPlan(tx, tenant, { id });
    if (plan) plans.set(id, plan);
  }
  // An order that took other prices has charges of the versions before, too.
  for (const { planId, earlierId } of await readEarlier(tx, orders)) {
    const plan = plans.get(planId);
    const before = await readPlan(tx, tenant, { id: earlierId });
    if (!plan || !before) continue;
    plans.set(planId, { ...plan, charges: [...(plan.charges ?? []), ...(before.charges ?? [])] });
  }
  return plans;
}

/** The versions that orders of a version had before it. */
function readEarlier(tx: Tx, orders: readonly OrderView[]) {
  return tx.query<{ planId: number; earlierId: number }>(
    `select distinct o.plan_id, (e ->> 'planId')::bigint as earlier_id
     from subscription_order o, jsonb_array_elements(o.earlier_prices) e
     where o.tenant_id = $1 and o.id = any($2) and o.earlier_prices is not null order by 1, 2`,
    [tx.tenantId, orders.map(({ id }) => id)],
    'audit-earlier-versions',
  );
}

async function readUsage(
  { tx, tenant }: Where,
  sample: readonly ShownInvoice[],
): Promise<Pick<Shown, 'activities' | 'corrected'>> {
  const activities = new Map<string, readonly ShownActivity[] | null>();
  for (const { invoiceNumber, lines } of sample) {
    const charges = lines.flatMap((line) => line.charges);
    if (!charges.some(({ isUsageChargeSubTotal }) => isUsageChargeSubTotal)) continue;
    const records = await listActivities(tx, tenant, {
      invoiceNumber,
      orderNumber: undefined,
      priceCode: null,
      beginDate: null,
      endDate: null,
      customerId: null,
      extCustomerRef: null,
      offset: 0,
      max: RECORDS_OF_INVOICE_MAX + 1,
      today: null,
    });
    const isTooMany = records.length > RECORDS_OF_INVOICE_MAX;
    activities.set(invoiceNumber, isTooMany ? null : await withSupplied(tx, records));
  }
  const named = [...activities.values()]
    .flatMap((records) => records ?? [])
    .flatMap(({ correctsExtRefId }) => correctsExtRefId ?? []);
  const ids = await tx.query<{ id: number }>(
    'select id from activity where tenant_id = $1 and ext_ref_id = any($2)',
    [tx.tenantId, named],
  );
  const views = await readActivities(tx, tenant, {
    ids: ids.map(({ id }) => id),
    today: null,
  });
  const corrected = await withSupplied(tx, views);
  return { activities, corrected: new Map(corrected.map((each) => [each.extRefId ?? '', each])) };
}

type Activities = Awaited<ReturnType<typeof readActivities>>;

/** A document says neither whether a billed record came with its amount, nor when it corrected. */
async function withSupplied(tx: Tx, records: Activities): Promise<ShownActivity[]> {
  const rows = await tx.query<{ id: number; supplied: boolean; billed: boolean }>(
    `select id, amount is not null as supplied, corrects_billed as billed from activity
     where tenant_id = $1 and id = any($2)`,
    [tx.tenantId, records.map(({ id }) => id)],
  );
  const facts = new Map(rows.map((row) => [row.id, row]));
  return records.map((record) => ({
    ...record,
    isAmountSupplied: facts.get(record.id)?.supplied ?? false,
    correctsBilled: facts.get(record.id)?.billed ?? false,
  }));
}

/** The terms of the day on which an order took its coupon; its document has the code alone. */
async function readCoupons(tx: Tx, orderIds: readonly number[]): Promise<Map<number, CouponTerms>> {
  const rows = await tx.query<CouponTerms & { readonly orderId: number }>(
    `select o.id as order_id, c.code, trim_scale(c.percent)::text as percent,
            trim_scale(c.amount)::text as amount, c.is_once, c.periods
     from subscription_order o
     join coupon c on c.tenant_id = o.tenant_id and c.id = o.coupon_id
     where o.tenant_id = $1 and o.id = any($2)`,
    [tx.tenantId, orderIds],
  );
  return new Map(rows.map(({ orderId, ...terms }) => [orderId, terms]));
}

/** As the timeline tells them. */
async function readPauses(
  tx: Tx,
  orders: readonly OrderView[],
): Promise<Map<number, readonly ShownPause[]>> {
  const pauses = new Map<number, readonly ShownPause[]>();
  for (const { id, customerId } of orders) {
    const rows = await readTimelinePauses(tx, { id, customerId });
    if (rows.length === 0) continue;
    pauses.set(
      id,
      rows.map((row) => ({ suspendedOn: row.suspendedOn, resumedOn: row.resumedOn })),
    );
  }
  return pauses;
}

async function readTerms(tx: Tx): Promise<Terms> {
  const file = (await readShownFile(tx)) as {
    readonly paymentTerms: Shown['paymentTerms'];
    readonly tax: { readonly type: string; readonly rates?: readonly ShownRate[] };
    readonly settings: { readonly usageGraceDays: number };
  };
  return {
    paymentTerms: file.paymentTerms,
    taxType: file.tax.type,
    rates: file.tax.rates ?? [],
    usageGraceDays: file.settings.usageGraceDays,
  };
}

function merged(results: readonly Recomputed[]): Recomputed {
  const notRecomputed: Record<string, number> = {};
  for (const [reason, count] of results.flatMap((each) => Object.entries(each.notRecomputed))) {
    notRecomputed[reason] = (notRecomputed[reason] ?? 0) + count;
  }
  return {
    invoices: results.reduce((sum, { invoices }) => sum + invoices, 0),
    charges: results.reduce((sum, { charges }) => sum + charges, 0),
    faults: results.flatMap(({ faults }) => faults),
    notRecomputed,
  };
}
