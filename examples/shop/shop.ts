/**
 * A small shop: it sells plans with a trial and a coupon, lets customers pay on a page of Sundial,
 * and shows what callbacks tell it. What it knows is in memory; a real shop has a database.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
// In a project of yours: from 'sundial-client'.
import {
  type Callback,
  ForgedCallback,
  type Invoice,
  Refusal,
  SeenCallbacks,
  Sundial,
  verifyCallback,
} from '../../clients/typescript/src/index.ts';
import { accountPage, errorPage, plansPage } from './pages.ts';

const [address = '', host = '', user = '', password = '', secret = ''] = process.argv.slice(2);
if (secret === '') {
  console.error('usage: node shop.ts ADDRESS HOST USER PASSWORD CALLBACK_SECRET');
  process.exit(2);
}

const PORT = 9480;
const MONTH_MS = 31 * 24 * 60 * 60 * 1_000;
const sundial = new Sundial({ address, host, user, password });
const seen = new SeenCallbacks();

/** The invoices that callbacks brought, in the state of the last one, by the id of their customer. */
const invoices = new Map<number, Map<number, Invoice>>();
/** The shop's references of its customers by their ids. */
const references = new Map<number, string>();

interface Reply {
  readonly status: number;
  readonly html?: string;
  readonly location?: string;
}

const server = createServer((request, response) => {
  reply(request)
    .catch(failed)
    .then(({ status, html = '', location }) => {
      const type = { 'Content-Type': 'text/html; charset=utf-8' };
      response.writeHead(status, location === undefined ? type : { Location: location }).end(html);
    })
    .catch((error: unknown) => console.error(error));
});
server.listen(PORT, '127.0.0.1', () => console.log(`the shop is at http://127.0.0.1:${PORT}/`));

async function reply(request: IncomingMessage): Promise<Reply> {
  const { pathname } = new URL(request.url ?? '/', 'http://shop');
  const [, first = '', second = ''] = pathname.split('/');
  switch (`${request.method} /${first}`) {
    case 'GET /':
      return { status: 200, html: plansPage(await sundial.listPlans()) };
    case 'POST /buy':
      return await buy(new URLSearchParams((await buffer(request)).toString()));
    case 'GET /account':
      return await account(second);
    case 'POST /pay':
      return await pay(Number(second));
    case 'POST /time':
      return await passAMonth();
    case 'POST /callbacks':
      return await takeCallback(request);
    default:
      return { status: 404, html: errorPage('There is no such page.') };
  }
}

/** One purchase of the shop is one customer and one order, however often the form comes. */
async function buy(form: URLSearchParams): Promise<Reply> {
  const reference = form.get('reference') ?? '';
  const name = form.get('name') ?? '';
  const [firstName = '', ...others] = name.split(' ');
  const customer = await sundial.createCustomer(
    {
      customer: {
        extCustomerRef: reference,
        name,
        billingContact: { firstName, lastName: others.join(' '), emailPrimary: form.get('email') },
      },
    },
    { idempotencyKey: `customer-${reference}` },
  );
  references.set(customer.id, reference);
  await sundial.createOrder(
    {
      extCustomerRef: reference,
      subscriptionOrder: {
        contractCode: form.get('plan'),
        couponCode: form.get('coupon'),
        metadata: [{ key: 'shop', value: reference }],
      },
    },
    { idempotencyKey: `order-${reference}` },
  );
  return { status: 303, location: `/account/${reference}` };
}

async function account(reference: string): Promise<Reply> {
  const customer = await sundial.getCustomer({ extCustomerRef: reference });
  const orders = await sundial.listOrders({ customerId: customer.id });
  const known = [...(invoices.get(customer.id)?.values() ?? [])];
  return { status: 200, html: accountPage(customer, orders, known) };
}

/** The customer pays on a page of Sundial: no card number reaches the shop. */
async function pay(id: number): Promise<Reply> {
  const { url } = await sundial.getInvoicePayLink({ id });
  return { status: 303, location: url };
}

/** Only a tenant on a test clock can do this. */
async function passAMonth(): Promise<Reply> {
  const { now } = await sundial.getTestClock();
  const next = new Date(Date.parse(now) + MONTH_MS).toISOString().slice(0, 10);
  await sundial.advanceClock(next);
  console.log(`it is ${next}`);
  return { status: 303, location: '/' };
}

async function takeCallback(request: IncomingMessage): Promise<Reply> {
  const callback = verifyCallback(request.headers, await buffer(request), { secret });
  // Sundial may post an event twice. A real shop stores the id together with what follows.
  if (seen.isNew(callback)) note(callback);
  return { status: 204 };
}

function note(callback: Callback): void {
  if (callback.root !== 'invoice') return;
  const { value: invoice, type } = callback;
  const ofCustomer = invoices.get(invoice.customer.id) ?? new Map<number, Invoice>();
  ofCustomer.set(invoice.id, invoice);
  invoices.set(invoice.customer.id, ofCustomer);
  const who = references.get(invoice.customer.id) ?? invoice.customer.id;
  console.log(`${type}: invoice ${invoice.invoiceNumber} of ${who}, ${invoice.totalDue}`);
}

function failed(error: unknown): Reply {
  if (error instanceof ForgedCallback) return { status: 401 };
  if (error instanceof Refusal) {
    const words = error.mistakes.map(({ text }) => text).join('. ');
    return { status: error.status >= 500 ? 503 : 400, html: errorPage(words) };
  }
  console.error(error);
  return { status: 500, html: errorPage('Something went wrong.') };
}
