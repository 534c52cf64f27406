/**
 * Links by which an invoice is paid from a mail: of each token its hash alone. A payment of such a page
 * names the invoice in place of a session, and so do the cards that were declined there, which count for
 * the invoice and not for its customer.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const table = `
create table pay_link (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  -- SHA-256 of the token in the page's address.
  token_hash bytea not null,
  invoice_id bigint not null,
  -- Real time.
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, token_hash),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id) on delete cascade
);
create index pay_link_invoice on pay_link (tenant_id, invoice_id);
create index pay_link_end on pay_link (tenant_id, expires_at);
alter table pay_link enable row level security;
alter table pay_link force row level security;
create policy own_tenant on pay_link using (tenant_id = ${ownTenant});
grant select, insert, update, delete on pay_link to sundial_app`;

const columns = `
-- The invoice whose link made it: then there is no session.
alter table self_service_payment add column invoice_id bigint,
  add constraint self_service_payment_invoice_fkey
    foreign key (tenant_id, invoice_id) references invoice (tenant_id, id),
  add constraint self_service_payment_of_one_check
    check (invoice_id is null or session_id is null);
create index self_service_payment_invoice on self_service_payment (tenant_id, invoice_id)
  where invoice_id is not null;
-- The invoice whose link tried the card: then the customer counts none.
alter table card_decline add column invoice_id bigint,
  add constraint card_decline_of_one_check check (invoice_id is null or customer_id is null);
create index card_decline_invoice on card_decline (tenant_id, invoice_id, declined_at)
  where invoice_id is not null`;

export class PayLinks extends Migration {
  override up(): void {
    this.addSql(table);
    this.addSql(columns);
  }
}
