/** What the rating of orders rests on beside their rows: plans, coupons, the rates of their customers. */
import assert from 'node:assert';
import type { InvoicedLine } from '../../domain/billing/dependents.ts';
import type { Coupon } from '../../domain/discounts/coupon.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { loadSuccessors, type RatedOrder } from '../../db/queries/billing/load.ts';
import { invoicedWithDaysFrom } from '../../db/queries/payments/charge-credits.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies } from '../context/context.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { planVersions } from '../plans/versions.ts';
import type { TaxingOf } from './taxing.ts';

export interface RatingBasis {
  readonly plans: ReadonlyMap<number, Plan>;
  readonly coupons: ReadonlyMap<number, Coupon>;
  readonly taxingOf: TaxingOf;
  /** The orders that replace others, by the replaced one. */
  readonly successors: ReadonlyMap<number, RatedOrder>;
  /** What was billed for unused days of orders that are replaced, by the order. */
  readonly unused: ReadonlyMap<number, readonly InvoicedLine[]>;
}

export interface BasisOf {
  readonly rows: readonly RatedOrder[];
  readonly taxingOf: TaxingOf;
  /** Orders of the rows that are not stored yet, and replace others of them. */
  readonly newOrders?: readonly RatedOrder[];
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

/** The plan of an order that is rated on the basis. */
export function planOf({ plans }: Pick<RatingBasis, 'plans'>, row: RatedOrder): Plan {
  const plan = plans.get(row.planId);
  assert(plan, `order ${row.id} names plan ${row.planId}, which does not exist`);
  return plan;
}

const noChanges = { successors: new Map<number, RatedOrder>(), unused: new Map() } as const;

async function changesOf(
  tx: Tx,
  rows: readonly RatedOrder[],
  newOrders: readonly RatedOrder[],
): Promise<Pick<RatingBasis, 'successors' | 'unused'>> {
  const changing = rows.flatMap(({ id, creditFrom, changeOn }) => {
    const from = creditFrom ?? changeOn;
    return from === null ? [] : [{ orderId: id, from }];
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
