/** Reads and writes the commissions of invoices: rows that are never changed. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { CommissionChargeType, CommissionType } from '../../../domain/commissions/terms.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { Commission } from '../../entities/commissions.ts';
import type { RowOf } from '../../entities/rows.ts';
import { inserting, type InsertedBy } from '../context/insertion.ts';
import { isPaidInFull } from '../context/invoices.ts';

export const insertCommissions = inserting('insert-commissions', {
  into: Commission,
  columns: [
    'customerId',
    'orderAgentId',
    'salesAgentId',
    'commissionChargeId',
    'orderNumber',
    'invoiceId',
    'orderIds',
    'dueOn',
    'commissionType',
    'rate',
    'priceCode',
    'baseAmount',
    'amount',
    'currency',
    'turn',
    'reversalOf',
    'isWhole',
  ],
  at: { earnedOn: 'today', earnedAt: 'now' },
});

export type CommissionInsert = InsertedBy<typeof insertCommissions>;

/** What both a charge that may earn and a row that was earned say of an invoice and a link. */
interface OfLink {
  readonly customerId: number;
  readonly orderAgentId: number;
  readonly salesAgentId: number;
  readonly commissionChargeId: number;
  readonly orderNumber: number;
  readonly invoiceId: number;
  readonly invoiceCurrency: string;
  /** The terms of now. */
  readonly type: CommissionType;
  readonly percentOrAmount: Decimal;
}

export interface PaidCharge extends OfLink {
  readonly orderId: number;
}

/** The charges that paid invoices earn: one row for each invoice, link and charge in force. */
export function readPaidCharges(tx: Tx, invoiceIds: readonly number[]): Promise<PaidCharge[]> {
  return tx.query<PaidCharge & Record<string, unknown>>(
    `select i.customer_id, a.id as order_agent_id, a.sales_agent_id,
            c.id as commission_charge_id, o.order_number, i.id as invoice_id,
            i.currency as invoice_currency, c.commission_type as type,
            trim_scale(c.commission_amount)::text as percent_or_amount, a.order_id
     from invoice i
     cross join lateral (
       select distinct n.order_id from invoice_line n
       where n.tenant_id = i.tenant_id and n.invoice_id = i.id and n.order_id is not null) n
     join order_agent a on a.tenant_id = i.tenant_id and a.order_id = n.order_id
       and a.joining_date <= i.invoice_date
     join subscription_order o on o.tenant_id = a.tenant_id and o.id = a.order_id
     join commission_plan p on p.tenant_id = a.tenant_id and p.id = a.commission_plan_id
       and p.is_active
     join commission_charge c on c.tenant_id = p.tenant_id and c.commission_plan_id = p.id
       and c.is_in_file and c.charge_type = 'RecurringCharge'
     where i.id = any($1) and ${isPaidInFull('i')}
     order by i.id, a.id, c.position, c.id`,
    [invoiceIds],
    'paid-commission-charges',
  );
}

/** The last time that a charge of a link was earned for an invoice. */
export interface EarnedRow
  extends
    OfLink,
    RowOf<
      typeof Commission,
      | 'id'
      | 'orderIds'
      | 'dueOn'
      | 'commissionType'
      | 'rate'
      | 'priceCode'
      | 'currency'
      | 'turn'
      | 'amount'
    > {
  readonly isPaid: boolean;
  readonly isReversed: boolean;
  /** What of it stands. */
  readonly baseAmount: Decimal;
  readonly chargeType: CommissionChargeType;
  /** Whether the charge earns now. */
  readonly isInForce: boolean;
}

export function readEarned(tx: Tx, invoiceIds: readonly number[]): Promise<EarnedRow[]> {
  return tx.query<EarnedRow & Record<string, unknown>>(
    `select distinct on (x.order_agent_id, x.commission_charge_id, x.invoice_id)
            x.id, x.customer_id, x.order_agent_id, x.sales_agent_id, x.commission_charge_id,
            x.order_number, x.invoice_id, i.currency as invoice_currency,
            ${isPaidInFull('i')} as is_paid, x.order_ids, x.due_on, x.commission_type,
            trim_scale(x.rate)::text as rate, x.price_code, x.currency, x.turn,
            coalesce(r.is_reversed, false) as is_reversed,
            (x.base_amount + coalesce(r.base_amount, 0))::text as base_amount,
            (x.amount + coalesce(r.amount, 0))::text as amount,
            c.charge_type, c.commission_type as type,
            trim_scale(c.commission_amount)::text as percent_or_amount,
            c.is_in_file and p.is_active as is_in_force
     from commission x
     join invoice i on i.tenant_id = x.tenant_id and i.id = x.invoice_id
     join commission_charge c on c.tenant_id = x.tenant_id and c.id = x.commission_charge_id
     join commission_plan p on p.tenant_id = c.tenant_id and p.id = c.commission_plan_id
     left join lateral (
       select bool_or(r.is_whole) as is_reversed, sum(r.base_amount) as base_amount,
              sum(r.amount) as amount
       from commission r where r.tenant_id = x.tenant_id and r.reversal_of = x.id) r on true
     where x.invoice_id = any($1) and x.reversal_of is null
     order by x.order_agent_id, x.commission_charge_id, x.invoice_id, x.turn desc`,
    [invoiceIds],
    'earned-commissions',
  );
}

/** The invoices of some charges for which commissions were earned. */
export async function earningInvoices(tx: Tx, chargeIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct n.invoice_id as id
     from invoice_charge c
     join invoice_line n on n.tenant_id = c.tenant_id and n.id = c.invoice_line_id
     where c.id = any($1) and exists (select from commission x
       where x.tenant_id = n.tenant_id and x.invoice_id = n.invoice_id)`,
    [chargeIds],
    'earning-invoices',
  );
  return rows.map(({ id }) => id);
}

/** A condition: an agent is linked to an order of the row's customer. */
export const hasAgents = (row: string): string => `exists (select from order_agent l
  where l.tenant_id = ${row}.tenant_id and l.customer_id = ${row}.customer_id)`;

/* What people read of an order's agents in the Web UI. */

export interface ShownLink {
  readonly agent: string;
  readonly plan: string;
  readonly since: IsoDate;
  /** What falls due next of its date-based charges. */
  readonly due: readonly { readonly code: string; readonly on: IsoDate }[];
}

export interface ShownCommission {
  readonly id: number;
  readonly on: IsoDate;
  readonly agent: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly invoice: string | null;
  readonly code: string;
  readonly isReversal: boolean;
}

export interface ShownAgents {
  readonly links: readonly ShownLink[];
  /** Since the last wake, the newest only, oldest first. */
  readonly earned: readonly ShownCommission[];
}

const LINKS_TOLD_MAX = 5;
const EARNED_TOLD_MAX = 3;

/** A condition: an agent is linked to the order `o`. */
export const hasOwnAgents = `exists (
  select from order_agent a where a.tenant_id = o.tenant_id and a.order_id = o.id)`;

/**
 * The agents of an order that has some. A statement of its own, as to plan it costs more than most
 * orders' wakes cost in all.
 *
 * @param seen the newest commission that an earlier wake saw
 */
export async function readShownAgents(tx: Tx, orderId: number, seen: number): Promise<ShownAgents> {
  const [told] = await tx.query<ShownAgents & Record<string, unknown>>(
    `select
       (select coalesce(json_agg(l order by l.id), '[]') from (
          select a.id, s.code as agent, p.commission_code as plan, a.joining_date as since,
                 (select coalesce(json_agg(json_build_object('code', c.code, 'on', d.next_due_on)
                    order by d.next_due_on, c.position), '[]')
                  from commission_due d
                  join commission_charge c on c.tenant_id = d.tenant_id
                    and c.id = d.commission_charge_id and c.is_in_file
                  where d.tenant_id = a.tenant_id and d.order_agent_id = a.id
                    and d.next_due_on is not null) as due
          from order_agent a
          join sales_agent s on s.tenant_id = a.tenant_id and s.id = a.sales_agent_id
          join commission_plan p on p.tenant_id = a.tenant_id and p.id = a.commission_plan_id
          where a.tenant_id = $1 and a.order_id = $2
          order by a.id limit ${LINKS_TOLD_MAX}) l) as links,
       (select coalesce(json_agg(e order by e.id), '[]') from (
          select x.id, x.earned_on as on, s.code as agent, x.amount::text as amount, x.currency,
                 i.invoice_number as invoice, c.code, x.reversal_of is not null as "isReversal"
          from order_agent a
          join commission x on x.tenant_id = a.tenant_id and x.order_agent_id = a.id
          join sales_agent s on s.tenant_id = x.tenant_id and s.id = x.sales_agent_id
          join commission_charge c on c.tenant_id = x.tenant_id and c.id = x.commission_charge_id
          left join invoice i on i.tenant_id = x.tenant_id and i.id = x.invoice_id
          where a.tenant_id = $1 and a.order_id = $2 and x.id > $3
          order by x.id desc limit ${EARNED_TOLD_MAX}) e) as earned`,
    [tx.tenantId, orderId, seen],
    'told-agents',
  );
  return told ?? { links: [], earned: [] };
}
