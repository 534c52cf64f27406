/** The answers of tax providers, which are asked before an invoice's transaction. */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const answers = `
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
  foreign key (tenant_id, customer_id) references customer (tenant_id, id)
);
-- Answers are deleted when they are old.
create index tax_answer_old on tax_answer (tenant_id, answered_at);

alter table tax_answer enable row level security;
alter table tax_answer force row level security;
create policy own_tenant on tax_answer using (tenant_id = ${ownTenant});
grant select, insert, update, delete on tax_answer to sundial_app;
`;

const retention = `
alter table retention_mark
  drop constraint retention_mark_kind_check,
  add constraint retention_mark_kind_check check (kind in
    ('deliveries', 'resends', 'mails', 'gatewayEvents', 'documents', 'taxAnswers'));
`;

export class TaxAnswers extends Migration {
  override up(): void {
    this.addSql(answers);
    this.addSql(retention);
  }
}
