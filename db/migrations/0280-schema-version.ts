/**
 * Processes compare the migrations of the database with their own, and a worker's heartbeat says whose
 * workflows it runs: the build, or null of a worker of before.
 */
import { Expanding } from '../connection/migration-kinds.ts';

export class SchemaVersion extends Expanding {
  override up(): void {
    this.addSql(`
      grant select (name) on migration to sundial_app, sundial_relay;
      grant select on installation to sundial_relay;
      alter table worker_heartbeat add column build_id text`);
  }
}
