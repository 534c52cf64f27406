/** A mail says what its electronic invoice lacked, where it brings the PDF alone. */
import { Migration } from '@mikro-orm/migrations';

export class MailsWithoutUbl extends Migration {
  override up(): void {
    this.addSql('alter table mail add column without_ubl text[]');
  }
}
