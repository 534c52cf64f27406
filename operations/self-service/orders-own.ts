/** The orders of a customer as its own pages of self-service show them. */
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Coupon } from '../../domain/discounts/coupon.ts';
import { type Decimal, compare, formatAmount, sum } from '../../domain/money/money.ts';
import {
  planPrice,
  runningCoupon,
  type RunningPrice,
} from '../../domain/self-service/running-price.ts';
import { type OrderRow, loadOrders } from '../../db/queries/billing/load.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { planVersions } from '../plans/versions.ts';
import type { SubscriptionOrder } from '../../db/entities/orders.ts';
import type { Plan } from '../../db/entities/plans.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { billableOn } from '../../domain/billing/order-to-rate.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-waits.ts';
import { invoicesOfForm } from '../hosted-pages/forms.ts';
import { isUntaxedAt, taxBasis } from '../orders/quote.ts';

export interface OwnOrder
  extends
    RowOf<
      typeof SubscriptionOrder,
      | 'id'
      | 'orderNumber'
      | 'status'
      | 'currency'
      | 'startDate'
      /** Its last free day. */
      | 'trialEndDate'
      | 'isAutoRenew'
      | 'isAutoPay'
      /** The day of its pending change. */
      | 'changeOn'
      | 'billedThrough'
    >,
    RowOf<typeof Plan, 'billingPeriod'> {
  readonly planName: string;
  /** Its last day, or the end of its present term. */
  readonly endDate: IsoDate | null;
  readonly nextBillOn: IsoDate | null;
  /** The plan that it has after its pending change. */
  readonly changesTo: string | null;
  /** Its end was requested, and not taken back. */
  readonly isEndRequested: boolean;
  /** It will replace the order of that number. */
  readonly replaces: number | null;
}

/** What it is upgraded from was paid elsewhere, where nobody here can credit it. */
export const isBilledElsewhere = (
  { billedThrough }: Pick<OwnOrder, 'billedThrough'>,
  today: IsoDate,
): boolean => billedThrough !== null && billedThrough >= today;

export interface ListedOrder extends OwnOrder {
  /** Null for more lines than a page prices. */
  readonly price: RunningPrice | null;
}

export interface ListedOrders {
  /** Those that go on come first, and of both the newest. */
  readonly orders: readonly ListedOrder[];
  readonly hasMore: boolean;
}

export interface OrdersReader {
  readonly tx: Tx;
  readonly customerId: number;
  /** The tenant's. */
  readonly today: IsoDate;
}

const SHOWN_MAX = 100;
/** More lines are not priced for a page that anyone may reload. */
const PRICED_LINES_MAX = 2_000;

const columns = `o.id, o.order_number, o.status, p.name as plan_name,
  p.billing_period, o.currency, o.start_date, o.trial_end_date,
  coalesce(o.ended_on, o.end_date) as end_date, o.is_auto_renew, o.is_auto_pay,
  o.next_billable_date as next_bill_on, o.change_on, o.billed_through,
  o.kept_auto_renew is not null and o.status in ('Provisioning', 'Active', 'Suspended')
    as is_end_requested,
  case when o.change_on is not null then (
    select np.name from subscription_order n
    join plan np on np.tenant_id = n.tenant_id and np.id = n.plan_id
    where n.tenant_id = o.tenant_id and n.previous_order_id = o.id) end as changes_to,
  case when o.status = 'Provisioning' then (
    select b.order_number from subscription_order b
    where b.tenant_id = o.tenant_id and b.id = o.previous_order_id) end as "replaces"`;

/** A draft is the tenant's own; the order of a sign-up that is not done belongs to whoever signs up. */
const shownOrders = `subscription_order o
  join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
  where o.tenant_id = $1 and o.customer_id = $2 and o.status <> 'Draft'
    and not exists (select from signup s where s.tenant_id = o.tenant_id
      and s.customer_id = o.customer_id and s.status in ('DRAFT', 'FAILED')
      and s.order_id = o.id)`;

export async function listOwnOrders(
  dependencies: Dependencies,
  reader: OrdersReader,
): Promise<ListedOrders> {
  const { tx, customerId } = reader;
  const found = await tx.query<OwnOrder & { lines: number } & Record<string, unknown>>(
    `select ${columns}, (select count(*)::int from order_line l
       where l.tenant_id = o.tenant_id and l.order_id = o.id) as lines
     from ${shownOrders}
     order by o.status in ('Complete', 'Superseded', 'Canceled'), o.id desc
     limit ${SHOWN_MAX + 1}`,
    [tx.tenantId, customerId],
    'self-service-orders',
  );
  const shown = found.slice(0, SHOWN_MAX);
  const prices = await pricesOf(dependencies, reader, idsToPrice(shown));
  const orders = shown.map(({ lines: _lines, ...order }) => ({
    ...order,
    price: prices.get(order.id) ?? null,
  }));
  return { orders, hasMore: found.length > SHOWN_MAX };
}

/** Those of which the page reads all lines. */
function idsToPrice(
  orders: readonly { readonly id: number; readonly lines: number }[],
): readonly number[] {
  const ids: number[] = [];
  let left = PRICED_LINES_MAX;
  for (const { id, lines } of orders) {
    if (lines > left) continue;
    left -= lines;
    ids.push(id);
  }
  return ids;
}

/** Undefined if the customer has no such order. */
export async function readOwnOrder(
  tx: Tx,
  { id, customerId }: { readonly id: number; readonly customerId: number },
): Promise<OwnOrder | undefined> {
  const [order] = await tx.query<OwnOrder & Record<string, unknown>>(
    `select ${columns} from ${shownOrders} and o.id = $3`,
    [tx.tenantId, customerId, id],
    'self-service-order',
  );
  return order;
}

async function pricesOf(
  dependencies: Dependencies,
  { tx, today }: OrdersReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RunningPrice>> {
  if (ids.length === 0) return new Map();
  const rows = await loadOrders(tx, ids);
  const planIds = rows.flatMap(planIdsOf);
  const couponIds = rows.map((row) => row.couponId);
  const [plans, coupons] = await Promise.all([
    planVersions(dependencies.db, tx, planIds),
    couponVersions(dependencies.db, tx, couponIds),
  ]);
  return new Map(
    rows.map((row) => {
      const coupon = coupons.get(row.couponId ?? 0) ?? null;
      return [row.id, priceOfRow(row, { plans, coupon, today })] as const;
    }),
  );
}

interface PricedBy {
  readonly plans: Parameters<typeof billableOn>[1];
  readonly coupon: Coupon | null;
  readonly today: IsoDate;
}

/** Of a whole period, by the lines that the order has on the day. */
export function priceOfRow(row: OrderRow, { plans, coupon, today }: PricedBy): RunningPrice {
  const { lines, currency, schedule } = billableOn(row, plans, {
    customerStatus: 'Active',
    today,
    usageGraceDays: 0,
  });
  const view = { currency, today };
  const off = coupon && runningCoupon(coupon, { ...row, schedule }, { lines, ...view });
  return { ...planPrice(lines, { ...view, billingPeriod: schedule.billingPeriod }), coupon: off };
}

/* What an order of a page bills at once: as it was shown, as it was made, and what stays open. */

/** What is due of one currency. */
export interface Due {
  readonly currency: string;
  /** Below zero it becomes a credit. */
  readonly amount: Decimal;
}

interface Billed {
  readonly currency: string;
  readonly amount: Decimal;
}

/** The totals of invoices by currency, the order's own currency first. */
export function dueOf(invoices: readonly Billed[], currency: string): readonly Due[] {
  const totals = Map.groupBy(invoices, (invoice) => invoice.currency);
  const others = [...totals.keys()].filter((each) => each !== currency).toSorted();
  return [currency, ...others].map((each) => ({
    currency: each,
    amount: formatAmount(each, sum((totals.get(each) ?? []).map(({ amount }) => amount))),
  }));
}

/** What was made is not what the page showed; nothing is stored. */
export class PriceMoved extends Error {
  constructor() {
    super('the price is no longer that of the page');
  }
}

export function refuseOtherDue(made: readonly Due[], shown: readonly Due[]): void {
  const isSame =
    made.length === shown.length &&
    made.every(({ currency, amount }, index) => {
      const other = shown[index];
      return other?.currency === currency && compare(other.amount, amount) === 0;
    });
  if (!isSame) throw new PriceMoved();
}

export interface TaxTerms {
  /** What decides about the customer's taxes, hashed. */
  readonly taxBasis: string;
  /** The tenant taxes, and no rate matches. */
  readonly isUntaxed: boolean;
}

export async function taxTermsOf(
  tx: Tx,
  tenant: TenantInfo,
  customerId: number,
): Promise<TaxTerms> {
  const address = (await readTaxAddresses(tx, [customerId])).get(customerId) ?? null;
  return {
    taxBasis: taxBasis(tenant, address),
    isUntaxed: isUntaxedAt(tenant, address),
  };
}

/** Throws PriceMoved if other taxes are due than the page showed. */
export async function refuseOtherTaxes(
  tx: Tx,
  tenant: TenantInfo,
  { customerId, taxBasis: shown }: { readonly customerId: number } & Pick<TaxTerms, 'taxBasis'>,
): Promise<void> {
  const { taxBasis: now } = await taxTermsOf(tx, tenant, customerId);
  if (now !== shown) throw new PriceMoved();
}

/** Invoices that the customer has to pay itself. */
export interface OpenInvoices {
  readonly currency: string;
  readonly ids: readonly number[];
}

/**
 * Of one currency, as a payment is: of the preferred one, if something of it is open. Without those
 * that autopay will pay.
 */
export async function openAmong(
  tx: Tx,
  invoiceIds: readonly number[],
  preferred: string | null,
): Promise<OpenInvoices | null> {
  if (invoiceIds.length === 0) return null;
  const open = await tx.query<{ id: number; currency: string }>(
    `select id, currency from invoice
     where tenant_id = $1 and id = any($2) and status = 'Outstanding'
       and outstanding_balance > 0 and autopay_on is null
     order by id`,
    [tx.tenantId, invoiceIds],
    'open-among-invoices',
  );
  const first = open.find((invoice) => invoice.currency === preferred) ?? open[0];
  if (first === undefined) return null;
  const { currency } = first;
  return {
    currency,
    ids: open.filter((invoice) => invoice.currency === currency).map(({ id }) => id),
  };
}

/** What is still open of the invoices that a form has made. */
export interface MadeByForm {
  readonly open: OpenInvoices | null;
}

/** Null if the form has made nothing yet. */
export async function madeByForm(tx: Tx, key: string): Promise<MadeByForm | null> {
  const ids = await invoicesOfForm(tx, key);
  return ids === null ? null : { open: await openAmong(tx, ids, null) };
}
