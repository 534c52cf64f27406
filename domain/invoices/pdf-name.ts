/** Names the files of an invoice's document. */
import type { InvoicePage } from './page.ts';

/**
 * An imported number is any text, so it may contain what neither a header nor a file system takes.
 *
 * @example pdfNameOf(page) // 'invoice-1001.pdf'; of the imported number A/7: 'invoice-A-7.pdf'
 */
export function pdfNameOf({
  kind,
  invoiceNumber,
}: Pick<InvoicePage, 'kind' | 'invoiceNumber'>): string {
  return `${names[kind]}-${plain(invoiceNumber)}.pdf`;
}

const names = {
  invoice: 'invoice',
  creditNote: 'credit-note',
  cancellation: 'cancellation',
} as const;

/** @example ublNameOf({ invoiceNumber: '1001' }) // '1001.xml' */
export const ublNameOf = ({ invoiceNumber }: Pick<InvoicePage, 'invoiceNumber'>): string =>
  `${plain(invoiceNumber)}.xml`;

const plain = (invoiceNumber: string): string => invoiceNumber.replaceAll(/[^\w.-]+/g, '-');
