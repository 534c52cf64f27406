/** Reads the documents as lines of orders: what kind each charge is, and what it was served for. */
import type {
  Shown,
  ShownCharge,
  ShownInvoice,
  ShownLine,
  ShownOrder,
  ShownOrderLine,
  ShownPlan,
  ShownPlanCharge,
} from './documents.ts';
import { dayAfter, dayBefore, daysIn, scheduleFrom, type Schedule } from './days.ts';
import { compared, digitsOf, exact, inMinor, plus } from './figures.ts';

export type Kind =
  | 'period'
  | 'oneTime'
  | 'usage'
  | 'correction'
  | 'subTotal'
  | 'percent'
  | 'penalty'
  | 'planTax'
  | 'discount'
  | 'tax'
  | 'credit'
  | 'unknown';

/** A charge with what the plan says of it. */
export interface Charge extends ShownCharge {
  readonly kind: Kind;
  readonly minor: bigint;
  /** Of the plan; null for discounts, taxes and credits. */
  readonly of: ShownPlanCharge | null;
  readonly orderLine: ShownOrderLine | undefined;
}

/** The line of one order on one invoice. */
export interface BilledLine {
  readonly invoice: ShownInvoice;
  readonly position: number;
  readonly order: ShownOrder;
  readonly plan: ShownPlan;
  readonly digits: number;
  readonly charges: readonly Charge[];
}

/** Collects faults, and what could not be recomputed. */
export interface Findings {
  readonly fault: (check: string, object: string, detail: string) => void;
  readonly skip: (reason: string) => void;
  readonly counted: (charges: number) => void;
}

export interface Reading {
  readonly shown: Shown;
  /** Null if order or plan cannot be told from the documents. */
  readonly lineOf: (invoice: ShownInvoice, line: ShownLine) => BilledLine | null;
  /** The lines of an order on the invoices that were read, in the order of their making. */
  readonly linesOf: (orderId: number) => readonly BilledLine[];
  readonly scheduleOf: (order: ShownOrder) => Schedule;
  /** Days that a charge serves, of those from one day to another. */
  readonly served: (order: ShownOrder, from: string, to: string, billedOn: string) => number;
  readonly isServed: (order: ShownOrder, day: string) => boolean;
}

/**
 * Opens the documents of one call.
 *
 * @example openReading(shown).linesOf(811).length // 3
 */
export function openReading(shown: Shown): Reading {
  const invoices = [...shown.others, ...shown.sample].toSorted((a, b) => a.id - b.id);
  const byOrder = new Map<number, BilledLine[]>();
  for (const invoice of invoices) {
    for (const line of invoice.lines) {
      const billed = lineOf(shown, invoice, line);
      if (billed) byOrder.set(billed.order.id, [...(byOrder.get(billed.order.id) ?? []), billed]);
    }
  }
  return {
    shown,
    lineOf: (invoice, line) => lineOf(shown, invoice, line),
    linesOf: (orderId) => byOrder.get(orderId) ?? [],
    scheduleOf: (order) => scheduleOf(shown, order),
    served: (order, from, to, billedOn) => served(shown, order, { from, to, billedOn }),
    isServed: (order, day) =>
      !(shown.pauses.get(order.id) ?? []).some(
        ({ suspendedOn, resumedOn }) =>
          day > suspendedOn && (resumedOn === null || day < resumedOn),
      ),
  };
}

function lineOf(shown: Shown, invoice: ShownInvoice, line: ShownLine): BilledLine | null {
  const order = shown.orders.get(line.subscriptionOrderId ?? 0);
  const plan = order && shown.plans.get(order.contractOfferingId);
  // Charges that name no line of the order were made by hand, and say nothing of its plan.
  const isByHand = line.charges.every(({ orderLineItemId }) => orderLineItemId === null);
  if (!order || !plan?.charges || isByHand || !isChainShown(shown, order)) return null;
  const digits = digitsOf(invoice.currentAmountDue);
  const charges = line.charges.map((charge): Charge => {
    const of = plan.charges?.find(({ id }) => id === charge.contractChargeId) ?? null;
    const orderLine = order.lines.find(({ id }) => id === charge.orderLineItemId);
    const minor = inMinor(exact(charge.amount), digits);
    const kind = kindOf(charge, of);
    const isUsage = kind === 'correction' && !isCorrection(shown, invoice, charge);
    return { ...charge, minor, of, orderLine, kind: isUsage ? 'usage' : kind };
  });
  return { invoice, position: line.position, order, plan, digits, charges };
}

/** The periods of an order may be those of the first one of its changes. */
function isChainShown(shown: Shown, order: ShownOrder): boolean {
  let at: ShownOrder | undefined = order;
  while (at && at.previousOrderId !== null) at = shown.orders.get(at.previousOrderId);
  return at !== undefined;
}

function kindOf(charge: ShownCharge, of: ShownPlanCharge | null): Kind {
  const { contractChargeId, priceCode, unitPrice, isPercent, amount } = charge;
  if (charge.isUsageChargeSubTotal) return 'subTotal';
  if (contractChargeId === null) {
    if (priceCode === 'TAX' && isPercent) return 'tax';
    const isFixed = unitPrice === null && amount.startsWith('-');
    if (priceCode === 'DISCOUNT' && (isPercent || isFixed)) return 'discount';
    return unitPrice === null ? 'credit' : 'unknown';
  }
  if (of === null) return 'unknown';
  if (of.chargeType === 'UsageCharge') {
    return charge.quantity?.startsWith('-') ? 'correction' : 'usage';
  }
  if (of.isPenalty) return 'penalty';
  if (of.isTax) return 'planTax';
  if (isPercent) return 'percent';
  return of.chargeType === 'OneTimeCharge' ? 'oneTime' : 'period';
}

/** A sum of amounts that were sent may have a negative quantity, too: its records tell them apart. */
function isCorrection(
  { activities }: Shown,
  { invoiceNumber, status }: ShownInvoice,
  { orderLineItemId, quantity }: ShownCharge,
): boolean {
  const records = activities
    .get(invoiceNumber)
    ?.filter((record) => record.orderLineItemId === orderLineItemId);
  // After a rollback the records are on another invoice.
  if (!records || (records.length === 0 && status === 'Cancelled')) return true;
  const own = records.filter((record) => record.correctsBilled);
  const sum = own.map((record) => exact(record.quantity)).reduce(plus, exact('0'));
  return own.length > 1 || compared(sum, exact(quantity ?? '0')) === 0n;
}

/** A change keeps the periods of the order that it replaces, unless they have another form. */
function scheduleOf(shown: Shown, order: ShownOrder): Schedule {
  const plan = shown.plans.get(order.contractOfferingId);
  if (!plan) throw new RangeError(`order ${order.orderNumber} without its plan`);
  const before = keptFrom(shown, order);
  return before ? scheduleOf(shown, before) : scheduleFrom(billedFrom(order), plan);
}

/**
 * The order whose periods an order goes on with; undefined if it has periods of its own.
 *
 * @example keptFrom(shown, order)?.orderNumber // '1042'
 */
export function keptFrom(shown: Shown, order: ShownOrder): ShownOrder | undefined {
  const before = shown.orders.get(order.previousOrderId ?? 0);
  const [own, others] = [order, before].map(
    (each) => each && shown.plans.get(each.contractOfferingId),
  );
  if (!before || !own || !others) return undefined;
  const isKept =
    own.billingPeriod === others.billingPeriod &&
    own.billingAlignment === others.billingAlignment &&
    own.alignmentDay === others.alignmentDay;
  return isKept && order.startDate >= billedFrom(before) ? before : undefined;
}

/**
 * The day after the free ones.
 *
 * @example billedFrom(order) // '2027-02-01'
 */
export function billedFrom({
  startDate,
  trialEndDate,
}: Pick<ShownOrder, 'startDate' | 'trialEndDate'>): string {
  return trialEndDate === null ? startDate : dayAfter(trialEndDate);
}

/**
 * A pause that was over when the charge was billed takes its days away, and so does one that lasted
 * then: it was billed because the order had ended. A later pause takes nothing from what is paid.
 */
function served(
  shown: Shown,
  order: ShownOrder,
  { from, to, billedOn }: { from: string; to: string; billedOn: string },
): number {
  if (to < from) return 0;
  const paused = new Set<string>();
  for (const { suspendedOn, resumedOn } of shown.pauses.get(order.id) ?? []) {
    const isOver = resumedOn !== null && resumedOn <= billedOn;
    if (!isOver && suspendedOn >= billedOn) continue;
    const last = isOver ? dayBefore(resumedOn) : to;
    const first = dayAfter(suspendedOn);
    for (let day = first < from ? from : first; day <= last && day <= to; day = dayAfter(day)) {
      paused.add(day);
    }
  }
  return daysIn(from, to) - paused.size;
}

/**
 * A charge as people find it: `charge 2 of line 1 (GOLD-FEE)`.
 *
 * @example nameOf(line, charge) // 'charge 2 of line 1 (GOLD-FEE)'
 */
export function nameOf({ position }: BilledLine, charge: ShownCharge): string {
  return `charge ${charge.position} of line ${position} (${charge.priceCode ?? ''})`;
}

/**
 * @example objectOf(invoice) // 'invoice 1003'
 */
export function objectOf({ invoiceNumber }: Pick<ShownInvoice, 'invoiceNumber'>): string {
  return `invoice ${invoiceNumber}`;
}

/**
 * Another order takes its place, or will.
 *
 * @example isReplaced(order) // true
 */
export function isReplaced({ orderStatus, nextOrderId }: ShownOrder): boolean {
  return orderStatus === 'Superseded' || nextOrderId !== null;
}
