/** `npm run rehearse`: what it prints, writes and refuses, and its exit codes. */
import test from 'ava';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../../config.ts';
import { addDays, addMonths } from '../../../domain/calendar/calendar.ts';
import { OPERATOR, commandsOf } from '../../support/tenant-command.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const entry = join(import.meta.dirname, '../../../cli/rehearse.ts');
const env = childEnvironment({ DATABASE_URL: db.ownerUrl, OPERATOR });

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const command = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });

const today = new Date().toISOString().slice(0, 10);
const tomorrow = addDays(today, 1);

/**
 * The command reads the real time, so the books are of today. Tomorrow one customer is billed 10.00 as a
 * month before, and, if asked, another 500.00 after 10.00.
 */
async function books(hasOutlier: boolean) {
  const plans = [recurring('P', 10, prepaid), recurring('LARGE', 490, prepaid)];
  const start = addMonths(tomorrow, -1);
  const its = await openBooks(db, { today: start, timezone: 'UTC', plans });
  const customers = [await its.customer()];
  if (hasOutlier) customers.push(await its.customer());
  for (const customerId of customers) {
    await its.order({ customerId, contractCode: 'P', startDate: start });
  }
  await its.run();
  await its.advance(today);
  if (hasOutlier) {
    const [, customerId = 0] = customers;
    await its.order({ customerId, contractCode: 'LARGE', startDate: tomorrow });
  }
  return { its, label: its.label, customers };
}

test('a run without outliers is printed, and exits with 0', async (t) => {
  const { label } = await books(false);
  const { code, out, err } = await command(label, 'tomorrow');
  t.is(code, 0, err);
  t.is(
    out,
    `The run of ${tomorrow} of ${label}:
  1 customers, 1 orders, 1 invoices of 10.00 USD
  kind    currency  charges  amount
  period  USD             1   10.00
Without taxes, 10.00 USD; in the last period 10.00 USD; 0 are billed for the first time.
0 outliers, from 3 times and 1000 on.
`,
  );
});

test('an outlier is printed and held if asked, exits with 1, and is in the audit log', async (t) => {
  const { its, label, customers } = await books(true);
  const [, outlier] = customers;
  const limits = ['--ratio', '2', '--amount', '100', '--amount', 'EUR=90'];
  const { code, out } = await command(label, tomorrow, ...limits);
  t.is(code, 1);
  t.regex(out, /\n1 outliers, from 2 times and 100, 90 EUR on\.\n/);
  t.regex(out, new RegExp(`\\n  ${outlier} +USD +500\\.00 +10\\.00 +490\\.00\\n`));
  t.deepEqual((await its.audit()).held, []);
  const held = await command(label, tomorrow, ...limits, '--hold');
  t.regex(held.out, /\n1 customers are held from billing until they are released\.\n$/);
  t.deepEqual(
    (await its.audit()).held.map(({ customerId }) => customerId),
    [outlier],
  );
  t.deepEqual(await commandsOf(its), [`${OPERATOR}: rehearse --hold: 1 customers`]);
});

test('the comparison of all customers is written as CSV, and what was found as JSON', async (t) => {
  const { label, customers } = await books(true);
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'run.csv');
  const { code, out } = await command(label, tomorrow, '--csv', file, '--json');
  t.is(code, 0);
  t.like(JSON.parse(out), {
    tenant: label,
    runOn: tomorrow,
    figures: { run: { invoices: 2 } },
    held: null,
  });
  const [one, other] = customers;
  t.is(
    await readFile(file, 'utf8'),
    '\uFEFFcustomerId,currency,total,amount,lastAmount,difference\r\n' +
      `${one},USD,10.00,10.00,10.00,0.00\r\n${other},USD,500.00,500.00,10.00,490.00\r\n`,
  );
});

for (const [args, said] of [
  [['2027-02-30'], 'a day is a date that exists'],
  [['2099-01-01'], 'up to 31 days ahead'],
  [['tomorrow', '--ratio', '1'], '--ratio takes a number above 1'],
  [['tomorrow', '--amount', 'XYZ=1'], '--amount takes an amount'],
] as const) {
  test(`${args.join(' ')} is refused: ${said}`, async (t) => {
    const { label } = await books(false);
    const { code, out, err } = await command(label, ...args);
    t.is(code, 1);
    t.true(err.includes(said), err);
    t.is(out, '');
    t.notRegex(err, /^\s+at /m);
  });
}

test('an unknown tenant is refused', async (t) => {
  const { code, err } = await command('nobody', 'tomorrow');
  t.is(code, 1);
  t.is(err, 'There is no tenant nobody.\n');
});
