/**
 * Entry of `npm run bench -- NAME`: measures a part of Sundial against its bare cost, in one run.
 */
import '../cli/node-version.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { account } from './account.ts';
import { api } from './api.ts';
import { billing } from './billing.ts';
import { callbacks } from './callbacks.ts';
import { dunning } from './dunning.ts';
import { holds } from './holds.ts';
import { imports } from './imports.ts';
import { pages } from './pages.ts';
import { pairs } from './pairs.ts';
import { payments } from './payments.ts';
import { changes } from './changes.ts';
import { commissions } from './commissions.ts';
import { prices } from './prices.ts';
import { renewals } from './renewals.ts';
import { soak } from './soak.ts';
import { taxes } from './taxes.ts';
import { isUsagePart, usage } from './usage.ts';
import type { Bench } from './support/run.ts';

const help = `npm run bench -- renewals [--orders 2000] [--json]
npm run bench -- account [--json]
npm run bench -- billing [--orders 2000] [--json]
npm run bench -- api [--customers 100000] [--json]
npm run bench -- callbacks [--json]
npm run bench -- changes [--orders 2000] [--connections 8] [--json]
npm run bench -- commissions [--orders 2000] [--json]
npm run bench -- dunning [--customers 20000] [--json]
npm run bench -- holds [--json]
npm run bench -- pages [--orders 2000] [--json]
npm run bench -- pairs --against FOLDER [--connections 8] [--json]
npm run bench -- payments [--orders 1000] [--json]
npm run bench -- prices [--orders 2000] [--connections 8] [--json]
npm run bench -- soak [--minutes 20] [--json]
npm run bench -- taxes [--orders 2000] [--json]
npm run bench -- usage [--orders 2000] [--records 1000000] [--part uploads] [--json]

Starts PostgreSQL and Temporal of its own in a temporary folder, measures, and removes them.

  renewals   a renewal of all orders of a tenant: until all invoices exist, and until every
             subscription workflow stands at its next period, beside the same rows written by
             set-based SQL without any engine
  billing    the billing run of those orders alone, without engine and wakes; then the same with a
             callback that gets each invoice
  account    hosted self-service at 1, 8 and 16 connections: the first page, a statement of 1,000 entries,
             and a form that pays an invoice by a card, until it is paid
  api        calls of the interface at 1, 8 and 16 connections: per second, p50, p99, each beside a
             bare handler that does one indexed read or one insert in the same tenant's transaction
  callbacks  events until a receiver on this machine has all of them, in order: of one customer, and
             of 1,000 customers
  changes    change orders and new orders with their invoices, a second each in turns: p50 and p99;
             then the billing run that carries out a pending change of each order
  commissions  months of orders that pay themselves, of a tenant with a sales agent on each order and
             of one without, in turns: payments per second, their ratio, the CPU of a payment
  dunning    overdue customers over one threshold in one instant, per second until all stand there
  holds      the longest time that each of the largest calls holds the API's event loop, in CPU
  import     customers, and invoices with three line items each, beside PostgreSQL's COPY of all rows that
             they write; memory of API and worker; orders of another tenant meanwhile
  pages      hosted sign-ups at 1, 8 and 16 connections: start, page and submit; then 100 at once, alone
             and beside a billing run of another tenant
  pairs      calls of the interface of this checkout and of another one, such as an older commit, a
             second each in turns, then renewals with and without a callback, a month each in turns:
             the ratio of their rates, the CPU of a call or an invoice in each process
  payments   POST of a card payment at 1, 8 and 16 connections until it is final, with the shares of
             gateway and engine; a renewal that pays itself, beside the same one that does not
  prices     quotes with coupon and tax, and GET customer, a second each in turns; then the billing run
             of orders with a percent coupon and two rates, and of plain ones, a month each in turns
  soak       POST order of a tenant by itself and beside a hostile one, in turns of ten seconds; the
             other posts the largest orders, reads lists of everything and has passwords guessed:
             p50, p99 and their ratio, processes that ended, memory over time
  taxes      renewals of orders that a tax provider taxes, which takes 20 ms for each call: until all
             are billed, and until all are recorded; the memory of a process after further months
  usage      uploads of 1,000 records beside PostgreSQL's COPY of the same rows; billing and previews
             of lines with many records; uploads and renewals before and after many records are
             stored; renewals of orders with ten records each beside plain ones

  --orders N         so many open orders (200, 2000, 20000)
  --customers N      so many customers, with an order each
  --against FOLDER   the other checkout, in which npm ci has been run
  --connections N    so many calls at once
  --minutes N        a soak of so long, half of it beside the hostile tenant
  --records N        so many records of one order line
  --part NAME        only this part of usage: uploads, lines, beside, renewals
  --json             prints the figures as JSON
`;

const benches: Readonly<Record<string, Bench>> = {
  account,
  api,
  billing,
  callbacks,
  changes,
  commissions,
  dunning,
  holds,
  import: imports,
  pages,
  pairs,
  payments,
  prices,
  renewals,
  soak,
  taxes,
  usage,
};

class Misuse extends Error {}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      orders: { type: 'string', default: '2000' },
      customers: { type: 'string' },
      against: { type: 'string' },
      connections: { type: 'string', default: '8' },
      minutes: { type: 'string', default: '20' },
      records: { type: 'string', default: '1000000' },
      part: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { help: isHelp, orders, customers, connections, minutes, records, part } = values;
  const { against, json } = values;
  if (isHelp) {
    process.stdout.write(help);
    return;
  }
  const name = positionals[0] ?? '';
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (bench === undefined || (bench === pairs && against === undefined)) throw new Misuse(help);
  if (part !== undefined && !isUsagePart(part)) throw new Misuse(help);
  await bench({
    orders: countOf(orders),
    customers: customers === undefined ? undefined : countOf(customers),
    connections: countOf(connections),
    minutes: countOf(minutes),
    records: countOf(records),
    part,
    against: against === undefined ? undefined : resolve(against),
    json,
  });
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Misuse(help);
  return count;
}

try {
  await main();
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isMisuse = error instanceof Misuse || code.startsWith('ERR_PARSE_ARGS');
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${isMisuse ? message : (stack ?? message)}\n`);
  process.exitCode = 1;
}
