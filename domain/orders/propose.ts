/** Turns a caller's input into a new order, or refuses it. */
import { type IsoDate, type Schedule, addDays, firstIndex } from '../calendar/calendar.ts';
import { type CustomerStatus, isSuspending } from '../customers/status.ts';
import { firstDueOn } from '../billing/due/due.ts';
import {
  type BilledElsewhere,
  type OrderPeriods,
  billedElsewhere,
  hasDaysElsewhere,
  nothingElsewhere,
  startsElsewhere,
} from '../billing/due/elsewhere.ts';
import type { Coupon } from '../discounts/coupon.ts';
import { refuseTooMuchDue } from '../billing/due/limits.ts';
import type { BillableOrder, OrderToRate } from '../billing/order-to-rate.ts';
import { noUses } from '../discounts/uses.ts';
import type { TermUnit } from '../calendar/terms.ts';
import type { Charge, Plan } from '../plans/plan.ts';
import type { PriceMove } from '../plans/price-moves.ts';
import type { BillableLine, ServicePause } from '../standing/line.ts';
import { type OrderStatus, type OrderTerms, statusOn } from '../standing/status.ts';
import type { Metadata } from '../text/metadata.ts';
import { type OrderDates, datesOf } from '../billing/due/dates.ts';
import { type EndSetAside, noRequest } from './end.ts';
import type { OrderInput } from './input.ts';
import { type Replaced, couponPeriodsBefore, scheduleAfter } from './replaced.ts';
import { nothingTaken, orderLinesFor } from './lines.ts';
import { refuseBilledThrough, refuseTrialBeside } from './billed-through.ts';
import { type TrialDays, billsFrom } from '../standing/trial.ts';
import { type TrialBasis, refuseTrialDays, trialEndDateOf, trialLengthOf } from './trial.ts';
import { refuseIfItCannotBill } from './refusals.ts';
import {
  type CheckedTerms,
  type PlanOffer,
  type ProposedTerms,
  checkTerms,
  dueUnits,
  invalid,
  refuseRetired,
  requestedLine,
  startingStatus,
} from './terms.ts';

/** The facts on which a new order is decided. */
export interface ProposalBasis {
  readonly customer: {
    readonly id: number;
    readonly status: CustomerStatus;
    readonly currency: string;
  };
  readonly offer: PlanOffer;
  /** The coupon that the caller named; null if none. */
  readonly coupon: Coupon | null;
  /** The pauses of the customer, which apply to all of its orders. */
  readonly pauses: readonly ServicePause[];
  readonly today: IsoDate;
  /** The tenant's. */
  readonly usageGraceDays: number;
  /** For the order and its lines, at least as many as `idsWanted` says. */
  readonly ids: readonly number[];
  /** The customer is billed at once. */
  readonly bills: boolean;
  /** The order that it replaces by a change. */
  readonly replaces?: Replaced | null;
  /** What the order before takes along of days that are billed elsewhere. */
  readonly takenAlong?: BilledElsewhere;
  /** The customer has had the trial of the plan. */
  readonly isTrialUsed?: boolean;
}

/** An order that is about to be stored, with everything that its row and its lines say. */
export interface OrderProposal extends CheckedTerms, EndSetAside, BilledElsewhere {
  readonly id: number;
  readonly customerId: number;
  readonly plan: Plan;
  /** The version of the plan whose prices it takes, if it keeps an older one so far. */
  readonly move?: PriceMove;
  readonly coupon: Coupon | null;
  /** The start of its present term, and that term's first end. */
  readonly termStart: IsoDate;
  readonly termFirstEnd: IsoDate | null;
  /** The free days that were agreed on for it; null: those of its plan. */
  readonly trialDays: number | null;
  /** How long its trial is, in words; null without one. */
  readonly trialLength: string | null;
  readonly anchor: IsoDate;
  /** The period of its first day, counted from the anchor. */
  readonly firstPeriod: number;
  /** How many of its coupon's periods the orders before it have used. */
  readonly couponPeriodsBefore: number;
  /** The order that it replaces. */
  readonly previousOrderId: number | null;
  readonly purchaseOrder: string | null;
  readonly isAutoPay: boolean;
  readonly dueDateUnits: TermUnit | null;
  readonly invoiceText: string | null;
  readonly invoiceNotes: string | null;
  readonly notes: string | null;
  readonly metadata: Metadata | null;
  readonly lines: readonly BillableLine[];
  readonly pauses: readonly ServicePause[];
  readonly dates: OrderDates;
  /** Made as the whole plan: it takes all charges of it, penalties when they are due. */
  readonly takesPenalties: boolean;
}

/**
 * The largest number of ids that a proposal needs: one for the order, and one for each possible
 * line.
 */
export function idsWanted(input: OrderInput, plan: Plan): number {
  return 1 + (input.orderLineItems?.length ?? 0) + plan.charges.length;
}

/**
 * Decides on a new order: its terms, its lines, its status and when it acts. Throws a DomainError
 * that names the element at fault.
 *
 * @example proposeOrder({ contractCode: 'GOLD', startDate: '2027-02-01' }, basis).dates.status
 *   // 'Provisioning', on 2027-01-15
 */
export function proposeOrder(input: OrderInput, basis: ProposalBasis): OrderProposal {
  const { customer, offer, today, pauses, replaces = null } = basis;
  const { plan } = offer;
  const terms: ProposedTerms = termsOf(input, basis);
  refuseRetired(offer, { startDate: terms.startDate, today });
  checkTerms(terms);
  const asked = askedStatus(input.orderStatus ?? 'Active', terms.startDate, today);
  const [id = 0, ...lineIds] = basis.ids;
  const schedule = scheduleAfter(plan, terms, replaces);
  const ownTerm = { termStart: billsFrom(terms), termFirstEnd: terms.endDate };
  const term = replaces?.term ?? ownTerm;
  // A change begins its order only when it takes effect, also today.
  const change = { changeOn: null, awaitsChange: replaces !== null };
  const status = replaces === null ? asked : 'Provisioning';
  const { usageGraceDays } = basis;
  const standing = statusOn({ ...terms, ...term, ...change, status }, today);
  const elsewhere = elsewhereOf(input, basis, {
    schedule,
    startDate: terms.startDate,
    endDate: standing.endDate,
    lastDay: terms.isAutoRenew ? null : standing.endDate,
  });
  const lines = newLines({ plan, schedule, replaces, elsewhere }, terms, input, lineIds);
  if (basis.bills) refuseIfItCannotBill(asked, customer);
  const order = { id, lines, pauses, schedule, usageGraceDays, customerStatus: customer.status };
  const billable = billableOn({ ...terms, ...term, ...change, status }, order, today);
  refuseTooMuchDue(billable, today);
  return {
    ...terms,
    ...term,
    ...(replaces?.request ?? noRequest),
    ...elsewhere,
    id,
    customerId: customer.id,
    plan,
    coupon: basis.coupon,
    ...trialOfOrder(input, basis, terms),
    anchor: schedule.anchor,
    firstPeriod: firstIndex(schedule, billsFrom(terms)),
    couponPeriodsBefore: couponPeriodsBefore(basis.coupon, schedule, terms, replaces),
    previousOrderId: replaces?.id ?? null,
    purchaseOrder: input.purchaseOrder ?? null,
    isAutoPay: input.isAutoPay ?? false,
    dueDateUnits: dueUnits(terms.dueDateValue, input.dueDateUnits),
    invoiceText: input.invoiceText ?? null,
    invoiceNotes: input.invoiceNotes ?? null,
    notes: input.notes ?? null,
    metadata: input.metadata ?? null,
    lines,
    pauses,
    dates: datesOf(billable, null, { next: firstDueOn(billable, today), today }),
    takesPenalties: input.isWholePlan === true || (input.orderLineItems ?? []).length === 0,
  };
}

/**
 * The order as it is rated before it is stored.
 *
 * @example orderToRate(proposal).nextBillableDate // '2027-02-01', and it has no orderNumber
 */
export function orderToRate({
  plan,
  coupon,
  dates,
  lines,
  trialLength: _priced,
  ...order
}: OrderProposal): OrderToRate {
  return {
    ...order,
    ...dates,
    planId: plan.id,
    couponId: coupon?.id ?? null,
    couponUses: noUses,
    lines: lines.map(({ charge, penaltySince = null, ...line }) => ({
      ...line,
      chargeId: charge.id,
      penaltySince,
    })),
  };
}

/**
 * Where the periods of lines begin that have billed nothing yet, by their charge.
 *
 * @param from the day from which their order bills
 * @example firstPeriods({ anchor: '2027-01-15', ... }, '2027-01-15')(fee) // 0
 */
export function firstPeriods(
  schedule: Schedule,
  from: IsoDate,
): (charge: Pick<Charge, 'chargeType'>) => number {
  const first = firstIndex(schedule, from);
  return ({ chargeType }) => (chargeType === 'OneTimeCharge' ? 0 : first);
}

function termsOf(input: OrderInput, basis: ProposalBasis): ProposedTerms {
  const {
    customer,
    offer: { plan },
    today,
  } = basis;
  const startDate = input.startDate ?? today;
  refuseTrialDays(input.trialDays);
  return {
    startDate,
    endDate: input.endDate ?? null,
    trialEndDate: trialEndDateOf(trialBasis(input, basis, startDate)),
    isAutoRenew: input.isAutoRenew ?? plan.isAutoRenew ?? true,
    currency: input.currency ?? customer.currency,
    separateInvoice: input.separateInvoice ?? 0,
    jobCode: input.jobCode ?? null,
    dueDateValue: input.dueDateValue ?? null,
  };
}

/** An order of which days are billed elsewhere has no trial, whatever its plan has. */
function trialBasis(
  { billedThrough, ...input }: OrderInput,
  { offer: { plan }, replaces = null, isTrialUsed = false, takenAlong }: ProposalBasis,
  startDate: IsoDate,
): TrialBasis {
  const through = billedThrough === undefined ? (takenAlong?.billedThrough ?? null) : billedThrough;
  refuseTrialBeside(input.trialDays, through);
  const trialDays = through === null ? (input.trialDays ?? null) : 0;
  return { plan, startDate, trialDays, isUsed: isTrialUsed, replaces };
}

function trialOfOrder(
  input: OrderInput,
  basis: ProposalBasis,
  { startDate, trialEndDate }: TrialDays,
): Pick<OrderProposal, 'trialDays' | 'trialLength'> {
  const { trialDays, ...others } = trialBasis(input, basis, startDate);
  return { trialDays, trialLength: trialLengthOf({ ...others, trialDays }, trialEndDate) };
}

function askedStatus(asked: OrderStatus, startDate: IsoDate, today: IsoDate): OrderStatus {
  if (asked === 'Draft') return 'Draft';
  if (asked === 'Active' || asked === 'Provisioning') {
    return startingStatus(asked, startDate, today);
  }
  throw invalid('orderStatus', 'a new order is Active, Provisioning or Draft', asked);
}

interface ElsewhereTerms extends OrderPeriods {
  readonly endDate: IsoDate | null;
}

/** What the body says is billed elsewhere, or what the order before takes along. */
function elsewhereOf(
  { billedThrough }: OrderInput,
  { replaces, takenAlong = nothingElsewhere, today }: ProposalBasis,
  { endDate, ...periods }: ElsewhereTerms,
): BilledElsewhere {
  if (billedThrough === undefined) return takenAlong;
  if (billedThrough === null) return nothingElsewhere;
  const { startDate } = periods;
  const first = replaces ? addDays(startDate, -1) : startDate;
  refuseBilledThrough(billedThrough, { first, endDate, today });
  return billedElsewhere(billedThrough, periods, today);
}

interface LinesBasis {
  readonly replaces: Replaced | null;
  readonly plan: Plan;
  readonly schedule: Schedule;
  readonly elsewhere: BilledElsewhere;
}

function newLines(
  { plan, schedule, replaces, elsewhere }: LinesBasis,
  terms: ProposedTerms,
  { orderLineItems }: OrderInput,
  ids: readonly number[],
): BillableLine[] {
  const requested = (orderLineItems ?? []).map(requestedLine);
  const { startDate } = terms;
  const namesOnce = hasDaysElsewhere(elsewhere, startDate);
  const lines = orderLinesFor(plan, requested, terms.currency, {
    ...(replaces?.taken ?? nothingTaken),
    namesOnce,
  });
  const firstPeriod = firstPeriods(schedule, billsFrom(terms));
  const startOf = startsElsewhere(lines, { ...elsewhere, schedule, startDate });
  return lines.map((line, index) => ({
    ...line,
    id: ids[index] ?? 0,
    startsOn: startOf(line.charge),
    endsOn: null,
    nextPeriodIndex: firstPeriod(line.charge),
    billed: [],
  }));
}

interface Unbilled extends Pick<
  BillableOrder,
  'id' | 'lines' | 'pauses' | 'schedule' | 'usageGraceDays'
> {
  readonly customerStatus: CustomerStatus;
}

function billableOn(
  terms: OrderTerms & Pick<ProposedTerms, 'currency' | 'trialEndDate'>,
  { customerStatus, ...order }: Unbilled,
  today: IsoDate,
): BillableOrder {
  const { startDate, trialEndDate, currency, isAutoRenew, changeOn, awaitsChange } = terms;
  return {
    ...order,
    ...statusOn(terms, today),
    currency,
    startDate,
    trialEndDate,
    isAutoRenew,
    changeOn,
    awaitsChange,
    endedOn: null,
    creditFrom: null,
    billsNothingMore: false,
    customerSuspended: isSuspending(customerStatus),
  };
}
