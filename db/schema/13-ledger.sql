-- The ledger, and its sum by customer and currency.

create table customer_balance (
  tenant_id bigint not null,
  customer_id bigint not null,
  currency text not null,
  -- Sum of the ledger: positive is owed to the tenant.
  balance numeric(20, 4) not null default 0,
  -- totalDue of the customer's last made invoice in this currency.
  last_total_due numeric(20, 4) not null default 0,
  primary key (tenant_id, customer_id, currency),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);
grant select, insert, update, delete on customer_balance to sundial_app;

create table ledger_entry (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  currency text not null,
  kind text not null check (kind in
    ('invoice', 'invoiceCancelled', 'payment', 'paymentCanceled', 'surcharge', 'surchargePaid',
     'credit', 'debit', 'refund', 'paymentReturned', 'paymentDisputed',
     'openingBalance', 'import', 'zeroOut')),
  amount numeric(20, 4) not null,
  invoice_id bigint,
  entered_on date not null,
  entered_at timestamptz not null,
  payment_id bigint,
  withdrawal_id bigint,
  batch_id bigint,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred,
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  foreign key (tenant_id, withdrawal_id)
    references payment_withdrawal (tenant_id, id),
  constraint ledger_withdrawal
    check ((withdrawal_id is not null) = (kind in ('paymentReturned', 'paymentDisputed'))),
  foreign key (tenant_id, batch_id) references batch (tenant_id, id),
  check (num_nonnulls(invoice_id, payment_id, batch_id) = 1),
  constraint ledger_zero_out check ((batch_id is not null) = (kind = 'zeroOut'))
);
create unique index ledger_invoice_once on ledger_entry (tenant_id, invoice_id, kind)
  where invoice_id is not null;
create unique index ledger_withdrawal_once on ledger_entry (tenant_id, withdrawal_id)
  where withdrawal_id is not null;
-- A payment may be withdrawn from more than once; everything else of it is entered once.
create unique index ledger_payment_once
  on ledger_entry (tenant_id, payment_id, kind, coalesce(withdrawal_id, 0))
  where payment_id is not null;
create unique index ledger_zero_out_once
  on ledger_entry (tenant_id, batch_id, customer_id, currency) where batch_id is not null;
-- A statement sums and lists the entries from the newest on.
create index ledger_entry_of_customer
  on ledger_entry (tenant_id, customer_id, currency, entered_on, id) include (amount);
create trigger ledger_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();
grant select, insert on ledger_entry to sundial_app;
