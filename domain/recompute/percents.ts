/** Recomputes the percentages of plans, and taxes by the tenant's table. */
import type { ShownCustomer, ShownRate } from './documents.ts';
import { asText, compared, exact, percentOf } from './figures.ts';
import { tierOf } from './prices.ts';
import { nameOf, objectOf } from './reading.ts';
import type { BilledLine, Charge, Findings, Reading } from './reading.ts';
import { baseOf, sumBy, taxedBy } from './shares.ts';

/**
 * @example recomputePercents(reading, line, findings)
 */
export function recomputePercents(reading: Reading, line: BilledLine, findings: Findings): void {
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
export function recomputeTaxes(reading: Reading, line: BilledLine, findings: Findings): void {
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
export function ratesFor(
  rates: readonly ShownRate[],
  customer: ShownCustomer | undefined,
): ShownRate[] {
  const address = customer?.billingContact?.address;
  const named = address?.country?.length === 2 ? address.country : null;
  const country = (address?.countryCode ?? named)?.toUpperCase();
  const state = address?.state?.toUpperCase();
  return rates.filter(
    (rate) => rate.country === country && (!rate.state || rate.state.toUpperCase() === state),
  );
}
