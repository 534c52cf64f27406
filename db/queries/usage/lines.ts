/** Finds the order lines that usage records name: by line, by order, or by customer and price. */
import type { EarlierPrices } from '../../../domain/plans/price-moves.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { CustomerStatus } from '../../../domain/customers/status.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { OrderStatus } from '../../../domain/standing/status.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { givenOf, type GivenBy } from '../context/insertion.ts';

/** An order that a record names, and one of the lines that it may mean. */
export interface NamedLineRow {
  /** The name in the question; null for a line that was asked for by id. */
  readonly place: number | null;
  /** Null if the order, or the customer, has no such line. */
  readonly line: LineFacts | null;
  /** Null for a customer without such an order. */
  readonly order: OrderFacts | null;
}

export interface LineFacts {
  readonly id: number;
  readonly chargeId: number;
  readonly isActive: boolean;
  readonly startsOn: IsoDate | null;
  readonly endsOn: IsoDate | null;
  readonly unitPrice: Decimal | null;
  readonly nextPeriodIndex: number;
  /** The billed windows from there on. */
  readonly closed: readonly number[];
}

export interface OrderFacts {
  readonly id: number;
  readonly orderNumber: number;
  readonly status: OrderStatus;
  readonly planId: number;
  readonly earlier: readonly EarlierPrices[] | null;
  readonly currency: string;
  readonly anchor: IsoDate;
  readonly startDate: IsoDate;
  readonly trialEndDate: IsoDate | null;
  readonly endDate: IsoDate | null;
  readonly termStart: IsoDate;
  readonly termFirstEnd: IsoDate | null;
  readonly isAutoRenew: boolean;
  readonly isAwaiting: boolean;
  readonly endedOn: IsoDate | null;
  readonly billsNothingMore: boolean;
  readonly nextBillableDate: IsoDate | null;
  readonly customerId: number;
  readonly extCustomerRef: string | null;
  readonly customerStatus: CustomerStatus;
}

// The limits have each row found by its key, however old the tables' statistics are.
const factsOf = (picked: string): string => `
  select p.place,
    case when l.id is not null then json_build_object('id', l.id, 'chargeId', l.charge_id,
      'isActive', l.is_active, 'startsOn', l.starts_on, 'endsOn', l.ends_on,
      'unitPrice', trim_scale(l.unit_price)::text, 'nextPeriodIndex', l.next_period_index,
      'closed', array(
        select w.period_index from usage_window w
        where w.tenant_id = $1 and w.order_line_id = l.id
          and w.period_index >= l.next_period_index and w.closed_at is not null)) end as line,
    case when o.id is not null then json_build_object('id', o.id, 'orderNumber', o.order_number,
      'status', o.status, 'planId', o.plan_id,
      'earlier', o.earlier_prices, 'currency', o.currency, 'anchor', o.anchor,
      'startDate', o.start_date, 'trialEndDate', o.trial_end_date, 'endDate', o.end_date, 'termStart', o.term_start,
      'termFirstEnd', o.term_first_end, 'isAutoRenew', o.is_auto_renew,
      'isAwaiting', o.status = 'Provisioning' and o.previous_order_id is not null,
      'endedOn', o.ended_on, 'billsNothingMore', o.bills_nothing_more,
      'nextBillableDate', o.next_billable_date, 'customerId', o.customer_id,
      'extCustomerRef', c.ext_customer_ref, 'customerStatus', c.status) end as "order"
  from (${picked}) p
  left join lateral (select * from order_line l where l.tenant_id = $1 and l.id = p.line limit 1) l
    on true
  left join lateral (
    select * from subscription_order o where o.tenant_id = $1 and o.id = p."order" limit 1) o on true
  left join lateral (
    select c.ext_customer_ref, c.status from customer c
    where c.tenant_id = $1 and c.id = o.customer_id limit 1) c on true`;

const byId = factsOf(`
  select null::int as place, l.id as line, l.order_id as "order"
  from (
    select unnest($2::bigint[]) as id
    union
    select a.order_line_id from unnest($3::text[]) ref cross join lateral (
      select order_line_id from activity where tenant_id = $1 and ext_ref_id = ref limit 1) a) t
  cross join lateral (
    select id, order_id from order_line where tenant_id = $1 and id = t.id limit 1) l`);

/** The lines of these ids, and those of the records with these references. */
export function linesById(
  tx: Tx,
  ids: readonly number[],
  refs: readonly string[],
): Promise<NamedLineRow[]> {
  if (ids.length + refs.length === 0) return Promise.resolve([]);
  return ask(tx, byId, [tx.tenantId, ids, refs], 'usage-lines-by-id');
}

const askedOrders = givenOf({
  place: 'int',
  // One of these is set.
  id: 'bigint?',
  number: 'bigint?',
  // The prices whose lines are wanted.
  codes: 'text[]',
  // The order's usage lines are wanted, whatever their price.
  alone: 'boolean',
});

export type OrderAsked = GivenBy<typeof askedOrders>;

const isUsage = `h.charge_type = 'UsageCharge'`;
const lineOfOrder = `order_line l join plan_charge h on h.tenant_id = $1 and h.id = l.charge_id
  where l.tenant_id = $1 and l.order_id = o.id`;

// Two lines of a kind are enough to know that there are several.
const byOrder = factsOf(`
  select r.place, l.id as line, o.id as "order"
  from ${askedOrders.recordset}
  cross join lateral (
    (select id from subscription_order where tenant_id = $1 and id = r.id)
    union all
    (select id from subscription_order where tenant_id = $1 and order_number = r.number)
    limit 1) o
  left join lateral (
    select id from (
      select l.id, row_number() over (partition by h.id order by l.is_active desc, l.id) as nth
      from ${lineOfOrder} and cardinality(r.codes) > 0 and h.price_code = any(r.codes)) n
    where nth <= 2
    union all
    (select l.id from ${lineOfOrder} and r.alone and l.is_active and ${isUsage} limit 2)) l on true`);

/** Each order that exists, once for each of its lines or once without any. */
export function linesOfOrders(tx: Tx, asked: readonly OrderAsked[]): Promise<NamedLineRow[]> {
  if (asked.length === 0) return Promise.resolve([]);
  return ask(tx, byOrder, [tx.tenantId, askedOrders.json(asked)], 'usage-lines-of-orders');
}

const askedCustomers = givenOf({
  place: 'int',
  // One of these is set.
  id: 'bigint?',
  ref: 'text?',
  code: 'text',
});

export type CustomerAsked = GivenBy<typeof askedCustomers>;

const activeLines = `
    select l.id as line, o.id as "order"
    from subscription_order o
    join order_line l on l.tenant_id = $1 and l.order_id = o.id and l.is_active
    join plan_charge h on h.tenant_id = $1 and h.id = l.charge_id and h.price_code = r.code
    where o.tenant_id = $1 and o.customer_id = c.id
      and (o.is_auto_renew or o.end_date is null or o.end_date >= $3)
      and (o.status = 'Active' or o.status = 'Provisioning' and o.start_date <= $3
        and o.previous_order_id is null)`;

// By the status of the day, which the stored one follows within seconds. All of them serve today:
// whether none, one or several span another day follows from those that begin first and end last.
const byCustomer = factsOf(`
  select r.place, l.line, l."order"
  from ${askedCustomers.recordset}
  cross join lateral (
    (select id from customer where tenant_id = $1 and id = r.id)
    union all
    (select id from customer where tenant_id = $1 and ext_customer_ref = r.ref)
    limit 1) c
  left join lateral (
    (${activeLines} order by o.start_date, l.id limit 2)
    union
    (${activeLines}
     order by case when not o.is_auto_renew then o.end_date end desc nulls first, l.id limit 2)
  ) l on true`);

/**
 * Each customer that exists, once for each of up to four lines or once without any: the lines of its
 * Active orders that begin first, and those that end last.
 */
export function linesOfCustomers(
  tx: Tx,
  asked: readonly CustomerAsked[],
  today: IsoDate,
): Promise<NamedLineRow[]> {
  if (asked.length === 0) return Promise.resolve([]);
  const values = [tx.tenantId, askedCustomers.json(asked), today];
  return ask(tx, byCustomer, values, 'usage-lines-of-customers');
}

function ask(
  tx: Tx,
  text: string,
  values: readonly unknown[],
  name: string,
): Promise<NamedLineRow[]> {
  return tx.query<NamedLineRow & Record<string, unknown>>(text, values, name);
}

/* Usage of a whole order, while no upload of it is under way. */

/** Waits for uploads of usage of the order, and keeps others from beginning. */
export function lockUsage(tx: Tx, id: number): void {
  tx.send(
    `with line as materialized (
       select id from order_line where tenant_id = $1 and order_id = $2 order by id for update)
     select w.id from line join usage_window w on w.tenant_id = $1 and w.order_line_id = line.id
     order by w.order_line_id, w.period_index for update of w`,
    [tx.tenantId, id],
    'lock-usage-of-order',
  );
}

/** Whether records of usage name a line of the order. */
export async function hasUsage(tx: Pick<Tx, 'query'>, id: number): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    `select exists (select from order_line l
       join activity a on a.tenant_id = l.tenant_id and a.order_line_id = l.id
       where l.order_id = $1) as found`,
    [id],
    'order-has-usage',
  );
  return row?.found ?? false;
}

/** Opens the windows of an order without records again, all of which have closed empty. */
export function openWindows(tx: Tx, id: number): void {
  tx.send(
    `update usage_window w set closed_at = null from order_line l
     where l.tenant_id = $1 and l.order_id = $2 and w.tenant_id = $1 and w.order_line_id = l.id`,
    [tx.tenantId, id],
    'open-windows-of-order',
  );
}
