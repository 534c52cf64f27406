/** Reads the days of order lines that have days of their own within the order's. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface LineDays {
  readonly startsOn: IsoDate | null;
  readonly endsOn: IsoDate | null;
}

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
