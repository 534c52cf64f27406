/** Writes the commission plans and sales agents of a tenant file: rows by their codes. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { given, type GivenBy } from '../context/insertion.ts';
import { CommissionCharge, CommissionPlan, SalesAgent } from '../../entities/commissions.ts';
import { columnOf, type Loosened } from '../../entities/rows.ts';

const plansOfFile = given(CommissionPlan, [
  'commissionCode',
  'name',
  'accountingCode',
  'isActive',
  // Sorted contractCodes.
  'plans',
]);

export type PlanOfFile = GivenBy<typeof plansOfFile>;

const chargeKeys = [
  'position',
  'commissionText',
  'commissionAmount',
  'commissionType',
  'chargeType',
  'dateToChargeValue',
  'dateToChargeUnits',
  'customOptions',
  'notes',
] as const;
const chargesOfFile = given(CommissionCharge, ['code', ...chargeKeys], {
  besides: { commissionCode: 'text' },
});

/** What the file leaves out is null. */
export type ChargeOfFile = Loosened<GivenBy<typeof chargesOfFile>>;

export interface PlansOfFile {
  readonly plans: readonly PlanOfFile[];
  readonly charges: readonly ChargeOfFile[];
}

/**
 * New dates of a charge hold from tomorrow on, for every link of its plan; what the links wait for
 * is computed then, under their customers' locks.
 */
export async function writeCommissionPlans(
  tx: Tx,
  { plans, charges }: PlansOfFile,
  { now, today }: { readonly now: Date; readonly today: IsoDate },
): Promise<void> {
  // Whoever adds a link holds its plan shared, so each link is among those that get the new dates.
  await tx.query('select id from commission_plan order by id for update');
  await tx.query(upsertPlansText, [tx.tenantId, plansOfFile.json(plans), now]);
  const dated = await tx.query<{ id: number }>(upsertChargesText, [
    tx.tenantId,
    JSON.stringify(charges),
    now,
  ]);
  if (dated.length === 0) return;
  await tx.query(
    `insert into commission_due (tenant_id, order_agent_id, commission_charge_id, customer_id,
       considered_to, next_due_on)
     select a.tenant_id, a.id, c.id, a.customer_id, $3::date, $3::date + 1
     from commission_charge c
     join order_agent a on a.tenant_id = c.tenant_id and a.commission_plan_id = c.commission_plan_id
     where c.tenant_id = $1 and c.id = any($2::bigint[])
     order by a.id, c.id
     on conflict (tenant_id, order_agent_id, commission_charge_id) do update
       set considered_to = greatest(commission_due.considered_to, excluded.considered_to),
           next_due_on = excluded.next_due_on
       -- What was earned once is over.
       where commission_due.next_due_on is not null`,
    [tx.tenantId, dated.map(({ id }) => id), today],
  );
}

const upsertPlansText = `
  with wanted as (
    select * from ${plansOfFile.recordset}),
  gone as (
    update commission_plan set is_in_file = false, updated_at = $3
    where tenant_id = $1 and is_in_file
      and commission_code not in (select "commissionCode" from wanted))
  insert into commission_plan (tenant_id, commission_code, name, accounting_code, is_active, plans,
    is_in_file, created_at, updated_at)
  select $1, "commissionCode", name, "accountingCode", "isActive", plans, true, $3, $3 from wanted
  on conflict (tenant_id, commission_code) do update set name = excluded.name,
    accounting_code = excluded.accounting_code, is_active = excluded.is_active,
    plans = excluded.plans, is_in_file = true, updated_at = excluded.updated_at
    where (commission_plan.name, commission_plan.accounting_code, commission_plan.is_active,
        commission_plan.plans, commission_plan.is_in_file)
      is distinct from (excluded.name, excluded.accounting_code, excluded.is_active, excluded.plans,
        excluded.is_in_file)`;

const chargeColumns = [...chargeKeys.map(columnOf), 'is_in_file'];
const columnsOf = (row: string): string => chargeColumns.map((name) => `${row}.${name}`).join(', ');

/** Returns the charges of the date-based types whose dates are new. A plan that is gone keeps its charges. */
const upsertChargesText = `
  with wanted as (
    select p.id as plan_id, r.* from ${chargesOfFile.recordset}
    join commission_plan p on p.tenant_id = $1 and p.commission_code = r."commissionCode"),
  before as (select * from commission_charge where tenant_id = $1),
  gone as (
    update commission_charge c set is_in_file = false, updated_at = $3
    from commission_plan p
    where c.tenant_id = $1 and c.is_in_file and p.tenant_id = $1 and p.id = c.commission_plan_id
      and p.is_in_file
      and not exists (select from wanted w where w.plan_id = p.id and w.code = c.code)),
  written as (
    insert into commission_charge (tenant_id, commission_plan_id, code, ${chargeColumns.join(', ')},
      created_at, updated_at)
    select $1, plan_id, code, ${chargeKeys.map((key) => `"${key}"`).join(', ')}, true, $3, $3
    from wanted
    on conflict (tenant_id, commission_plan_id, code) do update
      set (${chargeColumns.join(', ')}, updated_at) = (${columnsOf('excluded')}, excluded.updated_at)
      where (${columnsOf('commission_charge')}) is distinct from (${columnsOf('excluded')})
    returning id, charge_type, date_to_charge_value, date_to_charge_units)
  select w.id from written w left join before b on b.id = w.id
  where w.charge_type <> 'RecurringCharge' and (b.id is null or not b.is_in_file
    or (b.charge_type, b.date_to_charge_value, b.date_to_charge_units)
      is distinct from (w.charge_type, w.date_to_charge_value, w.date_to_charge_units))`;

export interface AgentOfFile {
  readonly code: string;
  /** The code of a plan in the file. */
  readonly commissionPlan?: string | undefined;
  readonly address: object;
  /** Further columns by their keys in the file. */
  readonly [key: string]: unknown;
}

/** An agent that is gone keeps what the file said of it. */
export async function writeSalesAgents(
  tx: Tx,
  agents: readonly AgentOfFile[],
  now: Date,
): Promise<void> {
  await tx.query(upsertAgentsText, [tx.tenantId, JSON.stringify(agents), now]);
}

/** By the keys of the file. */
const agentKeys = {
  firstName: 'firstName',
  lastName: 'lastName',
  companyName: 'companyName',
  email: 'email',
  workPhone: 'workPhone',
  cellPhone: 'cellPhone',
  referenceNumber: 'referenceNumber',
  referringBillerCommissionCode: 'referringCommissionCode',
  address: 'address',
  notificationsEnabled: 'notificationsEnabled',
  disbursementsEnabled: 'disbursementsEnabled',
  achRoutingNumber: 'achRoutingNumber',
  accountType: 'accountType',
  achAccountNumber: 'achAccountNumber',
  achAccountShown: 'achAccountShown',
  disbursementToken: 'disbursementToken',
  disbursementTokenShown: 'disbursementTokenShown',
} as const;
const agentsOfFile = given(
  SalesAgent,
  { code: 'code', ...agentKeys },
  { besides: { commissionPlan: 'text' } },
);
const agentNames = [
  ...Object.values(agentKeys).map(columnOf),
  'commission_plan_id',
  'is_in_file',
] as const;
const agentOf = (row: string): string => agentNames.map((name) => `${row}.${name}`).join(', ');

const upsertAgentsText = `
  with wanted as (
    select * from ${agentsOfFile.recordset}),
  gone as (
    update sales_agent set is_in_file = false, updated_at = $3
    where tenant_id = $1 and is_in_file and code not in (select code from wanted))
  insert into sales_agent (tenant_id, code, ${agentNames.join(', ')}, created_at, updated_at)
  select $1, w.code, ${Object.keys(agentKeys)
    .map((key) => `w."${key}"`)
    .join(', ')}, p.id, true, $3, $3
  from wanted w
  left join commission_plan p on p.tenant_id = $1 and p.commission_code = w."commissionPlan"
  on conflict (tenant_id, code) do update
    set (${agentNames.join(', ')}, updated_at) = (${agentOf('excluded')}, excluded.updated_at)
    where (${agentOf('sales_agent')}) is distinct from (${agentOf('excluded')})`;
