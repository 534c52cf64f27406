/** Reads what the rating of orders rests on beside their rows. */
import type { RatingBasis } from '../../domain/billing/open-orders.ts';
import { loadSuccessors } from '../../db/queries/billing/load.ts';
import { invoicedWithDaysFrom } from '../../db/queries/payments/charge-credits.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies } from '../context/context.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { planVersions } from '../plans/versions.ts';

import type { OrderToRate } from '../../domain/billing/order-to-rate.ts';
import type { TaxingOf } from '../../domain/billing/tax.ts';

export interface BasisOf {
  readonly rows: readonly OrderToRate[];
  readonly taxingOf: TaxingOf;
  /** Orders of the rows that are not stored yet, and replace others of them. */
  readonly newOrders?: readonly OrderToRate[];
}

/** Plans and coupons are read once by a process; only orders that change need anything else. */
export async function ratingBasis(
  { db }: Pick<Dependencies, 'db'>,
  tx: Tx,
  { rows, taxingOf, newOrders = [] }: BasisOf,
): Promise<RatingBasis> {
  const { successors, unused } = await changesOf(tx, rows, newOrders);
  const all = [...rows, ...successors.values()];
  const [plans, coupons] = await Promise.all([
    planVersions(
      db,
      tx,
      all.map((row) => row.planId),
    ),
    couponVersions(
      db,
      tx,
      all.map((row) => row.couponId),
    ),
  ]);
  return {
    plans,
    coupons,
    taxingOf,
    successors,
    unused,
  };
}

const noChanges = { successors: new Map<number, OrderToRate>(), unused: new Map() } as const;

async function changesOf(
  tx: Tx,
  rows: readonly OrderToRate[],
  newOrders: readonly OrderToRate[],
): Promise<Pick<RatingBasis, 'successors' | 'unused'>> {
  const changing = rows.flatMap(({ id, creditFrom, changeOn }) => {
    const from = creditFrom ?? changeOn;
    return from == null ? [] : [{ orderId: id, from }];
  });
  if (changing.length === 0) return noChanges;
  const made = new Map(newOrders.map((row) => [row.previousOrderId ?? 0, row]));
  const [stored, invoiced] = await Promise.all([
    loadSuccessors(
      tx,
      changing.flatMap(({ orderId }) => (made.has(orderId) ? [] : [orderId])),
    ),
    invoicedWithDaysFrom(tx, changing),
  ]);
  const unused = Map.groupBy(invoiced, ({ orderId }) => orderId);
  return { successors: new Map([...stored, ...made]), unused };
}
