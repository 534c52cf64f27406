/**
 * Bank debits: a method keeps the mandate of its payer, and a SEPA debit is announced. What was
 * announced is a row, by which the debit takes at most that amount on that day.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const methods = `
alter table payment_method
  -- A debit of a bank account; null for every other method, and for the accounts that calls send.
  add column debit text
    constraint payment_method_debit_check check (debit in ('sepa', 'usBankAccount')),
  -- Of the account of a SEPA debit.
  add column country text
    constraint payment_method_country_check check (country ~ '^[A-Z]{2}$'),
  -- The reference of the mandate.
  add column mandate text,
  -- The day on which its gateway last changed what is known of it.
  add column gateway_updated date;
create index payment_method_sepa on payment_method (tenant_id, customer_id)
  where debit = 'sepa' and autopay_preference is not null;
alter table signup_try
  add column debit text
    constraint signup_try_debit_check check (debit in ('sepa', 'usBankAccount')),
  add column country text,
  add column mandate text`;

const notices = `
create table debit_notice (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  invoice_id bigint not null,
  payment_method_id bigint not null,
  -- At most so much is debited.
  amount numeric(20, 4) not null check (amount > 0),
  announced_on date not null,
  -- The invoice's autopay day, as long as the notice holds.
  debit_on date not null check (debit_on > announced_on),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, invoice_id, payment_method_id, debit_on),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade,
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id) on delete cascade,
  foreign key (tenant_id, payment_method_id) references payment_method (tenant_id, id)
    on delete cascade
);
create index on debit_notice (tenant_id, customer_id);
create index on debit_notice (tenant_id, payment_method_id);
alter table debit_notice enable row level security;
alter table debit_notice force row level security;
create policy own_tenant on debit_notice using (tenant_id = ${ownTenant});
grant select, insert, delete on debit_notice to sundial_app;
alter table notice_mark drop constraint notice_mark_kind_check,
  add constraint notice_mark_kind_check check (kind in
    ('trialEnding', 'renewalNotice', 'priceChange', 'cardExpiring', 'debitNotice'))`;

const mailKinds = `'newInvoice', 'newCreditNote', 'newOrder', 'paymentReceived', 'paymentFailed',
  'customerOverdue', 'trialEnding', 'renewalNotice', 'priceChange', 'cardExpiring',
  'paymentAction', 'debitNotice'`;

const mails = `
alter table notification drop constraint notification_kind_check,
  add constraint notification_kind_check check (kind in (${mailKinds}));
alter table mail drop constraint mail_kind_check,
  add constraint mail_kind_check check (kind in
    (${mailKinds}, 'passwordReset', 'contactChanged', 'signupConfirm'))`;

export class Debits extends Migration {
  override up(): void {
    this.addSql(methods);
    this.addSql(notices);
    this.addSql(mails);
  }
}
