/** The report of monthly recurring revenue: adds up what orders come to, customer after customer. */
import type { MrrOrderRow } from '../../db/queries/ledger/mrr.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { ReportDays } from '../../domain/ledger/reports.ts';
import type { Coupon } from '../../domain/discounts/coupon.ts';
import {
  monthlyOf,
  mrrSums,
  type MrrOrder,
  type MrrRow,
  type RecurringTerms,
} from '../../domain/ledger/mrr.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { planVersions } from '../plans/versions.ts';

type Reader = Pick<Tx, 'query'>;

/** @param parts the orders by customer and id */
export async function addedUp(
  { db, tx }: { readonly db: Database; readonly tx: Reader },
  parts: AsyncIterable<readonly MrrOrderRow[]>,
  { from, to }: ReportDays,
): Promise<readonly MrrRow[]> {
  const sums = mrrSums();
  const basis = { plans: new Map<number, Plan>(), coupons: new Map<number, Coupon>() };
  const monthly = remembering((terms: RecurringTerms, day: IsoDate) =>
    monthlyOf(terms, day, basis),
  );
  const own: MrrOrder[] = [];
  let customerId: number | null = null;
  for await (const part of parts) {
    await readVersions({ db, tx }, part, basis);
    for (const row of part) {
      if (row.customerId !== customerId) sums.add(own.splice(0));
      ({ customerId } = row);
      const { id, previousOrderId, contractCode, currency, hasBegun, onStart, onEnd } = row;
      const start = onStart && monthly(row, onStart, from);
      const end = onEnd && monthly(row, onEnd, to);
      own.push({ id, previousOrderId, contractCode, currency, hasBegun, start, end });
    }
  }
  sums.add(own);
  return sums.rows();
}

async function readVersions(
  { db, tx }: { readonly db: Database; readonly tx: Reader },
  rows: readonly MrrOrderRow[],
  { plans, coupons }: { plans: Map<number, Plan>; coupons: Map<number, Coupon> },
): Promise<void> {
  const planIds = new Set(
    rows.flatMap(({ planId, earlier }) => [planId, ...(earlier ?? []).map((each) => each.planId)]),
  );
  const couponIds = new Set(rows.flatMap(({ couponId }) => couponId ?? []));
  const newPlans = [...planIds].filter((id) => !plans.has(id));
  const newCoupons = [...couponIds].filter((id) => !coupons.has(id));
  for (const [id, plan] of await planVersions(db, tx, newPlans)) plans.set(id, plan);
  for (const [id, coupon] of await couponVersions(db, tx, newCoupons)) coupons.set(id, coupon);
}

type Terms = Pick<MrrOrderRow, 'planId' | 'couponId' | 'currency' | 'earlier'>;

/** Most orders of a plan cost the same: each is priced once. */
function remembering(price: (terms: RecurringTerms, day: IsoDate) => Decimal) {
  const known = new Map<string, Decimal>();
  return (
    { planId, couponId, currency, earlier }: Terms,
    lines: readonly string[],
    day: IsoDate,
  ): Decimal => {
    const before = earlier === null ? '' : `${day} ${JSON.stringify(earlier)}`;
    const key = [planId, couponId, currency, before, ...lines].join('|');
    const found = known.get(key);
    if (found !== undefined) return found;
    const terms = { planId, couponId, currency, earlier, lines: lines.map(lineOf) };
    const amount = price(terms, day);
    if (known.size < KNOWN_MAX) known.set(key, amount);
    return amount;
  };
}

/** Of a tenant with so many prices each further one is computed anew. */
const KNOWN_MAX = 50_000;

function lineOf(text: string): RecurringTerms['lines'][number] {
  const [chargeId, quantity = '0', unitPrice = '-'] = text.split(' ');
  return { chargeId: Number(chargeId), quantity, unitPrice: unitPrice === '-' ? null : unitPrice };
}
