/** The content of mails that announce a date: of an order, the end of a card, or a debit. */
import type { Decimal } from '../money/money.ts';
import { fill } from '../text/fill.ts';
import { methodText } from '../text/method.ts';
import type { Content, Wording } from './content.ts';
import type { MailCard, MailDebit, MailNotice, MailSubject } from './source.ts';

/**
 * The date, the first invoice from then on, and how it is paid.
 *
 * @example noticeContent('renewalNotice', notice, wording).subject
 *   // 'Your order 1007 renews on January 31, 2028'
 */
export function noticeContent(
  kind: 'trialEnding' | 'renewalNotice' | 'priceChange',
  notice: MailNotice,
  wording: Wording,
): Content {
  const { words, own, methods } = wording;
  const { orderNumber: number, planName: plan, nextInvoice, isAutoPay } = notice;
  const date = wording.date(notice.date);
  const method = notice.method === null ? null : methodText(notice.method, methods);
  const invoice =
    nextInvoice === null
      ? { date: null, amount: null }
      : {
          date: wording.date(nextInvoice.invoiceDate),
          amount: wording.amount(nextInvoice.amount, nextInvoice.currency),
        };
  const payment =
    method === null ? (isAutoPay ? own.paidByNoMethod : own.paidByInvoice) : own.paidByMethod;
  return {
    subject: fill(own[kind].subject, { number, date }),
    paragraphs: [fill(own[kind].lead, { number, plan, date }), payment],
    facts: [
      { name: 'orderNumber', label: words.order, value: number },
      { name: 'plan', label: own.plan, value: plan },
      { name: 'date', label: own[kind].date, value: date },
      { name: 'nextBillDate', label: own.nextBillDate, value: invoice.date },
      { name: 'amount', label: own.nextInvoice, value: invoice.amount },
      { name: 'paymentMethod', label: own.paymentMethod, value: method },
    ],
    table: null,
    remarks: [],
  };
}

/**
 * The same, with what a period costs before and after.
 *
 * @example priceContent({ kind: 'priceChange', notice, prices }, wording).facts[2]
 *   // { name: 'date', label: 'New prices from', value: 'January 31, 2028' }
 */
export function priceContent({ notice, prices }: PriceMail, wording: Wording): Content {
  const { own, amount } = wording;
  const content = noticeContent('priceChange', notice, wording);
  const said = (price: Decimal | undefined) =>
    prices === null || price === undefined ? null : amount(price, prices.currency);
  const facts = [
    { name: 'priceBefore', label: own.priceBefore, value: said(prices?.before) },
    { name: 'priceAfter', label: own.priceAfter, value: said(prices?.after) },
  ];
  return { ...content, facts: content.facts.toSpliced(3, 0, ...facts) };
}

type PriceMail = Extract<MailSubject, { readonly kind: 'priceChange' }>;

/**
 * The card, masked, and its last day.
 *
 * @example cardContent({ method: 'Visa - *****1111', lastDay: '2027-03-31' }, wording).subject
 *   // 'Your card expires: Visa - *****1111'
 */
export function cardContent({ method, lastDay }: MailCard, wording: Wording): Content {
  const { own, methods } = wording;
  const card = methodText(method, methods);
  const date = wording.date(lastDay);
  return {
    subject: fill(own.cardExpiring.subject, { card }),
    paragraphs: [fill(own.cardExpiring.lead, { card, date }), own.cardHow],
    facts: [
      { name: 'paymentMethod', label: own.paymentMethod, value: card },
      { name: 'expiry', label: own.validUntil, value: date },
    ],
    table: null,
    remarks: [own.cardReplaced],
  };
}

/**
 * What is debited at most, when, from which account, and by which mandate.
 *
 * @example debitContent(debit, wording).subject // 'Debit of €30.00 on March 3, 2027'
 */
export function debitContent(debit: MailDebit, wording: Wording): Content {
  const { words, own, methods } = wording;
  const { invoiceNumber: number, mandate } = debit;
  const amount = wording.amount(debit.amount, debit.currency);
  const date = wording.date(debit.debitDate);
  const account = methodText(debit.method, methods);
  return {
    subject: fill(own.debitNotice.subject, { amount, date }),
    paragraphs: [fill(own.debitNotice.lead, { amount, date, account, number }), own.debitCover],
    facts: [
      { name: 'amount', label: words.amount, value: amount },
      { name: 'debitDate', label: own.debitDate, value: date },
      { name: 'paymentMethod', label: own.paymentMethod, value: account },
      { name: 'mandate', label: own.mandate, value: mandate },
      { name: 'invoiceNumber', label: words.invoiceNumber, value: number },
    ],
    table: null,
    remarks: [own.debitLess],
  };
}
