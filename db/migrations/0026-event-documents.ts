/** Documents of events are stored as the text that made them: PostgreSQL never looks into them. */
import { Migration } from '@mikro-orm/migrations';

export class EventDocuments extends Migration {
  override up(): void {
    this.addSql('alter table event_document alter column document type json using document::json;');
  }
}
