/** Money in: methods on file, payments, credits, refunds, what they were applied to, the sandbox. */
import { Migration } from '@mikro-orm/migrations';

const payments = `
-- A card, account or token in a gateway's vault. Of the number itself nothing but its end is here.
create table payment_method (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  type text not null check (type in ('CreditCard', 'ACH', 'Token')),
  -- While it is on file for autopay; null for one of a single payment, or one that was replaced.
  autopay_preference smallint check (autopay_preference between 1 and 3),
  gateway text not null check (gateway in ('sandbox', 'stripe')),
  token text not null,
  brand text,
  last_four text check (last_four ~ '^[0-9A-Za-z]{1,4}$'),
  expiry date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);
create unique index payment_method_on_file
  on payment_method (tenant_id, customer_id, autopay_preference) where autopay_preference is not null;
create index on payment_method (tenant_id, customer_id);

-- Payments, credits and refunds. A debit is a credit with a negative amount.
create table payment (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  payment_type text not null check (payment_type in ('Payment', 'Credit', 'Refund')),
  status text not null
    check (status in ('Pending', 'Paid', 'Declined', 'Canceled', 'Voided', 'Refunded')),
  -- Of a Pending one: waits for its turn, or the gateway has or may have been asked.
  phase text check (phase in ('Waiting', 'Charging')),
  payment_method_type text
    check (payment_method_type in ('CreditCard', 'ACH', 'Check', 'Cash', 'Token')),
  payment_method_id bigint,
  payment_method_context text,
  currency text not null,
  -- What was asked of the gateway, its surcharge included; of a refund the negative of what went back.
  amount numeric(20, 4) not null,
  surcharge numeric(20, 4) not null default 0 check (surcharge >= 0),
  -- Not applied to anything yet; of a debit the negative of what is still open of it.
  balance numeric(20, 4) not null default 0,
  -- Gone back of it, or on its way back.
  refunded numeric(20, 4) not null default 0 check (refunded >= 0),
  effective_date date not null,
  -- Null where no gateway has a part in it.
  gateway text check (gateway in ('sandbox', 'stripe')),
  transaction_id text,
  -- The tenant's day on which the gateway took it.
  charged_on date,
  -- The first payment of the cascade, whose workflow carries them all; its own id otherwise.
  chain_id bigint not null,
  attempt int not null default 1 check (attempt >= 1),
  -- Of the method on file that it pays by.
  autopay_preference smallint check (autopay_preference between 1 and 3),
  -- Goes on with the next method on file when it declines.
  is_cascading boolean not null default false,
  -- Its method is put on file there once it is Paid.
  save_as_preference smallint check (save_as_preference between 1 and 3),
  named_invoice_ids bigint[] not null default '{}',
  -- The invoice that it pays by itself.
  autopay_invoice_id bigint,
  is_system_payment boolean not null default false,
  is_processed_by_billing_run boolean not null default false,
  base_user_id bigint,
  -- The negative invoice that left this credit.
  credited_invoice_id bigint,
  notes text,
  invoice_text text,
  purchase_description text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, payment_method_id) references payment_method (tenant_id, id),
  foreign key (tenant_id, autopay_invoice_id) references invoice (tenant_id, id),
  foreign key (tenant_id, credited_invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred,
  check ((status = 'Pending') = (phase is not null)),
  check (payment_type <> 'Refund' or amount <= 0),
  check (payment_type <> 'Payment' or (amount > surcharge and balance >= 0
    and balance <= amount - surcharge and refunded <= amount - surcharge))
);
create index on payment (tenant_id, customer_id, id);
create index on payment (tenant_id, effective_date, id);
create index on payment (tenant_id, created_at);
create index on payment (tenant_id, updated_at);
create index on payment (tenant_id, chain_id);
create index payment_unapplied on payment (tenant_id, customer_id) where balance <> 0;
create index payment_pending on payment (tenant_id, id) where status = 'Pending';
-- One payment or refund of a customer is with the gateway at a time.
create unique index payment_under_way on payment (tenant_id, customer_id) where phase = 'Charging';
create unique index autopay_attempt on payment (tenant_id, autopay_invoice_id, attempt)
  where autopay_invoice_id is not null;

-- What a refund takes from which payment: one call of the gateway each.
create table refund_share (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  refund_id bigint not null,
  payment_id bigint not null,
  position int not null,
  amount numeric(20, 4) not null check (amount > 0),
  -- Voided where the whole of an unsettled payment goes back; none of Cash and Check.
  way text not null check (way in ('none', 'refund', 'void')),
  status text not null check (status in ('Pending', 'Paid', 'Declined')),
  transaction_id text,
  primary key (tenant_id, id),
  unique (tenant_id, refund_id, payment_id),
  foreign key (tenant_id, refund_id) references payment (tenant_id, id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id)
);
create index on refund_share (tenant_id, payment_id);

-- What a gateway answered; a payment shows its newest.
create table processor_result (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  payment_id bigint not null,
  processor text not null,
  processor_request_type text not null
    check (processor_request_type in ('charge', 'refund', 'void', 'validate')),
  transaction_id text,
  is_success boolean not null,
  is_error boolean not null,
  error_code text not null,
  error_message text,
  status_code text,
  status_message text,
  amount numeric(20, 4) not null,
  secondary_amount numeric(20, 4) not null,
  currency text not null,
  avs_code text,
  cvv_code text,
  approval_code text,
  response_time_ms int,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id)
);
create index on processor_result (tenant_id, payment_id, id);

-- Money applied to an invoice, or to a debit; taken back by a further row with a negative amount.
create table invoice_payment (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  payment_id bigint not null,
  invoice_id bigint,
  debit_id bigint,
  customer_id bigint not null,
  amount_applied numeric(20, 4) not null check (amount_applied <> 0),
  -- What was left of the payment after it.
  balance_remaining numeric(20, 4) not null check (balance_remaining >= 0),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred,
  foreign key (tenant_id, debit_id) references payment (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  check ((invoice_id is null) <> (debit_id is null))
);
create index on invoice_payment (tenant_id, payment_id, id);
create index on invoice_payment (tenant_id, invoice_id, id) where invoice_id is not null;
create index on invoice_payment (tenant_id, debit_id) where debit_id is not null;
create trigger application_append_only before update or delete or truncate on invoice_payment
  for each statement execute function refuse_change();
`;

const books = `
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check check (kind in
  ('invoice', 'invoiceCancelled', 'payment', 'paymentCanceled', 'surcharge', 'surchargePaid',
   'credit', 'debit', 'refund'));
alter table ledger_entry add column payment_id bigint;
alter table ledger_entry add foreign key (tenant_id, payment_id) references payment (tenant_id, id);
create unique index ledger_payment_once on ledger_entry (tenant_id, payment_id, kind)
  where payment_id is not null;
alter table ledger_entry add check ((invoice_id is null) <> (payment_id is null));

-- The day from which it is to be paid by itself; null when it is not, or when that was seen to.
alter table invoice add column autopay_on date;
-- The order whose workflow sees to it: its lowest. Null for an invoice made by hand.
alter table invoice add column autopay_order_id bigint;
-- Made by the generateInvoice of this cascade: paid by itself only if that declines.
alter table invoice add column autopay_after_payment_id bigint;
create index invoice_autopay on invoice (tenant_id, autopay_on) where autopay_on is not null;
create index invoice_autopay_order on invoice (tenant_id, autopay_order_id)
  where autopay_on is not null;

-- The answer to a payment is shown as the payment stands when it is asked for again.
alter table idempotency_key add column payment_id bigint;

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('order', 'billing', 'clock', 'payment'));
`;

const sandbox = `
-- The sandbox gateway's own: it stands for a company elsewhere, and shares no transaction with us.
create table sandbox_method (
  tenant_id bigint not null,
  token text not null,
  idempotency_key text not null,
  -- Number, expiry and name, sealed. Never the security code.
  sealed text not null,
  stored_at timestamptz not null default now(),
  primary key (tenant_id, token),
  unique (tenant_id, idempotency_key)
);

-- What it did, to compare with the books.
create table sandbox_transaction (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  idempotency_key text not null,
  operation text not null check (operation in ('validate', 'charge', 'refund', 'void')),
  token text,
  -- The charge that goes back.
  charge_id text,
  amount numeric(20, 4) not null,
  currency text not null,
  status text not null check (status in ('Processing', 'Approved', 'Declined')),
  error_code text,
  -- How often it was asked for under this key.
  calls int not null default 1,
  occurred_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, idempotency_key)
);
`;

/** Of this migration; the policy test reads the catalogue and must find the same. */
const tenanted = [
  'payment_method',
  'payment',
  'refund_share',
  'processor_result',
  'invoice_payment',
  'sandbox_method',
  'sandbox_transaction',
];

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
revoke update, delete on invoice_payment, processor_result from sundial_app;
`;
}

const acrossTenants = `
do $$ begin
  execute format('create policy owner_reads on payment for select to %I using (true)', current_user);
end $$;

create or replace function id_is_foreign(kind text, wanted bigint, own bigint) returns boolean
  language sql stable security definer set search_path = public
  return case kind
    when 'customer' then exists (select from customer where id = wanted and tenant_id <> own)
    when 'order' then exists (select from subscription_order where id = wanted and tenant_id <> own)
    when 'invoice' then exists (select from invoice where id = wanted and tenant_id <> own)
    when 'plan' then exists (select from plan where id = wanted and tenant_id <> own)
    when 'payment' then exists (select from payment where id = wanted and tenant_id <> own)
    else false end;
`;

export class Payments extends Migration {
  override up(): void {
    this.addSql(payments);
    this.addSql(books);
    this.addSql(sandbox);
    this.addSql(fences());
    this.addSql(acrossTenants);
  }
}
