/** The row of a tenant's test clock, and which orders' workflows have yet to see where it stands. */
import type { IsoDate } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';

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

export interface Paying {
  /** Payments that are under way, for which the clock waits. */
  readonly pending: number;
  /** An invoice is to be paid by itself at the instant reached. */
  readonly isDue: boolean;
}

export async function readPaying(tx: Tx, today: IsoDate): Promise<Paying> {
  const [row] = await tx.query<{ pending: number; is_due: boolean }>(
    `select (select count(*) from payment where tenant_id = $1 and status = 'Pending') as pending,
            exists (select from invoice i where i.tenant_id = $1 and i.autopay_on <= $2
              and i.autopay_after_payment_id is null) as is_due`,
    [tx.tenantId, today],
    'readPaying',
  );
  return { pending: row?.pending ?? 0, isDue: row?.is_due ?? false };
}

/**
 * The workflows of orders with an invoice that is now paid by itself are behind: their rows stand
 * as before, but what they wait for does not.
 */
export async function markPayersBehind(tx: Tx, today: IsoDate): Promise<void> {
  await tx.query(
    `update subscription_order o
     set workflow_seen_version = least(o.workflow_seen_version, o.version - 1)
     from (select id from subscription_order where tenant_id = $1 and id in (
             select i.autopay_order_id from invoice i
             where i.tenant_id = $1 and i.autopay_on <= $2
               and i.autopay_after_payment_id is null)
           order by id for no key update) payer
     where o.tenant_id = $1 and o.id = payer.id`,
    [tx.tenantId, today],
    'markPayersBehind',
  );
}
