/** Renders the first page of hosted self-service: balances, open invoices, the ways to the parts. */
import { compare } from '../../../../domain/money/money.ts';
import { showsPart } from '../../../../domain/self-service/switches.ts';
import { fill } from '../../../../domain/text/fill.ts';
import type { AccountWords } from '../../../../domain/text/messages.ts';
import { messagesOf } from '../../../../messages/messages.ts';
import type {
  AccountBalance,
  AccountHome,
  OpenInvoice,
} from '../../../../operations/self-service/home.ts';
import { linkable } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import { inAccount, menuOf, partAddress, type AccountView } from '../page/account.ts';
import { invoiceLink } from '../records/list.ts';
import { formatsIn, type FormatsFor } from '../page/formats.ts';

export interface HomeView extends AccountView, Pick<AccountHome, 'balances'> {
  /** Null if the session shows none. */
  readonly invoices: readonly OpenInvoice[] | null;
}

const render = templatesOf(import.meta.dirname);

export function renderHome(view: HomeView): string {
  const { balances, invoices } = view;
  const own = messagesOf(view.locale).account;
  const texts = { own, formats: formatsIn(figuresLocaleOf(view.locale)), view };
  const body = render('home', {
    own,
    balances: balances.map((balance) => balanceText(balance, texts)),
    invoices: invoices?.map((invoice) => invoiceText(invoice, texts)) ?? null,
    parts: menuOf(view, 'home')
      .filter(({ isHere }) => !isHere)
      .map(({ part, address, text }) => ({ address, text, about: own.about[part] })),
  });
  return inAccount(view, { part: 'home', page: 'home', title: own.title, body });
}

interface Texts {
  readonly own: AccountWords;
  readonly formats: FormatsFor;
  readonly view: HomeView;
}

function balanceText(balance: AccountBalance, { own, formats, view }: Texts) {
  const { currency } = balance;
  const { amount } = formats(currency);
  const sums = (['open', 'overdue', 'unapplied'] as const).map((name) => ({
    name,
    label: own[name],
    value: amount(balance[name]),
    isSome: compare(balance[name], '0') !== 0,
  }));
  const isOnly = view.balances.length === 1;
  const isPayable = compare(balance.open, '0') > 0 && showsPart('pay', view.switches);
  const pay = isPayable ? linkable(`${partAddress(view.home, 'pay')}?currency=${currency}`) : null;
  return { currency, pay, title: isOnly ? own.balance : fill(own.balanceIn, { currency }), sums };
}

function invoiceText(invoice: OpenInvoice, { own, formats, view }: Texts) {
  const { amount, date } = formats(invoice.currency);
  const { id, invoiceNumber: number, invoiceDate, dueDate, open } = invoice;
  return {
    link: invoiceLink(view, {
      id,
      text: fill(own.invoiceTitle, { number, date: date(invoiceDate) }),
    }),
    due: fill(own.due, { date: date(dueDate) }),
    open: amount(open),
  };
}
