/** Renders the statement of a customer: by currency, each entry with the balance after it. */
import { formatsOf } from '../../../../domain/invoices/formats.ts';
import { compare } from '../../../../domain/money/money.ts';
import type {
  AskedPeriod,
  StatementPeriod,
} from '../../../../domain/self-service/statement-period.ts';
import { methodText } from '../../../../domain/text/method.ts';
import { fill } from '../../../../domain/text/fill.ts';
import { languageOf } from '../../../../domain/text/language.ts';
import type { Messages, RecordWords } from '../../../../domain/text/messages.ts';
import { messages, messagesOf } from '../../../../messages/messages.ts';
import {
  STATEMENT_ENTRIES_MAX,
  type CurrencyStatement,
  type Statement,
  type StatementEntry,
} from '../../../../operations/self-service/statements.ts';
import { problemsOf } from '../../../pages/fields.ts';
import { shownFields, type Fields } from '../../../pages/form.ts';
import { linkable } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import { inAccount, partAddress, type AccountView } from '../page/account.ts';
import { cancellationLink, invoiceLink, paymentLink, type RecordLink } from './list.ts';

export interface StatementView extends AccountView {
  /** As typed; the days of the period if nothing was. */
  readonly asked: AskedPeriod;
  readonly problems: readonly PageProblem[];
  /** Null while the form is at fault. */
  readonly shown: ShownStatement | null;
}

export interface ShownStatement extends Statement {
  readonly period: StatementPeriod;
  /** It goes on from a page with newer entries. */
  readonly isContinued: boolean;
}

const render = templatesOf(import.meta.dirname);

const periodFields = {
  from: { label: 'from', autocomplete: 'off', type: 'date' },
  to: { label: 'to', autocomplete: 'off', type: 'date' },
} as const satisfies Fields;

export function renderStatement(view: StatementView): string {
  const { shown, asked, problems } = view;
  const language = languageOf(view.locale);
  const [own, words] = [messages[language].record, messages[language].page];
  const path = partAddress(view.home, 'statements');
  const form = { action: path, key: '', problems };
  const context = { language, words, form };
  const fields = Object.values(shownFields(context, periodFields, { values: asked }));
  const body = render('statement', {
    own: own.statement,
    words,
    title: own.statement.title,
    step: null,
    requiredNote: null,
    problems: problemsOf(context, fields),
    action: linkable(path),
    fields,
    ...(shown === null ? nothing : shownTexts(shown, { own, view, path })),
  });
  const isFaulty = problems.length > 0;
  const { title } = own.statement;
  return inAccount(view, { part: 'statements', page: 'statements', title, isFaulty, body });
}

const nothing = { period: null, currencies: [], older: null };

interface Texts {
  readonly own: RecordWords;
  readonly view: StatementView;
  readonly path: string;
}

function shownTexts({ period: { from, to }, olderThan, ...shown }: ShownStatement, texts: Texts) {
  const { own, view, path } = texts;
  const locale = figuresLocaleOf(view.locale);
  const { currencies, isContinued } = shown;
  // Neither dates nor counts depend on the currency.
  const { date, number } = formatsOf(locale, currencies[0]?.currency ?? 'USD');
  const query = (day: string, id: number) =>
    new URLSearchParams({ from, to: day, before: String(id) }).toString();
  const marks = { isCut: olderThan !== null, isContinued };
  return {
    period: fill(own.statement.period, { from: date(from), to: date(to) }),
    currencies: currencies.map((each) => currencyTexts(each, { ...texts, ...marks, locale })),
    older:
      olderThan === null
        ? null
        : {
            note: fill(own.statement.onlyNewest, { count: number(String(STATEMENT_ENTRIES_MAX)) }),
            pager: {
              label: own.pages,
              ways: [
                {
                  address: linkable(`${path}?${query(olderThan.enteredOn, olderThan.id)}`),
                  text: own.statement.older,
                },
              ],
            },
          },
  };
}

interface CurrencyTexts extends Texts {
  /** Of figures. */
  readonly locale: string;
  readonly isCut: boolean;
  readonly isContinued: boolean;
}

function currencyTexts({ currency, entries, ...sums }: CurrencyStatement, texts: CurrencyTexts) {
  const { isCut, isContinued, locale, own } = texts;
  const { amount, date } = formatsOf(locale, currency);
  const { statement } = own;
  return {
    title: fill(statement.in, { currency }),
    opening: {
      label: isCut ? statement.broughtForward : statement.opening,
      value: amount(sums.opening),
    },
    closing: {
      label: isContinued ? statement.carriedForward : statement.closing,
      value: amount(sums.closing),
    },
    entries: entries.map((entry) => ({
      date: date(entry.enteredOn),
      what: whatOf(entry, texts),
      amount: amount(entry.amount),
      balance: amount(entry.balance),
    })),
  };
}

function whatOf(entry: StatementEntry, { view }: Texts): RecordLink {
  const text = entryText(entry, messagesOf(view.locale));
  const { invoiceId, paymentId, kind, cancellationNumber } = entry;
  if (invoiceId !== null && cancellationNumber !== null) {
    return cancellationLink(view, { id: invoiceId, text });
  }
  if (invoiceId !== null) return invoiceLink(view, { id: invoiceId, text });
  if (paymentId === null) return { address: null, text, newTab: null };
  return paymentLink(view, {
    id: paymentId,
    text,
    hasReceipt: kind === 'payment' && entry.hasReceipt,
  });
}

/** A negative invoice is a credit note; its reversal is positive. */
function entryText(
  { kind, amount, method, invoiceNumber, cancellationNumber }: StatementEntry,
  { record: { entry }, method: methods }: Messages,
): string {
  const sign = compare(amount, '0');
  const number = invoiceNumber ?? '';
  if (kind === 'invoice' && sign < 0) return fill(entry.creditNote, { number });
  if (cancellationNumber !== null) {
    return fill(entry.cancellation, { number: cancellationNumber, invoice: number });
  }
  if (kind === 'invoiceCancelled' && sign > 0) return fill(entry.creditNoteCancelled, { number });
  if (kind === 'payment' && method !== null)
    return fill(entry.paymentBy, { method: methodText(method, methods) });
  const text = entry[kind];
  return typeof text === 'string' ? text : fill(text, { number });
}
