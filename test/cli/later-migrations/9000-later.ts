/** For a test: a migration that is found because it is in the folder. */
import { Expanding } from '../../../db/connection/migration-kinds.ts';

export class Later extends Expanding {
  override up(): void {
    this.addSql('create table later (id int primary key)');
  }
}
