/** The demo's change order: a customer upgrades in the middle of a month. */
import { all, done, text, type RestTarget, type Xml } from '../rest.ts';
import type { Books } from './books.ts';
import { explain, heading, say, table } from './words.ts';

const DAYS_AHEAD = 15;

/** Posts the change for a day in the middle of the month; returns a description of it. */
export async function upgrade(
  target: RestTarget,
  customerId: string,
  today: string,
): Promise<string> {
  const effectiveDate = Temporal.PlainDate.from(today).add({ days: DAYS_AHEAD }).toString();
  const listed = await done(target, 'GET', `/rest/orders?customerId=${customerId}`);
  const [current] = all(listed, 'subscriptionOrder');
  if (current === undefined) throw new Error(`customer ${customerId} has no order`);
  // At the price that the order has, whatever the plan costs by then.
  const how = `effectiveDate=${effectiveDate}&keepPrices=true`;
  const path = `/rest/changeOrder?currentOrderId=${text(current, '@id')}&${how}`;
  const item =
    '<orderLineItem><priceCode>GOLD-FEE</priceCode><quantity>3</quantity></orderLineItem>';
  const body = `<subscriptionOrder><orderLineItems>${item}</orderLineItems></subscriptionOrder>`;
  const next = await done(target, 'POST', path, body);
  const [from, to] = [text(current, 'orderNumber'), text(next, 'orderNumber')];
  return `Galois Algebra orders three lines from ${effectiveDate} on: ${to} will replace ${from}.`;
}

const columns = [
  { title: '' },
  { title: 'From' },
  { title: 'To' },
  { title: 'Amount', isFigure: true },
];

/** The invoice of the change: what goes back of the old order, and what the new one costs. */
export function showUpgrade(books: readonly Books[], customerId: string): void {
  const own = books.find(({ customer }) => customer.id === customerId);
  const invoice = own?.invoices.find((each) =>
    chargesOf(each).some((charge) => text(charge, 'amount').startsWith('-')),
  );
  if (own === undefined || invoice === undefined) return;
  heading('An upgrade in the middle of a month');
  explain(
    `${own.customer.name} has one line, and orders three from the middle of a month on. The change ` +
      'waits until its day; then the old order ends, and its unused days go back, with their tax, ' +
      'on the invoice of the new one, which is for the same days. It keeps the price that the order ' +
      'has: a plan that is dearer by then would change nothing.',
  );
  const rows = chargesOf(invoice).map((charge) => [
    text(charge, 'invoiceText'),
    text(charge, 'billingStartDate'),
    text(charge, 'billingEndDate'),
    text(charge, 'amount'),
  ]);
  const title = `Invoice ${text(invoice, 'invoiceNumber')}`;
  say('', ...table(columns, [...rows, [title, '', '', text(invoice, 'currentAmountDue')]]));
}

function chargesOf(invoice: Xml): readonly Xml[] {
  return all(invoice, 'invoiceLineItems', 'invoiceLineItem').flatMap((line) =>
    all(line, 'invoiceLineItemCharges', 'invoiceLineItemCharge'),
  );
}
