/** Renders the page on which a customer pays open invoices. */
import { type Formats, amountFormat, formatsOf } from '../../../../domain/invoices/formats.ts';
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { type Decimal, formatAmount } from '../../../../domain/money/money.ts';
import { showsPart } from '../../../../domain/self-service/switches.ts';
import { fill } from '../../../../domain/text/fill.ts';
import type { PayWords } from '../../../../domain/text/messages.ts';
import { messages } from '../../../../messages/messages.ts';
import type { FiledMethod } from '../../../../operations/payment-methods/methods-on-file.ts';
import type { Payable, PayableInvoice } from '../../../../operations/self-service/payable.ts';
import type { EnteredMethod } from '../../../../domain/payments/gateway-settings.ts';
import { type EnteringView, shownNewMethod, takesNewMethods } from '../../../pages/new-method.ts';
import {
  type FormContext,
  checkboxOf,
  fieldOf,
  formContext,
  formOf,
  problemsOf,
} from '../../../pages/fields.ts';
import { linkable } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import type { FormView } from '../../../pages/view.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import { type AccountView, inAccount, partAddress } from '../page/account.ts';
import type { Action } from '../orders/views.ts';
import { invoiceLink } from '../records/list.ts';
import { NEW_CARD, boxName, expiryText, isUsable, methodName } from './pay-form.ts';

export interface PayView extends AccountView, Payable, EnteringView {
  readonly form: FormView;
  readonly today: IsoDate;
  readonly chosen: readonly number[];
  /** Of what is chosen. */
  readonly total: Decimal;
  /** Nothing is paid by a session whose cards were declined too often. */
  readonly canPay: boolean;
  /** What was ordered just now. */
  readonly done: Action | null;
  readonly methods: readonly FiledMethod[];
  /** The id of one of them, or that of a new card. */
  readonly method: string;
  readonly savePaymentMethod: boolean;
}

const render = templatesOf(import.meta.dirname);

export function renderPay(view: PayView): string {
  const context = formContext(view);
  const { language, words } = context;
  const own = messages[language].pay;
  const locale = figuresLocaleOf(view.locale);
  const formats = formatsOf(locale, view.currency);
  const { fields, payment } = paymentOf(view, own, context);
  const problems = problemsOf(context, fields);
  const total = formats.amount(view.total);
  const list = listOf(view, own, formats);
  const body = render('pay', {
    own,
    words,
    problems,
    payment,
    total,
    title: own.payTitle,
    done: view.done === null ? null : messages[language].order[view.done].done,
    step: null,
    requiredNote: null,
    form: formOf(context, { today: view.today }),
    payButton: fill(own.pay, { amount: total }),
    count: view.chosen.length,
    currency: view.currency,
    ...list,
    choice: JSON.stringify({
      ...amountFormat(locale, view.currency),
      pay: own.pay.pattern,
      none: words.problem['invoices.none'],
    }),
  });
  const isFaulty = problems.length > 0;
  return inAccount(view, { part: 'pay', page: 'pay', title: own.payTitle, isFaulty, body });
}

function listOf(view: PayView, own: PayWords, formats: Formats) {
  const { currency, invoices, isCut, canPay, chosen } = view;
  const address = partAddress(view.home, 'pay');
  const free = invoices.filter(({ payingId }) => payingId === null);
  return {
    listTitle: fill(own.openIn, { currency }),
    invoices: invoices.map((invoice) => rowOf(invoice, formats, { view, own })),
    isChoice: canPay && free.length > 0,
    areAllChosen: chosen.length === free.length,
    cut: isCut ? fill(own.cut, { count: String(invoices.length) }) : null,
    others: view.currencies
      .filter((each) => each !== currency)
      .map((each) => ({
        address: linkable(`${address}?currency=${each}`),
        text: fill(own.openIn, { currency: each }),
      })),
  };
}

interface Texts {
  readonly view: PayView;
  readonly own: PayWords;
}

function rowOf(invoice: PayableInvoice, { amount, date }: Formats, { view, own }: Texts) {
  const { home, switches, chosen, today, canPay, currency } = view;
  const { id, invoiceNumber: number, invoiceDate, dueDate, payingId } = invoice;
  return {
    id,
    link: invoiceLink(view, {
      id,
      text: fill(own.invoiceTitle, { number, date: date(invoiceDate) }),
    }),
    label: fill(own.chooseInvoice, { number }),
    due: date(dueDate),
    isOverdue: dueDate < today,
    open: amount(invoice.open),
    box:
      canPay && payingId === null
        ? {
            name: boxName(id),
            value: formatAmount(currency, invoice.open),
            isTicked: chosen.includes(id),
          }
        : null,
    isUnderWay: payingId !== null,
    isWaiting: payingId === null && invoice.isWaiting,
    paying:
      payingId !== null && showsPart('payments', switches)
        ? linkable(`${partAddress(home, 'payments')}/${payingId}`)
        : null,
  };
}

function paymentOf(view: PayView, own: PayWords, context: FormContext) {
  const { methods, today, taken, tenant, total: amount, sender: creditor } = view;
  const texts = messages[context.language];
  const choice = fieldOf(context, { name: 'method', label: own.method, autocomplete: 'off' });
  const method = shownNewMethod(context, { ...view, creditor, amount, isRequired: true });
  const first = methods.find(({ preference }) => preference === 1);
  const label = saveText(own, first && methodName(first, texts), taken);
  const save = { name: 'savePaymentMethod', label, isTicked: view.savePaymentMethod };
  const savePaymentMethod = checkboxOf(context, save);
  const options = methods.map((method) => ({
    value: String(method.id),
    text: methodName(method, texts),
    note: expiryText(method, own, today),
    isUsable: isUsable(method, today),
    isChosen: view.method === String(method.id),
  }));
  const isNew = view.method === NEW_CARD;
  const newText = taken.length > 1 ? own.newMethod : own.newCard;
  const takesNew = takesNewMethods(tenant);
  const shown = { choice, method, savePaymentMethod, options, isNew, newText, takesNew };
  const payment = { ...shown, newCard: NEW_CARD };
  return { payment, fields: [choice, ...method.fields, savePaymentMethod] };
}

/** @param before the method whose place the new one takes */
function saveText(
  own: PayWords,
  before: string | undefined,
  { length }: readonly EnteredMethod[],
): string {
  const isCard = length === 1;
  if (before === undefined) return isCard ? own.save : own.saveMethod;
  return fill(isCard ? own.saveReplacing : own.saveMethodReplacing, { method: before });
}
