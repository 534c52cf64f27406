/** The document of a cancellation: the cancelled invoice reversed, under a number and a day of its own. */
import { negate, type Decimal } from '../money/money.ts';
import type { InvoiceSource, NamedInvoice } from './page.ts';
import type { SourceCharge, SourceLine } from './page-lines.ts';
import type { UblSource } from './ubl.ts';

/**
 * The source of the document that reverses an invoice; undefined if there is none. What was written to
 * the invoice and paid of it is no part of it.
 *
 * @example cancellationOf(source)?.invoice.currentAmountDue // '-73.44'
 */
export function cancellationOf(source: InvoiceSource): InvoiceSource | undefined {
  const numbered = numberedOf(source.invoice);
  if (numbered === undefined) return undefined;
  const { invoice, taxes } = source;
  return {
    ...source,
    ...numbered,
    invoice: {
      ...invoice,
      ...numbered.invoice,
      currentAmountDue: negate(invoice.currentAmountDue),
      lines: invoice.lines.map(reversedLine),
    },
    taxes: taxes.map((tax) => ({ ...tax, creditedBase: reversed(tax.creditedBase ?? null) })),
    settlements: [],
    creditLeft: null,
    creditNoteOf: null,
  };
}

/**
 * The same of the electronic document, whose figures are those of the invoice.
 *
 * @example ublDocument(cancellationUbl(source)).name // 'CreditNote'
 */
export function cancellationUbl(source: UblSource): UblSource | undefined {
  const numbered = numberedOf(source.invoice);
  if (numbered === undefined) return undefined;
  const { invoice, cancels } = numbered;
  return {
    ...source,
    invoice: { ...source.invoice, ...invoice },
    isCancellation: true,
    credited: [cancels],
  };
}

type Cancelled = NamedInvoice &
  Pick<InvoiceSource['invoice'], 'cancellationNumber' | 'dateCancelled'>;

function numberedOf({
  invoiceNumber,
  invoiceDate,
  cancellationNumber: number = null,
  dateCancelled: date = null,
}: Cancelled) {
  if (number === null || date === null) return undefined;
  return {
    invoice: { invoiceNumber: number, invoiceDate: date, notes: null },
    cancels: { invoiceNumber, invoiceDate },
  };
}

const reversed = (decimal: Decimal | null): Decimal | null => decimal && negate(decimal);

const reversedLine = (line: SourceLine): SourceLine => ({
  ...line,
  lineAmountTotal: negate(line.lineAmountTotal),
  charges: line.charges.map(reversedCharge),
});

const reversedCharge = (charge: SourceCharge): SourceCharge => ({
  ...charge,
  quantity: reversed(charge.quantity),
  amount: negate(charge.amount),
});
