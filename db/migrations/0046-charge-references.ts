/** What each charge of an invoice refers to, by its kind: foundations of discounts, taxes, credits. */
import { Migration } from '@mikro-orm/migrations';

const columns = `
alter table invoice_charge
  -- Of a percentage: the charges of which it is one, by their positions on the same line.
  add column base_positions int[],
  -- Of a discount: the version of its coupon.
  add column coupon_id bigint,
  -- Of a tax by rate, whose name and percentage are invoice_text and unit_price.
  add column tax_category text,
  add constraint invoice_charge_base_check
    check (base_positions is null or kind in ('percent', 'tax')),
  add constraint invoice_charge_coupon_check check ((coupon_id is not null) = (kind = 'discount')),
  add constraint invoice_charge_category_check
    check (tax_category is null or (kind = 'tax' and charge_id is null))`;

/**
 * Several periods of one percentage on a line share its base: another charge counts for the last
 * period that was due when it was due, or else for the first. A percentage keeps no base if that
 * day, which was not stored, cannot be told from the charge's days: its amount then differs.
 */
const bases = `
with charge as (
  select c.tenant_id, c.id, c.invoice_line_id, c.order_line_id, c.position, c.kind, c.is_percent,
         c.unit_price, c.amount,
         case when g.is_prepaid or g.charge_type = 'OneTimeCharge' then c.billing_start_date
              else c.billing_end_date + 1 end as due_on
  from invoice_charge c
  join plan_charge g on g.tenant_id = c.tenant_id and g.id = c.charge_id
  where (c.tenant_id, c.invoice_line_id) in (select p.tenant_id, p.invoice_line_id
    from invoice_charge p where p.is_percent and p.kind in ('percent', 'tax'))),
percentage as (
  select c.*, row_number() over periods = 1 as is_first, lead(c.due_on) over periods as until
  from charge c
  where c.is_percent and c.kind in ('percent', 'tax')
  window periods as (partition by c.tenant_id, c.invoice_line_id, c.order_line_id
                     order by c.due_on, c.position)),
found as (
  select p.tenant_id, p.id,
         coalesce(array_agg(b.position order by b.position) filter (where b.id is not null), '{}')
           as positions
  from percentage p
  left join charge b on b.tenant_id = p.tenant_id and b.invoice_line_id = p.invoice_line_id
   and (b.kind in ('period', 'oneTime', 'penalty', 'usage') or p.kind = 'tax' and b.kind = 'percent')
   and (b.due_on >= p.due_on or p.is_first) and (p.until is null or b.due_on < p.until)
  group by p.tenant_id, p.id, p.amount, p.unit_price
  -- Currencies have 0, 2, 3 or 4 decimals.
  having p.amount in (select round(coalesce(sum(b.amount), 0) * p.unit_price / 100, digits)
                      from unnest(array[0, 2, 3, 4]) digits))
update invoice_charge c set base_positions = found.positions
from found where found.tenant_id = c.tenant_id and found.id = c.id`;

const credits = `
alter table charge_credit
  alter column payment_id drop not null,
  -- The charge of a later invoice that carries the credit, in place of a payment.
  add column credit_charge_id bigint,
  -- The last of the days that are not used; null for a charge that bills no days.
  add column unused_to date,
  -- Set by a rollback of the invoice that carries the credit.
  add column voided_at timestamptz,
  add constraint charge_credit_carrier_check check (num_nonnulls(payment_id, credit_charge_id) = 1),
  add constraint charge_credit_days_check check (unused_to >= unused_from),
  add constraint charge_credit_voided_check check (voided_at is null or credit_charge_id is not null),
  add foreign key (tenant_id, credit_charge_id) references invoice_charge (tenant_id, id)`;

const creditedDays = `
update charge_credit r set unused_to = b.billed_to
from invoice_charge c join billed_period b
  on b.tenant_id = c.tenant_id and b.id = c.billed_period_id
where c.tenant_id = r.tenant_id and c.id = r.invoice_charge_id and b.billed_to >= r.unused_from`;

const creditKeys = `
-- A charge is credited once, unless the credit was given back.
alter table charge_credit drop constraint charge_credit_tenant_id_invoice_charge_id_key;
create unique index charge_credit_standing on charge_credit (tenant_id, invoice_charge_id)
  where voided_at is null;
create index charge_credit_of_charge on charge_credit (tenant_id, invoice_charge_id);
create index charge_credit_carrier on charge_credit (tenant_id, credit_charge_id)
  where credit_charge_id is not null;

create function void_only() returns trigger language plpgsql as $$
begin
  if old.voided_at is null and to_jsonb(new) - 'voided_at' = to_jsonb(old) - 'voided_at' then
    return new;
  end if;
  raise exception '% is append only, except for voided_at', tg_table_name;
end $$;
drop trigger charge_credit_append_only on charge_credit;
create trigger charge_credit_append_only before delete or truncate on charge_credit
  for each statement execute function refuse_change();
create trigger charge_credit_void_only before update on charge_credit
  for each row execute function void_only();
grant update (voided_at) on charge_credit to sundial_app`;

const read = ['invoice_charge', 'plan_charge', 'charge_credit', 'billed_period'];

export class ChargeReferences extends Migration {
  override up(): void {
    this.addSql(columns);
    this.addSql(credits);
    for (const table of read) this.addSql(`alter table ${table} no force row level security`);
    this.addSql(bases);
    this.addSql('alter table charge_credit disable trigger charge_credit_append_only');
    this.addSql(creditedDays);
    this.addSql('alter table charge_credit enable trigger charge_credit_append_only');
    for (const table of read) this.addSql(`alter table ${table} force row level security`);
    this.addSql(creditKeys);
  }
}
