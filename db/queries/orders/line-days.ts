/** Reads the days of order lines that have days of their own within the order's. */
import type { Tx } from '../../connection/tenancy.ts';
import type { OrderLine } from '../../entities/orders.ts';
import type { RowOf } from '../../entities/rows.ts';

export type LineDays = RowOf<typeof OrderLine, 'startsOn' | 'endsOn'>;

/** By the ids of the lines. */
export async function readLineDays(
  tx: Tx,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, LineDays>> {
  const rows = await tx.query<LineDays & { readonly id: number }>(
    `select id, starts_on, ends_on from order_line
     where tenant_id = $1 and order_id = any($2) and coalesce(starts_on, ends_on) is not null`,
    [tx.tenantId, orderIds],
  );
  return new Map(rows.map(({ id, ...days }) => [id, days]));
}
