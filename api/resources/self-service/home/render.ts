/** Renders the first page of hosted self-service: subscriptions, the next bill, what is open. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
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
import type { NextBill } from '../../../../operations/self-service/next-bill.ts';
import type { ListedOrder } from '../../../../operations/self-service/orders-own.ts';
import { linkable } from '../../../pages/frame.ts';
import { couponText, runningPriceText } from '../../../pages/plan-price.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import { inAccount, menuOf, partAddress, type AccountView } from '../page/account.ts';
import { expiryText, isUsable, methodName } from '../pay/pay-form.ts';
import { invoiceLink } from '../records/list.ts';
import { formatsIn, type FormatsFor } from '../page/formats.ts';

export interface HomeView extends AccountView, Pick<AccountHome, 'balances'> {
  /** Null if the session shows none. */
  readonly invoices: readonly OpenInvoice[] | null;
  readonly orders: readonly ListedOrder[];
  readonly nextBill: NextBill | null;
  /** The tenant's. */
  readonly today: IsoDate;
}

/** The others are on the page of subscriptions. */
const ORDERS_SHOWN_MAX = 5;

const render = templatesOf(import.meta.dirname);

export function renderHome(view: HomeView): string {
  const { balances, invoices, orders, nextBill } = view;
  const { account: own, order } = messagesOf(view.locale);
  const texts = { own, formats: formatsIn(figuresLocaleOf(view.locale)), view };
  const going = orders.filter(isGoing);
  const body = render('home', {
    own,
    title: order.title,
    orders: going.slice(0, ORDERS_SHOWN_MAX).map((each) => orderText(each, texts)),
    allOrders: allOrdersOf(view),
    nextBill: nextBill === null ? null : billText(nextBill, texts),
    balances: balances.map((balance) => balanceText(balance, texts)),
    invoices: invoices?.map((invoice) => invoiceText(invoice, texts)) ?? null,
    parts: menuOf(view, 'home')
      .filter(({ isHere }) => !isHere)
      .map(({ part, address, text }) => ({ address, text, about: own.about[part] })),
  });
  return inAccount(view, { part: 'home', page: 'home', title: own.title, body });
}

const isGoing = ({ status }: ListedOrder): boolean =>
  status === 'Active' || status === 'Suspended' || status === 'Provisioning';

/** The way to all of them, and to what may be done with them; null if the session has none. */
const allOrdersOf = ({ home, switches }: HomeView): string | null =>
  showsPart('orders', switches) ? linkable(partAddress(home, 'orders')) : null;

function orderText(order: ListedOrder, { formats, view }: Texts) {
  const { order: own, page: words } = messagesOf(view.locale);
  const { planName, status, price, currency, orderNumber } = order;
  const pricing = { words, formats: formats(currency) };
  return {
    title: planName,
    number: `${own.number} ${orderNumber}`,
    status: own.status[status],
    isAlarm: status === 'Suspended',
    price: price === null ? null : runningPriceText(price, pricing),
    coupon: price === null ? null : couponText(price, pricing),
  };
}

/** The amount is in the first place, then the day, then what pays it. */
function billText({ on, amounts, hasUsage, method }: NextBill, { own, formats, view }: Texts) {
  const { switches, home, today } = view;
  const texts = messagesOf(view.locale);
  const [first] = amounts ?? [];
  const { date } = formats(first?.currency ?? 'USD');
  const isShown = showsPart('card', switches);
  const isExpired = method !== null && !isUsable(method, today);
  return {
    on: date(on),
    amounts: amounts?.map(({ currency, amount }) => formats(currency).amount(amount)) ?? [],
    usage: hasUsage ? own.nextUsage : null,
    pays: method === null ? own.paidByYou : isShown ? methodName(method, texts) : own.paidByItself,
    expiry: method !== null && isShown ? expiryText(method, texts.pay, today) : null,
    isExpired,
    card: isShown ? linkable(partAddress(home, 'card')) : null,
    change: method === null ? own.addCard : own.changeCard,
  };
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
