/** Names the files of an invoice's document. */
import type { InvoicePage } from './page.ts';

/**
 * An imported number is any text, so it may contain what neither a header nor a file system takes.
 *
 * @example pdfNameOf(page) // 'invoice-1001.pdf'; of the imported number A/7: 'invoice-A-7.pdf'
 */
export function pdfNameOf({
  isCreditNote,
  invoiceNumber,
}: Pick<InvoicePage, 'isCreditNote' | 'invoiceNumber'>): string {
  const kind = isCreditNote ? 'credit-note' : 'invoice';
  return `${kind}-${plain(invoiceNumber)}.pdf`;
}

/** @example ublNameOf({ invoiceNumber: '1001' }) // '1001.xml' */
export const ublNameOf = ({ invoiceNumber }: Pick<InvoicePage, 'invoiceNumber'>): string =>
  `${plain(invoiceNumber)}.xml`;

const plain = (invoiceNumber: string): string => invoiceNumber.replaceAll(/[^\w.-]+/g, '-');
