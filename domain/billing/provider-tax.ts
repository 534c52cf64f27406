/** The taxes of an invoice by a tax provider: what it is asked, and the charges of its answer. */
import assert from 'node:assert';
import type { IsoDate } from '../model.ts';
import { add, formatAmount, sum } from '../money/money.ts';
import type { LineTax, TaxAnswer, TaxDocument, TaxedAddress } from '../tax/documents.ts';
import { categoryAt } from '../tax/rates.ts';
import { planChargeOf, type InvoiceCharge, type RateTaxCharge } from './charges.ts';
import { isTaxed, withPlanTaxes, type PricedOrder, type Taxing } from './tax.ts';

export interface TaxParties {
  readonly customerId: number;
  readonly invoiceDate: IsoDate;
  readonly shipFrom: TaxedAddress;
  readonly shipTo: TaxedAddress;
}

/** One period or window of an order line with its tiers and discounts, which is one line. */
interface TaxedPart {
  readonly order: PricedOrder;
  readonly taxCode: string;
  readonly priceCode: string;
  readonly charges: readonly InvoiceCharge[];
}

/**
 * Taxes invoices by the answers of a provider. An invoice whose document has no answer yet bears no
 * such tax, and says so. An invoice without a charge that has a tax code is not asked about.
 *
 * @param answerTo the stored answer to exactly this document
 * @example byProvider(parties, () => null)(invoice).asked // { document, isAnswered: false }
 */
export function byProvider(
  parties: TaxParties,
  answerTo: (document: TaxDocument) => TaxAnswer | null,
): Taxing {
  return (rated) => {
    const orders = rated.map(({ order, charges }) => ({
      order,
      charges: withPlanTaxes(charges, order.currency),
    }));
    const parts = orders.flatMap(partsOf);
    const document = documentOf(parts, parties);
    if (document === null) return { orders, asked: null };
    const answer = answerTo(document);
    if (answer === null) return { orders, asked: { document, isAnswered: false } };
    return {
      orders: orders.map((priced) => withTaxes(priced, parts, answer)),
      asked: { document, isAnswered: true },
    };
  };
}

/** The parts of an order that have a tax code, in the order of their first charges. */
function partsOf(order: PricedOrder): TaxedPart[] {
  const parts = new Map<object, { readonly charges: InvoiceCharge[] } & TaxedPart>();
  for (const charge of order.charges) {
    const plan = planChargeOf(charge);
    const [taxCode] = plan?.taxCodes ?? [];
    if (plan === null || plan.isTax || taxCode === undefined || !isTaxed(charge.kind)) continue;
    const what = partOf(charge);
    const part = parts.get(what);
    if (part !== undefined) part.charges.push(charge);
    else parts.set(what, { order, taxCode, priceCode: plan.priceCode, charges: [charge] });
  }
  return [...parts.values()];
}

function partOf(charge: InvoiceCharge): object {
  if (charge.kind === 'discount') return charge.discounts;
  if ('window' in charge) return charge.window;
  assert('due' in charge, `a charge of kind ${charge.kind} has no tax code`);
  return charge.due;
}

function documentOf(parts: readonly TaxedPart[], parties: TaxParties): TaxDocument | null {
  const [first] = parts;
  if (first === undefined) return null;
  const { currency } = first.order.order;
  const lines = parts.map(({ taxCode, priceCode, charges }, index) => ({
    number: String(index + 1),
    amount: formatAmount(currency, sum(charges.map(({ amount }) => amount))),
    taxCode,
    priceCode,
  }));
  return { ...parties, currency, lines };
}

/** One charge for each code and rate of a jurisdiction. */
function withTaxes(
  priced: PricedOrder,
  parts: readonly TaxedPart[],
  answer: TaxAnswer,
): PricedOrder {
  const { order, charges } = priced;
  const byRate = new Map<string, RateTaxCharge>();
  for (const [index, part] of parts.entries()) {
    if (part.order.order.id !== order.id) continue;
    const line = answer[index];
    assert(line?.number === String(index + 1), 'an answer has the lines of its document');
    for (const tax of line.taxes) {
      const key = JSON.stringify([part.taxCode, tax.jurisdiction, tax.name, tax.percent]);
      const before = byRate.get(key);
      byRate.set(key, {
        kind: 'tax',
        rate: rateOf(tax, part.taxCode),
        base: [...(before?.base ?? []), ...part.charges],
        amount: formatAmount(order.currency, add(before?.amount ?? '0', tax.amount)),
      });
    }
  }
  return byRate.size === 0 ? priced : { order, charges: [...charges, ...byRate.values()] };
}

function rateOf({ name, percent }: LineTax, taxCode: string): RateTaxCharge['rate'] {
  return { percent, taxCode, name, category: categoryAt(percent), exemptionReason: null };
}
