/** Finds the plan version that an order names. */
import { DomainError, type DomainErrorOptions } from '../../domain/errors.ts';
import type { PlanOffer } from '../../domain/orders/terms.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { planVersions } from '../plans/versions.ts';
import type { Dependencies } from '../context/context.ts';
import { COMPARED_MAX, didYouMean } from '../context/nearest.ts';
import type * as tables from '../../db/entities/plans.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { type Coupon, refuseMisused } from '../../domain/discounts/coupon.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import {
  checkedCoupon,
  couponHint,
  couponVersions,
  findCoupon,
  refuseUsed,
  type Redeeming,
} from '../discounts/coupons.ts';

export interface PlanChoice {
  readonly contractCode?: string | null | undefined;
  readonly contractOfferingId?: number | null | undefined;
}

/** The newest version of that code, or the version of that id. Throws plan.unknown, or field.required. */
export async function namedPlan(
  { db }: Dependencies,
  tx: Tx,
  { contractCode, contractOfferingId }: PlanChoice,
): Promise<PlanOffer> {
  if (!contractCode && !contractOfferingId) {
    throw new DomainError('field.required', 'contractCode or contractOffering names the plan', {
      path: 'subscriptionOrder/contractCode',
    });
  }
  const path = `subscriptionOrder/${contractCode ? 'contractCode' : 'contractOffering/@id'}`;
  const id = contractCode ? null : (contractOfferingId ?? null);
  const value = String(contractCode ?? contractOfferingId);
  const chosen = { contractCode: contractCode ?? null, id: contractOfferingId ?? null };
  const version = await findPlan(db, tx, chosen);
  const named = { path, value, id };
  if (version !== undefined) return { ...version, named };
  throw contractCode ? await unknownPlan(tx, value, path) : unknown(value, '', named);
}

/** How a change order names the plan of the new one. */
export interface ChangedPlan {
  /** The version of the current order. */
  readonly own: Plan;
  readonly keepsPrices: boolean;
}

/**
 * The current order's own version, old or retired, if the caller names it by id or keeps its prices;
 * else as `namedPlan`. Beside a code, an id says which version of it.
 */
export async function planOfChange(
  dependencies: Dependencies,
  tx: Tx,
  { contractCode, contractOfferingId }: PlanChoice,
  { own, keepsPrices }: ChangedPlan,
): Promise<PlanOffer> {
  if (keepsPrices) {
    const isOther =
      (contractCode && contractCode !== own.contractCode) ||
      (contractOfferingId && contractOfferingId !== own.id);
    if (!isOther) return keptPlan(own);
    const text = `keepPrices keeps version ${own.version} of ${own.contractCode}, and the order names another plan`;
    throw new DomainError('field.invalid', text, { path: 'keepPrices', value: 'true' });
  }
  if (!contractOfferingId) return namedPlan(dependencies, tx, { contractCode });
  const isOwn = contractOfferingId === own.id;
  const offer = isOwn ? keptPlan(own) : await namedPlan(dependencies, tx, { contractOfferingId });
  if (!contractCode || contractCode === offer.plan.contractCode) return offer;
  const text = `contractOffering ${contractOfferingId} is of ${offer.plan.contractCode}, not of ${contractCode}`;
  throw new DomainError('field.invalid', text, offer.named);
}

/** Whatever has become of it, its order may go on with it. */
function keptPlan(plan: Plan): PlanOffer {
  const path = 'subscriptionOrder/contractOffering/@id';
  const named = { path, value: String(plan.id), id: plan.id };
  return { plan, isNewest: true, startDate: null, endDate: null, named };
}

/** The refusal of a code that no plan has, which names the one that it resembles. */
export async function unknownPlan(tx: Tx, code: string, path: string): Promise<DomainError> {
  return unknown(code, await planHint(tx, code), { path, value: code });
}

/** What the refusal of an unknown code ends with: the code that it resembles. */
export async function planHint(tx: Tx, code: string): Promise<string> {
  const plans = await tx.query<{ code: string }>(
    'select contract_code as code from plan where tenant_id = $1 and is_newest limit $2',
    [tx.tenantId, COMPARED_MAX],
    'plan-codes',
  );
  return didYouMean(
    code,
    plans.map((plan) => plan.code),
  );
}

const unknown = (value: string, hint: string, named: DomainErrorOptions): DomainError =>
  new DomainError('plan.unknown', `there is no plan ${value}${hint}`, named);

// PostgreSQL keeps the plans of these, and of none that also allows for absent values.
const plansBy = {
  code: 'contract_code = $1 and is_newest',
  id: 'id = $1',
  both: 'contract_code = $1 and is_newest and id = $2',
} as const;

/** The newest version of that code, or the version of that id; both must agree. */
export async function findPlan(
  db: Database,
  tx: Tx,
  { contractCode, id }: { readonly contractCode: string | null; readonly id: number | null },
): Promise<Omit<PlanOffer, 'named'> | undefined> {
  const named = id === null ? 'code' : contractCode === null ? 'id' : 'both';
  const [found] = await tx.query<
    RowOf<typeof tables.Plan, 'id' | 'isNewest' | 'startDate' | 'endDate'>
  >(
    `select id, is_newest, start_date, end_date from plan where ${plansBy[named]}`,
    [contractCode, id].filter((value) => value !== null),
    `plan-for-order-by-${named}`,
  );
  const plan = found && (await planVersions(db, tx, [found.id])).get(found.id);
  if (!plan || !found) return undefined;
  const { isNewest, startDate, endDate } = found;
  return { plan, isNewest, startDate, endDate };
}

/* Finds the coupon that an order takes, or keeps. */

const path = 'subscriptionOrder/couponCode';

/** What an order would be with the coupon. */
export interface CouponBasis extends Omit<Redeeming, 'path'> {
  readonly plan: Plan;
  readonly currency: string;
  readonly today: IsoDate;
}

/**
 * The coupon that a new order names; null if it names none. Throws as `checkedCoupon` and `refuseUsed`.
 */
export async function chosenCoupon(
  tx: Tx,
  { couponCode }: Pick<OrderInput, 'couponCode'>,
  { plan: { contractCode }, currency, today, ...redeeming }: CouponBasis,
): Promise<Coupon | null> {
  if (!couponCode) return null;
  const found = await findCoupon(tx, couponCode);
  const hint = found === undefined ? await couponHint(tx, couponCode) : '';
  const use = { contractCode, currency, today, path, hint };
  const coupon = checkedCoupon(found, couponCode, use);
  await refuseUsed(tx, coupon, { ...redeeming, path });
  return coupon;
}

/**
 * The coupon of an order that replaces another: the one that the caller names; the current order's
 * own goes on in its version, also beyond its endDate, as the same redemption. Throws as
 * `chosenCoupon`.
 */
export async function keptCoupon(
  tx: Tx,
  own: Coupon | null,
  input: Pick<OrderInput, 'couponCode'>,
  basis: CouponBasis,
): Promise<Coupon | null> {
  if (own === null || input.couponCode !== own.code) return chosenCoupon(tx, input, basis);
  const { plan, currency } = basis;
  refuseMisused(own, { contractCode: plan.contractCode, currency, path });
  return own;
}

/**
 * The coupon of a stored order after a change: the one that the caller names, or else the one that
 * it has, in the version that it has. Throws as `chosenCoupon`.
 */
export async function couponAfter(
  db: Database,
  tx: Tx,
  stored: { readonly couponId?: number | null | undefined },
  change: CouponBasis &
    Pick<OrderInput, 'couponCode'> & {
      /** The coupon of the order that it will replace. */
      readonly ofCurrent: number | null;
    },
): Promise<number | null> {
  const { couponCode, ofCurrent } = change;
  const id = stored.couponId ?? null;
  const versions = await couponVersions(db, tx, [id, ofCurrent]);
  const coupon = versions.get(id ?? 0);
  const isKept = couponCode === undefined || couponCode === coupon?.code;
  if (!isKept) {
    const own = versions.get(ofCurrent ?? 0) ?? null;
    return (await keptCoupon(tx, own, change, change))?.id ?? null;
  }
  if (coupon === undefined) return null;
  const { plan, currency } = change;
  refuseMisused(coupon, { contractCode: plan.contractCode, currency, path });
  return coupon.id;
}
