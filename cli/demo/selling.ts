/** The demo's trials, one that becomes an order that is paid and one that ends, and an old debt that a new card pays. */
import { type RestTarget, all, done, text } from '../rest.ts';
import { explain, heading, say, table } from './words.ts';
import { cardOnFile } from './money.ts';

const TRIAL_DAYS = 14;

const names = { staying: 'Hertz Radio', leaving: 'Ives Interiors', indebted: 'Joule Heating' };

/** The ids of the customers. */
export type Sold = Readonly<Record<keyof typeof names, string>>;

/** Makes the customers with their orders; one of them ends its trial at once. */
export async function sell(target: RestTarget): Promise<Sold> {
  const staying = await customer(target, names.staying);
  await order(target, staying, `<trialDays>${TRIAL_DAYS}</trialDays>`);
  const leaving = await customer(target, names.leaving);
  const ending = await order(target, leaving, `<trialDays>${TRIAL_DAYS}</trialDays>`);
  const reason = encodeURIComponent('not needed');
  const path = `/rest/order/${ending}?action=cancel&when=periodEnd&reason=${reason}`;
  await done(target, 'POST', path);
  const indebted = await customer(target, names.indebted);
  // Stored without a word, and declined whenever it is charged.
  await cardOnFile(target, indebted, '4000000000000341');
  await order(target, indebted, '<isAutoPay>true</isAutoPay>');
  return { staying, leaving, indebted };
}

async function customer(target: RestTarget, name: string): Promise<string> {
  const made = await done(
    target,
    'POST',
    '/rest/customers',
    `<customer><name>${name}</name><billingContact><firstName>${name}</firstName>` +
      '</billingContact></customer>',
  );
  return text(made, '@id');
}

async function order(target: RestTarget, customerId: string, more: string): Promise<string> {
  const body =
    `<subscriptionOrder><customer id="${customerId}"/><contractCode>GOLD</contractCode>${more}` +
    '</subscriptionOrder>';
  return text(await done(target, 'POST', '/rest/orders', body), '@id');
}

/** After the second month; returns a description of it. */
export async function replaceCard(target: RestTarget, { indebted }: Sold): Promise<string> {
  await cardOnFile(target, indebted, '4242424242424242');
  return `${names.indebted}, whose card was declined again and again, puts a new one on file.`;
}

const columns = [
  { title: 'Customer' },
  { title: 'Order' },
  { title: 'Status' },
  { title: 'Free to' },
  { title: 'First invoice' },
  { title: 'Paid on' },
  { title: 'Invoices' },
];

export async function saySold(target: RestTarget, sold: Sold): Promise<void> {
  heading('Trials, and a new card');
  explain(
    `${names.staying} and ${names.leaving} order with trialDays=${TRIAL_DAYS}. The first one is billed from the ` +
      'day after its trial on. The second one cancels with when=periodEnd: it is Complete after the ' +
      `trial, and there is no invoice. ${names.indebted} pays by a card that is always declined; after the ` +
      'last retry its invoices stay open. The new card is charged for them at the next 00:00.',
  );
  const rows: (readonly string[])[] = [];
  for (const key of ['staying', 'leaving', 'indebted'] as const) {
    const byCustomer = `customerId=${sold[key]}`;
    const [made] = all(
      await done(target, 'GET', `/rest/orders?${byCustomer}`),
      'subscriptionOrder',
    );
    const invoices = all(await done(target, 'GET', `/rest/invoices?${byCustomer}`), 'invoice');
    const payments = all(await done(target, 'GET', `/rest/payments?${byCustomer}`), 'payment');
    const first = invoices.map((each) => text(each, 'invoiceDate')).toSorted()[0] ?? '';
    const paid = payments
      .filter((each) => text(each, 'status') === 'Paid')
      .map((each) => text(each, 'effectiveDate'))
      .toSorted();
    rows.push([
      names[key],
      made === undefined ? '' : text(made, 'orderNumber'),
      made === undefined ? '' : text(made, 'orderStatus'),
      made === undefined ? '' : text(made, 'trialEndDate'),
      first,
      paid[0] ?? '',
      String(invoices.length),
    ]);
  }
  say('', ...table(columns, rows));
}
