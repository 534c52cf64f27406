/** Finds the pauses that end by themselves on a day. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { ServicePause } from '../../entities/customers.ts';
import type { RowOf } from '../../entities/rows.ts';
import type { DuePage } from '../ageing/due.ts';

/** A page of the customers with a pause whose day has come. */
export async function pausedCustomers(tx: Tx, { today, after, limit }: DuePage): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    // Materialized: for the order of ids the planner might read every pause there ever was.
    `with due as materialized (
       select customer_id as id from service_pause where tenant_id = $1 and until <= $2)
     select distinct id from due where id > $3 order by id limit $4`,
    [tx.tenantId, today, after, limit],
    'paused-customers',
  );
  return rows.map(({ id }) => id);
}

export interface DuePause extends RowOf<typeof ServicePause, 'customerId' | 'orderId'> {
  readonly until: IsoDate;
}

/** By customer, those of its orders before its own. This transaction must have locked the customers. */
export function duePausesOf(
  tx: Tx,
  customerIds: readonly number[],
  by: IsoDate,
): Promise<DuePause[]> {
  return tx.query<DuePause & Record<string, unknown>>(
    `select customer_id, order_id, until from service_pause
     where tenant_id = $1 and until <= $3 and customer_id = any($2)
     order by customer_id, order_id nulls last`,
    [tx.tenantId, customerIds, by],
    'due-pauses-of-customers',
  );
}
