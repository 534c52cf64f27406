/** Shows what Sundial does: orders of every plan, four months on a test clock, and who pays how. */
import './node-version.ts';
import { parseArgs, promisify } from 'node:util';
import { loadConfig } from '../config.ts';
import { readEndpoints } from '../providers/embedded/endpoints.ts';
import { type Statement, linkAgent, sayStatement, statementOf } from './demo/agents.ts';
import { type Books, booksOf, sayBalances } from './demo/books.ts';
import { type Hook, openHook } from './demo/callbacks.ts';
import { type MadeCustomer, castOf, makeCustomers } from './demo/cast.ts';
import { makeAsked, showAsked } from './demo/confirming.ts';
import {
  type Debts,
  act,
  debtsOf,
  enablePaymentPlan,
  putMethodsOnFile,
  sayDebts,
} from './demo/money.ts';
import { showMove } from './demo/moving.ts';
import { sayInvoice, sayPayments } from './demo/table.ts';
import { showQuote, showQuoted } from './demo/quote.ts';
import { reportsOf, sayReports } from './demo/reports.ts';
import { type Sold, replaceCard, saySold, sell } from './demo/selling.ts';
import { showUpgrade } from './demo/upgrade.ts';
import { type Demo, showWhere } from './demo/where.ts';
import { reportUsage, showUsage, usageOf } from './demo/usage.ts';
import { explain, faint, heading, say, strong, table } from './demo/words.ts';
import { type RestTarget, type Xml, done, text } from './rest.ts';
import { execFile } from 'node:child_process';
import { join } from 'node:path';

const help = `npm run demo [-- --json]

Against the system that npm start runs: makes customers and orders of every plan of the tenant
demo through the REST interface, one of them with a quote, a coupon and tax, one with an upgrade in
the middle of a month, one with usage that is reported late and corrected, imports customers and
invoices of another system from files, and moves the test clock over four months, in which they pay
by cards on file, by check, by card, late, or in installments, with a credit and a refund. Two more
have trials, of which one ends, one has a new card that pays an old debt, and one has a bank that
asks for its payer, who confirms by the link of a mail. Shows
what happens: orders, invoices, payments, debts, commissions of a sales agent, callbacks and
balances, what the audit says, the aged list and the revenue of the month. Ends with addresses to open. May be run again and again; each run continues from where the clock
stands.

  --json   prints invoices and payments as JSON
`;

const terminal = { say, explain, heading };
const MONTHS_SHOWN = 4;
const READY_WITHIN_SECONDS = 120;
const POLL_MS = 200;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const demo = findDemo();
  const { target } = demo;
  // Another advance, or an interrupted run, may have advanced the clock further.
  const now = await untilReady(target);
  const print = values.json === true ? undefined : terminal;
  if (print) introduce(now);
  // A receiver on this machine is a private address.
  const hook = print && demo.hasReceiver ? await openHook(target) : undefined;
  try {
    await playStory(demo, { now, print, hook });
  } finally {
    await hook?.close();
  }
}

interface Story {
  /** The clock's present instant. */
  readonly now: string;
  /** Undefined where figures are printed as JSON. */
  readonly print: typeof terminal | undefined;
  readonly hook: Hook | undefined;
}

async function playStory(demo: Demo, { now, print, hook }: Story): Promise<void> {
  const { target } = demo;
  const customers = await makeCustomers(target);
  const cast = castOf(customers);
  if (print) {
    showOrders(customers);
    showQuote(customers);
  }
  const from = now.slice(0, 10);
  if (print) await showMove({ target, today: from, mark: `M${customers[0]?.id}` });
  const sold = print && (await sell(target));
  const linked = await linkAgent(target, customers, cast);
  await putMethodsOnFile(target, cast);
  await enablePaymentPlan(target, cast, from);
  await reportUsage(target, cast.credited);
  if (print) await showBankThatAsks(target, from);
  print?.heading('Four months pass');
  await advanceMonths(target, { now, customers, sold, onStep: (words) => print?.explain(words) });
  const books: Books[] = [];
  for (const customer of customers) books.push(await booksOf(target, customer));
  const to = (await untilReady(target)).slice(0, 10);
  const debts = await debtsOf(target, customers, cast, { from, to });
  if (print) {
    const usage = await usageOf(target, cast.credited);
    showBooks(books, { debts, usage, statement: await statementOf(target, linked, { from, to }) });
    if (sold) await saySold(target, sold);
    await hook?.explain();
    await showAudit();
    const names = new Map(customers.map(({ id, name }) => [id, name]));
    sayReports(await reportsOf(target, to), names);
    return showWhere(demo, books);
  }
  const [invoices, payments] = [
    books.flatMap((each) => each.invoices),
    books.flatMap((each) => each.payments),
  ];
  process.stdout.write(`${JSON.stringify({ invoices, payments }, null, 2)}\n`);
}

function findDemo(): Demo {
  const { dataDir, baseDomain } = loadConfig();
  const endpoints = readEndpoints(dataDir);
  if (endpoints?.status !== 'ready' || endpoints.apiUrl === undefined) {
    throw new Error(`no system runs on ${dataDir}: start it with npm start`);
  }
  const { apiUrl, temporalUiUrl, temporalNamespace } = endpoints;
  const hostName = `demo.${baseDomain}`;
  const { protocol, port } = new URL(apiUrl);
  return {
    // The sample tenant's own credentials, see tenants/demo.yaml.
    target: { apiUrl, hostName, username: 'api@demo', password: 'demo-secret' },
    hasReceiver: endpoints.allowsPrivateCallbacks === true,
    tenantAddress: `${protocol}//${hostName}${port === '' ? '' : `:${port}`}`,
    workflowsAddress: temporalUiUrl && `${temporalUiUrl}/namespaces/${temporalNamespace}/workflows`,
  };
}

function introduce(now: string): void {
  heading('A demo of Sundial');
  explain(
    'Seven customers order, four months pass, and invoices and payments come about as they would ' +
      'in production, by the same code. All of it goes through the REST interface of the tenant ' +
      `demo, which lives on a test clock: it stands at ${now}. Amounts are in USD.`,
  );
}

/** On the next day, when the first invoices are charged. */
async function showBankThatAsks(target: RestTarget, today: string): Promise<void> {
  const asked = await makeAsked(target);
  const next = Temporal.PlainDate.from(today).add({ days: 1 }).toString();
  await done(target, 'POST', `/rest/testClock?advanceTo=${next}`);
  await untilReady(target);
  await showAsked(target, asked);
}

interface Months {
  readonly now: string;
  readonly customers: readonly MadeCustomer[];
  readonly sold: Sold | undefined;
  readonly onStep: (words: string) => void;
}

/** Advances the clock month by month, so that the terminal shows the progress. */
async function advanceMonths(target: RestTarget, months: Months): Promise<void> {
  const first = Temporal.PlainDate.from(months.now.slice(0, 10));
  const cast = castOf(months.customers);
  for (let month = 1; month <= MONTHS_SHOWN; month += 1) {
    const day = first.add({ months: month }).toString();
    await done(target, 'POST', `/rest/testClock?advanceTo=${day}`);
    await untilReady(target);
    const deed = (await act(target, cast, { month, today: day })) ?? 'The last month is billed.';
    const another = months.sold && month === 2 ? ` ${await replaceCard(target, months.sold)}` : '';
    const words = `${deed}${another}`;
    months.onStep(`${strong(day)}: everything due up to this day has happened. ${words}`);
  }
}

/** Returns the clock's instant. */
async function untilReady(target: RestTarget): Promise<string> {
  const attemptsMax = (READY_WITHIN_SECONDS * 1000) / POLL_MS;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const clock = await done(target, 'GET', '/rest/testClock');
    if (text(clock, 'status') === 'Ready') return text(clock, 'now');
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  throw new Error(`the clock is not there after ${READY_WITHIN_SECONDS} s: look at the Web UI`);
}

interface Shown {
  readonly debts: Debts;
  readonly usage: readonly Xml[];
  readonly statement: Statement;
}

function showBooks(books: readonly Books[], { debts, usage, statement }: Shown): void {
  heading('The invoices');
  explain(
    'An invoice is dated on the day of its billing run, and due after the terms of the plan, else ' +
      'of the customer, else of the tenant: 30 days. The periods of its charges keep their own ' +
      'dates. The balance before it has what came in meanwhile.',
  );
  for (const { customer, invoices } of books) {
    say('', strong(customer.name), faint('═'.repeat(customer.name.length)));
    for (const invoice of invoices) sayInvoice(invoice);
  }
  showQuoted(books);
  showUpgrade(books, castOf(books.map(({ customer }) => customer)).upgrading);
  showUsage(books, usage);
  heading('Payments, credits and refunds');
  explain(
    'Autopay charges an invoice on its day, to the first card on file; if that declines, to the ' +
      'next one. Money goes to the oldest invoices first. Amounts are in USD.',
  );
  say('');
  const customers = new Map(books.map(({ customer }) => [customer.id, customer.name]));
  const invoices = new Map(
    books
      .flatMap((each) => each.invoices)
      .map((each) => [text(each, '@id'), text(each, 'invoiceNumber')] as const),
  );
  const payments = books.flatMap((each) => each.payments);
  sayPayments(payments, { customers, invoices });
  heading('A debt, and a payment plan');
  sayDebts(debts);
  sayStatement(statement);
  heading('What the customers owe');
  explain('Invoiced, less what was paid and credited, and what was refunded again. In USD.');
  say('');
  sayBalances(books);
}

/* Has the tenant's books checked after the demo, by the command that anybody would use. */

const audit = join(import.meta.dirname, 'audit.ts');

async function showAudit(): Promise<void> {
  heading('The audit');
  explain(
    'npm run audit checks the invariants of the books: balances against the ledger, numbers without ' +
      'gaps, periods billed once, payments, debts, retries, installments, events, callbacks, mails ' +
      'and workflows. For the tenant demo it says:',
  );
  say('', await answer());
}

/** What it prints, also about faults. */
async function answer(): Promise<string> {
  const ran = promisify(execFile)(process.execPath, [audit, '--tenant', 'demo']);
  const { stdout, stderr } = await ran.catch(
    (error: { stdout?: string; stderr?: string }) => error,
  );
  return (stdout || stderr || 'nothing').trimEnd();
}

/* Shows what the demo's customers order, and when each order is billed. */

function showOrders(customers: readonly MadeCustomer[]): void {
  heading('Seven customers order');
  for (const { name, story } of customers) explain(`${strong(name)} ${story}.`);
  say('');
  explain(
    'An order that is due on its first day is billed at the next 00:00 of the tenant’s day, so ' +
      'that orders made one after the other share their invoice. Hence the first invoices are ' +
      'dated a day later. With generateInvoice=true they would be made at once.',
  );
  say('');
  const rows = customers.flatMap(({ name, orders }) =>
    orders.map((order) => [
      order.orderNumber,
      name,
      order.plan,
      order.startDate,
      order.nextBillableDate,
    ]),
  );
  const titles = ['Order', 'Customer', 'Plan', 'Starts', 'Next billed'];
  say(
    ...table(
      titles.map((title) => ({ title })),
      rows,
    ),
    '',
  );
  const reasons = new Map(
    customers.flatMap(({ orders }) => orders.map(({ plan, why }) => [plan, why] as const)),
  );
  for (const [plan, why] of reasons) explain(`${strong(plan)} is ${why}.`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
