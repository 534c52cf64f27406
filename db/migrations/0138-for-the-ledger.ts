/**
 * What the ledger of the books will say of facts that do not say it yet: where a tax is due, the day and
 * the amount of what was carried over, and the transaction that has written each fact, by which a
 * reader knows that no earlier one is still to come. Facts of before lack all three.
 */
import { Migration } from '@mikro-orm/migrations';

const ownTenant = `(select nullif(current_setting('app.tenant', true), '')::bigint)`;

export class ForTheLedger extends Migration {
  override up(): void {
    this.addSql(`alter table invoice_charge add column tax_jurisdiction text,
      add constraint invoice_charge_jurisdiction_check
        check (tax_jurisdiction is null or tax_code is not null)`);
    for (const table of ['ledger_entry', 'invoice_payment']) {
      // Set apart from the column, whose rows of before it would rewrite.
      this.addSql(`alter table ${table} add column written_in xid8`);
      this.addSql(`alter table ${table} alter column written_in set default pg_current_xact_id()`);
    }
    this.addSql(`
      create table carry_over (
        tenant_id bigint not null references tenant,
        id bigint not null default nextval('id_seq'),
        -- The BatchInit.
        batch_id bigint not null,
        invoice_id bigint,
        -- A credit, a debit, or a payment that was closed.
        payment_id bigint,
        -- What was open then: below zero of a debit.
        amount numeric(20, 4) not null,
        carried_on date not null,
        written_in xid8 not null default pg_current_xact_id(),
        primary key (tenant_id, id),
        foreign key (tenant_id, batch_id) references batch (tenant_id, id),
        foreign key (tenant_id, invoice_id) references invoice (tenant_id, id),
        foreign key (tenant_id, payment_id) references payment (tenant_id, id),
        check (num_nonnulls(invoice_id, payment_id) = 1)
      );
      create index on carry_over (tenant_id, batch_id);
      create unique index carry_over_of_invoice on carry_over (tenant_id, invoice_id)
        where invoice_id is not null;
      create index carry_over_of_payment on carry_over (tenant_id, payment_id)
        where payment_id is not null;
      create trigger carry_over_append_only before update or delete or truncate on carry_over
        for each statement execute function refuse_change();
      alter table carry_over enable row level security;
      alter table carry_over force row level security;
      create policy own_tenant on carry_over using (tenant_id = ${ownTenant});
      grant select, insert on carry_over to sundial_app`);
  }
}
