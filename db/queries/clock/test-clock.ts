/** The row of a tenant's test clock. */
import type { Tx } from '../../connection/tenancy.ts';
import type { TestClock } from '../../entities/tenants.ts';
import type { RowOf } from '../../entities/rows.ts';

export type ClockRow = RowOf<typeof TestClock, 'now' | 'target' | 'status'>;

/** @param lock 'update' to advance it: every writing transaction of the tenant waits meanwhile */
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

/** The number of pending payments, without those that take days at their gateway. */
export async function countPending(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ pending: number }>(
    `select count(*) as pending from payment
     where tenant_id = $1 and status = 'Pending' and phase <> 'Processing'`,
    [tx.tenantId],
    'countPending',
  );
  return row?.pending ?? 0;
}
