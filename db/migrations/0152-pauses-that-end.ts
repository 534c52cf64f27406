/** Pauses may end by themselves, at 00:00 of a day; those that are over, or have no end, have none. */
import { Migration } from '@mikro-orm/migrations';

export class PausesThatEnd extends Migration {
  override up(): void {
    this.addSql(`alter table service_pause add column until date
      constraint service_pause_until_check check (until > suspended_on)`);
    this.addSql(`create index service_pause_until on service_pause (tenant_id, until)
      where until is not null`);
  }
}
