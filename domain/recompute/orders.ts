/** Recomputes which days an order should have billed: no day twice, none left out. */
import type { ShownOrder, ShownOrderLine, ShownPlanCharge } from './documents.ts';
import { dayAfter, dayBefore, earliest, periodOf } from './days.ts';
import { creditsOf } from './credits.ts';
import { type BilledLine, type Findings, type Reading, billedFrom } from './reading.ts';

/** An invoice has at most this many charges, and what is more follows on further ones. */
const CHARGES_MAX = 5_000;

interface Billed {
  readonly from: string;
  readonly to: string;
  readonly stands: boolean;
  readonly invoiceNumber: string;
}

/**
 * @example recomputeOrder(reading, order, findings)
 */
export function recomputeOrder(reading: Reading, order: ShownOrder, findings: Findings): void {
  const plan = reading.shown.plans.get(order.contractOfferingId);
  const lines = reading.linesOf(order.id);
  for (const orderLine of order.lines) {
    const of = plan?.charges?.find(({ id }) => id === orderLine.contractChargeId);
    const isTiled = of?.chargeType === 'RecurringCharge' && !of.isPenalty && orderLine.isActive;
    if (of && isTiled) recomputeDays(reading, order, { orderLine, of, lines }, findings);
  }
  recomputeLatestCredit(reading, order, findings);
}

const latest = (day: string, other: string | null): string =>
  other !== null && other > day ? other : day;

interface OfLine {
  readonly orderLine: ShownOrderLine;
  readonly of: ShownPlanCharge;
  readonly lines: readonly BilledLine[];
}

function recomputeDays(
  reading: Reading,
  order: ShownOrder,
  { orderLine, of, lines }: OfLine,
  findings: Findings,
): void {
  const billed = billedDays(reading, lines, { orderLine, of });
  const wrong = (detail: string): void =>
    findings.fault(
      'recompute.periods',
      `order ${order.orderNumber}`,
      `${orderLine.priceCode} ${detail}`,
    );
  const standing = billed.filter(({ stands }) => stands);
  for (const [index, each] of standing.entries()) {
    const before = standing[index - 1];
    if (before && each.from <= before.to) {
      const [one, other] = [before.invoiceNumber, each.invoiceNumber];
      wrong(`bills ${each.from} on invoice ${one}, and again on invoice ${other}`);
    }
  }
  const isWhole = lines.length === order.invoiceIds.length;
  const first = billed[0];
  const from = isWhole ? firstDay(order, firstOf(lines, orderLine) ?? of) : (first?.from ?? null);
  const until = dueUntil(reading, order, { of, lines });
  if (from === null || until === null || billed.length === 0) return;
  const own = reading.shown.lineDays.get(orderLine.id);
  const gap = firstGap(reading, order, {
    billed,
    from: latest(from, own?.startsOn ?? null),
    until: earliest([until, own?.endsOn ?? null]) ?? until,
  });
  if (gap === null) return;
  wrong(`does not bill ${gap}, with invoices up to ${lines.at(-1)?.invoice.invoiceDate}`);
}

function billedDays(
  reading: Reading,
  lines: readonly BilledLine[],
  { orderLine, of }: Pick<OfLine, 'orderLine' | 'of'>,
): Billed[] {
  const seen = new Map<string, Billed>();
  for (const { invoice, charges, order } of lines) {
    for (const { kind, orderLineItemId, billingStartDate, billingEndDate, of: own } of charges) {
      const isDays = ['period', 'percent', 'planTax'].includes(kind);
      if (!isDays || orderLineItemId !== orderLine.id) continue;
      const { id, invoiceNumber, status } = invoice;
      const from = billingStartDate ?? '';
      // Whatever its days, what is not prorated is paid for the whole period.
      const { isProrated } = own ?? of;
      const whole = isProrated ? null : periodOf(reading.scheduleOf(order), from);
      const to = whole?.to ?? billingEndDate ?? '';
      // One that was carried over may have been cancelled before, which no document shows.
      const stands = status !== 'Cancelled' && status !== 'CarriedOver';
      seen.set(`${id} ${from}`, { from, to, stands, invoiceNumber });
    }
  }
  return [...seen.values()].toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
}

/** What the line was billed first, which its plan may say otherwise by now. */
function firstOf(
  lines: readonly BilledLine[],
  { id }: ShownOrderLine,
): ShownPlanCharge | undefined {
  const charges = lines.flatMap((line) => line.charges);
  return (
    charges.find(({ orderLineItemId, of }) => of !== null && orderLineItemId === id)?.of ??
    undefined
  );
}

/**
 * A charge that is not prorated is not billed again for a period that the order before was billed,
 * so after a change its first days may be any later period's.
 */
function firstDay(order: ShownOrder, of: ShownPlanCharge): string | null {
  if (of.isProrated || order.previousOrderId === null) return billedFrom(order);
  return null;
}

/** The last day that was due for billing when the order's newest invoice was made. */
function dueUntil(
  reading: Reading,
  order: ShownOrder,
  { of, lines }: { readonly of: ShownPlanCharge; readonly lines: readonly BilledLine[] },
): string | null {
  // What a change gives back, and an invoice that is full, say nothing of the days that are due.
  const billing = lines.filter(({ charges }) => charges.some((charge) => charge.of !== null));
  const newest = billing.at(-1);
  if (!newest) return null;
  const charges = newest.invoice.lines.reduce((sum, each) => sum + each.charges.length, 0);
  if (charges >= CHARGES_MAX) return null;
  const on = newest.invoice.invoiceDate;
  const last = lastDay(order);
  if (order.orderStatus === 'Canceled' && of.isPrepaid) return null;
  if (last !== null && last < on) return last;
  if (of.isPrepaid) return on;
  return dayBefore(periodOf(reading.scheduleOf(order), on).from);
}

function lastDay({ orderStatus, endDate, isAutoRenew, startDate }: ShownOrder): string | null {
  const hasEnded = ['Complete', 'Canceled', 'Superseded'].includes(orderStatus);
  if (hasEnded) return endDate ?? dayBefore(startDate);
  return isAutoRenew ? null : endDate;
}

interface Tiles {
  readonly billed: readonly Billed[];
  readonly from: string;
  readonly until: string;
}

/** The first served day that no invoice billed. */
function firstGap(reading: Reading, order: ShownOrder, { billed, from, until }: Tiles) {
  let day = from;
  for (const each of billed) {
    for (; day < each.from && day <= until; day = dayAfter(day)) {
      if (reading.isServed(order, day)) return day;
    }
    if (each.to >= day) day = dayAfter(each.to);
  }
  for (; day <= until; day = dayAfter(day)) if (reading.isServed(order, day)) return day;
  return null;
}

/** A change whose successor has been billed has given back what it should. */
function recomputeLatestCredit(reading: Reading, order: ShownOrder, findings: Findings): void {
  if (order.orderStatus !== 'Superseded' || order.nextOrderId === null) return;
  const lines = reading.linesOf(order.id);
  const newest = reading.linesOf(order.nextOrderId).at(-1);
  const isCredited = lines.some(({ charges }) => charges.some(({ kind }) => kind === 'credit'));
  const last = lines.at(-1);
  if (!newest || !last || isCredited || newest.invoice.id < last.invoice.id) return;
  const should = creditsOf(reading, { ...last, invoice: newest.invoice });
  if (typeof should === 'string') return findings.skip(should);
  for (const { name } of should.values()) {
    const detail = `nothing is given back of ${name}`;
    findings.fault('recompute.credit', `order ${order.orderNumber}`, detail);
  }
}
