/**
 * Finds what was billed at the price of another plan version than the one that held on the first day of
 * its period. Orders that never took other prices have one version.
 */
import { lineOn } from '../../domain/standing/line.ts';
import { billsFrom } from '../../domain/standing/trial.ts';
import { type IsoDate, maxDate, periodAt } from '../../domain/calendar/calendar.ts';
import { billableOn } from '../../domain/billing/order-to-rate.ts';
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { loadOrders } from '../../db/queries/billing/load.ts';
import { pricedOf } from '../../db/queries/billing/priced.ts';
import { planVersions } from '../plans/versions.ts';
import type { Fault } from './report.ts';

const ORDERS_AT_ONCE = 200;

/** In batches, so that its memory does not grow with the orders. */
export async function auditVersions(
  tx: Tx,
  db: Database,
  today: IsoDate,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (let after = 0; ;) {
    const ids = await movedAfter(tx, after);
    const last = ids.at(-1);
    if (last === undefined) return faults;
    after = last;
    faults.push(...(await faultsOf(tx, db, { ids, today })));
  }
}

/** Orders that have taken other prices. */
async function movedAfter(tx: Tx, after: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from subscription_order
     where tenant_id = $1 and id > $2 and earlier_prices is not null order by id limit $3`,
    [tx.tenantId, after, ORDERS_AT_ONCE],
    'audit-moved',
  );
  return rows.map(({ id }) => id);
}

async function faultsOf(
  tx: Tx,
  db: Database,
  { ids, today }: { readonly ids: readonly number[]; readonly today: IsoDate },
): Promise<readonly Fault[]> {
  const [rows, priced] = await Promise.all([loadOrders(tx, ids), pricedOf(tx, ids)]);
  const plans = await planVersions(db, tx, rows.flatMap(planIdsOf));
  const pricedBy = Map.groupBy(priced, ({ orderId }) => orderId);
  return rows.flatMap((row) => {
    const view = { customerStatus: 'Active', today, usageGraceDays: 0 } as const;
    const order = billableOn(row, plans, view);
    const lines = new Map(order.lines.map((line) => [line.id, line]));
    return (pricedBy.get(row.id) ?? []).flatMap(
      ({ lineId, ofPeriod, from, chargeId, version }): Fault[] => {
        const line = lines.get(lineId);
        if (line === undefined) return [];
        const isOnce = line.charge.chargeType === 'OneTimeCharge';
        const begun = maxDate(periodAt(order.schedule, ofPeriod).start, billsFrom(order));
        if (lineOn(line, isOnce ? from : begun).charge.id === chargeId) return [];
        const detail = `line ${line.position} of ${from} costs what version ${version} says, which did not hold then`;
        return [{ check: 'price.version', object: `order ${row.orderNumber}`, detail }];
      },
    );
  });
}
