/** Credit notes name the invoice of which they give back, and the refund that goes with them. */
import { Migration } from '@mikro-orm/migrations';

const columns = `
alter table invoice
  add column credit_note_of bigint,
  add column refund_id bigint,
  add foreign key (tenant_id, credit_note_of) references invoice (tenant_id, id);
create index invoice_credit_notes on invoice (tenant_id, credit_note_of)
  where credit_note_of is not null;
-- Given back by a credit note: periods, usage and uses of coupons stay.
alter table charge_credit add column by_note boolean not null default false`;

const kinds = `'newInvoice', 'newCreditNote', 'newOrder', 'paymentReceived', 'paymentFailed',
  'customerOverdue'`;

const mails = `
alter table notification drop constraint notification_kind_check,
  add constraint notification_kind_check check (kind in (${kinds}));
alter table mail drop constraint mail_kind_check,
  add constraint mail_kind_check check (kind in
    (${kinds}, 'passwordReset', 'contactChanged', 'signupConfirm'))`;

export class CreditNotes extends Migration {
  override up(): void {
    this.addSql(columns);
    this.addSql(mails);
  }
}
