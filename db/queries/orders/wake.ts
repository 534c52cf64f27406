/** Reads the row that an order's workflow needs at each wake, by primary keys only. */
import type { IsoDate, Schedule } from '../../../domain/calendar/calendar.ts';
import type { CustomerStatus } from '../../../domain/customers/status.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { OrderStatus } from '../../../domain/standing/status.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { isOf, standsBy } from '../context/billed.ts';
import { noteOf } from '../context/invoices.ts';
import { paysItself } from '../collection/attempts.ts';
import { hasOwnAgents, readShownAgents, type ShownAgents } from '../commissions/rows.ts';

export interface WokenOrder extends NeighbourRow {
  readonly customerId: number;
  readonly customerRef: string | null;
  readonly customerStatus: CustomerStatus;
  readonly planId: number;
  readonly isAutoRenew: boolean;
  readonly billOn: IsoDate | null;
  readonly transitionOn: IsoDate | null;
  /** The earlier of both. */
  readonly nextActionOn: IsoDate | null;
  /** The next day on which autopay of one of its invoices is due. */
  readonly autopayOn: IsoDate | null;
  /** Why the customer is held from billing; null if it is not. */
  readonly heldCode: string | null;
  /** Null if the customer does not wait for its tax provider; both in milliseconds since 1970. */
  readonly taxWait: { readonly since: number; readonly nextTryAt: number } | null;
  /** Null if it has no coupon. */
  readonly coupon: WokenCoupon | null;
  /** Null if it has no sales agents. */
  readonly agents: ShownAgents | null;
  /** The newest invoices with a line of it beyond the one seen, the oldest first. */
  readonly made: readonly MadeInvoice[];
}

/** The orders that it replaces and that replaces it, and its end by request. */
export interface NeighbourRow {
  readonly status: OrderStatus;
  readonly startDate: IsoDate;
  /** Its last free day; null without a trial. */
  readonly trialEndDate: IsoDate | null;
  /** The day of its pending change. */
  readonly changeOn: IsoDate | null;
  readonly previousNumber: number | null;
  readonly successor: { readonly number: number; readonly startDate: IsoDate } | null;
  readonly endDate: IsoDate | null;
  /** Its end was requested, and not taken back. */
  readonly isEndRequested: boolean;
  readonly cancelReason: string | null;
  /** The last day that is billed elsewhere. */
  readonly billedThrough: IsoDate | null;
  /** The day on which its own pause ends by itself, and that of its customer. */
  readonly pausedUntil: IsoDate | null;
  readonly customerPausedUntil: IsoDate | null;
  /** The first day of its next prices, while it is ahead. */
  readonly priceChangeOn: IsoDate | null;
}

/** The day on which the own pause of an order `o` ends by itself; one that has ended has none. */
export const pausedUntil = `case when o.status = 'Suspended' then (
    select s.until from service_pause s
    where s.tenant_id = o.tenant_id and s.order_id = o.id and s.until is not null) end`;

/** The columns of an order `o`: few orders replace another, so most cost one probe. */
export const neighbours = `o.status, o.start_date, o.trial_end_date, o.change_on, o.end_date, o.price_change_on,
  o.kept_auto_renew is not null as is_end_requested, o.cancel_reason, o.billed_through,
  ${pausedUntil} as paused_until,
  (select s.until from service_pause s
   where s.tenant_id = o.tenant_id and s.customer_id = o.customer_id and s.order_id is null
     and s.until is not null) as customer_paused_until,
  case when o.previous_order_id is not null then (
    select p.order_number from subscription_order p
    where p.tenant_id = o.tenant_id and p.id = o.previous_order_id) end as previous_number,
  (select json_build_object('number', n.order_number, 'startDate', n.start_date)
   from subscription_order n
   where n.tenant_id = o.tenant_id and n.previous_order_id = o.id) as successor`;

/** The coupon of an order, and what of its periods stands discounted. */
export interface WokenCoupon extends Pick<Schedule, 'billingPeriod' | 'anchor' | 'alignmentDay'> {
  readonly code: string;
  readonly isOnce: boolean;
  readonly periods: number | null;
  /** The order's period from which the coupon's count. */
  readonly firstPeriod: number;
  /** The last discounted period, counted from the first as 1; null if there is none. */
  readonly used: number | null;
}

// Of a coupon for ever nothing is used up, so its discounts are not read.
export const wokenCoupon = `case when o.coupon_id is not null then (
    select json_build_object('code', u.code, 'isOnce', u.is_once, 'periods', u.periods,
      'firstPeriod', o.first_period - o.coupon_periods_before, 'anchor', o.anchor,
      'billingPeriod', p.billing_period, 'alignmentDay', p.alignment_day, 'used', (
        select coalesce(max(o.coupon_periods_before + 1 + case
                 when g.charge_type = 'OneTimeCharge' then 0
                 else b.of_period - o.first_period end), nullif(o.coupon_periods_before, 0))
        from order_line l
        join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id
        join invoice_charge d on d.tenant_id = l.tenant_id and d.order_line_id = l.id
         and d.coupon_id = o.coupon_id
        join invoice_line n on n.tenant_id = d.tenant_id and n.id = d.invoice_line_id
        join billed b on ${isOf('d')} and ${standsBy('n.invoice_id')}
        where l.tenant_id = o.tenant_id and l.order_id = o.id
          and (u.is_once or u.periods is not null)))
    from coupon u join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
    where u.tenant_id = o.tenant_id and u.id = o.coupon_id) end`;

/** An invoice, and the id of the order's line on it. */
export interface MadeInvoice {
  readonly line: number;
  readonly number: string;
  /** Of a credit note: the number of the invoice of which it gives back. */
  readonly noteOf: string | null;
  readonly date: IsoDate;
  readonly amount: Decimal;
  /** The order's line of it. */
  readonly part: Decimal;
  readonly currency: string;
  /** The order's usage windows of it, the first few. */
  readonly usage: readonly BilledUsage[];
}

/** A usage window as its subtotal shows it. */
export interface BilledUsage {
  readonly quantity: Decimal;
  readonly unitOfMeasure: string | null;
  readonly priceCode: string;
  readonly amount: Decimal;
}

const MADE_SHOWN_MAX = 3;
/** Of an invoice; the details show as many things that happened. */
const USAGE_SHOWN_MAX = 3;

/** The columns of a subtotal `c` of a usage window. */
export const usageSubTotal = `trim_scale(c.quantity)::text as quantity,
  c.unit_of_measure as "unitOfMeasure", c.price_code as "priceCode", c.amount::text as amount`;

/**
 * The subtotals `c` of the windows that an invoice `i` bills, by few probes. One that was rolled back
 * bills none any more: they are told of the invoice that bills them again.
 */
export const usageOfInvoice = `billed b
  join invoice_charge c on c.tenant_id = b.tenant_id and c.usage_window_id = b.id
   and c.kind = 'usageSubTotal'
  join invoice_line n on n.tenant_id = c.tenant_id and n.id = c.invoice_line_id
   and n.invoice_id = i.id
  where b.is_usage and b.tenant_id = i.tenant_id and b.invoice_id = i.id`;

/**
 * @param seenLine the newest line of an invoice that an earlier wake saw
 * @param seenEarned the newest commission that it saw
 */
export async function readWokenOrder(
  tx: Tx,
  orderId: number,
  seenLine = 0,
  seenEarned = 0,
): Promise<WokenOrder | undefined> {
  // Planning the tables of coupons and usage takes longer than all else: few orders have either.
  const [row] = await tx.query<ReadOrder & Record<string, unknown>>(
    `select o.customer_id, c.ext_customer_ref as customer_ref, c.status as customer_status,
            o.plan_id, ${neighbours}, o.is_auto_renew, o.bill_on, o.transition_on,
            o.next_action_on,
            (select min(i.autopay_on)::text from invoice i
             where i.tenant_id = o.tenant_id and i.autopay_order_id = o.id
               and ${paysItself('i')}) as autopay_on,
            case when c.billing_held_at is not null
                 then coalesce(c.billing_held_code, 'unknown') end as held_code,
            (select json_build_object('since', extract(epoch from w.since) * 1000,
                      'nextTryAt', extract(epoch from w.next_try_at) * 1000)
             from tax_wait w
             where w.tenant_id = o.tenant_id and w.customer_id = o.customer_id) as tax_wait,
            o.coupon_id is not null as has_coupon, ${hasOwnAgents} as has_agents,
            (select coalesce(json_agg(m order by m.line), '[]') from (
               select l.id as line, i.invoice_number as number, ${noteOf('i')} as "noteOf",
                      i.invoice_date as date,
                      i.current_amount_due::text as amount, i.currency,
                      l.line_amount_total::text as part,
                      exists (select from invoice_charge c
                        where c.tenant_id = l.tenant_id and c.invoice_line_id = l.id
                          and c.kind = 'usageSubTotal') as "hasUsage"
               from invoice_line l
               join invoice i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
               where l.tenant_id = o.tenant_id and l.order_id = o.id and l.id > $3
               order by l.id desc limit ${MADE_SHOWN_MAX}) m) as made
     from subscription_order o
     join customer c on c.tenant_id = o.tenant_id and c.id = o.customer_id
     where o.tenant_id = $1 and o.id = $2`,
    [tx.tenantId, orderId, seenLine],
    'readFollowedOrder',
  );
  if (row === undefined) return undefined;
  const { hasAgents, hasCoupon, made, ...order } = row;
  return {
    ...order,
    coupon: hasCoupon ? await readWokenCoupon(tx, orderId) : null,
    agents: hasAgents ? await readShownAgents(tx, orderId, seenEarned) : null,
    made: await withUsage(tx, made),
  };
}

interface ReadOrder extends Omit<WokenOrder, 'coupon' | 'agents' | 'made'> {
  readonly hasCoupon: boolean;
  readonly hasAgents: boolean;
  readonly made: readonly (Omit<MadeInvoice, 'usage'> & { readonly hasUsage: boolean })[];
}

async function readWokenCoupon(tx: Tx, orderId: number): Promise<WokenCoupon | null> {
  const [row] = await tx.query<{ coupon: WokenCoupon | null }>(
    `select ${wokenCoupon} as coupon from subscription_order o
     where o.tenant_id = $1 and o.id = $2`,
    [tx.tenantId, orderId],
    'woken-coupon',
  );
  return row?.coupon ?? null;
}

async function withUsage(tx: Tx, made: ReadOrder['made']): Promise<readonly MadeInvoice[]> {
  const lines = made.flatMap(({ line, hasUsage }) => (hasUsage ? [line] : []));
  const rows =
    lines.length === 0
      ? []
      : await tx.query<{ line: number; usage: readonly BilledUsage[] }>(
          `select l.id as line, (
             select coalesce(json_agg(u), '[]') from (
               select ${usageSubTotal} from ${usageOfInvoice} and n.id = l.id
               order by c.position limit ${USAGE_SHOWN_MAX}) u) as usage
           from invoice_line l
           join invoice i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
           where l.tenant_id = $1 and l.id = any($2)`,
          [tx.tenantId, lines],
          'woken-usage',
        );
  const usageOf = new Map(rows.map(({ line, usage }) => [line, usage]));
  return made.map(({ hasUsage: _hasUsage, ...each }) => ({
    ...each,
    usage: usageOf.get(each.line) ?? [],
  }));
}

/** Counts open orders, over which the tenant's wakes are spread. */
export async function countOpenOrders(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) from subscription_order
     where tenant_id = $1 and next_action_on is not null`,
    [tx.tenantId],
  );
  return row?.count ?? 0;
}

/** Open orders of these customers. */
export async function openOrdersOf(tx: Tx, customerIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from subscription_order
     where tenant_id = $1 and customer_id = any($2) and next_action_on is not null
     order by id`,
    [tx.tenantId, customerIds],
  );
  return rows.map((row) => row.id);
}
