/** What the complete protocol keeps: answers by key, attempts, an audit log, transitions, search. */
import { Migration } from '@mikro-orm/migrations';

const tables = `
create table customer_transition (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  previous_status text not null,
  new_status text not null,
  -- Both on the tenant's clock; the day is that of its zone.
  transitioned_on date not null,
  transitioned_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);
create index on customer_transition (tenant_id, transitioned_on, transitioned_at, id);
create index on customer_transition (tenant_id, customer_id);

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
  primary key (tenant_id, key)
);
create index on idempotency_key (tenant_id, kept_at);

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
`;

/** Of this migration; the policy test reads the catalogue and must find the same. */
const tenanted = ['customer_transition', 'idempotency_key', 'foreign_attempt', 'audit_log'];

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

function fences(): string {
  const policies = tenanted.map(
    (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
grant select, insert, update, delete on ${table} to sundial_app;`,
  );
  return `${policies.join('\n')}
revoke update, delete on audit_log from sundial_app;
`;
}

// One lower-case text a customer holds whatever it is found by, its contacts' parts included, so
// that one index finds it: a trigram index led by the tenant.
const search = `
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
alter table customer add column search_text text not null default '';

alter table customer no force row level security;
alter table contact no force row level security;
update customer c set search_text = lower(concat_ws(E'\\n', c.name, c.ext_customer_ref,
  (select string_agg(concat_ws(E'\\n', concat_ws(' ', k.first_name, k.last_name), k.company_name,
     k.email_primary, k.work_phone,
     regexp_replace(replace(k.work_phone, '(0)', ''), '[^0-9]', '', 'g')), E'\\n' order by k.kind)
   from contact k where k.tenant_id = c.tenant_id and k.customer_id = c.id)));
alter table customer force row level security;
alter table contact force row level security;

-- What waits in the index for its place is searched one by one, so it is kept short.
create index customer_search on customer using gin (tenant_id, search_text gin_trgm_ops)
  with (gin_pending_list_limit = 256);

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
`;

const acrossTenants = `
-- Tenants in which a login exists that was refused in this one: asked after a refusal only.
create function tenants_of_login(login text, own bigint) returns setof bigint
  language sql stable security definer set search_path = public
  begin atomic
    select u.tenant_id from base_user u
    where u.username = login and u.tenant_id <> own and u.disabled_at is null
    order by u.tenant_id limit 5;
  end;
create index base_user_login on base_user (username);

revoke execute on function search_customers, tenants_of_login from public;
grant execute on function search_customers, tenants_of_login to sundial_app;
`;

export class Interface extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(fences());
    this.addSql(search);
    this.addSql(acrossTenants);
  }
}
