/** For a test: a migration that is found because it is in the folder. */
import { Migration } from '@mikro-orm/migrations';

export class Later extends Migration {
  override up(): void {
    this.addSql('create table later (id int primary key)');
  }
}
