/**
 * Hosted sign-ups: the origins and the profiles of the tenant's file as rows, signups with their
 * tries, and what finds a customer by its e-mail address or phone.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const fileRows = `
create table allowed_origin (
  tenant_id bigint not null references tenant,
  origin text not null,
  primary key (tenant_id, origin)
);

create table self_service_profile (
  tenant_id bigint not null references tenant,
  profile_id text not null,
  show_navigation_bar boolean not null,
  show_statements boolean not null,
  show_payments boolean not null,
  allow_payments boolean not null,
  allow_profile_edit boolean not null,
  edit_order_options text[] not null
    check (edit_order_options <@ array['Cancel', 'Upgrade', 'Downgrade', 'New']),
  pdf_mode boolean not null,
  primary key (tenant_id, profile_id)
);

-- Of tenants that are applied already.
alter table tenant no force row level security;
insert into allowed_origin (tenant_id, origin)
select distinct t.id, o from tenant t,
  jsonb_array_elements_text(coalesce(t.file->'hostedPages'->'allowedOrigins', '[]')) o;
insert into self_service_profile
select distinct on (t.id, p->>'id') t.id, p->>'id',
  coalesce((p->>'showNavigationBar')::boolean, true),
  coalesce((p->>'showStatements')::boolean, true),
  coalesce((p->>'showPayments')::boolean, true),
  coalesce((p->>'allowPayments')::boolean, true),
  coalesce((p->>'allowProfileEdit')::boolean, false),
  array(select jsonb_array_elements_text(coalesce(p->'editOrderOptions', '[]'))),
  coalesce((p->>'pdfMode')::boolean, false)
from tenant t, jsonb_array_elements(coalesce(t.file->'selfServiceProfiles', '[]')) p;
alter table tenant force row level security;
`;

const signups = `
create table signup (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  -- 128 random bits, base64url: what the tenant's site and verify know it by.
  tracking text not null,
  -- SHA-256 of the token in the page's address.
  token_hash bytea not null,
  status text not null check (status in ('DRAFT', 'PROCESSED', 'FAILED', 'EXPIRED')),
  -- As the link was started.
  success_url text not null,
  fail_url text not null,
  css_url text not null,
  hide_customer_fields boolean not null,
  hide_order_fields boolean not null,
  display_amount text not null
    check (display_amount in ('none', 'allCharges', 'oneTimeChargesOnly')),
  tos_link text,
  sku text,
  biller_code text,
  profile_id text,
  -- The link came with a password, so the page asks for neither login nor password.
  link_has_password boolean not null,
  -- As sent with the link, or entered since.
  ext_customer_ref text,
  company_name text,
  first_name text,
  last_name text,
  email text,
  phone text,
  street text,
  city text,
  state text,
  zipcode text,
  country text,
  login text,
  password_hash text,
  contract_code text,
  quantity numeric(20, 6) not null check (quantity > 0),
  -- Null: the day of submission.
  start_date date,
  coupon_code text,
  -- Nothing is left to enter before the price is shown.
  has_details boolean not null,
  tos_accepted boolean not null default false,
  save_payment_method boolean not null default false,
  -- By Accept-Language: de_AT.
  locale text,
  -- Of the last try.
  card_type text,
  expiry date,
  cardholder_name text,
  -- The last try found that the customer's own price differs from the one by what was entered.
  is_priced_by_customer boolean not null default false,
  -- What the first try that made something made: a customer of its own or an older one.
  customer_id bigint,
  is_new_customer boolean,
  order_id bigint,
  invoice_ids bigint[] not null default '{}',
  failure_code text,
  -- Why an operator ends it; it ends once no payment of it is Pending.
  cancel_reason text,
  -- On the tenant's clock; all other instants are real.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  version int not null default 1,
  primary key (tenant_id, id),
  unique (tenant_id, tracking),
  unique (tenant_id, token_hash),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id)
    on delete set null (customer_id),
  -- An order that was never billed can be removed.
  foreign key (tenant_id, order_id) references subscription_order (tenant_id, id)
    on delete set null (order_id),
  check ((status = 'DRAFT') = (ended_at is null)),
  check ((status in ('FAILED', 'EXPIRED')) = (failure_code is not null)),
  check (customer_id is null or is_new_customer is not null),
  check (order_id is null or customer_id is not null),
  check (status <> 'EXPIRED' or order_id is null)
);
create index signup_open on signup (tenant_id, expires_at) where status = 'DRAFT';
create index signup_customer on signup (tenant_id, customer_id) where customer_id is not null;
-- One order per signup, and no order of two.
create unique index signup_order on signup (tenant_id, order_id) where order_id is not null;

create table signup_try (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  signup_id bigint not null,
  -- From 1.
  number int not null check (number > 0),
  -- storing: the interface takes the card to the vault. submitted: the workflow's turn. charging:
  -- its payment is not final. Then paid, declined, or returned: the form is shown again.
  status text not null
    check (status in ('storing', 'submitted', 'charging', 'paid', 'declined', 'returned')),
  network text not null,
  -- Due today, as the page showed it.
  shown_amount numeric(20, 4) not null check (shown_amount >= 0),
  -- What the vault gave; null if nothing is to be paid, and no card to be saved.
  gateway text,
  method_type text,
  token text,
  brand text,
  last_four text,
  expiry date,
  payment_id bigint,
  -- Why it was declined or returned.
  code text,
  -- Of returned: the field at fault, as the form names it.
  field text,
  -- Real time.
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, signup_id, number),
  foreign key (tenant_id, signup_id) references signup (tenant_id, id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id)
    deferrable initially deferred,
  check ((status in ('storing', 'submitted', 'charging')) = (ended_at is null)),
  check ((status in ('declined', 'returned')) = (code is not null))
);
create unique index signup_try_open on signup_try (tenant_id, signup_id) where ended_at is null;
-- The payment of a try, once.
create unique index signup_try_payment on signup_try (tenant_id, payment_id)
  where payment_id is not null;
`;

const pages = `
-- Keys of forms that have stored something: a repeat stores nothing. Real time.
create table used_form (
  tenant_id bigint not null references tenant,
  key text not null,
  used_at timestamptz not null,
  primary key (tenant_id, key)
);
create index used_form_at on used_form (tenant_id, used_at);

-- Cards that the pages' gateways declined: what limits trying out cards. Real time.
create table card_decline (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  network text not null,
  customer_id bigint,
  declined_at timestamptz not null,
  primary key (tenant_id, id)
);
create index card_decline_network on card_decline (tenant_id, network, declined_at);
create index card_decline_customer on card_decline (tenant_id, customer_id, declined_at)
  where customer_id is not null;
create index card_decline_at on card_decline (tenant_id, declined_at);
`;

// Row-level security bars indexes on lower(..), so that the keys are columns.
const contacts = `
alter table contact
  add column email_key text generated always as
    (case when kind = 'billing' then lower(email_primary) end) stored,
  add column phone_key text generated always as
    (case when kind = 'billing'
       and length(regexp_replace(work_phone, '[^0-9]', '', 'g')) >= 7
     then regexp_replace(work_phone, '[^0-9]', '', 'g') end) stored;
create index contact_email_key on contact (tenant_id, email_key, customer_id)
  where email_key is not null;
create index contact_phone_key on contact (tenant_id, phone_key, customer_id)
  where phone_key is not null;
`;

/** Keeps the kinds that other migrations have added. */
const outboxKinds = `
do $$
declare known text;
begin
  select string_agg(distinct quote_literal(quoted[1]), ', ') into known
  from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''::text', 'g') quoted
  where conname = 'outbox_kind_check';
  alter table outbox drop constraint outbox_kind_check;
  execute format('alter table outbox add constraint outbox_kind_check
    check (kind in (%s, ''signup''))', known);
end $$;
`;

/** Calls address a signup by its tracking, so that its id is looked for among those of any kind. */
const foreignIds = `
do $$
declare definition text := pg_get_functiondef('id_is_foreign'::regproc);
declare opening text := 'WHEN ''any''::text THEN (';
declare looks text := '(exists (select from signup where signup.id = wanted
  and signup.tenant_id <> own))';
begin
  execute replace(definition, opening, opening || looks || ' or ');
  execute format('create policy owner_reads on signup for select to %I using (true)', current_user);
end $$;
create index signup_id on signup (id);
`;

// Rows that are pruned are locked first, which needs the right to update.
const fences = [
  ['allowed_origin', 'select, insert, delete'],
  ['self_service_profile', 'select, insert, update, delete'],
  ['signup', 'select, insert, update'],
  ['signup_try', 'select, insert, update'],
  ['used_form', 'select, insert, update, delete'],
  ['card_decline', 'select, insert, update, delete'],
].map(
  ([table, granted]) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant ${granted} on ${table} to sundial_app;`,
);

export class Signups extends Migration {
  override up(): void {
    this.addSql(fileRows);
    this.addSql(signups);
    this.addSql(pages);
    this.addSql(contacts);
    this.addSql(outboxKinds);
    this.addSql(foreignIds);
    this.addSql(fences.join('\n'));
  }
}
