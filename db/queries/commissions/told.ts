/** What people read of an order's agents in the Web UI. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Decimal } from '../../../domain/money/decimal.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { invoiceNumberOf } from '../context/invoices.ts';

export interface ToldLink {
  readonly agent: string;
  readonly plan: string;
  readonly since: IsoDate;
  /** What falls due next of its date-based charges. */
  readonly due: readonly { readonly code: string; readonly on: IsoDate }[];
}

export interface ToldCommission {
  readonly id: number;
  readonly on: IsoDate;
  readonly agent: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly invoice: string | null;
  readonly code: string;
  readonly isReversal: boolean;
}

export interface ToldAgents {
  readonly links: readonly ToldLink[];
  /** Since the last wake, the newest only, oldest first. */
  readonly earned: readonly ToldCommission[];
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
export async function readToldAgents(tx: Tx, orderId: number, seen: number): Promise<ToldAgents> {
  const [told] = await tx.query<ToldAgents & Record<string, unknown>>(
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
                 ${invoiceNumberOf('i')} as invoice, c.code, x.reversal_of is not null as "isReversal"
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
