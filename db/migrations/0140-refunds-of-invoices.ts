/**
 * Refunds of named invoices: while one is under way, what it takes of the money applied to each of them
 * is kept, and whether a credit note is to give back as much.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

const reservations = `
create table refund_reservation (
  tenant_id bigint not null,
  id bigint not null default nextval('id_seq'),
  refund_id bigint not null,
  payment_id bigint not null,
  invoice_id bigint not null,
  amount numeric(20, 4) not null check (amount > 0),
  with_note boolean not null,
  primary key (tenant_id, id),
  unique (tenant_id, refund_id, payment_id, invoice_id),
  foreign key (tenant_id, refund_id) references payment (tenant_id, id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
);
create index on refund_reservation (tenant_id, payment_id);
create index on refund_reservation (tenant_id, invoice_id);
alter table refund_reservation enable row level security;
alter table refund_reservation force row level security;
create policy own_tenant on refund_reservation using (tenant_id = ${ownTenant});
grant select, insert, delete on refund_reservation to sundial_app`;

const notes = `
alter table invoice add foreign key (tenant_id, refund_id) references payment (tenant_id, id)
  deferrable initially deferred;
create index invoice_of_refund on invoice (tenant_id, refund_id) where refund_id is not null`;

// A process of before would plan the shares of such a refund a second time, or end it without its
// notes. Both fail here, and a process of now does the step.
const ends = `
create unique index refund_share_position on refund_share (tenant_id, refund_id, position);
create function end_settled_refund() returns trigger language plpgsql as $$
begin
  if exists (select from refund_reservation r
             where r.tenant_id = new.tenant_id and r.refund_id = new.id)
    or exists (select from refund_share s where s.tenant_id = new.tenant_id
               and s.refund_id = new.id and s.status in ('Pending', 'Processing')) then
    raise exception 'refund % ends before all that it has reserved is settled', new.id;
  end if;
  return new;
end $$;
create trigger refund_ends_settled before update on payment
  for each row when (old.payment_type = 'Refund' and old.status = 'Pending'
    and new.status <> 'Pending') execute function end_settled_refund()`;

export class RefundsOfInvoices extends Migration {
  override up(): void {
    this.addSql(reservations);
    this.addSql(notes);
    this.addSql(ends);
  }
}
