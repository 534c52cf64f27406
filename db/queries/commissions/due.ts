/** The dates on which commissions fall due, and the paid invoices that count on them. */
import type { ChargeKind } from '../../../domain/billing/kinds.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { OrderBase } from '../../../domain/commissions/earned.ts';
import type { CommissionType, DateUnit } from '../../../domain/commissions/terms.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { CommissionDue, OrderAgent, type CommissionCharge } from '../../entities/commissions.ts';
import type { SubscriptionOrder } from '../../entities/orders.ts';
import type { RowOf } from '../../entities/rows.ts';
import type { DuePage } from '../ageing/due.ts';
import { given, type GivenBy } from '../context/insertion.ts';
import { isPaidInFull } from '../context/invoices.ts';

/** A page of the customers of whose orders a commission is due. */
export async function dueCommissionCustomers(
  tx: Tx,
  { today, after, limit }: DuePage,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `with due as materialized (
       select distinct customer_id as id from commission_due
       where tenant_id = $1 and next_due_on <= $2)
     select id from due where id > $3 order by id limit $4`,
    [tx.tenantId, today, after, limit],
    'due-commission-customers',
  );
  return rows.map(({ id }) => id);
}

/** A charge of a link whose day has come, with the order and the terms. */
export interface DueCommission
  extends
    RowOf<
      typeof CommissionDue,
      'orderAgentId' | 'commissionChargeId' | 'customerId' | 'consideredTo'
    >,
    RowOf<typeof OrderAgent, 'salesAgentId' | 'joiningDate' | 'firstId'>,
    RowOf<
      typeof SubscriptionOrder,
      'orderNumber' | 'status' | 'startDate' | 'endDate' | 'isAutoRenew' | 'endedOn'
    >,
    RowOf<typeof CommissionCharge, 'chargeType'> {
  readonly orderId: number;
  readonly dateValue: number | null;
  readonly dateUnits: DateUnit | null;
  readonly type: CommissionType;
  readonly percentOrAmount: Decimal;
  /** Whether the charge earns anything. */
  readonly isInForce: boolean;
}

/** Locks what is due of these customers, in the order in which applying a file does. */
export function lockDueCommissions(
  tx: Tx,
  customerIds: readonly number[],
  { today, limit }: { readonly today: IsoDate; readonly limit: number },
): Promise<DueCommission[]> {
  return tx.query<DueCommission & Record<string, unknown>>(
    `with due as (
       select d.* from commission_due d
       where d.tenant_id = $1 and d.customer_id = any($2) and d.next_due_on <= $3
       order by d.order_agent_id, d.commission_charge_id limit $4 for no key update)
     select d.order_agent_id, d.commission_charge_id, d.customer_id, a.sales_agent_id,
            d.considered_to, a.joining_date, a.first_id, o.id as order_id, o.order_number,
            o.status, o.start_date, o.end_date, o.is_auto_renew, o.ended_on, c.charge_type,
            c.date_to_charge_value as date_value, c.date_to_charge_units as date_units,
            c.commission_type as type, trim_scale(c.commission_amount)::text as percent_or_amount,
            c.is_in_file and p.is_active as is_in_force
     from due d
     join order_agent a on a.tenant_id = d.tenant_id and a.id = d.order_agent_id
     join subscription_order o on o.tenant_id = a.tenant_id and o.id = a.order_id
     join commission_charge c on c.tenant_id = d.tenant_id and c.id = d.commission_charge_id
     join commission_plan p on p.tenant_id = c.tenant_id and p.id = c.commission_plan_id
     order by d.order_agent_id, d.commission_charge_id`,
    [tx.tenantId, customerIds, today, limit],
    'lock-due-commissions',
  );
}

const paidWindows = given(OrderAgent, ['orderId', 'firstId', 'joiningDate'], {
  besides: {
    key: 'int',
    orderAgentId: 'bigint',
    commissionChargeId: 'bigint',
    since: 'date',
    until: 'date',
  },
  rows: '$1',
});

/** The days whose paid invoices count on a date of a charge. */
export type PaidWindow = GivenBy<typeof paidWindows>;

export interface CountingInvoice {
  readonly key: number;
  readonly invoiceId: number;
  readonly currency: string;
  /** Those of the chain of change orders that it bills. */
  readonly orderIds: readonly number[];
  readonly turn: number;
}

/**
 * The invoices that count: of the order and those before it, paid on the days of the window while
 * the link was there. What was earned for one already stands.
 */
export function readCountingInvoices(
  tx: Tx,
  windows: readonly PaidWindow[],
  timezone: string,
): Promise<CountingInvoice[]> {
  return tx.query<CountingInvoice & Record<string, unknown>>(
    `with recursive wanted as (
       select * from ${paidWindows.recordset}),
     chain as (
       select w.key, o.id, o.previous_order_id
       from wanted w join subscription_order o on o.id = w."orderId"
       union
       select c.key, o.id, o.previous_order_id
       from chain c join subscription_order o on o.id = c.previous_order_id)
     select w.key, i.id as invoice_id, i.currency, array_agg(distinct c.id order by c.id) as order_ids,
            (select count(*)::int from commission x
             where x.tenant_id = i.tenant_id and x.invoice_id = i.id and x.reversal_of is null
               and x.order_agent_id = w."orderAgentId"
               and x.commission_charge_id = w."commissionChargeId") as turn
     from wanted w
     join chain c on c.key = w.key
     join invoice_line n on n.order_id = c.id
     join invoice i on i.tenant_id = n.tenant_id and i.id = n.invoice_id and ${isPaidInFull('i')}
       and i.invoice_date >= w."joiningDate"
     cross join lateral (
       select coalesce(max(p.id), i.id) as id, coalesce(max(p.created_at), i.created_at) as at
       from invoice_payment p where p.tenant_id = i.tenant_id and p.invoice_id = i.id) paid
     where paid.id > w."firstId"
       and (paid.at at time zone $2)::date >= w.since and (paid.at at time zone $2)::date < w.until
       and not exists (
         select from commission x
         join order_agent l on l.tenant_id = x.tenant_id and l.id = x.order_agent_id
         where x.tenant_id = i.tenant_id and x.invoice_id = i.id and x.reversal_of is null
           and x.commission_charge_id = w."commissionChargeId" and l.first_id = w."firstId"
           and not exists (select from commission r
             where r.tenant_id = x.tenant_id and r.reversal_of = x.id and r.is_whole))
     group by w.key, w."orderAgentId", w."commissionChargeId", i.tenant_id, i.id, i.currency
     order by w.key, i.id`,
    [paidWindows.json(windows), timezone],
    'counting-invoices',
  );
}

const considered = given(CommissionDue, [
  'orderAgentId',
  'commissionChargeId',
  'consideredTo',
  'nextDueOn',
]);

export type ConsideredDue = GivenBy<typeof considered>;

/** Moves what was locked on to its next date. */
export function moveDueCommissions(tx: Tx, rows: readonly ConsideredDue[]): void {
  if (rows.length === 0) return;
  tx.send(
    `update commission_due d set considered_to = r."consideredTo", next_due_on = r."nextDueOn"
     from ${considered.recordset}
     where d.tenant_id = $1 and d.order_agent_id = r."orderAgentId"
       and d.commission_charge_id = r."commissionChargeId"`,
    [tx.tenantId, considered.json(rows)],
    'move-due-commissions',
  );
}

/* What the charges of orders on invoices come to as the base of commissions. */

/** The kinds of charges that are in a base, with the discounts and credits of those. */
const kindsOfBase: readonly ChargeKind[] = ['period', 'usage', 'percent'];

const kindsInBase = kindsOfBase.map((kind) => `'${kind}'`).join(', ');

export interface InvoiceBase extends OrderBase {
  readonly invoiceId: number;
  readonly orderId: number;
}

/** Of a credit, what is credited decides; of a discount, the other charges of its order line. */
export const basesText = (invoices: string): string => `
  select n.invoice_id, n.order_id,
         sum(c.amount - coalesce(given.back, 0))::text as amount,
         coalesce(array_agg(distinct c.price_code)
           filter (where e.kind <> 'discount' and c.price_code is not null), '{}') as price_codes
  from invoice_line n
  join invoice_charge c on c.tenant_id = n.tenant_id and c.invoice_line_id = n.id
  left join charge_credit r
    on c.kind = 'credit' and r.tenant_id = c.tenant_id and r.credit_charge_id = c.id
  left join invoice_charge o on o.tenant_id = r.tenant_id and o.id = r.invoice_charge_id
  cross join lateral (
    select coalesce(o.kind, c.kind) as kind,
           case when o.id is null then c.invoice_line_id else o.invoice_line_id end as line,
           coalesce(o.order_line_id, c.order_line_id) as order_line) e
  left join lateral (
    select sum(g.amount) as back from charge_credit g
    where g.tenant_id = c.tenant_id and g.invoice_charge_id = c.id
      and g.payment_id is not null) given on true
  where ${invoices} and n.order_id is not null
    and (e.kind in (${kindsInBase}) or (e.kind = 'discount' and exists (
      select from invoice_charge s
      where s.tenant_id = n.tenant_id and s.invoice_line_id = e.line
        and s.order_line_id = e.order_line and s.kind in (${kindsInBase}))))
  group by n.invoice_id, n.order_id`;

export function readBases(tx: Tx, invoiceIds: readonly number[]): Promise<InvoiceBase[]> {
  return tx.query<InvoiceBase & Record<string, unknown>>(
    basesText('n.invoice_id = any($1)'),
    [invoiceIds],
    'commission-bases',
  );
}
