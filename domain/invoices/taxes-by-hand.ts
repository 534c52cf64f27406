/** The taxes of an invoice that is made by hand: the tax codes of its charges, and the tax charges. */
import {
  draftCharge,
  sumOf,
  type DraftCharge,
  type DraftInvoice,
  type DraftLine,
} from '../billing/rate/total.ts';
import type { InvoiceCharge } from '../billing/charges.ts';
import type { Taxing } from '../billing/rate/tax.ts';
import { formatAmount, sum } from '../money/money.ts';
import { assertFits, type ManualChargeInput, type ManualInvoiceInput } from './by-hand.ts';

/** A charge of a plan with the priceCode of a charge that is made by hand. */
export interface PlanTaxCodes {
  readonly planId: number;
  readonly isNewest: boolean;
  readonly priceCode: string;
  readonly isTax: boolean;
  readonly taxCodes: readonly string[];
}

/** A charge with this priceCode says that the body has its taxes already. */
const TAX = 'TAX';

/**
 * Whether taxes are added to an invoice: not to one whose body has a charge `TAX`.
 *
 * @param asked what the call says; null: what the tenant's file says
 * @example isTaxed(input, { asked: null, byFile: true }) // true
 */
export function isTaxed(
  { invoiceLineItems }: ManualInvoiceInput,
  { asked, byFile }: { readonly asked: boolean | null; readonly byFile: boolean },
): boolean {
  const charges = (invoiceLineItems ?? []).flatMap((item) => item.invoiceLineItemCharges ?? []);
  return (asked ?? byFile) && charges.every(({ priceCode }) => priceCode !== TAX);
}

/**
 * The tax codes of a charge: those that it names, else those of the charge of its order's plan with
 * its priceCode, else those on which all newest plans agree that have such a charge. An isTax charge
 * of a plan has none.
 *
 * @param planId that of the order that its line names
 * @example // GOLD and SILVER have VISIT, with the code STANDARD
 *   taxCodesByHand({ priceCode: 'VISIT' }, { planId: null, plans }) // ['STANDARD']
 */
export function taxCodesByHand(
  { taxCodes, priceCode }: Pick<ManualChargeInput, 'taxCodes' | 'priceCode'>,
  { planId, plans }: { readonly planId: number | null; readonly plans: readonly PlanTaxCodes[] },
): readonly string[] {
  if (taxCodes !== undefined) return taxCodes ?? [];
  const named = plans.filter((charge) => charge.priceCode === priceCode);
  const own = named.find((charge) => charge.planId === planId);
  if (own !== undefined) return codesOf(own);
  const [first, ...others] = named.filter(({ isNewest }) => isNewest).map(codesOf);
  if (first === undefined) return [];
  return others.every((codes) => keyOf(codes) === keyOf(first)) ? first : [];
}

function codesOf({ isTax, taxCodes }: PlanTaxCodes): readonly string[] {
  return isTax ? [] : taxCodes;
}

/** In whatever order plans name them. */
function keyOf(codes: readonly string[]): string {
  return JSON.stringify([...new Set(codes)].toSorted());
}

/**
 * The invoice with its taxes: on each line one charge for each rate, after its other charges. Throws
 * field.invalid if a line comes to more than the books can hold.
 *
 * @example // VISIT of 90.00 at 8.875 percent
 *   taxedByHand(draft, byRates([newYork])).currentAmountDue // '97.99'
 */
export function taxedByHand(draft: DraftInvoice, taxing: Taxing): DraftInvoice {
  const { currency, invoiceDate } = draft;
  const untaxed = draft.lines.map(({ charges }) => charges.map(({ charge }) => charge));
  const taxed = taxing(untaxed, currency);
  const lines = draft.lines.map((line, index) => {
    const taxes = (taxed.lines[index] ?? []).slice(line.charges.length);
    return taxes.length === 0 ? line : withTaxes(line, taxes, { currency, invoiceDate });
  });
  return { ...draft, lines, currentAmountDue: sumOf(lines, currency), asked: taxed.asked };
}

function withTaxes(
  line: DraftLine,
  taxes: readonly InvoiceCharge[],
  { currency, invoiceDate }: Pick<DraftInvoice, 'currency' | 'invoiceDate'>,
): DraftLine {
  const charges = apart(line.charges);
  const last = charges.reduce((most, { position }) => Math.max(most, position), 0);
  const added = taxes.map((tax, index) => draftCharge(tax, last + 1 + index, invoiceDate));
  const total = sum([line.lineAmountTotal, ...added.map(({ amount }) => amount)]);
  const path = `invoiceLineItems/invoiceLineItem[${line.position}]`;
  for (const amount of [...added.map((tax) => tax.amount), total]) assertFits(amount, path);
  return {
    ...line,
    charges: [...charges, ...added],
    lineAmountTotal: formatAmount(currency, total),
  };
}

/** A tax names its base by positions: those that charges share become their places on the line. */
function apart(charges: readonly DraftCharge[]): readonly DraftCharge[] {
  if (new Set(charges.map(({ position }) => position)).size === charges.length) return charges;
  return charges
    .toSorted((one, other) => one.position - other.position)
    .map((charge, index) => ({ ...charge, position: index + 1 }));
}
