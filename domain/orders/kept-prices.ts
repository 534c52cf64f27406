/** What a change makes of an order that keeps the prices of an older version. */
import { type BillableBasis, billableOn } from '../billing/order-to-rate.ts';
import { reschedule } from '../billing/due/dates.ts';
import { newPricesOn } from '../billing/due/new-prices.ts';
import type { Plan } from '../plans/plan.ts';
import { billsFrom } from '../standing/trial.ts';
import { type PriceMove, chargesByCode, isAlike } from '../plans/price-moves.ts';
import { type OrderProposal, orderToRate } from './propose.ts';

export interface KeptPrices extends BillableBasis {
  readonly move: PriceMove;
  /** The kept version, and the newest one. */
  readonly plans: ReadonlyMap<number, Plan>;
}

/**
 * The prices that a change keeps last as long as they would have: an order whose first period begins
 * with the newest prices has these, and any other takes them on its day.
 *
 * @example withKeptPrices(proposal, { move, plans, ...basis }).plan.version // 2, from 2027-02-15 on
 */
export function withKeptPrices(
  order: OrderProposal,
  { move, plans, ...basis }: KeptPrices,
): OrderProposal {
  const moving = { ...order, move };
  const row = orderToRate(moving);
  const on = newPricesOn(row, billableOn(row, plans, basis), plans);
  const newest = plans.get(move.planId);
  if (on === billsFrom(order) && newest !== undefined) {
    const charges = chargesByCode(newest);
    const lines = order.lines.flatMap((line) => {
      const charge = charges.get(line.charge.priceCode);
      return charge && isAlike(line.charge, charge) ? [{ ...line, charge }] : [];
    });
    // A line that bills nothing may have no charge there; such an order moves when it is billed.
    if (lines.length === order.lines.length) return { ...order, plan: newest, lines };
  }
  return { ...moving, dates: reschedule(row, plans, basis) };
}
