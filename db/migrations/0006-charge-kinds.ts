/** What each charge of an invoice is, and what of a charge was credited since. */
import { Migration } from '@mikro-orm/migrations';

const kinds = `
alter table invoice_charge add column kind text;

alter table invoice_charge no force row level security;
alter table plan_charge no force row level security;
-- No percentage and no discount was billed before.
update invoice_charge c set kind = case
  when c.is_usage_charge_sub_total then 'usageSubTotal'
  when c.charge_id is null then 'manual'
  else (select case when g.is_penalty then 'penalty' when g.is_tax then 'tax'
                    when g.charge_type = 'UsageCharge' then 'usage'
                    when g.charge_type = 'OneTimeCharge' then 'oneTime' else 'period' end
        from plan_charge g where g.tenant_id = c.tenant_id and g.id = c.charge_id) end;
alter table invoice_charge force row level security;
alter table plan_charge force row level security;

alter table invoice_charge
  alter column kind set not null,
  add constraint invoice_charge_kind_check check (kind in ('period', 'oneTime', 'usage',
    'usageSubTotal', 'percent', 'discount', 'credit', 'penalty', 'tax', 'manual')),
  -- What is due by a schedule says which days it bills; what is written by hand bills none.
  add constraint invoice_charge_period_check check (case
    when kind in ('period', 'oneTime', 'percent', 'penalty')
      then charge_id is not null and billed_period_id is not null
    when kind = 'manual' then charge_id is null and billed_period_id is null
    else true end),
  add constraint invoice_charge_percent_check check (is_percent or kind <> 'percent'),
  add constraint invoice_charge_sub_total_check
    check (is_usage_charge_sub_total = (kind = 'usageSubTotal'));
`;

const credits = `
-- What of an invoiced charge was given back for days that are not used.
create table charge_credit (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- The credit that it is a part of.
  payment_id bigint not null,
  invoice_charge_id bigint not null,
  amount numeric(20, 4) not null check (amount <> 0),
  -- The first of the days that are not used.
  unused_from date not null,
  primary key (tenant_id, id),
  unique (tenant_id, invoice_charge_id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  foreign key (tenant_id, invoice_charge_id) references invoice_charge (tenant_id, id)
);
create index on charge_credit (tenant_id, payment_id);
create trigger charge_credit_append_only before update or delete or truncate on charge_credit
  for each statement execute function refuse_change();

alter table charge_credit enable row level security;
alter table charge_credit force row level security;
create policy own_tenant on charge_credit
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::bigint));
grant select, insert on charge_credit to sundial_app;
`;

export class ChargeKinds extends Migration {
  override up(): void {
    this.addSql(kinds);
    this.addSql(credits);
  }
}
