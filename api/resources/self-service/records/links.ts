/** Where invoices and payments of an account lead: to their pages, or to their PDFs in a new tab. */
import { messagesOf } from '../../../../messages/messages.ts';
import { linkable } from '../../../pages/frame.ts';
import { partAddress, type AccountView } from '../page/account.ts';

export interface RecordLink {
  /** Null: it is only a text. */
  readonly address: string | null;
  readonly text: string;
  /** For readers of the screen; null if it opens in the same tab. */
  readonly newTab: string | null;
}

type Record = 'invoices' | 'payments';

export interface Linked {
  readonly id: number;
  readonly text: string;
}

export const pageLink = (view: AccountView, part: Record, { id, text }: Linked): RecordLink => ({
  address: linkable(`${partAddress(view.home, part)}/${id}`),
  text,
  newTab: null,
});

export function pdfLink(view: AccountView, part: Record, { id, text }: Linked): RecordLink {
  const address = linkable(`${partAddress(view.home, part)}/${id}.pdf`);
  return { address, text, newTab: messagesOf(view.locale).page.newTab };
}

/** A text alone if the session shows no invoices. */
export function invoiceLink(view: AccountView, linked: Linked): RecordLink {
  const { showStatements, pdfMode } = view.switches;
  if (!showStatements) return { address: null, text: linked.text, newTab: null };
  return pdfMode ? pdfLink(view, 'invoices', linked) : pageLink(view, 'invoices', linked);
}

/**
 * A text alone if the session shows no payments.
 *
 * @param hasReceipt only then there is a PDF
 */
export function paymentLink(
  view: AccountView,
  { hasReceipt, ...linked }: Linked & { readonly hasReceipt: boolean },
): RecordLink {
  const { showPayments, pdfMode } = view.switches;
  if (!showPayments) return { address: null, text: linked.text, newTab: null };
  const isPdf = pdfMode && hasReceipt;
  return isPdf ? pdfLink(view, 'payments', linked) : pageLink(view, 'payments', linked);
}
