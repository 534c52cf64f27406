-- Payments, credits, debits and refunds, what gateways said of them, and the sandbox gateway.

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
  -- The gateway said that the method will never work again.
  hard_declined_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);
create unique index payment_method_on_file
  on payment_method (tenant_id, customer_id, autopay_preference)
  where autopay_preference is not null;
create index on payment_method (tenant_id, customer_id);
grant select, insert, update, delete on payment_method to sundial_app;

-- Payments, credits and refunds. A debit is a credit with a negative amount.
create table payment (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  customer_id bigint not null,
  payment_type text not null check (payment_type in ('Payment', 'Credit', 'Refund')),
  status text not null check (status in
    ('CarriedOver', 'Pending', 'Paid', 'Declined', 'Canceled', 'Voided', 'Refunded')),
  -- Of a Pending one: waits for its turn, or the gateway has or may have been asked.
  -- Processing: the gateway has accepted it and says later how it ended; others have their turn.
  phase text check (phase in ('Waiting', 'Charging', 'Processing')),
  payment_method_type text
    check (payment_method_type in ('CreditCard', 'ACH', 'Check', 'Cash', 'Token')),
  payment_method_id bigint,
  payment_method_context text,
  currency text not null,
  -- What was asked of the gateway, its surcharge included; of a refund the negative of what
  -- went back.
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
  cascade_id bigint not null,
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
  -- Under which the gateway is asked: stored before the call, and never used for another one.
  gateway_key text,
  -- The tenant's day on which the gateway has something to say of it; null where none is known.
  gateway_news_on date,
  -- Of a payment, what was withdrawn and entered so.
  withdrawn numeric(20, 4) not null default 0 check (withdrawn >= 0),
  -- The attempt that made the payment; each payment of its cascade has it.
  collection_attempt_id bigint,
  -- The day on which a person resolved a call of it; null once the gateway has said what became of
  -- the call, or was asked long enough. Meanwhile gateway_news_on is the day of the next question.
  resolved_on date,
  -- The status before CarriedOver, which credits and debits may become.
  carried_over_from text,
  -- What was open then (below zero of a debit), and what was taken back since; of a payment, what
  -- zeroOutCustomerBalance closed of it.
  carried_open numeric(20, 4),
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
    and balance <= amount - surcharge and refunded <= amount - surcharge)),
  -- Whoever would call without a stored key, as a process of an older version, is stopped.
  check (gateway_key is not null or phase is distinct from 'Charging'
    or payment_type <> 'Payment'),
  constraint payment_gone
    check (payment_type <> 'Payment' or refunded + withdrawn <= amount - surcharge),
  constraint payment_carried_over check (
    (status = 'CarriedOver') = (carried_over_from is not null)
    and (status <> 'CarriedOver' or payment_type = 'Credit' and balance = 0
      and carried_open is not null))
);
create index on payment (tenant_id, customer_id, id);
create index on payment (tenant_id, effective_date, id);
create index on payment (tenant_id, created_at);
create index on payment (tenant_id, updated_at);
create index payment_tenant_id_chain_id_idx on payment (tenant_id, cascade_id);
create index payment_unapplied on payment (tenant_id, customer_id) where balance <> 0;
create index payment_pending on payment (tenant_id, id) where status = 'Pending';
-- One payment or refund of a customer is with the gateway at a time.
create unique index payment_under_way on payment (tenant_id, customer_id) where phase = 'Charging';
create unique index autopay_attempt on payment (tenant_id, autopay_invoice_id, attempt)
  where autopay_invoice_id is not null;
create index on payment (tenant_id, payment_method_id) where payment_method_id is not null;
create index payment_processing on payment (tenant_id, customer_id) where phase = 'Processing';
-- An event names what it speaks of by the gateway's own id.
create index payment_transaction on payment (tenant_id, transaction_id)
  where gateway <> 'sandbox' and transaction_id is not null;
create index payment_of_attempt on payment (tenant_id, collection_attempt_id)
  where collection_attempt_id is not null;
create index payment_news on payment (tenant_id, gateway_news_on, id)
  where gateway_news_on is not null;
grant select, insert, update, delete on payment to sundial_app;

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
  status text not null check (status in ('Pending', 'Processing', 'Paid', 'Declined')),
  transaction_id text,
  gateway_key text,
  primary key (tenant_id, id),
  unique (tenant_id, refund_id, payment_id),
  foreign key (tenant_id, refund_id) references payment (tenant_id, id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  check (gateway_key is not null or way = 'none')
);
create index on refund_share (tenant_id, payment_id);
create index refund_share_transaction on refund_share (tenant_id, transaction_id)
  where transaction_id is not null;
grant select, insert, update, delete on refund_share to sundial_app;

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
  is_hard_decline boolean not null default false,
  primary key (tenant_id, id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id)
);
create index on processor_result (tenant_id, payment_id, id);
grant select, insert on processor_result to sundial_app;

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
create index on invoice_payment (tenant_id, customer_id);
create trigger application_append_only before update or delete or truncate on invoice_payment
  for each statement execute function refuse_change();
grant select, insert on invoice_payment to sundial_app;

-- What of an invoiced charge was given back for days that are not used.
create table charge_credit (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- The credit that it is a part of.
  payment_id bigint,
  invoice_charge_id bigint not null,
  amount numeric(20, 4) not null check (amount <> 0),
  -- The first of the days that are not used.
  unused_from date,
  -- The charge of a later invoice that carries the credit, in place of a payment.
  credit_charge_id bigint,
  -- The last of the days that are not used; null for a charge that bills no days.
  unused_to date,
  -- Set by a rollback of the invoice that carries the credit.
  voided_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  foreign key (tenant_id, invoice_charge_id) references invoice_charge (tenant_id, id),
  constraint charge_credit_carrier_check check (num_nonnulls(payment_id, credit_charge_id) = 1),
  constraint charge_credit_days_check check (unused_to >= unused_from),
  constraint charge_credit_voided_check check (voided_at is null or credit_charge_id is not null),
  foreign key (tenant_id, credit_charge_id) references invoice_charge (tenant_id, id),
  constraint charge_credit_reason_check check (
    unused_from is not null or unused_to is null and credit_charge_id is not null)
);
create index on charge_credit (tenant_id, payment_id);
create index charge_credit_of_charge on charge_credit (tenant_id, invoice_charge_id);
create index charge_credit_carrier on charge_credit (tenant_id, credit_charge_id)
  where credit_charge_id is not null;
-- Unused days of a charge are credited once, unless the credit was given back. A charge may be
-- corrected again and again: see usage.
create unique index charge_credit_standing on charge_credit (tenant_id, invoice_charge_id)
  where voided_at is null and unused_from is not null;
create trigger charge_credit_append_only before delete or truncate on charge_credit
  for each statement execute function refuse_change();
create trigger charge_credit_void_only before update on charge_credit
  for each row execute function void_only();
grant select, insert, update (voided_at) on charge_credit to sundial_app;

-- Money that the gateway took out of our account again: a returned debit, a disputed charge.
create table payment_withdrawal (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  payment_id bigint not null,
  kind text not null check (kind in ('return', 'dispute')),
  -- The gateway's own id of it.
  gateway_ref text not null,
  reason text not null,
  -- As the gateway withdrew it; the part of it that had come and not gone back; what it has no
  -- payment for.
  amount numeric(20, 4) not null check (amount > 0),
  covered numeric(20, 4) not null check (covered >= 0 and covered <= amount),
  excess numeric(20, 4) not null check (excess >= 0 and excess <= amount - covered),
  -- What the books lost by it: all that is covered, or nothing where the payment was cancelled
  -- before.
  entered numeric(20, 4) not null check (entered in (0, covered)),
  withdrawn_on date not null,
  recorded_at timestamptz not null,
  -- The payment by which it came back: a dispute that was won.
  reinstated_payment_id bigint,
  primary key (tenant_id, id),
  unique (tenant_id, payment_id, gateway_ref),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  foreign key (tenant_id, reinstated_payment_id) references payment (tenant_id, id)
);
create unique index payment_reinstated on payment_withdrawal (tenant_id, reinstated_payment_id)
  where reinstated_payment_id is not null;
grant select, insert, update on payment_withdrawal to sundial_app;

-- What a gateway said that does not fit the books. It is never deleted; a person closes it.
create table gateway_finding (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- The payment, or the refund.
  payment_id bigint not null,
  -- Under which the gateway was asked.
  gateway_key text not null,
  -- Another call stands under the key; or an approval came after the payment was declined.
  kind text not null
    check (kind in ('difference', 'lateApproval', 'lateDecline', 'withdrawnExcess')),
  detail text not null,
  transaction_id text,
  found_at timestamptz not null,
  closed_at timestamptz,
  closed_reason text,
  primary key (tenant_id, id),
  unique (tenant_id, payment_id, gateway_key, kind),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  check ((closed_at is null) = (closed_reason is null))
);
grant select, insert, update on gateway_finding to sundial_app;

-- What a gateway has sent us: each event once, by its id. It is only a reason to ask the gateway.
create table gateway_event (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  gateway text not null check (gateway in ('stripe')),
  event_id text not null,
  type text not null,
  -- The payment or refund that it speaks of.
  payment_id bigint not null,
  received_at timestamptz not null,
  -- When the gateway had been asked; null while it is to be.
  asked_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, gateway, event_id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id)
);
create index on gateway_event (tenant_id, payment_id);
create index gateway_event_unasked on gateway_event (tenant_id, payment_id)
  where asked_at is null;
create index gateway_event_asked on gateway_event (tenant_id, asked_at) where asked_at is not null;
grant select, insert, update, delete on gateway_event to sundial_app;

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
grant select, insert, update, delete on sandbox_method to sundial_app;

-- What it did, to compare with the books.
create table sandbox_transaction (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  idempotency_key text not null,
  operation text not null check (operation in ('validate', 'charge', 'refund', 'void', 'return')),
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
  -- Of a charge, the tenant's day on which it is approved, or returned.
  news_on date,
  primary key (tenant_id, id),
  unique (tenant_id, idempotency_key)
);
create index sandbox_return on sandbox_transaction (tenant_id, charge_id)
  where operation = 'return';
grant select, insert, update, delete on sandbox_transaction to sundial_app;
