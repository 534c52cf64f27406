/** Reads and writes the links of orders to sales agents. */
import type { CommissionChargeType, DateUnit } from '../../../domain/commissions/terms.ts';
import type { Tx } from '../../connection/tenancy.ts';
import {
  CommissionDue,
  OrderAgent,
  type SalesAgent,
  type CommissionPlan,
} from '../../entities/commissions.ts';
import { inserting } from '../context/insertion.ts';
import type { RowOf } from '../../entities/rows.ts';
import type { SubscriptionOrder } from '../../entities/orders.ts';
import type { Plan } from '../../entities/plans.ts';

export interface LinkedOrder
  extends
    RowOf<typeof SubscriptionOrder, 'id' | 'customerId' | 'status' | 'startDate' | 'trialEndDate'>,
    RowOf<typeof Plan, 'contractCode'> {
  /** The order that waits to replace it, and that order's plan. */
  readonly successorId: number | null;
  readonly successorCode: string | null;
  /** Linked so far. */
  readonly agentIds: readonly number[];
}

export async function readLinkedOrder(tx: Tx, orderId: number): Promise<LinkedOrder> {
  const [row] = await tx.query<LinkedOrder & Record<string, unknown>>(
    `select o.id, o.customer_id, o.status, o.start_date, o.trial_end_date, p.contract_code, n.id as successor_id,
            q.contract_code as successor_code,
            array(select a.sales_agent_id from order_agent a
                  where a.tenant_id = o.tenant_id and a.order_id = o.id) as agent_ids
     from subscription_order o
     join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
     left join subscription_order n on n.tenant_id = o.tenant_id and n.previous_order_id = o.id
       and n.status = 'Provisioning'
     left join plan q on q.tenant_id = n.tenant_id and q.id = n.plan_id
     where o.id = $1`,
    [orderId],
    'linked-order',
  );
  if (!row) throw new Error(`no order ${orderId}`);
  return row;
}

export type NamedAgent = RowOf<typeof SalesAgent, 'id' | 'code' | 'isInFile' | 'commissionPlanId'>;

export function readNamedAgents(tx: Tx, ids: readonly number[]): Promise<NamedAgent[]> {
  return tx.query<NamedAgent & Record<string, unknown>>(
    'select id, code, is_in_file, commission_plan_id from sales_agent where id = any($1)',
    [ids],
    'named-agents',
  );
}

export interface DatedCharge {
  readonly id: number;
  readonly chargeType: CommissionChargeType;
  readonly value: number | null;
  readonly units: DateUnit | null;
}

export interface NamedCommissionPlan extends RowOf<
  typeof CommissionPlan,
  'id' | 'commissionCode' | 'isActive' | 'isInFile'
> {
  /** contractCodes. */
  readonly plans: readonly string[];
  /** Its charges of the date-based types. */
  readonly charges: readonly DatedCharge[];
}

/** Holds the plans: their dates stay the same until the transaction ends. */
export async function holdCommissionPlans(
  tx: Tx,
  ids: readonly number[],
): Promise<NamedCommissionPlan[]> {
  await tx.query(holdPlansText, [ids], 'hold-commission-plans');
  return tx.query<NamedCommissionPlan & Record<string, unknown>>(
    `select p.id, p.commission_code, p.is_active, p.is_in_file, p.plans, (
       select coalesce(json_agg(json_build_object('id', c.id, 'chargeType', c.charge_type,
                'value', c.date_to_charge_value, 'units', c.date_to_charge_units)), '[]')
       from commission_charge c
       where c.tenant_id = p.tenant_id and c.commission_plan_id = p.id and c.is_in_file
         and c.charge_type <> 'RecurringCharge') as charges
     from commission_plan p where p.id = any($1)`,
    [ids],
    'named-commission-plans',
  );
}

// Applying a file locks them in the same order.
const holdPlansText = 'select id from commission_plan where id = any($1) order by id for share';

export const insertLinks = inserting('insert-order-agents', {
  into: OrderAgent,
  columns: ['id', 'orderId', 'customerId', 'salesAgentId', 'commissionPlanId', 'joiningDate'],
  values: { firstId: 'r.id' },
  at: { createdAt: 'now' },
});

export const insertDueCommissions = inserting('insert-due-commissions', {
  into: CommissionDue,
  columns: ['orderAgentId', 'commissionChargeId', 'customerId', 'nextDueOn'],
});

export interface TakingAlong {
  readonly from: number;
  readonly to: number;
  /** Of the new order's plan. */
  readonly contractCode: string;
}

/**
 * Links the agents of an order to one that replaces it, where their commission plan names the new
 * plan. What of their dates is over stays over. The new order may be inserted afterwards.
 */
export function takeLinksAlong(tx: Tx, taking: TakingAlong, now: Date): void {
  const { from, to, contractCode } = taking;
  const plans = `select p.id from order_agent a
    join commission_plan p on p.tenant_id = a.tenant_id and p.id = a.commission_plan_id
    where a.tenant_id = $1 and a.order_id = $2 order by p.id for share of p`;
  // Another statement, so that the next one sees the dates of a file that was applied meanwhile.
  tx.send(plans, [tx.tenantId, from], 'hold-plans-of-order');
  tx.send(
    `with taken as (
       insert into order_agent (tenant_id, order_id, customer_id, sales_agent_id,
         commission_plan_id, joining_date, first_id, created_at)
       select a.tenant_id, $3, a.customer_id, a.sales_agent_id, a.commission_plan_id,
              a.joining_date, a.first_id, $5
       from order_agent a
       join commission_plan p on p.tenant_id = a.tenant_id and p.id = a.commission_plan_id
       where a.tenant_id = $1 and a.order_id = $2 and $4 = any(p.plans)
       order by a.id
       on conflict (tenant_id, order_id, sales_agent_id) do nothing
       returning id, sales_agent_id)
     insert into commission_due (tenant_id, order_agent_id, commission_charge_id, customer_id,
       considered_to, next_due_on)
     select d.tenant_id, t.id, d.commission_charge_id, d.customer_id, d.considered_to, d.next_due_on
     from taken t
     join order_agent a
       on a.tenant_id = $1 and a.order_id = $2 and a.sales_agent_id = t.sales_agent_id
     join commission_due d on d.tenant_id = a.tenant_id and d.order_agent_id = a.id`,
    [tx.tenantId, from, to, contractCode, now],
    'take-agents-along',
  );
}
