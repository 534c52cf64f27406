/** The demo's metered customer: usage that is reported in time, late, and corrected. */
import { all, done, text, type RestTarget, type Xml } from '../rest.ts';
import type { Books } from './books.ts';
import { explain, heading, say, strong, table } from './words.ts';

interface Reported {
  /** Unique within the order. */
  readonly ref: string;
  readonly minutes: number;
  /** The present day without it. */
  readonly on?: string;
  readonly corrects?: string;
}

interface Metered {
  readonly orderNumber: string;
  readonly startDate: string;
}

/** Before the first month. */
export async function reportUsage(target: RestTarget, customerId: string): Promise<void> {
  await upload(target, await orderOf(target, customerId), [
    { ref: 'calls-1', minutes: 70 },
    { ref: 'calls-2', minutes: 110 },
  ]);
}

/** After the first month; returns a description of it. */
export async function reportLateUsage(target: RestTarget, customerId: string): Promise<string> {
  const order = await orderOf(target, customerId);
  await upload(target, order, [
    { ref: 'calls-3', minutes: 40, on: order.startDate },
    { ref: 'calls-4', minutes: 90 },
    { ref: 'calls-5', minutes: -20, corrects: 'calls-1' },
  ]);
  return 'Bell Voice Ltd has more calls: of today, late ones, and 20 minutes that were no calls.';
}

async function orderOf(target: RestTarget, customerId: string): Promise<Metered> {
  const listed = await done(target, 'GET', `/rest/orders?customerId=${customerId}`);
  const [order] = all(listed, 'subscriptionOrder');
  if (order === undefined) throw new Error(`customer ${customerId} has no order`);
  return { orderNumber: text(order, 'orderNumber'), startDate: text(order, 'startDate') };
}

async function upload(
  target: RestTarget,
  { orderNumber }: Metered,
  records: readonly Reported[],
): Promise<void> {
  // Of other runs of the demo there are records, too.
  const refOf = (ref: string): string => `${orderNumber}-${ref}`;
  const inner = records.map(({ ref, minutes, on, corrects }) => {
    const day = on === undefined ? '' : `<chargeDate>${on}</chargeDate>`;
    const corrected =
      corrects === undefined ? '' : `<correctsExtRefId>${refOf(corrects)}</correctsExtRefId>`;
    const fields = `<extRefId>${refOf(ref)}</extRefId><quantity>${minutes}</quantity>`;
    return `<activity>${fields}${day}${corrected}</activity>`;
  });
  const path = `/rest/order/activities?orderNumber=${orderNumber}`;
  await done(target, 'POST', path, `<list>${inner.join('')}</list>`);
}

/** The records of a customer, which have their amounts once they are billed. */
export async function usageOf(target: RestTarget, customerId: string): Promise<readonly Xml[]> {
  const path = `/rest/activities?customerId=${customerId}&max=100`;
  return all(await done(target, 'GET', path), 'activity');
}

const recordColumns = [
  { title: 'Record' },
  { title: 'Day' },
  { title: 'Minutes', isFigure: true },
  { title: 'Corrects' },
  { title: 'Invoice' },
  { title: 'Amount', isFigure: true },
];
const chargeColumns = [
  { title: '' },
  { title: 'Minutes', isFigure: true },
  { title: 'Amount', isFigure: true },
];

/** The records, and the charges of the invoice that has a correction. */
export function showUsage(books: readonly Books[], usage: readonly Xml[]): void {
  const correction = usage.find((record) => text(record, 'correctsExtRefId') !== '');
  const number = correction && text(correction, 'invoiceNumber');
  const invoice = books
    .flatMap(({ invoices }) => invoices)
    .find((each) => text(each, 'invoiceNumber') === number);
  if (invoice === undefined) return;
  heading('Usage, in time, late and corrected');
  explain(
    'Bell Voice Ltd pays for the minutes of each calendar month after its end: 0.10 each, above 100 ' +
      'minutes 0.08. Each record shows its share of what its month cost. The month of the late ' +
      'record was billed already, so the next one bills it, and the correction gives back what its ' +
      'minutes cost.',
  );
  const rows = usage.map((record) => [
    text(record, 'extRefId'),
    text(record, 'chargeDate'),
    text(record, 'quantity'),
    text(record, 'correctsExtRefId'),
    text(record, 'invoiceNumber'),
    text(record, 'amount'),
  ]);
  say('', ...table(recordColumns, rows), '');
  say(strong(`Usage on invoice ${number}`));
  const charges = usageCharges(invoice).map((charge) => [
    isSubTotal(charge) ? 'Subtotal' : text(charge, 'invoiceText'),
    text(charge, 'quantity'),
    text(charge, 'amount'),
  ]);
  say(...table(chargeColumns, charges));
}

/** A subtotal is in no sum. */
export const isSubTotal = (charge: Xml): boolean =>
  text(charge, 'isUsageChargeSubTotal') === 'true';

function usageCharges(invoice: Xml): readonly Xml[] {
  return all(invoice, 'invoiceLineItems', 'invoiceLineItem')
    .flatMap((line) => all(line, 'invoiceLineItemCharges', 'invoiceLineItemCharge'))
    .filter((charge) => text(charge, 'priceCode') === 'MINUTES');
}
