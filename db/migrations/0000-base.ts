/** The schema as db/schema describes it: its files by subject, in the order of their names. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';

const folder = join(import.meta.dirname, '../schema');

export class Base extends Migration {
  override up(): void {
    for (const file of readdirSync(folder).toSorted()) {
      this.addSql(readFileSync(join(folder, file), 'utf8'));
    }
  }
}
