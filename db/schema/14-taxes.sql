-- What tax providers answered, the records of invoices there, and who waits for an answer.

create table tax_answer (
  tenant_id bigint not null,
  customer_id bigint not null,
  -- Of the document that was asked about, in hexadecimal.
  document_hash text not null check (length(document_hash) = 64),
  -- Of the invoice that was asked about.
  invoice_date date not null,
  -- The taxes of each line of the document.
  answer jsonb not null,
  -- In real time.
  answered_at timestamptz not null default now(),
  primary key (tenant_id, customer_id, invoice_date, document_hash),
  -- A quote leaves an answer, and is no reason to keep its customer.
  foreign key (tenant_id, customer_id)
    references customer (tenant_id, id) on delete cascade
);
-- Answers are deleted when they are old.
create index tax_answer_old on tax_answer (tenant_id, answered_at);
grant select, insert, update, delete on tax_answer to sundial_app;

create table tax_record (
  tenant_id bigint not null,
  invoice_id bigint not null,
  state text not null default 'toRecord'
    check (state in ('toRecord', 'recorded', 'toVoid', 'voided')),
  -- What is to be recorded. It has addresses, so it is kept no longer than it is needed.
  document jsonb,
  -- What the record should come to: the amounts that are sent, without tax, and their tax.
  expected_total numeric not null,
  expected_tax numeric not null,
  recorded_total numeric,
  recorded_tax numeric,
  -- All times are real ones. Since when it has to be recorded, or voided.
  opened_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  -- Calls that were begun: the number of the last one names it.
  attempts int not null default 0 check (attempts >= 0),
  -- Until then the provider may carry out a call of which no answer is known.
  leased_until timestamptz,
  -- Calls in a row without success, since the first of them.
  failures int not null default 0 check (failures >= 0),
  failing_since timestamptz,
  trouble text check (trouble in ('refused', 'silent')),
  -- The provider's code of the last failure, or ours; never its text.
  error_code text,
  -- Of a return: the credit that gives back charges of the invoice.
  payment_id bigint,
  -- The record's name at the provider: the invoice's id, and that of the credit.
  code text generated always as
    (invoice_id::text || coalesce('-' || payment_id::text, '')) stored,
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
    deferrable initially deferred,
  check ((state = 'toRecord') = (document is not null)),
  check (state <> 'recorded' or num_nonnulls(recorded_total, recorded_tax) = 2),
  check ((failures > 0) = (num_nonnulls(failing_since, trouble, error_code) = 3)),
  check (failures = 0 or state in ('toRecord', 'toVoid')),
  primary key (tenant_id, code),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id)
    deferrable initially deferred
);
create index tax_record_open on tax_record (tenant_id, next_attempt_at, invoice_id)
  where state in ('toRecord', 'toVoid');
create index tax_record_troubled on tax_record
  (tenant_id, trouble, failing_since desc, invoice_id) where trouble is not null;
create index tax_record_of_invoice on tax_record (tenant_id, invoice_id);
create index tax_record_of_credit on tax_record (tenant_id, payment_id)
  where payment_id is not null;
grant select, insert, update on tax_record to sundial_app;

-- The provider did not answer about invoices of these customers. All times are real, also of a
-- tenant on a test clock.
create table tax_wait (
  tenant_id bigint not null,
  customer_id bigint not null,
  -- The first failure.
  since timestamptz not null,
  -- How often the provider was asked in vain.
  tries int not null,
  next_try_at timestamptz not null,
  -- The provider's code of the last failure, or ours.
  code text not null,
  primary key (tenant_id, customer_id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
);
grant select, insert, update, delete on tax_wait to sundial_app;
