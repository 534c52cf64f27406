/** The tenants that are measured, and their customers and orders by plain SQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { done, text, type RestTarget } from '../../cli/rest.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { tenantIdOf } from '../../operations/context/context.ts';
import type { Target } from '../client/http.ts';
import type { BenchSystem, Side } from './system.ts';

export interface TenantAccess {
  /** For calls that are not measured. */
  readonly caller: RestTarget;
  /** For the client process. */
  readonly target: Target;
}

export interface Tenant extends TenantAccess {
  readonly id: number;
}

export interface TenantOptions {
  /** It lives in real time, instead of by a test clock that begins on 1 January 2027. */
  readonly isRealTime?: boolean;
  /** Further keys of its plan's only charge. */
  readonly charge?: string;
  readonly morePlans?: string;
  /** Further keys of the file. */
  readonly more?: string;
}

const username = 'api@bench';
const password = 'bench-secret';
const LOOK_MS = 50;
const CLOCK_LIMIT_MS = 1_800_000;

/** Applies a file as a tenant with this label, whose plan MONTHLY has one prepaid charge. */
export async function applyTenant(
  side: Side,
  label: string,
  options: TenantOptions = {},
): Promise<TenantAccess> {
  await side.applyTenant(tenantText(label, options));
  const host = `${label}.localhost`;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return {
    caller: { apiUrl: side.apiUrl, hostName: host, username, password },
    target: { port: Number(new URL(side.apiUrl).port), host, authorization },
  };
}

/** Nothing becomes overdue while a benchmark runs. */
function tenantText(label: string, options: TenantOptions): string {
  const { isRealTime = false, charge = '', morePlans = '', more = '' } = options;
  return `tenant: ${label}
name: Benchmark
timezone: America/New_York
currency: USD
paymentTerms: { value: 1000, units: Days }
${isRealTime ? '' : 'testClock: 2027-01-01T12:00:00Z\n'}users:
  - { username: ${username}, password: ${password}, roles: [ROLE_API] }
plans:
  - contractCode: MONTHLY
    name: Monthly
    billingPeriod: Monthly
    charges:
      - { priceCode: FEE, invoiceText: Monthly fee, chargeType: RecurringCharge, pricingType: FixedPricing, price: 29.95, isPrepaid: true, isProrated: true, maxQuantity: 100${charge} }
${morePlans}${more}`;
}

export async function makeTenant(
  system: BenchSystem,
  label: string,
  options?: TenantOptions,
): Promise<Tenant> {
  const access = await applyTenant(system, label, options);
  const id = await tenantIdOf(system.db, label);
  if (id === null) throw new Error(`tenant ${label} was not made`);
  return { id, ...access };
}

/** Customers with the references C1 and so on, in New York state; returns their ids. */
export async function addCustomers(
  { db }: BenchSystem,
  { id: tenantId }: Tenant,
  count: number,
): Promise<number[]> {
  return inTenant(db, tenantId, async (tx) => {
    const rows = await tx.query<{ id: number }>(
      `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at,
         updated_at, search_text)
       select $1, 'Customer ' || n, 'Active', 'C' || n, 'USD', now(), now(),
         'customer ' || n || E'\\nc' || n || E'\\nmail' || n || '@example.com'
       from generate_series(1, $2::int) n returning id`,
      [tenantId, count],
    );
    await tx.query(
      `insert into contact (tenant_id, customer_id, kind, first_name, last_name, email_primary,
         street1, city, state, zip, country, country_code)
       select tenant_id, id, 'billing', 'Customer', substr(name, 10), 'mail@example.com',
         '1 Main St', 'Albany', 'NY', '12207', 'United States', 'US' from customer`,
    );
    return rows.map(({ id }) => id);
  });
}

export interface Orders {
  readonly count: number;
  readonly contractCode?: string;
  readonly startDate?: string;
  /** The first day on which a run may bill them. */
  readonly billOn?: string;
}

/** An order for each of so many customers, with a line for each charge, as POST would write them; returns their ids. */
export async function addOrders(
  { db }: BenchSystem,
  { id: tenantId }: Tenant,
  { count, contractCode = 'MONTHLY', startDate = FIRST_DAY, billOn = BILLED_FIRST }: Orders,
): Promise<number[]> {
  return inTenant(db, tenantId, async (tx) => {
    const rows = await tx.query<{ id: number }>(
      `with taken as (
         update counter set next = next + $2 where kind = 'order' returning next - $2 as first)
       insert into subscription_order (tenant_id, order_number, status, customer_id, plan_id,
         currency, start_date, term_start, is_auto_renew, anchor, separate_invoice, is_auto_pay,
         next_billable_date, bill_on, created_at, updated_at)
       select $1, taken.first + row_number() over (order by c.id) - 1, 'Active', c.id, p.id, 'USD',
         $3::date, $3::date, true, $3::date, 0, false, $3::date, $4::date, k.now, k.now
       from (select id from customer order by id limit $2) c, plan p, taken,
         (select coalesce((select now from test_clock), now()) as now) k
       where p.is_newest and p.contract_code = $5 returning id`,
      [tenantId, count, startDate, billOn, contractCode],
    );
    await tx.query(
      `insert into order_line (tenant_id, order_id, position, charge_id, quantity, is_active,
         next_period_index, created_at, updated_at)
       select $1, o.id, row_number() over (partition by o.id order by c.id), c.id, 1, true, 0,
         o.created_at, o.created_at
       from subscription_order o join plan_charge c on c.plan_id = o.plan_id
       where o.id = any ($2)`,
      [tenantId, rows.map(({ id }) => id)],
    );
    return rows.map(({ id }) => id);
  });
}

/** The day on which orders begin by default; a run bills their first period on the next one. */
export const FIRST_DAY = '2027-01-01';
export const BILLED_FIRST = '2027-01-02';

/** The first day of a month, counted from January 2027. */
export function firstOf(month: number): string {
  return new Date(Date.UTC(2027, month, 1)).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** A tenant with orders that renew on the first day of each month. */
export async function makeRenewing(
  system: BenchSystem,
  label: string,
  { orders, ...options }: TenantOptions & { readonly orders: number },
): Promise<Tenant> {
  const tenant = await makeTenant(system, label, options);
  await addCustomers(system, tenant, orders);
  await addOrders(system, tenant, { count: orders });
  return tenant;
}

/** Every customer has the sandbox's good token on file, and orders with autopay. */
export async function payThemselves({ db }: BenchSystem, { id }: Tenant): Promise<void> {
  await inTenant(db, id, async (tx) => {
    await tx.query(
      `insert into payment_method (tenant_id, customer_id, type, autopay_preference, gateway,
         token, created_at, updated_at)
       select tenant_id, id, 'Token', 1, 'sandbox', 'tok_ok', now(), now() from customer`,
    );
    await tx.query('update subscription_order set is_auto_pay = true');
  });
}

/** The only number that a statement reads. */
export async function numberOf({ db }: BenchSystem, { id }: Tenant, sql: string): Promise<number> {
  const [row] = await inTenant(db, id, (tx) => tx.query<Record<string, number>>(sql));
  return Number(Object.values(row ?? {})[0] ?? 0);
}

/** A run that makes something else is no measurement. */
export async function assertNumber(
  system: BenchSystem,
  tenant: Tenant,
  wanted: { readonly sql: string; readonly number: number },
): Promise<void> {
  const found = await numberOf(system, tenant, wanted.sql);
  if (found !== wanted.number) throw new Error(`${wanted.sql}: ${found}, not ${wanted.number}`);
}

/** Advances the test clock by the interface; returns the milliseconds until every workflow has woken. */
export async function advance({ caller }: TenantAccess, day: string): Promise<number> {
  await untilReady(caller);
  const began = performance.now();
  await done(caller, 'POST', `/rest/testClock?advanceTo=${day}`);
  await untilReady(caller);
  return performance.now() - began;
}

/** Its first call verifies the password, which a measurement is not to include. */
export async function untilReady(caller: RestTarget): Promise<void> {
  const giveUpAt = performance.now() + CLOCK_LIMIT_MS;
  while (text(await done(caller, 'GET', '/rest/testClock'), 'status') !== 'Ready') {
    if (performance.now() > giveUpAt) throw new Error(`the clock of ${caller.hostName} stands`);
    await sleep(LOOK_MS);
  }
}
