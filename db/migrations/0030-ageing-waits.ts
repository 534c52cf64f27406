/** Dunning keeps why a step that is due was not taken: it waits for payments, or money is coming. */
import { Migration } from '@mikro-orm/migrations';

export class AgeingWaits extends Migration {
  override up(): void {
    this.addSql(`
alter table dunning
  -- When the step was found due beside a payment under way: it waits for an hour at most from then.
  add column waits_since timestamptz,
  -- The last day on which money in processing held back a step: the next 00:00 looks again.
  add column aided_on date,
  add check (waits_since is null or next_step_on is not null)`);
  }
}
