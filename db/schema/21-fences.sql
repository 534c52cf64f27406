-- Row-level security: a transaction sees the rows of the tenant that `app.tenant` names, in every
-- table that has a tenant. After a transaction with a local setting a pooled connection answers ''
-- and not NULL. A later migration fences its own tables.

do $$
declare own text := $sql$(select nullif(current_setting('app.tenant', true), '')::bigint)$sql$;
declare t text; key text;
begin
  for t, key in select c.relname, a.attname
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and a.attname = case c.relname when 'tenant' then 'id' else 'tenant_id' end loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_tenant on %I using (%I = %s)', t, key, own);
  end loop;
end $$;

-- The functions below, and those of access and customers, are owned by the schema's owner, whose
-- rights they lend for one narrow question each. Row-level security is forced for the owner, too,
-- so without a policy of its own it would find no row in what they read.
do $$
declare t text;
begin
  foreach t in array array['tenant', 'base_user', 'customer', 'contact', 'subscription_order',
    'order_line', 'invoice', 'invoice_line', 'invoice_charge', 'product_offering', 'plan',
    'plan_charge', 'pricing_tier', 'payment', 'payment_method', 'payment_plan', 'event', 'activity',
    'callback_endpoint', 'commission_plan', 'commission_charge', 'sales_agent', 'batch', 'signup']
  loop
    execute format('create policy owner_reads on %I for select to %I using (true)',
      t, current_user);
  end loop;
end $$;

-- Asked only after a miss in the caller's own tenant. An id in a body is another tenant's whatever
-- it names ('any'): ids are of one sequence. Events and usage records are many, and their ids are
-- looked for in each tenant by itself: a scan of all of them would take too long.
create function id_is_foreign(kind text, wanted bigint, own bigint) returns boolean
  language sql stable security definer set search_path = public
  return case kind
    when 'customer' then exists (select from customer where id = wanted and tenant_id <> own)
    when 'order' then exists (select from subscription_order where id = wanted and tenant_id <> own)
    when 'invoice' then exists (select from invoice where id = wanted and tenant_id <> own)
    when 'plan' then exists (select from plan where id = wanted and tenant_id <> own)
    when 'payment' then exists (select from payment where id = wanted and tenant_id <> own)
    when 'commissionPlan' then exists (select from commission_plan
      where id = wanted and tenant_id <> own)
    when 'salesAgent' then exists (select from sales_agent where id = wanted and tenant_id <> own)
    when 'batch' then exists (select from batch where id = wanted and tenant_id <> own)
    when 'event' then exists (select from event, tenant t
      where event.tenant_id = t.id and event.id = wanted and t.id <> own)
    when 'activity' then exists (select from activity, tenant t
      where activity.tenant_id = t.id and activity.id = wanted and t.id <> own)
    when 'any' then exists (select from customer where id = wanted and tenant_id <> own)
      or exists (select from contact where id = wanted and tenant_id <> own)
      or exists (select from subscription_order where id = wanted and tenant_id <> own)
      or exists (select from order_line where id = wanted and tenant_id <> own)
      or exists (select from invoice where id = wanted and tenant_id <> own)
      or exists (select from invoice_line where id = wanted and tenant_id <> own)
      or exists (select from invoice_charge where id = wanted and tenant_id <> own)
      or exists (select from product_offering where id = wanted and tenant_id <> own)
      or exists (select from plan where id = wanted and tenant_id <> own)
      or exists (select from plan_charge where id = wanted and tenant_id <> own)
      or exists (select from pricing_tier where id = wanted and tenant_id <> own)
      or exists (select from payment where id = wanted and tenant_id <> own)
      or exists (select from payment_method where id = wanted and tenant_id <> own)
      or exists (select from payment_plan where id = wanted and tenant_id <> own)
      or exists (select from callback_endpoint where id = wanted and tenant_id <> own)
      or exists (select from commission_plan where id = wanted and tenant_id <> own)
      or exists (select from commission_charge where id = wanted and tenant_id <> own)
      or exists (select from sales_agent where id = wanted and tenant_id <> own)
      or exists (select from batch where id = wanted and tenant_id <> own)
      or exists (select from signup where id = wanted and tenant_id <> own)
      or exists (select from event, tenant t
        where event.tenant_id = t.id and event.id = wanted and t.id <> own)
      or exists (select from activity, tenant t
        where activity.tenant_id = t.id and activity.id = wanted and t.id <> own)
    else false end;

revoke execute on function tenant_by_host, user_by_login, tenants_of_login, search_customers,
  id_is_foreign from public;
grant execute on function tenant_by_host, user_by_login, tenants_of_login, search_customers,
  id_is_foreign to sundial_app;
