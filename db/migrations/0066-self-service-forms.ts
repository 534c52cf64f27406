/** Hosted self-service: the payments that its pages made, and the resets of passwords. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const payments = `
-- Cards that were declined in the session; the third ends its payments.
alter table self_service_session add declines int not null default 0 check (declines >= 0);

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
`;

const resets = `
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
`;

// It follows no event, and no tenant enables it, so the kinds of `notification` stay as they are.
const mails = `
alter table mail drop constraint mail_kind_check, add constraint mail_kind_check check (kind in
  ('newInvoice', 'newOrder', 'paymentReceived', 'paymentFailed', 'customerOverdue',
   'passwordReset'));
`;

const fences = (table: string): string => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_tenant on ${table} using (tenant_id = ${ownTenant});
`;

const grants = `
grant select, insert on self_service_payment to sundial_app;
grant select, insert, update, delete on password_reset to sundial_app;
`;

const results = `
-- Invoices that the form has made and leads to: a repeat leads there, too.
alter table used_form add column invoice_ids bigint[] not null default '{}';
`;

export class SelfServiceForms extends Migration {
  override up(): void {
    this.addSql(payments);
    this.addSql(resets);
    this.addSql(mails);
    this.addSql(results);
    this.addSql(fences('self_service_payment'));
    this.addSql(fences('password_reset'));
    this.addSql(grants);
  }
}
