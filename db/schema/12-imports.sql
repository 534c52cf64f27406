-- Batch jobs: imports, and BatchInit, which carries a tenant's books over.

-- A job, which reads one file; the jobs below others do a part of their work.
create table batch (
  tenant_id bigint not null references tenant,
  id bigint not null default nextval('id_seq'),
  job_id text not null,
  kind text not null check (kind in ('customers', 'invoices', 'lines',
    'init', 'carriedInvoices', 'carriedCredits', 'carriedDebits')),
  -- Of lines their invoice job, of what BatchInit carries over its job.
  parent_id bigint,
  status text not null
    check (status in ('Draft', 'Queued', 'Success', 'PartialSuccess', 'Failure')),
  input_filename text,
  is_validate_only boolean not null default false,
  zeroes_balances boolean not null default false,
  -- The upload that was finalized; another file under its name later fails the job.
  upload_etag text,
  upload_bytes bigint,
  -- Null until the file was read once: its columns in their order, and how many rows it has.
  columns text[],
  row_count int,
  -- Where the rows begin that are still to be done, and the number of their first line.
  next_offset bigint,
  next_line int,
  -- BatchInit takes what is older than this id, and is done with the customers up to the other.
  takes_below bigint,
  done_customer_id bigint,
  success_count int not null default 0,
  fail_count int not null default 0,
  error_message text,
  cancelled_at timestamptz,
  cancel_reason text,
  finalized_at timestamptz,
  -- Real time: the rate of the rows is counted from here.
  started_at timestamptz,
  finished_at timestamptz,
  -- The result file, and with it import_row, is gone.
  result_deleted_at timestamptz,
  -- Of ids, so that it grows; null before it is finalized, and of jobs below others.
  queue_number bigint,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, job_id),
  foreign key (tenant_id, parent_id) references batch (tenant_id, id),
  check ((kind in ('lines', 'carriedInvoices', 'carriedCredits', 'carriedDebits'))
    = (parent_id is not null)),
  check ((status in ('Success', 'PartialSuccess', 'Failure')) = (finished_at is not null))
);
create index batch_parent on batch (tenant_id, parent_id) where parent_id is not null;
create index batch_open on batch (tenant_id) where status = 'Queued';
create index batch_result on batch (tenant_id, finished_at)
  where finished_at is not null and result_deleted_at is null;
create index batch_id on batch (id);
create index batch_queue on batch (tenant_id, queue_number)
  where status = 'Queued' and queue_number is not null;
grant select, insert, update, delete on batch to sundial_app;

-- What became of a row of a file, so that a restart does each one once.
create table import_row (
  tenant_id bigint not null,
  batch_id bigint not null,
  line int not null,
  status text not null check (status in ('Success', 'Failure')),
  -- What it made or changed; null if it failed, and if the job only validates.
  object_id bigint,
  code text,
  error text,
  -- Of repeated keys the first row counts. Null of a row that repeats one.
  key text,
  -- The user name of a customer.
  login text,
  primary key (tenant_id, batch_id, line),
  foreign key (tenant_id, batch_id) references batch (tenant_id, id),
  check ((status = 'Failure') = (code is not null and error is not null))
);
create unique index import_row_key on import_row (tenant_id, batch_id, key) where key is not null;
create unique index import_row_login on import_row (tenant_id, batch_id, login)
  where login is not null;
grant select, insert, delete on import_row to sundial_app;

-- Line items wait here until the rows of their invoices are done.
create table import_line (
  tenant_id bigint not null,
  -- The line item job.
  batch_id bigint not null,
  line int not null,
  -- The invoice job, whose files of line items are one.
  parent_id bigint not null,
  invoice_number text not null,
  -- Null of a bad row, which fails its invoice.
  position int,
  invoice_text text,
  price_code text,
  contract_code text,
  order_number text,
  accounting_code text,
  unit_price numeric(20, 6),
  quantity numeric(20, 6),
  amount numeric,
  billing_start_date date,
  billing_end_date date,
  primary key (tenant_id, batch_id, line),
  foreign key (tenant_id, batch_id) references batch (tenant_id, id)
);
create unique index import_line_position
  on import_line (tenant_id, parent_id, invoice_number, position);
grant select, insert, delete on import_line to sundial_app;

-- Hashing a password takes long: those of imported customers wait here, sealed.
create table password_to_hash (
  tenant_id bigint not null,
  contact_id bigint not null,
  batch_id bigint not null,
  sealed text not null,
  primary key (tenant_id, contact_id),
  foreign key (tenant_id, contact_id) references contact (tenant_id, id) on delete cascade,
  foreign key (tenant_id, batch_id) references batch (tenant_id, id)
);
create index password_to_hash_batch on password_to_hash (tenant_id, batch_id);
grant select, insert, update, delete on password_to_hash to sundial_app;
