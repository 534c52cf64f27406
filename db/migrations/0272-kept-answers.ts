/** Answers that are kept under keys of callers go after a day, also of a tenant that sends no more of them. */
import { Migration } from '@mikro-orm/migrations';

const kinds = `
alter table retention_mark drop constraint retention_mark_kind_check,
  add constraint retention_mark_kind_check check (kind in
    ('deliveries', 'resends', 'mails', 'gatewayEvents', 'documents', 'taxAnswers', 'keptAnswers'))`;

export class KeptAnswers extends Migration {
  override up(): void {
    this.addSql(kinds);
  }
}
