-- Hosted pages: sign-ups, self-service, their forms and cards.

create table allowed_origin (
  tenant_id bigint not null references tenant,
  origin text not null,
  primary key (tenant_id, origin)
);
grant select, insert, delete on allowed_origin to sundial_app;

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
grant select, insert, update, delete on self_service_profile to sundial_app;

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
-- Calls address a signup by its tracking, so its id is looked for among those of any kind.
create index signup_id on signup (id);
grant select, insert, update on signup to sundial_app;

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
  -- Of the price that the page showed; null for tries of before.
  quote_hash text,
  -- The order's first day that the page showed.
  start_date date,
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
grant select, insert, update on signup_try to sundial_app;

-- Keys of forms that have stored something: a repeat stores nothing. Real time.
create table used_form (
  tenant_id bigint not null references tenant,
  key text not null,
  used_at timestamptz not null,
  -- Invoices that the form has made and leads to: a repeat leads there, too.
  invoice_ids bigint[] not null default '{}',
  primary key (tenant_id, key)
);
create index used_form_at on used_form (tenant_id, used_at);
-- Rows that are pruned are locked first, which needs the right to update.
grant select, insert, update, delete on used_form to sundial_app;

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
grant select, insert, update, delete on card_decline to sundial_app;

-- All its instants are real time.
create table self_service_session (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- SHA-256 of the token in the page's address.
  token_hash bytea not null,
  customer_id bigint not null,
  css_url text not null,
  login_url text not null,
  -- What the pages show and allow, once the profile and the defaults have filled it in.
  show_navigation_bar boolean not null,
  show_statements boolean not null,
  show_payments boolean not null,
  allow_payments boolean not null,
  allow_profile_edit boolean not null,
  edit_order_options text[] not null
    check (edit_order_options <@ array['Cancel', 'Upgrade', 'Downgrade', 'New']),
  pdf_mode boolean not null,
  started_at timestamptz not null,
  -- Each click moves it: 30 minutes after the last one, and at most 8 hours after the start.
  expires_at timestamptz not null,
  -- It was ended before that.
  ended_at timestamptz,
  -- Cards that were declined in the session; the third ends its payments.
  declines int not null default 0 check (declines >= 0),
  primary key (tenant_id, id),
  unique (tenant_id, token_hash),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade,
  check (expires_at > started_at and expires_at <= started_at + interval '8 hours')
);
create index self_service_session_customer on self_service_session (tenant_id, customer_id);
create index self_service_session_end on self_service_session (tenant_id, expires_at);
grant select, insert, update, delete on self_service_session to sundial_app;

-- A payment that a page made. Its instant is real time.
create table self_service_payment (
  tenant_id bigint not null,
  -- The first of its cascade.
  payment_id bigint not null,
  -- Null once the session's row is pruned.
  session_id bigint,
  -- The key of the form that made it: a repeat leads to the payment.
  form_key text not null,
  network text not null,
  -- What the page showed; no more is charged.
  shown_amount numeric(20, 4) not null check (shown_amount > 0),
  created_at timestamptz not null,
  primary key (tenant_id, payment_id),
  unique (tenant_id, form_key),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id)
    deferrable initially deferred,
  foreign key (tenant_id, session_id) references self_service_session (tenant_id, id)
    on delete set null (session_id)
);
create index self_service_payment_session on self_service_payment (tenant_id, session_id)
  where session_id is not null;
grant select, insert on self_service_payment to sundial_app;

-- A password reset that somebody asked for. All its instants are real time.
create table password_reset (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  contact_id bigint not null,
  -- SHA-256 of the token in the mailed address; null until the mail is made.
  token_hash bytea,
  requested_at timestamptz not null,
  -- 30 minutes after the mail was made.
  expires_at timestamptz,
  -- It set a password, or the contact got another one meanwhile.
  used_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, token_hash),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade,
  foreign key (tenant_id, contact_id) references contact (tenant_id, id) on delete cascade,
  check ((token_hash is null) = (expires_at is null))
);
create index password_reset_customer on password_reset (tenant_id, customer_id, requested_at);
create index password_reset_contact on password_reset (tenant_id, contact_id);
create index password_reset_at on password_reset (tenant_id, requested_at);
grant select, insert, update, delete on password_reset to sundial_app;
