/** Recomputes recurring, one-time and penalty charges: price x quantity, by the days served. */
import { dayAfter, periodOf, type Period } from './days.ts';
import { asText, compared, exact, inMinor, sumOf, times } from './figures.ts';
import { rowsOf, type Row } from './prices.ts';
import {
  nameOf,
  objectOf,
  type BilledLine,
  type Charge,
  type Findings,
  type Reading,
} from './reading.ts';

const isFee = ({ kind, isPercent }: Charge): boolean =>
  ['period', 'oneTime', 'penalty'].includes(kind) || (kind === 'planTax' && !isPercent);

/**
 * A charge of an order line for some days is one row for each tier; together they are a group.
 *
 * @example groupOf(charge) // '102 2027-01-15 2027-02-14'
 */
export function groupOf({ orderLineItemId, billingStartDate, billingEndDate }: Charge): string {
  return `${orderLineItemId} ${billingStartDate} ${billingEndDate}`;
}

/**
 * @example recomputeFees(reading, line, findings)
 */
export function recomputeFees(reading: Reading, line: BilledLine, findings: Findings): void {
  for (const group of Map.groupBy(line.charges.filter(isFee), groupOf).values()) {
    const [first] = group;
    if (!first?.of || !first.orderLine) continue;
    const { quantity, unitPrice: agreed } = first.orderLine;
    const priced = { currency: line.order.currency, quantity: exact(quantity), agreed };
    const rows = rowsOf(first.of, priced);
    if (rows === null) {
      findings.skip('a charge whose price the plan does not show');
      continue;
    }
    if (isBesideCancelledPart(reading, line, first)) {
      findings.skip(BESIDE_CANCELLED_PART);
      continue;
    }
    findings.counted(group.length);
    if (rows.length !== group.length) {
      const detail = `${nameOf(line, first)} has ${group.length} charges, should be ${rows.length}`;
      findings.fault('recompute.price', objectOf(line.invoice), detail);
      continue;
    }
    for (const [index, charge] of group.entries()) {
      const row = rows[index];
      if (row) compareRow(reading, line, { charge, row }, findings);
    }
  }
}

function compareRow(
  reading: Reading,
  line: BilledLine,
  { charge, row }: { readonly charge: Charge; readonly row: Row },
  findings: Findings,
): void {
  const wrong = (detail: string): void => {
    findings.fault('recompute.price', objectOf(line.invoice), `${nameOf(line, charge)} ${detail}`);
  };
  const { unitPrice, pricingTierId } = charge;
  if (row.tierId !== null && pricingTierId !== row.tierId) {
    return wrong(`is of tier ${pricingTierId}, should be ${row.tierId}`);
  }
  if (unitPrice === null || compared(exact(unitPrice), row.unitPrice) !== 0n) {
    return wrong(`has the unitPrice ${unitPrice}, which is not the plan's`);
  }
  const days = daysOf(reading, line, charge);
  if (days === null) {
    return wrong(`has days ${charge.billingStartDate} to ${charge.billingEndDate} of two periods`);
  }
  const should = costOfDays(line, row, days);
  const rest = should - sumOf(earlierParts(reading, line, charge).map(({ minor }) => minor));
  if (charge.minor === rest) return undefined;
  const share = days.of === null ? '' : ` for ${days.served} of ${days.of} days`;
  return wrong(`says ${charge.amount}, should be ${asText(rest, line.digits)}${share}`);
}

export interface Days {
  /** Those served by this charge and the parts of its period before it. */
  readonly served: number;
  /** Days of the whole period; null if the price does not go by days. */
  readonly of: number | null;
}

/**
 * What a row costs for its days, rounded once.
 *
 * @example costOfDays(line, row, { served: 14, of: 31 }) // 542n
 */
export function costOfDays({ digits }: BilledLine, { price }: Row, { served, of }: Days): bigint {
  if (of === null) return served > 0 ? inMinor(price, digits) : 0n;
  return inMinor(times(price, { over: BigInt(served), under: BigInt(of) }), digits);
}

/**
 * The days of a charge up to a day, with the parts of the same period that stand before it. Null if
 * its days are of several periods.
 *
 * @example daysOf(reading, line, charge) // { served: 14, of: 31 }
 */
export function daysOf(
  reading: Reading,
  line: BilledLine,
  charge: Charge,
  upTo: string = charge.billingEndDate ?? '',
): Days | null {
  const { billingStartDate: from, billingEndDate: to, of } = charge;
  if (from === null || to === null || !of) return null;
  if (of.chargeType === 'OneTimeCharge') return { served: 1, of: null };
  const period = periodOfCharge(reading, line, charge);
  if (period === null) return null;
  const { order, invoice } = line;
  const until = upTo < to ? upTo : to;
  const own = reading.served(order, from, until, invoice.invoiceDate);
  if (!of.isProrated) return { served: own, of: null };
  const before = partsBefore(reading, line, charge).map(({ at, part }) =>
    reading.served(
      order,
      part.billingStartDate ?? '',
      part.billingEndDate ?? '',
      at.invoice.invoiceDate,
    ),
  );
  const whole = Number(
    Temporal.PlainDate.from(period.from).until(dayAfter(period.to), { largestUnit: 'days' }).days,
  );
  return { served: before.reduce((sum, each) => sum + each, own), of: whole };
}

/** The period of the order that a recurring charge is of; null if its days are of several. */
function periodOfCharge(
  reading: Reading,
  { order }: BilledLine,
  { billingStartDate, billingEndDate }: Charge,
): Period | null {
  if (billingStartDate === null || billingEndDate === null) return null;
  const period = periodOf(reading.scheduleOf(order), billingStartDate);
  return billingEndDate > period.to ? null : period;
}

/** Parts of the same period on earlier invoices, by the same tier. */
function partsSoFar(reading: Reading, line: BilledLine, charge: Charge) {
  const { order, invoice } = line;
  const { of, orderLineItemId, billingStartDate, pricingTierId } = charge;
  if (!of?.isProrated || billingStartDate === null) return [];
  const { from } = periodOf(reading.scheduleOf(order), billingStartDate);
  return reading
    .linesOf(order.id)
    .filter((at) => at.invoice.id < invoice.id)
    .flatMap((at) => at.charges.map((part) => ({ at, part })))
    .filter(
      ({ part }) =>
        part.contractChargeId !== null &&
        part.orderLineItemId === orderLineItemId &&
        part.pricingTierId === pricingTierId &&
        (part.billingStartDate ?? '') >= from &&
        (part.billingStartDate ?? '') < billingStartDate,
    );
}

function partsBefore(reading: Reading, line: BilledLine, charge: Charge) {
  return partsSoFar(reading, line, charge).filter(({ at }) => at.invoice.status !== 'Cancelled');
}

export const BESIDE_CANCELLED_PART = 'a part of a period beside one on a cancelled invoice';

/**
 * A part on a cancelled invoice stands unless its days were rolled back, which no document shows.
 *
 * @example isBesideCancelledPart(reading, line, charge) // false
 */
export function isBesideCancelledPart(reading: Reading, line: BilledLine, charge: Charge): boolean {
  return partsSoFar(reading, line, charge).some(({ at }) => at.invoice.status === 'Cancelled');
}

/**
 * The parts of a charge's period that stand on earlier invoices: they are paid already.
 *
 * @example earlierParts(reading, line, charge).map(({ amount }) => amount) // ['5.80']
 */
export function earlierParts(reading: Reading, line: BilledLine, charge: Charge): Charge[] {
  return partsBefore(reading, line, charge).map(({ part }) => part);
}

/**
 * The row of the plan's price that a charge is of; null if the plan does not show it.
 *
 * @example rowOf(line, charge)?.tierId // 12
 */
export function rowOf(line: BilledLine, charge: Charge): Row | null {
  if (!charge.of || !charge.orderLine) return null;
  const { quantity, unitPrice: agreed } = charge.orderLine;
  const priced = { currency: line.order.currency, quantity: exact(quantity), agreed };
  const rows = rowsOf(charge.of, priced) ?? [];
  return rows.find(({ tierId }) => tierId === null || tierId === charge.pricingTierId) ?? null;
}
