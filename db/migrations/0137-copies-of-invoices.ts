/** Who gets copies of the mails with a customer's invoices. */
import { Migration } from '@mikro-orm/migrations';

export class CopiesOfInvoices extends Migration {
  override up(): void {
    this.addSql('alter table contact add column email_cc text');
  }
}
