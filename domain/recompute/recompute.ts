/** Recomputes a sample of invoices, and the orders that they bill, from their documents alone. */
import { recomputeCredits } from './credits.ts';
import { recomputeDiscounts } from './discounts.ts';
import type { Shown, ShownCustomer, ShownRate } from './documents.ts';
import { recomputeFees } from './fees.ts';
import { asText, compared, exact, percentOf } from './figures.ts';
import {
  recomputeByHand,
  recomputeChain,
  recomputeDueDate,
  recomputeGrouping,
  recomputeSpans,
  recomputeSums,
} from './invoices.ts';
import { recomputeOrder } from './orders.ts';
import { tierOf } from './prices.ts';
import {
  nameOf,
  openReading,
  type BilledLine,
  type Findings,
  type Reading,
  objectOf,
  type Charge,
} from './reading.ts';
import { baseOf, sumBy, taxedBy } from './shares.ts';
import { recomputeUsage } from './usage.ts';

export interface RecomputedFault {
  readonly check: string;
  readonly object: string;
  readonly detail: string;
}

export interface Recomputed {
  readonly invoices: number;
  /** Charges whose amount was computed anew. */
  readonly charges: number;
  readonly faults: readonly RecomputedFault[];
  /** What was left out, by its reason. */
  readonly notRecomputed: Readonly<Record<string, number>>;
}

/**
 * @example recompute(shown).faults
 * // [{ check: 'recompute.price', object: 'invoice 1002', detail: 'charge 1 of line 1 ..' }]
 */
export function recompute(shown: Shown): Recomputed {
  const faults: RecomputedFault[] = [];
  const notRecomputed: Record<string, number> = {};
  let charges = 0;
  const findings: Findings = {
    fault: (check, object, detail) => void faults.push({ check, object, detail }),
    skip: (reason) => void (notRecomputed[reason] = (notRecomputed[reason] ?? 0) + 1),
    counted: (count) => void (charges += count),
  };
  const reading = openReading(shown);
  const orderIds = new Set<number>();
  for (const invoice of shown.sample) {
    recomputeSums(invoice, findings);
    recomputeSpans(invoice, findings);
    const billed: BilledLine[] = [];
    for (const line of invoice.lines) {
      const found = reading.lineOf(invoice, line);
      if (found) billed.push(found);
      else if (line.charges.some(({ orderLineItemId }) => orderLineItemId !== null)) {
        findings.skip('a line whose order or plan is not shown');
      } else recomputeByHand(invoice, line, findings);
    }
    for (const line of billed) {
      orderIds.add(line.order.id);
      recomputeLine(reading, line, findings);
    }
    if (billed.length < invoice.lines.length) continue;
    recomputeDueDate(shown, invoice, billed, findings);
    recomputeGrouping(invoice, billed, findings);
  }
  recomputeChain(shown, findings);
  for (const id of orderIds) {
    const order = shown.orders.get(id);
    if (order) recomputeOrder(reading, order, findings);
  }
  return { invoices: shown.sample.length, charges, faults, notRecomputed };
}

function recomputeLine(reading: Reading, line: BilledLine, findings: Findings): void {
  const unknown = line.charges.filter(({ kind }) => kind === 'unknown');
  for (const charge of unknown) {
    const isOfPlan = charge.contractChargeId !== null;
    findings.skip(isOfPlan ? 'a charge of another plan version' : `${nameOf(line, charge)}`);
  }
  recomputeFees(reading, line, findings);
  if (unknown.length > 0) return findings.skip('percentages beside such a charge');
  recomputePercents(reading, line, findings);
  recomputeDiscounts(reading, line, findings);
  recomputeTaxes(reading, line, findings);
  recomputeUsage(reading, line, findings);
  recomputeCredits(reading, line, findings);
}

/* Recomputes the percentages of plans, and taxes by the tenant's table. */

/**
 * @example recomputePercents(reading, line, findings)
 */
function recomputePercents(reading: Reading, line: BilledLine, findings: Findings): void {
  for (const charge of line.charges) {
    const { kind, isPercent, of, orderLine } = charge;
    if (kind !== 'percent' && !(kind === 'planTax' && isPercent)) continue;
    if (!of || !orderLine) continue;
    findings.counted(1);
    const { currency } = line.order;
    const tier = tierOf(of, { currency, quantity: exact(orderLine.quantity) });
    const percent = tier?.percent;
    const wrong = (detail: string): void => {
      const text = `${nameOf(line, charge)} ${detail}`;
      findings.fault('recompute.percent', objectOf(line.invoice), text);
    };
    if (percent == null || compared(exact(percent), exact(charge.unitPrice ?? '0')) !== 0n) {
      wrong(`is of ${charge.unitPrice} percent, the plan says ${percent}`);
      continue;
    }
    const base = sumBy(baseOf(reading, line, charge), ({ minor }) => minor);
    compareShare(line, { charge, base, percent }, wrong);
  }
}

interface Share {
  readonly charge: Charge;
  readonly base: bigint;
  readonly percent: string;
}

function compareShare(
  { digits }: BilledLine,
  { charge, base, percent }: Share,
  wrong: (detail: string) => void,
): void {
  const should = percentOf(base, percent);
  if (charge.minor === should) return;
  const of = `${percent} percent of ${asText(base, digits)}`;
  wrong(`says ${charge.amount}, ${of} is ${asText(should, digits)}`);
}

/**
 * The rates are those of the invoice date, which no document shows: what a tax says is compared with
 * its base, and a rate that is no longer in the table is not recomputed.
 *
 * @example recomputeTaxes(reading, line, findings)
 */
function recomputeTaxes(reading: Reading, line: BilledLine, findings: Findings): void {
  const { taxType, rates, customers } = reading.shown;
  const taxes = line.charges.filter(({ kind }) => kind === 'tax');
  const inForce = ratesFor(rates, customers.get(line.order.customerId));
  if (taxType === 'table') {
    const missing = inForce.find(
      ({ name, taxCode }) =>
        taxedBy(line, taxCode).length > 0 && !taxes.some(({ invoiceText }) => invoiceText === name),
    );
    if (missing) findings.skip('no tax by a rate of today: table or address may have changed');
  }
  for (const tax of taxes) {
    const percent = tax.unitPrice ?? '0';
    const fitting = rates.filter(
      (rate) =>
        rate.name === tax.invoiceText && compared(exact(rate.percent), exact(percent)) === 0n,
    );
    const codes = [...new Set(fitting.map(({ taxCode }) => taxCode))];
    if (taxType !== 'table' || codes.length === 0) {
      findings.skip(taxType === 'table' ? 'a tax rate of then' : 'a tax of a provider');
      continue;
    }
    findings.counted(1);
    const bases = codes.map((code) => sumBy(taxedBy(line, code), ({ minor }) => minor));
    const [base = 0n] = bases;
    if (bases.some((each) => percentOf(each, percent) === tax.minor)) continue;
    compareShare(line, { charge: tax, base, percent }, (detail) =>
      findings.fault('recompute.tax', objectOf(line.invoice), `${nameOf(line, tax)} ${detail}`),
    );
  }
}

/**
 * The rates of a customer's address: by countryCode, else a country of two letters, and state.
 *
 * @example ratesFor(rates, customer).map(({ name }) => name) // ['NY sales tax']
 */
function ratesFor(rates: readonly ShownRate[], customer: ShownCustomer | undefined): ShownRate[] {
  const address = customer?.billingContact?.address;
  const named = address?.country?.length === 2 ? address.country : null;
  const country = (address?.countryCode ?? named)?.toUpperCase();
  const state = address?.state?.toUpperCase();
  return rates.filter(
    (rate) => rate.country === country && (!rate.state || rate.state.toUpperCase() === state),
  );
}
