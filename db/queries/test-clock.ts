/** The row of a tenant's test clock, and which orders' workflows have yet to see where it stands. */
import type { IsoDate } from '../../domain/model.ts';
import type { Tx } from '../tenancy.ts';

export interface ClockRow {
  readonly now: Date;
  readonly target: IsoDate | null;
  readonly status: 'Ready' | 'Advancing';
}

/** @param lock 'update' for who moves it: every writing transaction of the tenant waits meanwhile */
export async function readClock(tx: Tx, lock: 'none' | 'update'): Promise<ClockRow | undefined> {
  const [row] = await tx.query<ClockRow>(
    `select now, target, status from test_clock where tenant_id = $1
     ${lock === 'update' ? 'for update' : ''}`,
    [tx.tenantId],
  );
  return row;
}

export async function writeClock(tx: Tx, row: ClockRow): Promise<void> {
  await tx.query('update test_clock set now = $2, target = $3, status = $4 where tenant_id = $1', [
    tx.tenantId,
    row.now,
    row.target,
    row.status,
  ]);
}

/** Orders after an id whose workflow has not seen their newest version, ascending. */
export async function ordersBehind(tx: Tx, after: number, limit: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from subscription_order
     where tenant_id = $1 and id > $2 and version > workflow_seen_version
     order by id limit $3`,
    [tx.tenantId, after, limit],
    'ordersBehind',
  );
  return rows.map((row) => row.id);
}

/** Which of these are still behind: by primary key, however many orders the tenant has. */
export async function stillBehind(tx: Tx, orderIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from subscription_order
     where tenant_id = $1 and id = any($2) and version > workflow_seen_version`,
    [tx.tenantId, orderIds],
    'stillBehind',
  );
  return rows.map((row) => row.id);
}
