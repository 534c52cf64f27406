/** A dunning that an import opens begins with the next run. */
import { Migration } from '@mikro-orm/migrations';

export class DunningsOfImports extends Migration {
  override up(): void {
    this.addSql(`
-- An import opened it, and no workflow follows it before the run of its next step has looked at it:
-- thousands of starts at once would keep everybody else waiting.
alter table dunning add column awaits_run boolean not null default false`);
  }
}
