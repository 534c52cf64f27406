-- Customers, their contacts, the changes of their status, and the search for them.

create table customer (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  name text not null,
  status text not null,
  -- Suspended by an action rather than by ageing: only an activate ends it.
  status_by_hand boolean not null default false,
  ext_customer_ref text,
  locale text,
  is_business_account boolean not null default false,
  payment_terms_value int,
  payment_terms_units text check (payment_terms_units in ('Days', 'Months')),
  currency text not null,
  -- Taken out of billing by an error of its own until someone resumes it.
  billing_held_at timestamptz,
  billing_held_code text,
  -- In lower case whatever the customer is found by, parts of its contacts included, so that one
  -- index finds it.
  search_text text not null default '',
  tax_id text,
  -- In the tax provider's words.
  billing_held_text text,
  -- The batch that moved it in; no foreign key, so that nothing is locked for it.
  imported_by bigint,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, ext_customer_ref)
);
create index on customer (tenant_id, created_at);
create index on customer (tenant_id, updated_at);
create index on customer (tenant_id) where billing_held_at is not null;
-- What waits in the index for its place is searched one by one, so it is kept short.
create index customer_search on customer using gin (tenant_id, search_text gin_trgm_ops)
  with (gin_pending_list_limit = 256);
grant select, insert, update, delete on customer to sundial_app;

create table contact (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  kind text not null check (kind in ('billing', 'sales')),
  username text,
  password_hash text,
  first_name text,
  last_name text,
  company_name text,
  email_primary text,
  work_phone text,
  street1 text,
  street2 text,
  city text,
  state text,
  zip text,
  country text,
  country_code text,
  -- The user name by which its customer may log in: unique, where user names were not.
  login text,
  -- Of a billing contact: columns, because row-level security bars indexes on lower(..).
  email_key text generated always as
    (case when kind = 'billing' then lower(email_primary) end) stored,
  phone_key text generated always as
    (case when kind = 'billing'
       and length(regexp_replace(work_phone, '[^0-9]', '', 'g')) >= 7
     then regexp_replace(work_phone, '[^0-9]', '', 'g') end) stored,
  primary key (tenant_id, id),
  unique (tenant_id, customer_id, kind),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);
create unique index contact_login on contact (tenant_id, login) where login is not null;
create index contact_email_key on contact (tenant_id, email_key, customer_id)
  where email_key is not null;
create index contact_phone_key on contact (tenant_id, phone_key, customer_id)
  where phone_key is not null;
grant select, insert, update, delete on contact to sundial_app;

-- Changes of the status, by a caller (hand) or by the age of invoices.
create table customer_transition (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  previous_status text not null,
  new_status text not null,
  -- Both on the tenant's clock; the day is that of its zone.
  transitioned_on date not null,
  transitioned_at timestamptz not null,
  cause text not null default 'hand'
    check (cause in ('hand', 'ageing')),
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);
create index on customer_transition (tenant_id, transitioned_on, transitioned_at, id);
create index on customer_transition (tenant_id, customer_id);
grant select, insert, update, delete on customer_transition to sundial_app;

-- A fence makes PostgreSQL test the tenant before any operator that might tell of a row, and the
-- trigram operators might: under the fence no index would serve. So this looks as the owner, at the
-- rows of the transaction's own tenant only. Planned for each term: a rare one wants the index, a
-- frequent one the order of the ids.
create function search_customers(pattern text, other_pattern text, wanted_status text,
  created_from timestamptz, created_before timestamptz,
  updated_from timestamptz, updated_before timestamptz, page_offset bigint, page_max bigint)
  returns setof bigint
  language plpgsql stable security definer set search_path = public as $$
begin
  return query execute
    'select id from customer where tenant_id = $1 and '
    || case when other_pattern is null then 'search_text like $2'
            else '(search_text like $2 or search_text like $3)' end
    || case when wanted_status is null then '' else ' and status = $4' end
    || case when created_from is null then '' else ' and created_at >= $5' end
    || case when created_before is null then '' else ' and created_at < $6' end
    || case when updated_from is null then '' else ' and updated_at >= $7' end
    || case when updated_before is null then '' else ' and updated_at < $8' end
    || ' order by id offset $9 limit $10'
    using nullif(current_setting('app.tenant', true), '')::bigint, pattern, other_pattern,
      wanted_status, created_from, created_before, updated_from, updated_before,
      page_offset, page_max;
end $$;
