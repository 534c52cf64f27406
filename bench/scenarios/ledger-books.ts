/** Months of a large tenant, as billing would leave them: invoices, payments, applications and their entries. */
import type pg from 'pg';
import type { BenchSystem } from '../harness/system.ts';
import { addCustomers, addOrders, type Tenant } from '../harness/tenants.ts';

/** Each customer has an invoice in each of these months, and pays the first ones at once. */
export const MONTHS = 10;
const PAID_MONTHS = 7;
/** A transaction of billing has so many. */
const CUSTOMERS_AT_ONCE = 1_000;

interface Customers {
  readonly first: number;
  readonly last: number;
}

/**
 * Invoices from 2026-03-01 on, with a fee, a tax of it, and an installation in the first month. The
 * owner's triggers and keys are off, as they would take most of the time.
 */
export async function writeBooks(
  system: BenchSystem,
  owner: pg.Client,
  { tenant, invoices }: { readonly tenant: Tenant; readonly invoices: number },
): Promise<void> {
  const count = Math.max(1, Math.ceil(invoices / MONTHS));
  const ids = await addCustomers(system, tenant, count);
  await addOrders(system, tenant, { count, startDate: '2026-03-01' });
  const parts: Customers[] = [];
  for (let at = 0; at < ids.length; at += CUSTOMERS_AT_ONCE) {
    const part = ids.slice(at, at + CUSTOMERS_AT_ONCE);
    parts.push({ first: Math.min(...part), last: Math.max(...part) });
  }
  await owner.query('set session_replication_role = replica');
  for (let month = 0; month < MONTHS; month += 1) {
    for (const { first, last } of parts) {
      await owner.query(invoicesOf, [tenant.id, first, last, month]);
    }
  }
  for (const { first, last } of parts) await owner.query(paymentsOf, [tenant.id, first, last]);
  await owner.query('set session_replication_role = default');
  await owner.query('vacuum analyze');
}

const day = `(date '2026-03-01' + make_interval(months => $4::int))::date`;
const lastDay = `(date '2026-03-01' + make_interval(months => $4::int + 1) - interval '1 day')::date`;
const at = `${day} + time '12:00'`;

/** Of a month, counted from the first: 29.95 and 2.66 of tax, with 44.10 in the first one. */
const invoicesOf = `
  with own as (
    select c.tenant_id, c.id as customer_id, nextval('id_seq') as invoice_id,
      nextval('id_seq') as line_id,
      32.61 + case when $4::int = 0 then 44.10 else 0 end as total
    from customer c where c.tenant_id = $1 and c.id between $2 and $3),
  invoices as (
    insert into invoice (tenant_id, id, invoice_number, number_prefix, number_year, number_value,
      status, customer_id, currency, invoice_date, due_date, billing_start_date, billing_end_date,
      billing_period, previous_balance, payments_and_adjustments, current_amount_due, total_due,
      outstanding_balance, created_at, updated_at)
    select tenant_id, invoice_id, (customer_id * ${MONTHS} + $4)::text, '', 0,
      customer_id * ${MONTHS} + $4,
      case when $4::int < ${PAID_MONTHS} then 'Paid' else 'Outstanding' end, customer_id, 'USD',
      ${day}, ${day} + 30, ${day}, ${lastDay}, 'Monthly', 0, 0, total, total,
      case when $4::int < ${PAID_MONTHS} then 0 else total end, ${at}, ${at}
    from own),
  lines as (
    insert into invoice_line (tenant_id, id, invoice_id, position, contract_code,
      billing_start_date, billing_end_date, line_amount_total)
    select tenant_id, line_id, invoice_id, 1, 'MONTHLY', ${day}, ${lastDay}, total from own),
  charges as (
    insert into invoice_charge (tenant_id, invoice_line_id, position, charge_id, billed_period_id,
      price_code, accounting_code, invoice_text, is_percent, billing_start_date, billing_end_date,
      charge_date, unit_price, quantity, amount, kind, base_positions, tax_category, tax_code,
      tax_jurisdiction)
    select tenant_id, line_id, k.position, case when k.kind <> 'tax' then 1 end,
      case when k.kind <> 'tax' then 1 end, k.price_code, k.code, k.text, k.kind = 'tax', ${day},
      case when k.kind = 'oneTime' then ${day} else ${lastDay} end, ${day}, k.price,
      case when k.kind <> 'tax' then 1 end, k.amount, k.kind, k.base::int[], k.category, k.tax_code,
      k.jurisdiction
    from own cross join (values
      (1, 'period', 'FEE', '4020', 'Monthly fee', 29.95, 29.95, null, null, null, null),
      (2, 'oneTime', 'INSTALL', '4010', 'Installation', 44.10, 44.10, null, null, null, null),
      (3, 'tax', null, null, 'NY sales tax', 8.875, 2.66, '{1}', 'S', 'STANDARD', 'US/NY')
    ) k(position, kind, price_code, code, text, price, amount, base, category, tax_code, jurisdiction)
    where k.kind <> 'oneTime' or $4::int = 0)
  insert into ledger_entry (tenant_id, customer_id, currency, kind, amount, invoice_id, entered_on,
    entered_at)
  select tenant_id, customer_id, 'USD', 'invoice', total, invoice_id, ${day}, ${at} from own`;

const paidOn = `date '2026-12-10'`;
const paidAt = `${paidOn} + time '12:00'`;

const paymentsOf = `
  with own as (
    select c.tenant_id, c.id as customer_id, nextval('id_seq') as payment_id,
      (select sum(i.total_due) from invoice i
       where i.tenant_id = $1 and i.customer_id = c.id and i.status = 'Paid') as amount
    from customer c where c.tenant_id = $1 and c.id between $2 and $3),
  payments as (
    insert into payment (tenant_id, id, customer_id, payment_type, status, payment_method_type,
      currency, amount, effective_date, cascade_id, created_at, updated_at)
    select tenant_id, payment_id, customer_id, 'Payment', 'Paid', 'Cash', 'USD', amount, ${paidOn},
      payment_id, ${paidAt}, ${paidAt} from own),
  applications as (
    insert into invoice_payment (tenant_id, payment_id, invoice_id, customer_id, amount_applied,
      balance_remaining, created_at, applied_on)
    select o.tenant_id, o.payment_id, i.id, o.customer_id, i.total_due, 0, ${paidAt}, ${paidOn}
    from own o join invoice i on i.tenant_id = $1 and i.customer_id = o.customer_id
      and i.status = 'Paid'),
  balances as (
    insert into customer_balance (tenant_id, customer_id, currency, balance)
    select tenant_id, customer_id, 'USD', ${MONTHS - PAID_MONTHS} * 32.61 from own
    on conflict (tenant_id, customer_id, currency) do update set balance = excluded.balance)
  insert into ledger_entry (tenant_id, customer_id, currency, kind, amount, payment_id, entered_on,
    entered_at)
  select tenant_id, customer_id, 'USD', 'payment', -amount, payment_id, ${paidOn}, ${paidAt}
  from own`;
