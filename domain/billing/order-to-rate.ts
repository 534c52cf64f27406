/** An order as rating takes it, and how the billing rules see it with its plan and its customer's status. */
import assert from 'node:assert';
import type { IsoDate, Schedule } from '../calendar/calendar.ts';
import type { TermUnit } from '../calendar/terms.ts';
import { type CustomerStatus, isSuspending } from '../customers/status.ts';
import type { CouponUses } from '../discounts/uses.ts';
import type { Plan } from '../plans/plan.ts';
import { type EarlierPrices, type PriceMove, earlierCharges } from '../plans/price-moves.ts';
import type { BillableLine, ServicePause } from '../standing/line.ts';
import type { Metadata } from '../text/metadata.ts';
import { type OrderStatus, type OrderTerms, statusOn } from '../standing/status.ts';

/** A line with the id of its charge, which its order's plan knows. */
export interface LineToRate extends Omit<BillableLine, 'charge' | 'penaltySince' | 'earlier'> {
  readonly chargeId: number;
  /** Null of a charge that is no penalty, too. */
  readonly penaltySince: IsoDate | null;
}

/**
 * An order as it is rated: a stored one, or one that its transaction is about to store, which lacks
 * what only happens to stored ones.
 */
export interface OrderToRate extends Omit<OrderTerms, 'changeOn' | 'awaitsChange'> {
  readonly id: number;
  readonly customerId: number;
  /** The last free day; null: it has no trial. */
  readonly trialEndDate: IsoDate | null;
  /** The free days agreed on for it; null: its trial is that of its plan. */
  readonly trialDays: number | null;
  readonly planId: number;
  readonly couponId: number | null;
  /** How many of its coupon's periods the orders before it have used. */
  readonly couponPeriodsBefore: number;
  /** Of a coupon with a fixed amount, or for one invoice; of others nothing depends on it. */
  readonly couponUses: CouponUses;
  readonly currency: string;
  readonly anchor: IsoDate;
  /** The period of its first day, counted from the anchor. */
  readonly firstPeriod: number;
  /** The order that it replaces. */
  readonly previousOrderId: number | null;
  readonly separateInvoice: 0 | 1 | 2;
  readonly jobCode: string | null;
  readonly purchaseOrder: string | null;
  readonly isAutoPay: boolean;
  readonly dueDateValue: number | null;
  readonly dueDateUnits: TermUnit | null;
  readonly invoiceText: string | null;
  readonly invoiceNotes: string | null;
  /** Its invoices take it. */
  readonly metadata?: Metadata | null;
  readonly nextBillableDate: IsoDate | null;
  /** The first day whose 00:00 run may bill it. */
  readonly billOn: IsoDate | null;
  readonly transitionOn: IsoDate | null;
  /** The first day of its next prices, while it is ahead. */
  readonly priceChangeOn?: IsoDate | null;
  /** The version of its plan whose prices it takes; null, or absent, if it keeps its own. */
  readonly move?: PriceMove | null;
  /** The versions that it had before, each up to a day, the oldest first. */
  readonly earlier?: readonly EarlierPrices[] | null;
  readonly lines: readonly LineToRate[];
  readonly pauses: readonly ServicePause[];
  /** A new order gets the highest when it is stored. */
  readonly orderNumber?: number;
  /** @see BillableOrder */
  readonly endedOn?: IsoDate | null;
  readonly changeOn?: IsoDate | null;
  readonly creditFrom?: IsoDate | null;
  readonly billsNothingMore?: boolean;
  /** @see BilledElsewhere */
  readonly billedThrough?: IsoDate | null;
  readonly arrearsBilledThrough?: IsoDate | null;
}

/** What the rules need of a customer, its tenant and the day. */
export interface BillableBasis {
  readonly customerStatus: CustomerStatus;
  readonly today: IsoDate;
  /** The tenant's. */
  readonly usageGraceDays: number;
}

/**
 * The order for the rules, in its status of that day.
 *
 * @param plans the version that it has, and those that it had
 * @example billableOn(gold, plans, { customerStatus: 'Active', today: '2027-01-15', usageGraceDays: 0 })
 */
export function billableOn(
  row: OrderToRate,
  plans: ReadonlyMap<number, Plan>,
  { customerStatus, today, usageGraceDays }: BillableBasis,
): BillableOrder {
  const plan = versionFor(plans, row.planId, row);
  const standing = statusOn(termsOfOrder(row), today);
  const charges = new Map(plan.charges.map((charge) => [charge.id, charge]));
  for (const { planId } of row.earlier ?? [])
    for (const charge of versionFor(plans, planId, row).charges) charges.set(charge.id, charge);
  return {
    id: row.id,
    status: standing.status,
    currency: row.currency,
    schedule: scheduleOfOrder(row, plan),
    startDate: row.startDate,
    trialEndDate: row.trialEndDate,
    endDate: standing.endDate,
    isAutoRenew: row.isAutoRenew,
    endedOn: row.endedOn ?? null,
    changeOn: row.changeOn ?? null,
    creditFrom: row.creditFrom ?? null,
    awaitsChange: awaitsChange(row),
    billsNothingMore: row.billsNothingMore ?? false,
    pauses: row.pauses,
    customerSuspended: isSuspending(customerStatus),
    usageGraceDays,
    lines: row.lines.map((line) => {
      const charge = charges.get(line.chargeId);
      assert(charge, `order line ${line.id} names a charge of another plan`);
      const earlier = row.earlier ? earlierCharges(row.earlier, charge, plans) : [];
      return {
        id: line.id,
        position: line.position,
        charge,
        quantity: line.quantity,
        unitPrice: line.unitPrice,
        invoiceText: line.invoiceText,
        isActive: line.isActive,
        startsOn: line.startsOn,
        endsOn: line.endsOn,
        nextPeriodIndex: line.nextPeriodIndex,
        penaltySince: line.penaltySince,
        billed: line.billed,
        ...(line.windows && { windows: line.windows }),
        ...(earlier.length > 0 && { earlier }),
      };
    }),
  };
}

function versionFor(plans: ReadonlyMap<number, Plan>, planId: number, { id }: OrderToRate): Plan {
  const plan = plans.get(planId);
  assert(plan, `order ${id} names plan ${planId}, which does not exist`);
  return plan;
}

/** The periods of an order. @example scheduleOfOrder(gold, plan).anchor // '2027-01-15' */
export function scheduleOfOrder(
  { anchor }: Pick<OrderToRate, 'anchor'>,
  { billingPeriod, alignmentDay }: Plan,
): Schedule {
  return { billingPeriod, anchor, alignmentDay };
}

/** The order's status and term, as of the last day that it acted on. @example termsOfOrder(gold).status // 'Active' */
export function termsOfOrder(row: OrderToRate): OrderTerms {
  return {
    status: row.status,
    startDate: row.startDate,
    endDate: row.endDate,
    isAutoRenew: row.isAutoRenew,
    termStart: row.termStart,
    termFirstEnd: row.termFirstEnd,
    changeOn: row.changeOn ?? null,
    awaitsChange: awaitsChange(row),
  };
}

/**
 * Whether an order replaces one that still serves.
 *
 * @example awaitsChange({ status: 'Provisioning', previousOrderId: 17 }) // true
 */
export function awaitsChange({
  status,
  previousOrderId,
}: Pick<OrderToRate, 'status' | 'previousOrderId'>): boolean {
  return status === 'Provisioning' && previousOrderId !== null;
}

/* An order as billing sees it. */

/** The fields of an order that billing needs. */
export interface BillableOrder {
  readonly id: number;
  readonly status: OrderStatus;
  readonly currency: string;
  readonly schedule: Schedule;
  readonly startDate: IsoDate;
  /** The last free day. @see billsFrom */
  readonly trialEndDate: IsoDate | null;
  readonly endDate: IsoDate | null;
  readonly isAutoRenew: boolean;
  /** The last served day of a Canceled or Superseded order. */
  readonly endedOn: IsoDate | null;
  /** The day of the pending change that replaces it. */
  readonly changeOn: IsoDate | null;
  /** It replaces an order that still serves, so it does not begin by itself. */
  readonly awaitsChange: boolean;
  /** Of a Superseded order: its first unused day, while what was billed from it on is to be credited. */
  readonly creditFrom: IsoDate | null;
  /** Set by a cancellation after which the order never bills again. */
  readonly billsNothingMore: boolean;
  /** Pauses of the order and of its customer, in any order; they may overlap. */
  readonly pauses: readonly ServicePause[];
  /** The customer is in a Suspended or InActive status. */
  readonly customerSuspended: boolean;
  /** The tenant's: usage is billed so many days after its period. */
  readonly usageGraceDays: number;
  readonly lines: readonly BillableLine[];
}
