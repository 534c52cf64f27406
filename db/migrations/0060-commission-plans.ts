/** Commission plans and sales agents of the tenant's file, also of tenants that are applied already. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const tables = `
create table commission_plan (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  commission_code text not null,
  name text not null,
  accounting_code text,
  is_active boolean not null,
  -- contractCodes.
  plans text[] not null,
  -- False once the file does not have it any more.
  is_in_file boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, commission_code)
);

create table commission_charge (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  commission_plan_id bigint not null,
  position int not null,
  code text not null,
  commission_text text,
  -- A percentage or an amount.
  commission_amount numeric(20, 6) not null check (commission_amount >= 0),
  commission_type text not null check (commission_type in ('Percent', 'Amount')),
  charge_type text not null
    check (charge_type in ('DateBasedChargeOneTime', 'DateBasedCharge', 'RecurringCharge')),
  date_to_charge_value int check (date_to_charge_value >= 0),
  date_to_charge_units text check (date_to_charge_units in ('Months', 'Years')),
  custom_options text,
  notes text,
  is_in_file boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, commission_plan_id, code),
  foreign key (tenant_id, commission_plan_id) references commission_plan (tenant_id, id),
  check ((date_to_charge_value is null) = (date_to_charge_units is null))
);

create table sales_agent (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  code text not null,
  first_name text,
  last_name text,
  company_name text,
  email text,
  work_phone text,
  cell_phone text,
  reference_number text,
  referring_commission_code text,
  -- By the names of its elements.
  address jsonb not null,
  commission_plan_id bigint,
  notifications_enabled boolean not null,
  disbursements_enabled boolean not null,
  ach_routing_number text,
  account_type text,
  -- Sealed; of each the last four characters are shown.
  ach_account_number text,
  ach_account_shown text,
  disbursement_token text,
  disbursement_token_shown text,
  is_in_file boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, code),
  foreign key (tenant_id, commission_plan_id) references commission_plan (tenant_id, id),
  check ((ach_account_number is null) = (ach_account_shown is null)),
  check ((disbursement_token is null) = (disbursement_token_shown is null))
);
`;

const names = ['commission_plan', 'commission_charge', 'sales_agent'];

const fences = names.map(
  (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update on ${table} to sundial_app;`,
);

// A file that is stored already may lack what the format asks for by now: such a charge has no date.
const applied = `
alter table tenant no force row level security;
${names.map((table) => `alter table ${table} no force row level security;`).join('\n')}
insert into commission_plan (tenant_id, commission_code, name, accounting_code, is_active, plans,
  is_in_file, created_at, updated_at)
select t.id, p->>'commissionCode', p->>'planName', p->>'accountingCode',
       coalesce((p->>'activate')::boolean, true),
       array(select c from jsonb_array_elements_text(coalesce(p->'plans', '[]')) c
             order by c collate "C"),
       true, t.updated_at, t.updated_at
from tenant t, jsonb_array_elements(coalesce(t.file->'commissionPlans', '[]')) p;

insert into commission_charge (tenant_id, commission_plan_id, position, code, commission_text,
  commission_amount, commission_type, charge_type, date_to_charge_value, date_to_charge_units,
  custom_options, notes, is_in_file, created_at, updated_at)
select t.id, s.id, c.position, c.charge->>'code', c.charge->>'commissionText',
       (c.charge->>'commissionAmount')::numeric, c.charge->>'commissionType',
       c.charge->>'chargeType',
       case when c.charge->>'chargeType' <> 'RecurringCharge'
            then (c.charge->>'dateToChargeValue')::int end,
       case when c.charge->>'chargeType' <> 'RecurringCharge'
            then c.charge->>'dateToChargeUnits' end,
       c.charge->>'customOptions', c.charge->>'notes', true, t.updated_at, t.updated_at
from tenant t, jsonb_array_elements(coalesce(t.file->'commissionPlans', '[]')) p,
  jsonb_array_elements(coalesce(p->'charges', '[]')) with ordinality c(charge, position),
  commission_plan s
where s.tenant_id = t.id and s.commission_code = p->>'commissionCode';

insert into sales_agent (tenant_id, code, first_name, last_name, company_name, email, work_phone,
  cell_phone, reference_number, address, commission_plan_id, notifications_enabled,
  disbursements_enabled, is_in_file, created_at, updated_at)
select t.id, a->>'code', a->>'firstName', a->>'lastName', a->>'companyName', a->>'email',
       a->>'workPhone', a->>'cellPhone', a->>'referenceNumber', coalesce(a->'address', '{}'),
       s.id, false, false, true, t.updated_at, t.updated_at
from tenant t cross join jsonb_array_elements(coalesce(t.file->'salesAgents', '[]')) a
left join commission_plan s on s.tenant_id = t.id and s.commission_code = a->>'commissionPlan';
${names.map((table) => `alter table ${table} force row level security;`).join('\n')}
alter table tenant force row level security;
`;

const foreignIds = `
do $$
declare definition text := pg_get_functiondef('id_is_foreign'::regproc);
declare opening text := 'WHEN ''any''::text THEN (';
declare kind text;
declare t text;
begin
  foreach kind in array array['commissionPlan', 'salesAgent'] loop
    t := case kind when 'commissionPlan' then 'commission_plan' else 'sales_agent' end;
    definition := replace(definition, opening, format(
      'WHEN %L::text THEN (exists (select from %I where %I.id = wanted and %I.tenant_id <> own)) ',
      kind, t, t, t) || opening);
  end loop;
  foreach t in array array['commission_plan', 'commission_charge', 'sales_agent'] loop
    definition := replace(definition, opening, opening || format(
      '(exists (select from %I where %I.id = wanted and %I.tenant_id <> own)) or ', t, t, t));
    execute format('create policy owner_reads on %I for select to %I using (true)', t,
      current_user);
  end loop;
  execute definition;
end $$;
`;

export class CommissionPlans extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(fences.join('\n'));
    this.addSql(applied);
    this.addSql(foreignIds);
  }
}
