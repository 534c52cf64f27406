/** Deletes rows that are over where new ones are made, so that no process has to. */
import type { Tx } from '../../connection/tenancy.ts';

export interface Pruning {
  readonly table: string;
  /** The key of a row beside its tenant. */
  readonly key: string;
  /** The column that says since when, or up to when, a row counts. */
  readonly at: string;
  /** Rows up to this instant are over. */
  readonly until: Date;
  /** The most rows at once. */
  readonly max: number;
}

/** The oldest of the tenant's that are over; rows that others delete are passed over. */
export function pruneOldest(tx: Tx, { table, key, at, until, max }: Pruning): void {
  tx.send(
    `delete from ${table} where tenant_id = $1 and ${key} = any(array(
       select ${key} from ${table} where tenant_id = $1 and ${at} <= $2
       order by ${at} limit ${max} for update skip locked))`,
    [tx.tenantId, until],
    `prune-${table}`,
  );
}
