/** What a migration does to the releases before it, whose processes run on beside it during an upgrade. */
import { Migration } from '@mikro-orm/migrations';

/** It only adds: what releases before it read and write stays, and what they leave out has a default. */
export abstract class Expanding extends Migration {}

/** It takes away what releases before `servesFrom` read or write. */
export abstract class Contracting extends Migration {
  /** The newest migration of the oldest release that runs on the schema afterwards: `0280-schema-version`. */
  static readonly servesFrom: string;
}
