/** Invariants of the audit log: no row is missing or changed, and none at its end was cut off. */
import { brokenChain } from '../../../db/queries/access/audit-log.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { RowOf } from '../../../db/entities/rows.ts';
import type { LostNumber } from '../../../db/entities/tenants.ts';
import type { ShownHead } from '../../access/audit-heads.ts';
import type { Fault } from '../report.ts';
import type { Check } from './check.ts';

export const auditLogChecks: readonly Check[] = [
  {
    name: 'audit.chain',
    rule: 'The rows of the audit log follow each other without a gap up to the head, each with the hash of what it says and of the row before.',
    sql: `select object, detail from (${brokenChain}) broken order by sequence, detail`,
  },
];

/** Compares the log with the heads that have left the database, and that nobody there can change. */
export async function auditHeads(
  tx: Tx,
  tenant: string,
  heads: readonly ShownHead[],
): Promise<Fault[]> {
  const ofTenant = heads.filter((head) => head.tenant === tenant);
  if (ofTenant.length === 0) return [];
  const lost = await lostEntries(tx);
  const own = ofTenant.filter(
    ({ sequence }) => !lost.some(({ after, upTo }) => sequence > after && sequence <= upTo),
  );
  const rows = await tx.query<{ sequence: number; hash: string }>(
    `select sequence, hash from audit_log where tenant_id = $1 and sequence = any ($2)
     union all
     select removed_sequence, removed_hash from audit_head where tenant_id = $1`,
    [tx.tenantId, own.map(({ sequence }) => sequence)],
    'audit-heads',
  );
  const [removed] = await tx.query<{ sequence: number }>(
    'select removed_sequence as sequence from audit_head where tenant_id = $1',
    [tx.tenantId],
    'audit-removed',
  );
  const hashes = new Map(rows.map(({ sequence, hash }) => [sequence, hash]));
  return own.flatMap(({ sequence, hash, at }): Fault[] => {
    const stored = hashes.get(sequence);
    if (stored === hash || (stored === undefined && sequence < (removed?.sequence ?? 0))) return [];
    const is = stored === undefined ? 'is missing' : 'has another hash';
    const detail = `${is}, and was the last one when the head was kept at ${at}`;
    return [{ check: 'audit.chain', object: `audit row ${sequence}`, detail }];
  });
}

/** What was written after a backup to which the database was put back: no other entry has the numbers. */
function lostEntries(tx: Tx): Promise<RowOf<typeof LostNumber, 'after' | 'upTo'>[]> {
  return tx.query(
    `select after, up_to from lost_number where tenant_id = $1 and kind = 'auditLog'`,
    [tx.tenantId],
    'lost-audit',
  );
}
