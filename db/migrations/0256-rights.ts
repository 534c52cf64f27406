/**
 * Users of the interface have rights, a password before, a last day, networks and a number of requests
 * a minute. The version before calls `user_by_login` until its last process has ended. A user has an
 * id in an address, which may be of another tenant.
 */
import { Migration } from '@mikro-orm/migrations';

const columns = `
alter table base_user
  add column rights text[] check (rights <@ '{read,finance,admin}' and cardinality(rights) > 0),
  add column old_password_hash text,
  add column old_password_until date,
  add column old_password_used_at timestamptz,
  add column expires_on date,
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column allowed_networks text[] check (cardinality(allowed_networks) > 0),
  add check ((old_password_hash is null) = (old_password_until is null))`;

/** Days are of the tenant's zone, in real time; a password before is none once its days are over. */
const login = `
create function user_at_login(wanted_tenant bigint, login text)
  returns table (id bigint, password_hash text, old_password_hash text, roles text[], rights text[],
    requests_per_minute integer, allowed_networks text[], is_barred boolean)
  language sql stable security definer set search_path = public
  begin atomic
    select u.id, u.password_hash,
      case when u.old_password_until >= of_tenant.today then u.old_password_hash end,
      u.roles, u.rights, u.requests_per_minute, u.allowed_networks,
      u.disabled_at is not null or u.suspended_at is not null
        or coalesce(u.expires_on < of_tenant.today, false)
    from base_user u,
      (select (now() at time zone t.timezone)::date as today from tenant t
       where t.id = wanted_tenant) of_tenant
    where u.tenant_id = wanted_tenant and u.username = login;
  end;
revoke execute on function user_at_login from public;
grant execute on function user_at_login to sundial_app`;

const foreignIds = `
create or replace function id_is_foreign(kind text, wanted bigint, own bigint) returns boolean
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
    when 'user' then exists (select from base_user u, tenant t
      where u.tenant_id = t.id and u.id = wanted and t.id <> own)
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
      or exists (select from base_user u, tenant t
        where u.tenant_id = t.id and u.id = wanted and t.id <> own)
    else false end`;

export class Rights extends Migration {
  override up(): void {
    this.addSql(columns);
    this.addSql(login);
    this.addSql(foreignIds);
  }
}
