/**
 * Dates that lie ahead are announced: the first day after a trial, the renewal or the new
 * prices of an order,
 * the end of a card. What was announced is
 * a row, so that nothing is announced twice; a mark on the order or the method takes what was announced
 * out of the index by which the run of a day finds the rest. Tenants that are applied already have the
 * defaults, by which no renewal is announced.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const eventTypes = `'customer.transition', 'customer.created', 'customer.updated',
  'customer.cardExpiring', 'order.created', 'order.updated', 'order.trialEnding', 'order.renewalNotice', 'order.priceChange',
  'invoice.created', 'invoice.cancelled', 'invoice.paid', 'payment.success', 'payment.failed',
  'refund.success', 'credit.created', 'paymentPlan.installment', 'usage.billed', 'batch.finished',
  'signup.processed'`;

const kinds = `'trialEnding', 'renewalNotice', 'priceChange', 'cardExpiring'`;

const mailKinds = `'newInvoice', 'newCreditNote', 'newOrder', 'paymentReceived', 'paymentFailed',
  'customerOverdue', ${kinds}`;

const lists = `
alter table event drop constraint event_type_check,
  add constraint event_type_check check (type in (${eventTypes}));
alter table notification drop constraint notification_kind_check,
  add constraint notification_kind_check check (kind in (${mailKinds}));
alter table mail drop constraint mail_kind_check,
  add constraint mail_kind_check check (kind in
    (${mailKinds}, 'passwordReset', 'contactChanged', 'signupConfirm'))`;

const columns = `
-- The days of all versions; null: those of the tenant.
alter table plan add column renewal_notice_days int
  constraint plan_renewal_notice_days_check check (renewal_notice_days between 0 and 90);
alter table subscription_order
  -- The last free day that was announced.
  add column trial_noticed date,
  -- The endDate whose renewal was announced.
  add column renewal_noticed date,
  -- The first day at new prices that was announced, or that has nothing to announce.
  add column price_noticed date;
-- The expiry that was announced.
alter table payment_method add column expiry_noticed date;
create index subscription_order_trials_ending on subscription_order (tenant_id, plan_id, trial_end_date)
  where status = 'Active' and trial_end_date is not null
    and trial_noticed is distinct from trial_end_date;
create index subscription_order_renewals on subscription_order (tenant_id, plan_id, end_date)
  where status = 'Active' and is_auto_renew and end_date is not null
    and renewal_noticed is distinct from end_date;
create index subscription_order_prices_ahead
  on subscription_order (tenant_id, plan_id, price_change_on)
  where status = 'Active' and price_change_on is not null
    and price_noticed is distinct from price_change_on;
create index payment_method_expiries on payment_method (tenant_id, expiry)
  where autopay_preference is not null and expiry is not null
    and expiry_noticed is distinct from expiry`;

const tables = `
create table notice (
  tenant_id bigint not null references tenant,
  kind text not null check (kind in (${kinds})),
  -- The order or the payment method.
  object_id bigint not null,
  -- The date that was announced.
  on_date date not null,
  -- The tenant's day of the run that announced it.
  noticed_on date not null,
  primary key (tenant_id, kind, object_id, on_date)
);
-- The last day whose notices are complete: what is due later that day waits for the next 00:00.
create table notice_mark (
  tenant_id bigint not null references tenant,
  kind text not null check (kind in (${kinds})),
  noticed_on date not null,
  primary key (tenant_id, kind)
);`;

const fences = ['notice', 'notice_mark'].map(
  (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});`,
);

const rights = `
grant select, insert on notice to sundial_app;
grant select, insert, update on notice_mark to sundial_app`;

const defaults =
  '{"notices": {"trialEndingDays": 3, "renewalNoticeDays": 0, "priceChangeDays": 30}}';

export class Notices extends Migration {
  override up(): void {
    this.addSql(lists);
    this.addSql(columns);
    this.addSql(tables);
    for (const fence of fences) this.addSql(fence);
    this.addSql(rights);
    this.addSql('alter table tenant no force row level security');
    this.addSql(`update tenant set file = '${defaults}' || file where file->'notices' is null`);
    this.addSql('alter table tenant force row level security');
  }
}
