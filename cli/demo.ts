/** Shows what Sundial does: orders of every plan, four months on a test clock, and who pays how. */
import './node-version.ts';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { readEndpoints } from '../providers/embedded/endpoints.ts';
import { act, putMethodsOnFile, type Cast } from './demo/money.ts';
import { paymentTable } from './demo/payment-table.ts';
import { invoiceTable } from './demo/table.ts';
import { all, done, text, type RestTarget, type Xml } from './rest.ts';

const help = `npm run demo [-- --json]

Against the system that npm start runs: makes customers and orders of every plan of the tenant
demo through the REST interface, moves the test clock over four months, in which one of them pays
by cards on file, one by check and one by card, with a credit and a refund, and prints the invoices
and what was paid. May be run again and again; each run goes on from where the clock stands.

  --json   prints invoices and payments as JSON
`;

const MONTHS_SHOWN = 4;
const READY_WITHIN_SECONDS = 120;
const POLL_MS = 200;

interface DemoCustomer {
  readonly name: string;
  readonly email: string;
  /** Bodies of orders, without their customer. */
  readonly orders: readonly string[];
}

function line(priceCode: string, fields: string): string {
  const item = `<orderLineItem><priceCode>${priceCode}</priceCode>${fields}</orderLineItem>`;
  return `<orderLineItems>${item}</orderLineItems>`;
}

const customers: readonly DemoCustomer[] = [
  {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    orders: [
      '<contractCode>GOLD</contractCode><isAutoPay>true</isAutoPay>',
      `<contractCode>SEATS</contractCode><isAutoPay>true</isAutoPay>${line(
        'SEAT',
        '<quantity>12</quantity>',
      )}`,
    ],
  },
  {
    name: 'Bell Voice Ltd',
    email: 'accounts@bellvoice.example',
    orders: ['<contractCode>METERED</contractCode>'],
  },
  {
    name: 'Cassini Observatory',
    email: 'office@cassini.example',
    orders: [
      `<contractCode>ANNUAL</contractCode><separateInvoice>1</separateInvoice>${line(
        'SUPPORT',
        '<quantity>1</quantity><unitPrice>1200.00</unitPrice>',
      )}`,
      '<contractCode>GOLD</contractCode>',
    ],
  },
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const target = demoTarget();
  const clock = await done(target, 'GET', '/rest/testClock');
  const today = text(clock, 'now');
  if (!values.json) say(`The clock of tenant demo stands at ${today}.`);
  const ids: string[] = [];
  for (const customer of customers) ids.push(await makeCustomer(target, customer));
  const orders = customers.reduce((count, customer) => count + customer.orders.length, 0);
  if (!values.json) say(`Made ${ids.length} customers with ${orders} orders.`);
  const [cascading = '', credited = '', refunded = ''] = ids;
  const cast = { cascading, credited, refunded };
  await putMethodsOnFile(target, cast);
  const reached = await advanceMonths(target, today, cast);
  if (!values.json) say(`Moved the clock to ${reached}: ${MONTHS_SHOWN} months of billing.\n`);
  const invoices: Xml[] = [];
  for (const id of ids) invoices.push(...(await invoicesOf(target, id)));
  const payments: Xml[] = [];
  for (const id of ids) payments.push(...(await paymentsOf(target, id)));
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ invoices, payments }, null, 2)}\n`);
    return;
  }
  const names = new Map(ids.map((id, index) => [id, customers[index]?.name ?? '']));
  const numbers = new Map(
    invoices.map((each) => [text(each, '@id'), text(each, 'invoiceNumber')] as const),
  );
  process.stdout.write(invoiceTable(invoices, names));
  process.stdout.write(paymentTable(payments, { customers: names, invoices: numbers }));
}

function demoTarget(): RestTarget {
  const config = loadConfig();
  const endpoints = readEndpoints(config.dataDir);
  if (endpoints?.status !== 'ready' || endpoints.apiUrl === undefined) {
    throw new Error(`no system runs on ${config.dataDir}: start it with npm start`);
  }
  return {
    apiUrl: endpoints.apiUrl,
    hostName: `demo.${config.baseDomain}`,
    // The sample tenant's own, see tenants/demo.yaml.
    username: 'api@demo',
    password: 'demo-secret',
  };
}

async function makeCustomer(target: RestTarget, customer: DemoCustomer): Promise<string> {
  const [firstName = '', ...lastNames] = customer.name.split(' ');
  const made = await done(
    target,
    'POST',
    '/rest/customers',
    `<customer><name>${customer.name}</name><billingContact><firstName>${firstName}</firstName>` +
      `<lastName>${lastNames.join(' ')}</lastName><emailPrimary>${customer.email}</emailPrimary>` +
      '<address><street1>1 Main St</street1><city>Albany</city><state>NY</state>' +
      '<zip>12207</zip><country>United States</country><countryCode>US</countryCode></address>' +
      '</billingContact></customer>',
  );
  const id = text(made, '@id');
  for (const order of customer.orders) {
    const body = `<subscriptionOrder><customer id="${id}"/>${order}</subscriptionOrder>`;
    await done(target, 'POST', '/rest/orders', body);
  }
  return id;
}

/** Moves the clock month by month, so that the terminal shows how far it is. */
async function advanceMonths(target: RestTarget, now: string, cast: Cast): Promise<string> {
  let day = Temporal.PlainDate.from(now.slice(0, 10));
  const first = day;
  for (let month = 1; month <= MONTHS_SHOWN; month += 1) {
    day = first.add({ months: month });
    await done(target, 'POST', `/rest/testClock?advanceTo=${day.toString()}`);
    await untilReady(target);
    await act(target, cast, month);
  }
  return day.toString();
}

async function untilReady(target: RestTarget): Promise<void> {
  const attemptsMax = (READY_WITHIN_SECONDS * 1000) / POLL_MS;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const clock = await done(target, 'GET', '/rest/testClock');
    if (text(clock, 'status') === 'Ready') return;
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  throw new Error(`the clock is not there after ${READY_WITHIN_SECONDS} s: look at the Web UI`);
}

async function invoicesOf(target: RestTarget, customerId: string): Promise<Xml[]> {
  const listed = await done(target, 'GET', `/rest/invoices?customerId=${customerId}&max=100`);
  const invoices: Xml[] = [];
  for (const each of all(listed, 'invoice')) {
    invoices.push(await done(target, 'GET', `/rest/invoice/${text(each, '@id')}`));
  }
  return invoices.toSorted(
    (a, b) => Number(text(a, 'invoiceNumber')) - Number(text(b, 'invoiceNumber')),
  );
}

/** In the order in which they happened. */
async function paymentsOf(target: RestTarget, customerId: string): Promise<Xml[]> {
  const payments: Xml[] = [];
  for (const [plural, singular] of [
    ['payments', 'payment'],
    ['credits', 'credit'],
    ['refunds', 'refund'],
  ] as const) {
    const listed = await done(target, 'GET', `/rest/${plural}?customerId=${customerId}&max=100`);
    for (const each of all(listed, 'payment')) {
      payments.push(await done(target, 'GET', `/rest/${singular}/${text(each, '@id')}`));
    }
  }
  return payments.toSorted((a, b) => Number(text(a, '@id')) - Number(text(b, '@id')));
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
