/**
 * What is open is counted without reading what is over, and a nudge knows since when it waits: its
 * `deliver_after` moves with each try.
 */
import { Expanding } from '../connection/migration-kinds.ts';

export class FiguresOfOpenWork extends Expanding {
  override up(): void {
    this.addSql(`
      alter table outbox add column waiting_since timestamptz not null default now()`);
    this.addSql(`
      create index dunning_open on dunning (tenant_id, customer_id) where closed_on is null`);
    this.addSql(`
      create index dunning_held on dunning (tenant_id) where held_on is not null`);
    this.addSql(`
      create index gateway_finding_open on gateway_finding (tenant_id) where closed_at is null`);
  }
}
