/** Renders the list of a customer's invoices, and an invoice as people read it. */
import type { Formats } from '../../../../domain/invoices/formats.ts';
import type { InvoicePage } from '../../../../domain/invoices/page.ts';
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { compare } from '../../../../domain/money/money.ts';
import type { RecordWords } from '../../../../domain/text/messages.ts';
import { messagesOf } from '../../../../messages/messages.ts';
import type { ListedInvoice } from '../../../../operations/self-service/invoices.ts';
import { invoicePart } from '../../../../providers/invoice-documents/html.ts';
import { linkable } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import { inAccount, partAddress, type AccountView } from '../page/account.ts';
import { formatsIn } from '../page/formats.ts';
import { cancellationLink, invoiceLink, type ListedView, pagerOf, pdfLink } from './list.ts';

export interface InvoicesView extends AccountView, ListedView {
  readonly rows: readonly ListedInvoice[];
  /** The tenant's. */
  readonly today: IsoDate;
}

export interface InvoiceView extends AccountView {
  readonly listed: ListedInvoice;
  /** In the language of the account. */
  readonly document: InvoicePage;
}

const render = templatesOf(import.meta.dirname);

export function renderInvoices(view: InvoicesView): string {
  const own = messagesOf(view.locale).record;
  const { title } = own.invoices;
  const formats = formatsIn(figuresLocaleOf(view.locale));
  const body = render('invoices', {
    own: own.invoices,
    rows: view.rows.map((row) => rowTexts(row, formats(row.currency), { view, own })),
    pager: { label: own.pages, ways: pagerOf(partAddress(view.home, 'invoices'), view, own) },
  });
  return inAccount(view, { part: 'invoices', page: 'invoices', title, body });
}

interface Texts {
  readonly view: InvoicesView;
  readonly own: RecordWords;
}

function rowTexts(row: ListedInvoice, { amount, date }: Formats, { view, own }: Texts) {
  const { id, invoiceNumber: text, invoiceDate, dueDate, status, open } = row;
  const isCredit = compare(row.amount, '0') < 0;
  const isOverdue = isPayable(row) && dueDate < view.today;
  const kind = isOverdue ? 'overdue' : status;
  return {
    link: invoiceLink(view, { id, text }),
    date: date(invoiceDate),
    due: isCredit ? '' : date(dueDate),
    amount: amount(row.amount),
    open: amount(open),
    status: own.invoiceStatus[kind === 'Paid' && isCredit ? 'credited' : kind],
    isOverdue,
  };
}

const isPayable = ({ status, open }: ListedInvoice): boolean =>
  status === 'Outstanding' && compare(open, '0') > 0;

/** The document has the heading of the page. */
export function renderInvoice(view: InvoiceView): string {
  const { listed, document, home, switches } = view;
  const { record, invoice: words } = messagesOf(view.locale);
  const { invoices: own } = record;
  const { id, cancellationNumber: number } = listed;
  const query = new URLSearchParams({ currency: listed.currency, invoice: String(id) });
  const canPay = switches.allowPayments && isPayable(listed);
  const body = render('invoice', {
    own,
    pdfs: [
      pdfLink(view, 'invoices', { id, text: own.pdf }),
      ...(number === null
        ? []
        : [cancellationLink(view, { id, text: `${words.cancellation} ${number} (PDF)` })]),
    ],
    pay: canPay ? linkable(`${partAddress(home, 'pay')}?${query.toString()}`) : null,
    all: linkable(partAddress(home, 'invoices')),
    locale: document.locale,
    stamp: document.stamp?.kind ?? 'open',
    body: invoicePart(document),
  });
  const { title } = document;
  const ownCss = '/css/invoice.css';
  return inAccount(view, { part: 'invoices', page: 'invoice', title, ownCss, body });
}
