/** Finds the running orders that are to be dated by the newest version of their plan. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { DuePage } from '../ageing/due.ts';

/** The older versions of plans whose newest one is to date their orders by a day. */
const versionsBy = (day: string): string => `
  select p.id from plan n
  join plan p on p.tenant_id = n.tenant_id and p.contract_code = n.contract_code
    and not p.is_newest
  where n.tenant_id = $1 and n.moves_dated_on <= ${day}`;

/** The condition of an order that has not ended and is no Draft, by its status. */
export const isRunning = (status: string): string =>
  `${status} in ('Provisioning', 'Active', 'Suspended')`;

/** A page of the customers with such an order. */
export async function customersToDate(tx: Tx, { today, after, limit }: DuePage): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    // Materialized: for the order of ids the planner might read every customer there ever was.
    `with moving as materialized (
       select customer_id as id from subscription_order
       where tenant_id = $1 and plan_id = any(array(${versionsBy('$2')})) and ${isRunning('status')})
     select distinct id from moving where id > $3 order by id limit $4`,
    [tx.tenantId, today, after, limit],
    'customers-to-date',
  );
  return rows.map(({ id }) => id);
}

/** This transaction must have locked the customers. */
export async function ordersToDate(
  tx: Tx,
  customerIds: readonly number[],
  today: IsoDate,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from subscription_order
     where tenant_id = $1 and customer_id = any($2) and ${isRunning('status')}
       and plan_id = any(array(${versionsBy('$3')}))
     order by id`,
    [tx.tenantId, customerIds, today],
    'orders-to-date',
  );
  return rows.map(({ id }) => id);
}

/** The older versions whose orders the next run dates. */
export async function undatedVersions(tx: Tx): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `${versionsBy(`'infinity'`)} order by p.id`,
    [tx.tenantId],
    'undated-versions',
  );
  return rows.map(({ id }) => id);
}

/** All orders have their dates; a version that was applied meanwhile has its own day. */
export async function noteDated(tx: Tx, today: IsoDate): Promise<void> {
  await tx.query(
    'update plan set moves_dated_on = null where tenant_id = $1 and moves_dated_on <= $2',
    [tx.tenantId, today],
    'note-orders-dated',
  );
}
