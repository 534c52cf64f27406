/**
 * The state after a kill: the connections of the killed process end at once, and finally the books
 * are right.
 */
import type { ExecutionContext } from 'ava';
import type { Database } from '../../../db/connection/database.ts';
import { audit } from '../../support/audit.ts';
import { administer } from '../../support/template.ts';
import type { Parts } from './parts.ts';

/**
 * Ends the connections of a killed process, which the database would notice later.
 *
 * @param pid if another process of its kind runs
 */
export async function endConnections(
  { ownerUrl }: Pick<Parts, 'ownerUrl'>,
  part: 'worker' | 'api',
  pid?: number,
): Promise<void> {
  const its = pid === undefined ? `${part} %` : `${part} % ${pid}@%`;
  await administer(
    ownerUrl,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = current_database() and application_name like '${its}'`,
  );
}

export interface AuditedDatabases {
  readonly db: Database;
  readonly relayDb: Database;
}

/** The audit of all tenants finds no fault. */
export async function auditIsClean(
  t: ExecutionContext,
  { engine }: Pick<Parts, 'engine'>,
  { db, relayDb }: AuditedDatabases,
): Promise<void> {
  const report = await audit({ db, realNow: Date.now }, { relayDb, engine });
  t.deepEqual(
    report.tenants.flatMap(({ faults }) => faults),
    [],
  );
  t.true(report.clean);
}
