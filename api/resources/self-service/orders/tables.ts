/** The tables of a price: the invoices of a change, or the blocks of a quote. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import type { QuoteBlock } from '../../../../domain/orders/quote.ts';
import type { InvoicePreview } from '../../../../domain/invoices/preview.ts';
import type { PricedQuote } from '../../../../operations/orders/quote.ts';
import type { ReviewLine, ReviewTable } from './views.ts';

/** @param on its day, if that is not today */
export function invoiceTable(invoice: InvoicePreview, on: IsoDate | null): ReviewTable {
  const charges = invoice.lines.flatMap((line) => line.charges);
  const lines = charges
    // Its tiers are lines, too.
    .filter((charge) => !charge.isUsageChargeSubTotal)
    .map(({ invoiceText, priceCode, amount, ...charge }) => {
      const { billingStartDate: from, billingEndDate: to } = charge;
      const isUnit = charge.unitPrice !== null && !charge.isPercent;
      return {
        text: invoiceText ?? priceCode ?? '',
        days: from === null || to === null ? null : { from, to },
        quantity: isUnit && !amount.startsWith('-') ? charge.quantity : null,
        amount,
      };
    });
  const { currency, currentAmountDue: total } = invoice;
  return { is: 'invoice', on, currency, lines, total };
}

/** A block without lines has nothing to say. */
export function blockTables({ initial, recurring }: PricedQuote, currency: string): ReviewTable[] {
  const blocks = [
    { is: 'initial', block: initial },
    { is: 'recurring', block: recurring },
  ] as const;
  return blocks
    .filter(({ block }) => block.lineItems.length > 0)
    .map(({ is, block }) => ({
      is,
      on: null,
      currency,
      lines: linesOf(block),
      total: block.total,
    }));
}

function linesOf({ lineItems }: QuoteBlock): ReviewLine[] {
  return lineItems.map(({ invoiceText, priceCode, terms, amount }) => ({
    text: invoiceText ?? priceCode ?? '',
    days: null,
    quantity: terms?.quantity ?? null,
    amount,
  }));
}
