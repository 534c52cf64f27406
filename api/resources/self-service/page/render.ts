/** Renders the first page of hosted self-service: the customer, its balances, its open invoices. */
import { formatsOf } from '../../../../domain/invoices/formats.ts';
import { fill } from '../../../../domain/invoices/words.ts';
import { compare } from '../../../../domain/money/money.ts';
import { RELOAD_SECONDS } from '../../../../domain/self-service/session.ts';
import type {
  AccountBalance,
  AccountHome,
  OpenInvoice,
} from '../../../../operations/self-service/home.ts';
import { framed } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import type { PageView } from '../../../pages/view.ts';
import { figuresLocaleOf, pageLanguageOf } from '../../../pages/words.ts';
import { selfServiceWords } from './words.ts';
import type { SelfServiceWords } from './words-english.ts';

export interface HomeView extends PageView, Pick<AccountHome, 'name' | 'balances'> {
  /** Null if the session shows none. */
  readonly invoices: readonly OpenInvoice[] | null;
}

const render = templatesOf(import.meta.dirname);

export function renderHome(view: HomeView): string {
  const { name, balances, invoices } = view;
  const own = selfServiceWords[pageLanguageOf(view.locale)];
  const locale = figuresLocaleOf(view.locale);
  const isOnly = balances.length === 1;
  const body = render('home', {
    own,
    name,
    reloadSeconds: RELOAD_SECONDS,
    balances: balances.map((balance) => balanceText(balance, { own, locale, isOnly })),
    invoices: invoices?.map((invoice) => invoiceText(invoice, own, locale)) ?? null,
  });
  const page = { page: 'home', title: own.title, refreshSeconds: RELOAD_SECONDS, body };
  return framed({ ...view, ...page });
}

interface Texts {
  readonly own: SelfServiceWords;
  readonly locale: string;
  /** The customer has this currency alone. */
  readonly isOnly: boolean;
}

function balanceText(balance: AccountBalance, { own, locale, isOnly }: Texts) {
  const { currency } = balance;
  const { amount } = formatsOf(locale, currency);
  const sums = (['open', 'overdue', 'unapplied'] as const).map((name) => ({
    name,
    label: own[name],
    value: amount(balance[name]),
    isSome: compare(balance[name], '0') !== 0,
  }));
  return { currency, title: isOnly ? own.balance : fill(own.balanceIn, { currency }), sums };
}

function invoiceText(invoice: OpenInvoice, own: SelfServiceWords, locale: string) {
  const { amount, date } = formatsOf(locale, invoice.currency);
  const { invoiceNumber: number, invoiceDate, dueDate, open } = invoice;
  return {
    title: fill(own.invoiceTitle, { number, date: date(invoiceDate) }),
    due: fill(own.due, { date: date(dueDate) }),
    open: amount(open),
  };
}
