/** Numbers that were left out on purpose: a tenant's file may move the start of its numbers up. */
import { Migration } from '@mikro-orm/migrations';

const numbering = `
alter table counter
  -- The start that the file asked for once numbers had been given; null while it is the first.
  add column moved_to bigint,
  -- What lies between the last number given then and that start is never given.
  add column skipped int8multirange not null default '{}';
`;

export class Numbering extends Migration {
  override up(): void {
    this.addSql(numbering);
  }
}
