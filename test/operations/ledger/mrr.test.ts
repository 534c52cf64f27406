/** Monthly recurring revenue of stored orders, with concrete amounts, and in any life. */
import test from 'ava';
import type { ReportRow } from '../../../domain/ledger/reports.ts';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { add, compare, formatAmount, sum } from '../../../domain/money/money.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import * as orders from '../support/order-lives.ts';
import { prorated, recurring } from '../support/plans.ts';
import { countedTwice } from '../support/recounted.ts';
import { mrrTwice } from '../support/recounted-mrr.ts';
import { reported, rowsOf, type Days } from '../support/reports.ts';
import { newTally } from '../support/tally.ts';
import { costly, fc, runs } from '../../support/random.ts';
import { openDoubledGold } from './gold.ts';

const db = await sharedDatabase();

const plans = [
  recurring('WEEK', 7, prorated, { billingPeriod: 'Weekly' }),
  recurring('MONTH', 10, prorated),
];

async function opened() {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  return { books, customerId: await books.customer({ ref: 'ADA' }) };
}

test('ADA from 01-31 to 02-28: 29.95, expansion 29.95, 59.90', async (t) => {
  const books = await openDoubledGold(db);
  t.deepEqual(await rowsOf(books, 'mrr', { from: '2027-01-31' }), [
    'GOLD USD 1 29.95 0.00 29.95 0.00 0.00 0.00 59.90',
  ]);
  // A month before, 01-28, by default; and before the order.
  const { from, to } = await reported(books, 'mrr');
  t.deepEqual([from, to], ['2027-01-28', '2027-02-28']);
  t.deepEqual(await rowsOf(books, 'mrr', { from: '2027-01-14', to: '2027-01-15' }), [
    'GOLD USD 1 0.00 29.95 0.00 0.00 0.00 0.00 29.95',
  ]);
});

test('7.00 a week are 30.33 a month; an order counts to its last day, and not between the days of a pause', async (t) => {
  const { books, customerId } = await opened();
  const order = (contractCode: string) => books.order({ customerId, contractCode });
  const [week, month] = [await order('WEEK'), await order('MONTH')];
  const on = async (day: string): Promise<string[]> =>
    (await rowsOf(books, 'mrr', { from: '2027-01-14', to: day })).map((row) =>
      row.replace(/ USD (\d) .* /, ' $1 '),
    );
  t.deepEqual(await on('2027-01-15'), ['MONTH 1 10.00', 'WEEK 1 30.33']);
  books.jump('2027-01-20');
  await books.suspend(month);
  books.jump('2027-01-25');
  await books.activate(month);
  books.jump('2027-01-31');
  await books.end(week, { when: 'now' });
  books.jump('2027-02-01');
  t.deepEqual(await on('2027-01-20'), ['MONTH 1 10.00', 'WEEK 1 30.33']);
  t.deepEqual(await on('2027-01-21'), ['WEEK 1 30.33']);
  t.deepEqual(await on('2027-01-25'), ['MONTH 1 10.00', 'WEEK 1 30.33']);
  t.deepEqual(await on('2027-01-31'), ['MONTH 1 10.00', 'WEEK 1 30.33']);
  t.deepEqual(await on('2027-02-01'), ['MONTH 1 10.00']);
  // ADA still has something, so this is a contraction.
  t.deepEqual(await rowsOf(books, 'mrr', { from: '2027-01-31' }), [
    'MONTH USD 1 10.00 0.00 0.00 0.00 0.00 0.00 10.00',
    'WEEK USD 0 30.33 0.00 0.00 -30.33 0.00 0.00 0.00',
  ]);
});

test('an order counts from the day after its trial, and another plan takes its start along', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.order({ customerId, contractCode: 'MONTH', trialDays: 6 });
  books.jump('2027-01-21');
  const days: Days = { from: '2027-01-20', to: '2027-01-21' };
  t.deepEqual(await rowsOf(books, 'mrr', days), [
    'MONTH USD 1 0.00 10.00 0.00 0.00 0.00 0.00 10.00',
  ]);
  await books.change(id, { contractCode: 'WEEK' });
  t.deepEqual(await rowsOf(books, 'mrr', { from: '2027-01-20' }), [
    'WEEK USD 1 0.00 30.33 0.00 0.00 0.00 0.00 30.33',
  ]);
  books.jump('2027-01-25');
  await books.change(await newestOf(books), { contractCode: 'MONTH' });
  t.deepEqual(await rowsOf(books, 'mrr', { from: '2027-01-24' }), [
    'MONTH USD 1 0.00 0.00 0.00 -20.33 0.00 30.33 10.00',
    'WEEK USD 0 30.33 0.00 0.00 0.00 0.00 -30.33 0.00',
  ]);
});

async function newestOf({ read }: Awaited<ReturnType<typeof openBooks>>): Promise<number> {
  const [row] = await read((tx) =>
    tx.query<{ id: number }>('select max(id) as id from subscription_order where tenant_id = $1', [
      tx.tenantId,
    ]),
  );
  return row?.id ?? 0;
}

test('in any life start and what moves it come to the end, which is the start of what follows', async (t) => {
  const tally = newTally(orders.outlooks);
  const lives = fc.array(orders.step, { minLength: 8, maxLength: 25 });
  const property = fc.asyncProperty(lives, async (steps) => {
    const world = await orders.newWorld(db);
    const { books } = world;
    const first = books.today();
    for (const each of steps)
      await tally.take(orders.kindOf(each), () => orders.perform(world, each));
    const last = books.today();
    const days = [addDays(first, -1), addDays(last, -20), addDays(last, -7), last].toSorted();
    let ended: ReadonlyMap<string, string> | undefined;
    for (const [index, to] of days.entries()) {
      const from = days[index - 1];
      if (from === undefined) continue;
      const { rows } = await reported(books, 'mrr', { from, to });
      const figures = await mrrTwice(books, rows, { from, to });
      t.deepEqual(figures.reported, figures.recounted);
      for (const row of rows) {
        const causes = ['new', 'expansion', 'contraction', 'churn', 'moved'];
        const moved = sum(causes.map((cause) => String(row[cause])));
        t.is(compare(add(String(row['mrrStart']), moved), String(row['mrrEnd'])), 0);
      }
      if (ended !== undefined) t.deepEqual(byCurrency(rows, 'mrrStart'), ended);
      t.deepEqual([...byCurrency(rows, 'moved').values()], []);
      ended = byCurrency(rows, 'mrrEnd');
    }
    // Credits for unused days, usage, coupons and taxes are in these lives, too.
    for (const from of [first, addDays(last, -20)]) {
      const counts = await countedTwice(books, { from: from < first ? first : from, to: last });
      t.deepEqual(counts.reported, counts.recounted);
    }
  });
  await fc.assert(property, { ...costly, numRuns: runs(2, 20) });
});

/** Sums that are not zero. */
function byCurrency(rows: readonly ReportRow[], column: string): ReadonlyMap<string, string> {
  const sums = new Map<string, string>();
  for (const row of rows) {
    const currency = String(row['currency']);
    sums.set(currency, add(sums.get(currency) ?? '0', String(row[column])));
  }
  const found = [...sums].map(
    ([currency, each]) => [currency, formatAmount(currency, each)] as const,
  );
  return new Map(found.filter(([, each]) => compare(each, '0') !== 0));
}
