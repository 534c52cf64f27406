/** Reads orders for the interface: one statement for one order or a page of them. */
import { standingStatus } from '../../db/queries/context/invoices.ts';
import { pausedUntil } from '../../db/queries/orders/wake.ts';
import type { Metadata } from '../../domain/text/metadata.ts';
import type { IsoDate, BillingPeriod } from '../../domain/calendar/calendar.ts';
import type { TermUnit } from '../../domain/calendar/terms.ts';
import type { OrderStatus } from '../../domain/standing/status.ts';
import { formatAmount, priceText, type Decimal } from '../../domain/money/money.ts';
import { dayOf, firstOf, refuseLargeList, type Reader } from '../context/listing.ts';
import {
  type ListFilter,
  type ListedFile,
  type ListedPage,
  type PageColumns,
  type WithReference,
  nextOf,
  referenceOf,
  startList,
  totalOf,
} from '../context/lists.ts';
import type { NumberedAddress } from '../context/locks.ts';
import type { TenantInfo } from '../context/context.ts';
import type { SubscriptionOrder } from '../../db/entities/orders.ts';

export interface OrderLineView {
  readonly id: number;
  readonly position: number;
  readonly contractChargeId: number;
  readonly priceCode: string;
  readonly invoiceText: string | null;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal | null;
  readonly isActive: boolean;
  readonly totalLifetimeValue: Decimal;
  readonly lastUpdated: IsoDate;
  readonly dateCreated: IsoDate;
}

export interface OrderView {
  readonly id: number;
  readonly version: number;
  readonly orderNumber: string;
  readonly orderStatus: OrderStatus;
  readonly startDate: IsoDate;
  readonly endDate: IsoDate | null;
  readonly customerId: number;
  readonly currency: string;
  readonly contractOfferingId: number;
  readonly contractOfferingName: string;
  readonly contractCode: string;
  readonly billingPeriod: BillingPeriod;
  readonly separateInvoice: number;
  readonly jobCode: string | null;
  readonly purchaseOrder: string | null;
  readonly couponCode: string | null;
  readonly isAutoPay: boolean;
  readonly isAutoRenew: boolean;
  readonly dueDateValue: number | null;
  readonly dueDateUnits: TermUnit | null;
  readonly invoiceText: string | null;
  readonly invoiceNotes: string | null;
  readonly notes: string | null;
  /** The amount invoiced and not cancelled. */
  readonly totalLifetimeValue: Decimal;
  readonly nextBillableDate: IsoDate | null;
  /** The last free day; null without a trial. */
  readonly trialEndDate: IsoDate | null;
  readonly billedThrough: IsoDate | null;
  readonly cancelReason: string | null;
  readonly suspendedUntil: IsoDate | null;
  readonly priceChangeDate: IsoDate | null;
  readonly lastUpdated: IsoDate;
  readonly dateCreated: IsoDate;
  /** The order that it replaces or will replace. */
  readonly previousOrderId: number | null;
  /** The order that replaces or will replace it. */
  readonly nextOrderId: number | null;
  readonly metadata: Metadata | null;
  readonly invoiceIds: readonly number[];
  readonly lines: readonly OrderLineView[];
}

export async function readOrder(
  tx: Reader,
  tenant: TenantInfo,
  address: NumberedAddress,
): Promise<OrderView | undefined> {
  const byId = 'id' in address;
  const row = await firstOf(
    tx.query<OrderRow>(
      `select ${columns} ${from} where ${byId ? 'o.id' : 'o.order_number'} = $2`,
      [tenant.timezone, byId ? address.id : address.number],
      byId ? 'read-order-by-id' : 'read-order-by-number',
    ),
  );
  return row === undefined ? undefined : withAmounts(row);
}

/** Those of the ids that exist, in any order. */
export async function readOrders(
  tx: Reader,
  tenant: TenantInfo,
  ids: readonly number[],
): Promise<OrderView[]> {
  const rows = await tx.query<OrderRow>(
    `select ${columns} ${from} where o.id = any($2)`,
    [tenant.timezone, ids],
    'read-orders',
  );
  return rows.map(withAmounts);
}

export interface OrderFilter extends ListFilter {
  readonly status: OrderStatus | null;
}

/** Newest first. */
export async function listOrders(
  tx: Reader,
  tenant: TenantInfo,
  filter: OrderFilter,
): Promise<ListedPage<ListedOrder, OrderView>> {
  const { priceCode = null } = filter;
  // PostgreSQL knows how many lines a charge has, and of a code only how many they are on average.
  const chargeIds = priceCode === null ? null : await chargesOf(tx, priceCode);
  const list = startOrders(tenant, { ...filter, priceCode: null });
  if (chargeIds !== null) {
    list.addText(`o.id in (
      select l.order_id from order_line l where l.charge_id = any(${list.value(chargeIds)}))`);
  }
  const total = await totalOf(tx, filter, list);
  // Select the page first, so that skipped rows are not built.
  const page = list.page();
  const { values, order, pageColumns } = list;
  await refuseLargeList(tx, { page: page.text, parts: [linesOfPage], values }, filter.max);
  const rows = await tx.query<ListedOrder>(
    `select ${columns}, ${pageColumns} from (${page.text}) o ${joined} order by ${order}`,
    values,
    page.name,
  );
  const view = ({ listed: _listed, placeKey: _placeKey, ...row }: ListedOrder): OrderView =>
    withAmounts(row);
  return { rows, view, next: nextOf(rows), total };
}

type ListedOrder = OrderRow & PageColumns;

async function chargesOf(tx: Reader, priceCode: string): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    'select id from plan_charge where price_code = $1',
    [priceCode],
    'charges-of-code',
  );
  return rows.map(({ id }) => id);
}

function startOrders(tenant: TenantInfo, filter: OrderFilter) {
  const list = startList<typeof SubscriptionOrder>('orders', tenant, filter);
  list.add('status', filter.status);
  return list;
}

/** All of them without their line items, in the order of the list. */
export function fileOfOrders(
  tenant: TenantInfo,
  filter: OrderFilter,
): ListedFile<OrderRow & WithReference, OrderView & WithReference> {
  const list = startOrders(tenant, filter);
  const text = `select ${headColumns}, ${referenceOf('o')}, '[]'::json as lines,
      '{}'::json as totals_of_lines
    from (${list.all()}) o ${joinedHead} order by ${list.order}`;
  return {
    statement: { text, values: list.values },
    view: ({ customerRef, ...row }) => ({ ...withAmounts(row), customerRef }),
  };
}

const linesOfPage = `select from p join order_line l
  on l.tenant_id = p.tenant_id and l.order_id = p.id`;

interface OrderRow extends Omit<OrderView, 'lines'> {
  readonly lines: readonly Omit<OrderLineView, 'totalLifetimeValue'>[];
  /**
   * By the line's id; one that was never billed has none. Summed in one pass over the order's
   * charges, apart from the lines: joined there, they might be read again for each line.
   */
  readonly totalsOfLines: Readonly<Record<string, Decimal>>;
}

function withAmounts({ totalsOfLines, ...order }: OrderRow): OrderView {
  const amount = (decimal: Decimal): Decimal => formatAmount(order.currency, decimal);
  return {
    ...order,
    totalLifetimeValue: amount(order.totalLifetimeValue),
    lines: order.lines.map((line) => ({
      ...line,
      unitPrice: line.unitPrice === null ? null : priceText(order.currency, line.unitPrice),
      totalLifetimeValue: amount(totalsOfLines[line.id] ?? '0'),
    })),
  };
}

const lines = `(select coalesce(json_agg(json_build_object('id', l.id, 'position', l.position,
    'contractChargeId', l.charge_id, 'priceCode', h.price_code, 'invoiceText', l.invoice_text,
    'quantity', trim_scale(l.quantity)::text, 'unitPrice', trim_scale(l.unit_price)::text,
    'isActive', l.is_active,
    'lastUpdated', ${dayOf('l.updated_at', '$1')}, 'dateCreated', ${dayOf('l.created_at', '$1')})
    order by l.position, l.id), '[]')
  from order_line l join plan_charge h on h.tenant_id = l.tenant_id and h.id = l.charge_id
  where l.tenant_id = o.tenant_id and l.order_id = o.id)`;

const headColumns = `o.id, o.version, o.order_number::text as order_number, o.status as order_status,
  o.start_date, o.end_date, o.customer_id, o.currency,
  o.plan_id as contract_offering_id, p.name as contract_offering_name,
  p.contract_code, p.billing_period,
  o.separate_invoice, o.job_code, o.purchase_order,
  (select u.code from coupon u where u.tenant_id = o.tenant_id and u.id = o.coupon_id)
    as coupon_code,
  o.is_auto_pay, o.is_auto_renew,
  o.due_date_value, o.due_date_units,
  o.invoice_text, o.invoice_notes, o.notes, o.metadata,
  o.next_billable_date, o.trial_end_date, o.billed_through, o.cancel_reason,
  ${pausedUntil} as suspended_until, o.price_change_on as price_change_date,
  ${dayOf('o.updated_at', '$1')} as last_updated, ${dayOf('o.created_at', '$1')} as date_created,
  o.previous_order_id,
  (select n.id from subscription_order n
   where n.tenant_id = o.tenant_id and n.previous_order_id = o.id) as next_order_id,
  v.ids as invoice_ids, v.total as total_lifetime_value`;

const columns = `${headColumns}, ${lines} as lines, b.totals as totals_of_lines`;

const joinedHead = `
  join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
  cross join lateral (
    select coalesce(array_agg(i.id order by i.id), '{}') as ids,
      coalesce(sum(n.line_amount_total) filter (where ${standingStatus('i')} <> 'Cancelled'), 0)::text as total
    from invoice_line n join invoice i on i.tenant_id = n.tenant_id and i.id = n.invoice_id
    where n.tenant_id = o.tenant_id and n.order_id = o.id) v`;

const joined = `${joinedHead}
  cross join lateral (
    select coalesce(json_object_agg(g.line, g.total), '{}') as totals from (
      select g.order_line_id as line, sum(g.amount)::text as total
      from invoice_line n
      join invoice i on i.tenant_id = n.tenant_id and i.id = n.invoice_id
        and ${standingStatus('i')} <> 'Cancelled'
      join invoice_charge g on g.tenant_id = n.tenant_id and g.invoice_line_id = n.id
      where n.tenant_id = o.tenant_id and n.order_id = o.id and g.order_line_id is not null
        and not g.is_usage_charge_sub_total
      group by g.order_line_id) g) b`;

const from = `from subscription_order o ${joined}`;
