-- Users, and what is kept of their calls.

create table base_user (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  username text not null,
  password_hash text not null,
  roles text[] not null,
  first_name text,
  last_name text,
  disabled_at timestamptz,
  suspended_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, username)
);
create index base_user_login on base_user (username);
grant select, insert, update, delete on base_user to sundial_app;

-- The answer to a request under an Idempotency-Key, kept by the transaction of the request itself.
-- Here and below: instants in real time, and no foreign key to the tenant, of which every write
-- would share the row.
create table idempotency_key (
  tenant_id bigint not null,
  key text not null,
  request_hash bytea not null,
  status smallint not null,
  headers jsonb not null,
  body text not null,
  kept_at timestamptz not null default now(),
  -- The answer to a payment is shown as the payment stands when it is asked for again.
  payment_id bigint,
  primary key (tenant_id, key)
);
create index on idempotency_key (tenant_id, kept_at);
grant select, insert, update, delete on idempotency_key to sundial_app;

-- What users tried of other tenants, as far as it still counts.
create table foreign_attempt (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  user_id bigint not null,
  attempted_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references base_user (tenant_id, id) on delete cascade
);
create index on foreign_attempt (tenant_id, user_id, attempted_at);
grant select, insert, update, delete on foreign_attempt to sundial_app;

-- Who did or was refused what, from where. Neither bodies nor query strings: those hold secrets.
create table audit_log (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  at timestamptz not null default now(),
  user_id bigint,
  username text,
  action text not null check (action in
    ('write', 'refused', 'foreignId', 'foreignHost', 'userSuspended', 'userEnabled')),
  method text,
  path text,
  status smallint,
  code text,
  address text,
  request_id text,
  primary key (tenant_id, id)
);
create trigger audit_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
grant select, insert on audit_log to sundial_app;

create function tenant_by_host(host_label text) returns bigint
  language sql stable security definer set search_path = public
  return (select id from tenant where label = host_label);

create function user_by_login(tenant bigint, login text)
  returns table (id bigint, password_hash text, roles text[], disabled boolean)
  language sql stable security definer set search_path = public
  begin atomic
    select u.id, u.password_hash, u.roles, u.disabled_at is not null or u.suspended_at is not null
    from base_user u where u.tenant_id = tenant and u.username = login;
  end;

-- Tenants in which a login exists that was refused in this one: asked after a refusal only.
create function tenants_of_login(login text, own bigint) returns setof bigint
  language sql stable security definer set search_path = public
  begin atomic
    select u.tenant_id from base_user u
    where u.username = login and u.tenant_id <> own and u.disabled_at is null
    order by u.tenant_id limit 5;
  end;
