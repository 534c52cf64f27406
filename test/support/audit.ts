/**
 * The audit for tests: a file that fails after its audit found a fault is not run again. The audits
 * of a database share a connection, which plans their statements once.
 */
import { bulkhead } from 'cockatiel';
import { Pool, type PoolConfig } from 'pg';
import type { Database } from '../../db/connection/database.ts';
import { createTurns } from '../../db/connection/turns.ts';
import { audit as auditBooks } from '../../operations/books/audit.ts';
import type { AuditReport } from '../../operations/books/report.ts';
import { noteFinding } from './records.ts';

export async function audit(
  ...[dependencies, options]: Parameters<typeof auditBooks>
): Promise<AuditReport> {
  const own = { ...dependencies, db: forAudits(dependencies.db) };
  const report = await turn.execute(() => auditBooks(own, options));
  if (report.tenants.some(({ faults }) => faults.length > 0)) noteFinding('audit fault');
  return report;
}

/** One at a time: a second connection would plan all of it again. */
const turn = bulkhead(1, Infinity);
/** An audit reads some of what is cached beside its transaction. */
const CONNECTIONS_MAX = 2;
const WAIT_MS = 120_000;

const known = new WeakMap<Database, Database>();

function forAudits(db: Database): Database {
  let own = known.get(db);
  if (own === undefined) {
    const { options } = db.pool as unknown as { readonly options: PoolConfig };
    // The pool hides the password.
    const pool = new Pool({ ...options, password: options.password, max: CONNECTIONS_MAX });
    // The database is dropped while it is idle.
    pool.on('error', () => {});
    db.beforeClose(() => pool.end());
    const placesMax = CONNECTIONS_MAX;
    const waiting = { waitingMax: 100, laneWaitingMax: 100, waitMs: WAIT_MS };
    const turns = createTurns({ placesMax, lanePlacesMax: placesMax, ...waiting });
    known.set(db, (own = { ...db, pool, turns }));
  }
  return own;
}
