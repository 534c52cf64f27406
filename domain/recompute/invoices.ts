/** Recomputes what an invoice says of itself: sums, dates, balances, due date, what it may share. */
import type { Shown, ShownCharge, ShownInvoice, ShownLine } from './documents.ts';
import { earliest, later } from './days.ts';
import { asText, digitsOf, exact, inMinor, percentOf, sumOf, times } from './figures.ts';
import { objectOf, type BilledLine, type Findings } from './reading.ts';

/**
 * @example recomputeSums(invoice, findings)
 */
export function recomputeSums(invoice: ShownInvoice, findings: Findings): void {
  const digits = digitsOf(invoice.currentAmountDue);
  const minor = (amount: string): bigint => inMinor(exact(amount), digits);
  const compare = (what: string, is: string, should: bigint): void => {
    if (minor(is) === should) return;
    const detail = `${what} says ${is}, should be ${asText(should, digits)}`;
    findings.fault('recompute.sum', objectOf(invoice), detail);
  };
  for (const line of invoice.lines) {
    const charges = line.charges.filter(({ isUsageChargeSubTotal }) => !isUsageChargeSubTotal);
    const sum = sumOf(charges.map(({ amount }) => minor(amount)));
    compare(`line ${line.position}`, line.lineAmountTotal, sum);
  }
  const lines = sumOf(invoice.lines.map(({ lineAmountTotal }) => minor(lineAmountTotal)));
  compare('currentAmountDue', invoice.currentAmountDue, lines);
  const before = minor(invoice.previousBalance) + minor(invoice.paymentsAndAdjustments);
  compare('totalDue', invoice.totalDue, before + minor(invoice.currentAmountDue));
}

/**
 * Charges made by hand: amount = unitPrice x quantity, or a percentage of the others of its line.
 *
 * @example recomputeByHand(invoice, line, findings)
 */
export function recomputeByHand(invoice: ShownInvoice, line: ShownLine, findings: Findings): void {
  const digits = digitsOf(invoice.currentAmountDue);
  const minor = ({ amount }: ShownCharge): bigint => inMinor(exact(amount), digits);
  for (const charge of line.charges) {
    const { unitPrice, quantity, isPercent } = charge;
    if (isTax(charge)) {
      findings.skip('a tax of charges made by hand, whose codes no document shows');
      continue;
    }
    if (unitPrice === null || (quantity === null && !isPercent)) {
      findings.skip('a charge made by hand or imported, with an amount alone');
      continue;
    }
    const others = line.charges.filter((each) => !each.isPercent);
    const should = isPercent
      ? percentOf(sumOf(others.map(minor)), unitPrice)
      : inMinor(times(exact(unitPrice), exact(quantity ?? '1')), digits);
    findings.counted(1);
    if (should === minor(charge)) continue;
    const name = `charge ${charge.position} of line ${line.position}`;
    const detail = `${name} says ${charge.amount}, should be ${asText(should, digits)}`;
    findings.fault('recompute.byHand', objectOf(invoice), detail);
  }
}

/** A percentage that a caller writes has a quantity. */
const isTax = ({ priceCode, isPercent, quantity }: ShownCharge): boolean =>
  priceCode === 'TAX' && isPercent && quantity === null;

/**
 * The dates of a line span its charges, those of an invoice its lines.
 *
 * @example recomputeSpans(invoice, findings)
 */
export function recomputeSpans(invoice: ShownInvoice, findings: Findings): void {
  const compare = (what: string, is: Spanning, parts: readonly Spanning[]): void => {
    const from = earliest(parts.map(({ billingStartDate }) => billingStartDate));
    const ends = parts.map(({ billingEndDate }) => billingEndDate ?? '').toSorted();
    const to = ends.at(-1) || null;
    if (is.billingStartDate === from && is.billingEndDate === to) return;
    const detail = `${what} is of ${is.billingStartDate} to ${is.billingEndDate}, its parts of ${from} to ${to}`;
    findings.fault('recompute.dates', objectOf(invoice), detail);
  };
  compare('it', invoice, invoice.lines);
  for (const line of invoice.lines) compare(`line ${line.position}`, line, line.charges);
}

type Spanning = Pick<ShownInvoice, 'billingStartDate' | 'billingEndDate'>;

/**
 * By the terms of the order, else its plan's: the earliest of a shared invoice. Those of the
 * customer and the tenant may have been others then, so a difference from them is no fault. A credit
 * note is dated and due on one day.
 *
 * @example recomputeDueDate(shown, invoice, lines, findings)
 */
export function recomputeDueDate(
  shown: Shown,
  invoice: ShownInvoice,
  lines: readonly BilledLine[],
  findings: Findings,
): void {
  const isNote = invoice.creditNoteOfId !== null;
  const customer = shown.customers.get(invoice.customerId);
  const own = termsOf(customer?.paymentTermsValue ?? null, customer?.paymentTermsUnits ?? null);
  let isFixed = true;
  const days = lines.map(({ order, plan }) => {
    const terms =
      termsOf(order.dueDateValue, order.dueDateUnits) ??
      termsOf(plan.dueDateValue, plan.dueDateUnits);
    isFixed &&= terms !== null;
    const { value, units } = terms ?? own ?? shown.paymentTerms;
    return later(invoice.invoiceDate, value, units);
  });
  // Nothing of a credit note is to pay.
  const should = isNote ? invoice.invoiceDate : earliest(days);
  if (should === null || should === invoice.dueDate) return;
  if (!isFixed && !isNote)
    return findings.skip('a dueDate by terms of a customer or tenant that may have changed');
  const detail = `dueDate is ${invoice.dueDate}, should be ${should}`;
  findings.fault('recompute.dueDate', objectOf(invoice), detail);
}

const termsOf = (value: number | null, units: string | null) =>
  value === null || units === null ? null : { value, units };

/**
 * Orders share an invoice if all allow it; charges of an invoice of their own share none.
 *
 * @example recomputeGrouping(invoice, lines, findings)
 */
export function recomputeGrouping(
  invoice: ShownInvoice,
  lines: readonly BilledLine[],
  findings: Findings,
): void {
  const wrong = (detail: string): void =>
    findings.fault('recompute.grouping', objectOf(invoice), detail);
  // An order that gives something back goes along with the one that replaces it.
  const billing = lines.filter(({ charges }) => charges.every(({ kind }) => kind !== 'credit'));
  const kinds = new Set(
    billing.map(({ order }) => `${order.separateInvoice} ${order.jobCode ?? ''}`.trim()),
  );
  const modes = new Set(billing.map(({ order }) => order.separateInvoice));
  if (billing.length > 1 && (modes.size > 1 || modes.has(1) || (modes.has(2) && kinds.size > 1))) {
    wrong(`orders ${billing.map(({ order }) => order.orderNumber).join(', ')} share it`);
  }
  const charges = billing.flatMap((line) => line.charges.filter(({ of }) => of !== null));
  const apart = charges.filter(({ of }) => of?.isSeparateInvoice);
  if (apart.length > 0 && (apart.length < charges.length || billing.length > 1)) {
    wrong(`${apart[0]?.priceCode} is to be on an invoice of its own`);
  }
}

/**
 * previousBalance is the totalDue of the invoice before of that customer and currency. Imported
 * invoices are outside of the chain; no document tells them from invoices made by hand.
 *
 * @example recomputeChain(shown, findings)
 */
export function recomputeChain(shown: Shown, findings: Findings): void {
  const chains = Map.groupBy(
    shown.sample,
    ({ customerId, currency }) => `${customerId} ${currency}`,
  );
  for (const chain of chains.values()) {
    for (const [index, invoice] of chain.entries()) {
      const before = chain.slice(0, index);
      const isLone = invoice.lines.every(({ charges }) =>
        charges.every(({ orderLineItemId }) => orderLineItemId === null),
      );
      const from = before.findLastIndex((each) => !isByHand(each));
      const fitting = before.slice(Math.max(0, from)).map(({ totalDue }) => totalDue);
      if (from < 0 && (shown.isWhole || isLone)) fitting.push(zeroOf(invoice));
      if (isLone) fitting.push(zeroOf(invoice));
      if (from < 0 && !shown.isWhole) {
        findings.skip('a previousBalance of an invoice before the sample');
      } else if (!fitting.includes(invoice.previousBalance)) {
        const detail = `previousBalance says ${invoice.previousBalance}, should be ${fitting.at(-1)}`;
        findings.fault('recompute.chain', objectOf(invoice), detail);
      }
    }
  }
}

const isByHand = ({ lines }: ShownInvoice): boolean =>
  lines.every(({ charges }) => charges.every(({ orderLineItemId }) => orderLineItemId === null));

const zeroOf = ({ currentAmountDue }: ShownInvoice): string =>
  asText(0n, digitsOf(currentAmountDue));
