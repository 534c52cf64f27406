/** Reads commission plans, sales agents, the agents of an order, and commissions for the interface. */
import {
  type CommissionChargeType,
  type CommissionType,
  type DateUnit,
  maskedText,
} from '../../domain/commissions/terms.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import { dayOf, firstOf, type Page, type Reader } from '../context/listing.ts';
import type { TenantInfo } from '../context/context.ts';
import type { SalesAgent, OrderAgent, CommissionPlan } from '../../db/entities/commissions.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface CommissionChargeView {
  readonly id: number;
  readonly position: number;
  readonly code: string;
  readonly commissionText: string | null;
  readonly commissionAmount: Decimal;
  readonly commissionType: CommissionType;
  readonly chargeType: CommissionChargeType;
  readonly dateToChargeValue: number | null;
  readonly dateToChargeUnits: DateUnit | null;
  readonly customOptions: string | null;
  readonly notes: string | null;
}

export interface CommissionPlanView extends RowOf<
  typeof CommissionPlan,
  'id' | 'commissionCode' | 'accountingCode'
> {
  readonly planName: string;
  readonly activate: boolean;
  /** The newest version of each plan. */
  readonly planIds: readonly number[];
  readonly charges: readonly CommissionChargeView[];
}

export type CommissionPlanAddress = { readonly id: number } | { readonly commissionCode: string };

// A plan that left the file shows the charges that it had; of one in the file, those that it has.
const planText = `select p.id, p.name as plan_name, p.commission_code,
  p.accounting_code, p.is_active as activate,
  array(select o.id from plan o where o.tenant_id = p.tenant_id and o.is_newest
          and o.contract_code = any(p.plans) order by o.id) as plan_ids,
  (select coalesce(json_agg(json_build_object('id', c.id, 'position', c.position, 'code', c.code,
     'commissionText', c.commission_text,
     'commissionAmount', trim_scale(c.commission_amount)::text,
     'commissionType', c.commission_type, 'chargeType', c.charge_type,
     'dateToChargeValue', c.date_to_charge_value, 'dateToChargeUnits', c.date_to_charge_units,
     'customOptions', c.custom_options, 'notes', c.notes) order by c.position, c.id), '[]')
   from commission_charge c
   where c.tenant_id = p.tenant_id and c.commission_plan_id = p.id and c.is_in_file) as charges
  from commission_plan p`;

export function listCommissionPlans(tx: Reader, { max, offset }: Page) {
  return tx.query<CommissionPlanView & Record<string, unknown>>(
    `${planText} order by p.id limit $1 offset $2`,
    [max, offset],
    'list-commission-plans',
  );
}

export function readCommissionPlan(
  tx: Reader,
  address: CommissionPlanAddress,
): Promise<CommissionPlanView | undefined> {
  const byId = 'id' in address;
  return firstOf(
    tx.query<CommissionPlanView & Record<string, unknown>>(
      `${planText} where p.${byId ? 'id' : 'commission_code'} = $1`,
      [byId ? address.id : address.commissionCode],
      `read-commission-plan-by-${byId ? 'id' : 'code'}`,
    ),
  );
}

export interface AgentAddressView {
  readonly street1?: string;
  readonly street2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly country?: string;
  readonly countryCode?: string;
}

export interface SalesAgentView extends RowOf<
  typeof SalesAgent,
  | 'id'
  | 'code'
  | 'firstName'
  | 'lastName'
  | 'companyName'
  | 'email'
  | 'workPhone'
  | 'cellPhone'
  | 'referenceNumber'
  | 'commissionPlanId'
  | 'notificationsEnabled'
  | 'disbursementsEnabled'
  | 'achRoutingNumber'
  | 'achAccountNumber'
  | 'accountType'
> {
  readonly address: AgentAddressView;
  /** Of its commission plan. */
  readonly commissionCode: string | null;
  readonly referringBillerCommissionCode: string | null;
  /** Masked, as the account number is. */
  readonly disbursementToken: string | null;
  readonly lastUpdated: IsoDate;
  readonly dateCreated: IsoDate;
}

export type SalesAgentAddress = { readonly id: number } | { readonly agentCode: string };

const agentText = `select a.id, a.code, a.first_name, a.last_name,
  a.company_name, a.email, a.work_phone,
  a.cell_phone, a.address, a.reference_number,
  p.commission_code,
  a.referring_commission_code as referring_biller_commission_code,
  a.commission_plan_id, a.notifications_enabled,
  a.disbursements_enabled,
  a.disbursement_token_shown as disbursement_token, a.ach_routing_number,
  a.ach_account_shown as ach_account_number, a.account_type,
  ${dayOf('a.updated_at', '$1')} as last_updated, ${dayOf('a.created_at', '$1')} as date_created
  from sales_agent a
  left join commission_plan p on p.tenant_id = a.tenant_id and p.id = a.commission_plan_id`;

export async function listSalesAgents(
  tx: Reader,
  { timezone }: TenantInfo,
  { max, offset }: Page,
): Promise<SalesAgentView[]> {
  const rows = await tx.query<SalesAgentView & Record<string, unknown>>(
    `${agentText} order by a.id limit $2 offset $3`,
    [timezone, max, offset],
    'list-sales-agents',
  );
  return rows.map(masked);
}

export async function readSalesAgent(
  tx: Reader,
  { timezone }: TenantInfo,
  address: SalesAgentAddress,
): Promise<SalesAgentView | undefined> {
  const byId = 'id' in address;
  const agent = await firstOf(
    tx.query<SalesAgentView & Record<string, unknown>>(
      `${agentText} where a.${byId ? 'id' : 'code'} = $2`,
      [timezone, byId ? address.id : address.agentCode],
      `read-sales-agent-by-${byId ? 'id' : 'code'}`,
    ),
  );
  return agent && masked(agent);
}

function masked(agent: SalesAgentView): SalesAgentView {
  const mask = (lastFour: string | null) => (lastFour === null ? null : maskedText(lastFour));
  const { disbursementToken: token, achAccountNumber: number } = agent;
  return { ...agent, disbursementToken: mask(token), achAccountNumber: mask(number) };
}

export type OrderAgentView = RowOf<
  typeof OrderAgent,
  'id' | 'joiningDate' | 'commissionPlanId' | 'salesAgentId'
>;

const linkColumns = `a.id, a.joining_date as "joiningDate",
  a.commission_plan_id as "commissionPlanId", a.sales_agent_id as "salesAgentId"`;

/** The agents of an order by id; undefined if there is no such order. */
export async function readOrderAgents(
  tx: Reader,
  address: { readonly id: number } | { readonly number: number },
): Promise<readonly OrderAgentView[] | undefined> {
  const byId = 'id' in address;
  const rows = await tx.query<{ links: readonly OrderAgentView[] }>(
    `select (select coalesce(json_agg(l order by l.id), '[]') from (
       select ${linkColumns} from order_agent a
       where a.tenant_id = o.tenant_id and a.order_id = o.id) l) as links
     from subscription_order o where o.${byId ? 'id' : 'order_number'} = $1`,
    [byId ? address.id : address.number],
    `order-agents-by-${byId ? 'id' : 'number'}`,
  );
  return rows[0]?.links;
}

export function readLinks(tx: Reader, ids: readonly number[]): Promise<OrderAgentView[]> {
  return tx.query<OrderAgentView & Record<string, unknown>>(
    `select ${linkColumns} from order_agent a where a.id = any($1) order by a.id`,
    [ids],
    'read-order-agents',
  );
}
