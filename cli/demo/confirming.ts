/** The demo's bank that asks: an automatic payment waits for its payer, who confirms it by a link. */
import { type RestTarget, type Visited, all, done, text, visit } from '../rest.ts';
import { cardOnFile } from './money.ts';
import { explain, heading, pointTo } from './words.ts';

const name = 'Hilbert Rooms';
/** Of the sandbox: its bank asks for its holder whenever it is charged. */
const ASKING = '4000002760003184';
const WITHOUT_ASKING = '4242424242424242';

/** Makes the customer with an order that pays itself; returns the customer's id. */
export async function makeAsked(target: RestTarget): Promise<string> {
  const made = await done(
    target,
    'POST',
    '/rest/customers',
    `<customer><name>${name}</name><billingContact><firstName>${name}</firstName>` +
      '<emailPrimary>office@hilbert.example</emailPrimary><address><city>Albany</city>' +
      '<state>NY</state><zip>12207</zip><countryCode>US</countryCode></address></billingContact>' +
      '</customer>',
  );
  const id = text(made, '@id');
  // No page has confirmed the card: validate=true would refuse it.
  await cardOnFile(target, id, ASKING, { isTried: false });
  const order = `<contractCode>GOLD</contractCode><isAutoPay>true</isAutoPay>`;
  const body = `<subscriptionOrder><customer id="${id}"/>${order}</subscriptionOrder>`;
  await done(target, 'POST', '/rest/orders', body);
  return id;
}

/** On the day of its first invoice: shows that the payment waits, and confirms it as its payer would. */
export async function showAsked(target: RestTarget, customerId: string): Promise<void> {
  const [waiting] = await paymentsOf(target, customerId);
  if (waiting?.status !== 'ActionRequired') throw new Error('no payment waits for its payer');
  const { id, amount, until } = waiting;
  heading('A bank that asks its customer');
  explain(
    `The clock has gone on by a day, and the first invoices are charged. ${name} pays by a card whose ` +
      'bank wants its holder to confirm each payment (3-D Secure), and nobody is there. So payment ' +
      `${id} of ${amount} USD is ActionRequired, until ${until}. No money has moved. A mail tells the ` +
      'customer, with a link like this one:',
  );
  const { url } = await linkOf(target, id);
  pointTo(`GET /rest/payment/${id}/actionLink`, url);
  const button = await confirmAt(target, new URL(url).pathname);
  const [paid] = await paymentsOf(target, customerId);
  explain(
    `The demo opens the link as the payer would, presses “${button}”, and confirms on the page that ` +
      `stands for that of the bank. Back on the first page, the gateway has been asked: payment ${id} is ` +
      `${paid?.status}. For the months to come ${name} puts a card on file whose bank does not ask.`,
  );
  await cardOnFile(target, customerId, WITHOUT_ASKING);
}

async function paymentsOf(target: RestTarget, customerId: string) {
  const listed = await done(target, 'GET', `/rest/payments?customerId=${customerId}`);
  return all(listed, 'payment').map((payment) => ({
    id: text(payment, '@id'),
    status: text(payment, 'status'),
    amount: text(payment, 'amount'),
    until: text(payment, 'payerAction', 'waitsUntil'),
  }));
}

async function linkOf(target: RestTarget, paymentId: string): Promise<{ readonly url: string }> {
  const link = await done(target, 'GET', `/rest/payment/${paymentId}/actionLink`);
  return { url: text(link, 'url') };
}

/** Confirms on the page of the link, and on that of the bank; returns the words of the first button. */
async function confirmAt(target: RestTarget, path: string): Promise<string> {
  const page = await visit(target, path);
  const bank = await led(target, path, { formKey: keyIn(page) });
  const asking = await visit(target, bank);
  const back = await led(target, bank, { formKey: keyIn(asking), answer: 'confirm' });
  // Coming back makes the server ask the gateway.
  await visit(target, back);
  return /<button type="submit" class="button">([^<]*)</.exec(page.body)?.[1] ?? '';
}

/** Sends a form; returns the path that it leads to. */
async function led(
  target: RestTarget,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const { status, location } = await visit(target, path, fields);
  if (location === undefined) throw new Error(`a page was answered ${status}`);
  return new URL(location, target.apiUrl).pathname;
}

const keyIn = ({ body }: Visited): string => /name="formKey" value="([^"]+)"/.exec(body)?.[1] ?? '';
