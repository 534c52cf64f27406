/** The pages of a list that goes on: the ways to the newest rows and to older ones. */
import type { RecordWords } from '../../../../domain/text/messages.ts';
import { messagesOf } from '../../../../messages/messages.ts';
import { linkable } from '../../../pages/frame.ts';
import { partAddress, type AccountView } from '../page/account.ts';

export interface PagerWay {
  readonly address: string;
  readonly text: string;
}

export interface ListedView {
  /** The id of the row that this page begins after; null: it is the first page. */
  readonly before: number | null;
  /** As the list has it. */
  readonly next: number | null;
}

/** @param path of the list */
export function pagerOf(
  path: string,
  { before, next }: ListedView,
  own: RecordWords,
): readonly PagerWay[] {
  return [
    ...(before === null ? [] : [{ address: linkable(path), text: own.newest }]),
    ...(next === null ? [] : [{ address: linkable(`${path}?before=${next}`), text: own.older }]),
  ];
}

/** The id that a list goes on after; anything else is the first page. */
export const beforeOf = (parameter = ''): number | null =>
  /^[1-9]\d{0,14}$/.test(parameter) ? Number(parameter) : null;

/* Where invoices and payments of an account lead: to their pages, or to their PDFs in a new tab. */

export interface RecordLink {
  /** Null: it is only a text. */
  readonly address: string | null;
  readonly text: string;
  /** For readers of the screen; null if it opens in the same tab. */
  readonly newTab: string | null;
}

type Record = 'invoices' | 'payments';

interface Linked {
  readonly id: number;
  readonly text: string;
}

const pageLink = (view: AccountView, part: Record, { id, text }: Linked): RecordLink => ({
  address: linkable(`${partAddress(view.home, part)}/${id}`),
  text,
  newTab: null,
});

export const pdfLink = (view: AccountView, part: Record, { id, text }: Linked): RecordLink =>
  fileLink(view, `${partAddress(view.home, part)}/${id}.pdf`, text);

/** To the PDF of the cancellation of an invoice, if the session shows invoices. */
export const cancellationLink = (view: AccountView, { id, text }: Linked): RecordLink =>
  fileLink(view, `${partAddress(view.home, 'invoices')}/${id}/cancellation.pdf`, text);

const fileLink = (view: AccountView, path: string, text: string): RecordLink => ({
  address: linkable(path),
  text,
  newTab: messagesOf(view.locale).page.newTab,
});

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
