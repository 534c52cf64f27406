/** The actions of the demo's customers: they pay, are credited, and get refunds. */
import { type RestTarget, type Xml, all, done, text } from '../rest.ts';
import type { Cast, MadeCustomer } from './cast.ts';
import { upgrade } from './upgrade.ts';
import { reportLateUsage } from './usage.ts';
import { explain, say, table } from './words.ts';

const methods = {
  declining: card('4000000000000341', { preference: 1 }),
  good: card('4111111111111111', { preference: 2 }),
  first: card('4111111111111111', { preference: 1 }),
  once: card('5555555555554444'),
  check:
    '<paymentMethodDTO type="Check"><checkPaymentMethod><checkNumber>100233</checkNumber>' +
    '</checkPaymentMethod></paymentMethodDTO>',
};

function card(cardNumber: string, { preference }: { readonly preference?: number } = {}): string {
  const onFile =
    preference === undefined ? '' : `<autopayPreference>${preference}</autopayPreference>`;
  return (
    `<paymentMethodDTO type="CreditCard"><creditCardPaymentMethod>${onFile}` +
    `<cardNumber>${cardNumber}</cardNumber><expiry>2099-12-31</expiry><cvv>123</cvv>` +
    '<cardholderName>Ada Field</cardholderName></creditCardPaymentMethod></paymentMethodDTO>'
  );
}

/** Before the first month. */
export async function putMethodsOnFile(
  target: RestTarget,
  { cascading, inInstallments, quoted, upgrading }: Cast,
): Promise<void> {
  const onFile = [
    [cascading, methods.declining],
    [cascading, methods.good],
    [inInstallments, methods.first],
    [quoted, methods.first],
    [upgrading, methods.first],
  ] as const;
  for (const [id, method] of onFile) await putOnFile(target, id, method);
}

async function putOnFile(
  target: RestTarget,
  customerId: string,
  method: string,
  { isTried = true }: { readonly isTried?: boolean } = {},
): Promise<void> {
  const path = `/rest/customer/${customerId}/autopay?validate=${isTried}`;
  await done(target, 'PUT', path, `<autopay>${method}</autopay>`);
}

/** Puts a card on file in the first place; it is tried with nothing first, unless it would ask. */
export function cardOnFile(
  target: RestTarget,
  customerId: string,
  cardNumber: string,
  options: { readonly isTried?: boolean } = {},
): Promise<void> {
  return putOnFile(target, customerId, card(cardNumber, { preference: 1 }), options);
}

/** After a month, counted from 1; each action happens once. Returns a description of it. */
export async function act(
  target: RestTarget,
  cast: Cast,
  { month, today }: { readonly month: number; readonly today: string },
): Promise<string | undefined> {
  if (month === 1) {
    const fields = '<amount>5.00</amount><internalNotes>For the late delivery</internalNotes>';
    await book(target, '/rest/credits', cast.credited, fields);
    const change = await upgrade(target, cast.upgrading, today);
    const usage = await reportLateUsage(target, cast.credited);
    return `Bell Voice Ltd is credited 5.00 for a late delivery. ${usage} ${change}`;
  }
  if (month === 2) {
    const first = (await invoicesOf(target, cast.refunded, 'Outstanding')).at(-1);
    if (first === undefined) return undefined;
    const fields =
      `<amount>${first.open}</amount><invoices><invoice id="${first.id}"/></invoices>` +
      methods.once;
    await book(target, '/rest/payments', cast.refunded, fields);
    return `Cassini Observatory pays invoice ${first.number} by card: ${first.open}.`;
  }
  if (month === 3) {
    const credited = await creditPart(target, cast.refunded);
    const refunded = await refundPart(target, cast.refunded);
    const fields = `<amount>30.00</amount>${methods.check}`;
    await book(target, '/rest/payments', cast.credited, fields);
    return `${credited} ${refunded} Bell Voice Ltd pays 30.00 by check.`;
  }
  const late = await done(target, 'GET', `/rest/customer/${cast.late}`);
  const owed = text(late, 'customerFinancials', 'currentBalance');
  await book(target, '/rest/payments', cast.late, `<amount>${owed}</amount>${methods.once}`);
  return `Dirac Instruments, ${text(late, 'status')} by now, pays all that it owes: ${owed}.`;
}

/** Of the newest open invoice, by a credit note. */
async function creditPart(target: RestTarget, customerId: string): Promise<string> {
  const [invoice] = await invoicesOf(target, customerId, 'Outstanding');
  if (invoice === undefined) return '';
  const body = '<creditNote><reason>The line was down</reason><amount>8.00</amount></creditNote>';
  const note = await done(target, 'POST', `/rest/invoice/${invoice.id}/creditNote`, body);
  const number = text(note, 'invoiceNumber');
  return `Credit note ${number} takes 8.00 off invoice ${invoice.number} of Cassini Observatory.`;
}

/** Of the invoice that was paid, with a credit note of as much. */
async function refundPart(target: RestTarget, customerId: string): Promise<string> {
  const paid = await invoicesOf(target, customerId, 'Paid');
  const invoice = paid.findLast(({ isNote }) => !isNote);
  if (invoice === undefined) return '';
  const fields =
    `<amount>10.00</amount><invoiceText>As a courtesy</invoiceText><creditNote>true</creditNote>` +
    `<invoices><invoice id="${invoice.id}"/></invoices>`;
  await book(target, '/rest/refunds', customerId, fields);
  return `It gets 10.00 of invoice ${invoice.number} back, with a credit note.`;
}

async function book(
  target: RestTarget,
  path: string,
  customerId: string,
  fields: string,
): Promise<void> {
  const body = `<processPayment><customer id="${customerId}"/>${fields}</processPayment>`;
  await done(target, 'POST', path, body);
}

interface ListedInvoice {
  readonly id: string;
  readonly number: string;
  readonly open: string;
  readonly isNote: boolean;
}

/** The latest due date first. */
async function invoicesOf(
  target: RestTarget,
  customerId: string,
  status: 'Outstanding' | 'Paid',
): Promise<ListedInvoice[]> {
  const path = `/rest/invoices?customerId=${customerId}&status=${status}`;
  const listed = await done(target, 'GET', path);
  return all(listed, 'invoice').map((invoice) => ({
    id: text(invoice, '@id'),
    number: text(invoice, 'invoiceNumber'),
    open: text(invoice, 'outstandingBalance'),
    isNote: text(invoice, 'creditNoteOf', '@id') !== '',
  }));
}

/* A debtor who ages, is suspended and comes back, and a customer who pays in installments. */

export interface Debts {
  /** Changes of status of the demo's customers, the oldest first. */
  readonly transitions: readonly Xml[];
  readonly paymentPlan: Xml;
}

const INSTALLMENTS = 4;
/** In the middle of a month, so that an installment is never due on the day of an invoice. */
const FIRST_INSTALLMENT_DAYS = 15;

/** @param today the first day of the demo, `YYYY-MM-DD` */
export async function enablePaymentPlan(
  target: RestTarget,
  { inInstallments }: Cast,
  today: string,
): Promise<void> {
  const startDate = Temporal.PlainDate.from(today).add({ days: FIRST_INSTALLMENT_DAYS }).toString();
  await done(
    target,
    'POST',
    `/rest/customers/paymentPlan?id=${inInstallments}`,
    `<paymentPlan><chargeAmount>60.00</chargeAmount><startDate>${startDate}</startDate>` +
      `<totalNumberOfInstallments>${INSTALLMENTS}</totalNumberOfInstallments>` +
      '<frequencyValue>1</frequencyValue><frequencyUnits>Months</frequencyUnits></paymentPlan>',
  );
}

interface Period {
  readonly from: string;
  readonly to: string;
}

export async function debtsOf(
  target: RestTarget,
  customers: readonly MadeCustomer[],
  { inInstallments }: Cast,
  { from, to }: Period,
): Promise<Debts> {
  const ids = new Set(customers.map(({ id }) => id));
  const path = `/rest/customers/transitions?startDate=${from}&endDate=${to}&max=1000`;
  const listed = all(await done(target, 'GET', path), 'customerTransition');
  return {
    transitions: listed.filter((each) => ids.has(text(each, 'customer', '@id'))).toReversed(),
    paymentPlan: await done(target, 'GET', `/rest/customers/${inInstallments}/paymentPlan`),
  };
}

export function sayDebts({ transitions, paymentPlan }: Debts): void {
  explain(
    'The tenant’s file says after how many days of an unpaid invoice a customer’s status changes: ' +
      'Overdue1 at 15, Overdue2 at 30, Suspended1 at 60. While a customer is suspended none of its ' +
      'orders bills. Once nothing is overdue any more, the customer is Active again at once.',
  );
  say('');
  const rows = transitions.map((each) => [
    text(each, 'dateTransitioned'),
    text(each, 'customer', 'name'),
    `${text(each, 'previousStatus')} → ${text(each, 'newStatus')}`,
  ]);
  say(...table([{ title: 'Date' }, { title: 'Customer' }, { title: 'Status' }], rows), '');
  const [total, left] = [
    text(paymentPlan, 'totalNumberOfInstallments'),
    text(paymentPlan, 'remainingInstallments'),
  ];
  explain(
    `Euler Print’s payment plan has ${total} installments of ${text(paymentPlan, 'chargeAmount')}; ` +
      `${left} remain. An installment charges no more than what is owed. While the plan is enabled, ` +
      'invoices are not paid automatically otherwise.',
  );
}
