/**
 * The numbers of cancellations. They are of the series of credit notes, and their days are those of the
 * ledger's entries.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

export class Cancellations extends Migration {
  override up(): void {
    this.addSql(`
      create table cancellation (
        tenant_id bigint not null references tenant,
        invoice_id bigint not null,
        cancellation_number text not null,
        -- The counter that gave the number, and its place there.
        number_prefix text not null,
        number_year int not null,
        number_value bigint not null,
        primary key (tenant_id, invoice_id),
        unique (tenant_id, cancellation_number),
        foreign key (tenant_id, invoice_id) references invoice (tenant_id, id)
      );
      create trigger cancellation_append_only before update or delete or truncate on cancellation
        for each statement execute function refuse_change();
      alter table cancellation enable row level security;
      alter table cancellation force row level security;
      create policy own_tenant on cancellation using (tenant_id = ${ownTenant});
      grant select, insert on cancellation to sundial_app`);
  }
}
