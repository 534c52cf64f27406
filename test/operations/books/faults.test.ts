/**
 * Breaks each invariant of the books in a tenant of its own, and expects the audit to report it.
 */

import test from 'ava';
import { beatRun, finishRun } from '../../../db/queries/due/billing-runs.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { breaks } from './breaks.ts';
import { besideLedger, corrupt } from './corrupt.ts';

const db = await sharedDatabase();

/**
 * Order 1001 billed in January, February and March (1001, 1002, 1005), February's invoice rolled
 * back and billed again (1003); order 1002 once (1004) and then cancelled.
 */
async function story(): Promise<Books> {
  const once = { chargeType: 'OneTimeCharge', pricingType: 'FixedPricing', price: 5 };
  const plan = recurring('P', 31, prorated);
  const charges = [...plan.charges, { priceCode: 'SETUP', ...once }];
  const plans = [{ ...plan, charges }];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const [one, two] = [await books.customer({ ref: 'ONE' }), await books.customer({ ref: 'TWO' })];
  const now = { generateInvoice: true };
  await books.order({ customerId: one, contractCode: 'P' }, now);
  await books.advance('2027-02-15');
  await books.cancelInvoice(1002, { rollbackBillingPeriod: true });
  await books.advance('2027-02-20');
  const second = await books.order({ customerId: two, contractCode: 'P' }, now);
  await books.advance('2027-03-15');
  await books.put(second, { orderStatus: 'Canceled' });
  return books;
}

test('the audit finds no fault in books with rollbacks and cancellations', async (t) => {
  const books = await story();
  t.deepEqual(await books.audit(), {
    tenant: books.label,
    today: '2027-03-15',
    customers: 2,
    orders: 2,
    invoices: 5,
    underWay: 0,
    held: [],
    waiting: [],
    recomputed: { invoices: 5, charges: 7, notRecomputed: {} },
    faults: [],
  });
});

test('a due order is not a fault while a run bills it', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' });
  t.deepEqual((await books.audit()).faults, []);
  books.tomorrow();
  // The run must begin within a minute.
  t.like(await books.audit(59_000), { underWay: 1, faults: [] });
  const { faults } = await books.audit(60_000);
  t.deepEqual(
    faults.map(({ check }) => check),
    ['order.unbilled'],
  );
  await books.work(({ tx }) => beatRun(tx, '2027-01-16', { customers: 0, orders: 0, invoices: 0 }));
  t.like(await books.audit(60_000), { underWay: 1, faults: [] });
  await books.work(({ tx }) => finishRun(tx, '2027-01-16'));
  t.is((await books.audit(60_000)).faults.length, 1);
  await books.run();
  t.like(await books.audit(60_000), { underWay: 0, faults: [] });
});

test('a held customer is listed, and its overdue orders are not faults', async (t) => {
  const books = await story();
  await books.work(({ tx }) =>
    tx.query(
      `update customer set billing_held_at = '2027-01-16T05:00:07.5Z', billing_held_code = 'quantity.outOfRange'
       where ext_customer_ref = 'ONE'`,
    ),
  );
  await books.advance('2027-05-01');
  const { held, faults, underWay } = await books.audit();
  t.deepEqual([faults, underWay], [[], 0]);
  t.like(held[0], {
    extCustomerRef: 'ONE',
    code: 'quantity.outOfRange',
    since: '2027-01-16T05:00:07Z',
  });
});

for (const [rule, statements, found] of breaks) {
  test.serial(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    // By the statements alone: recompute-faults.test.ts breaks what the recomputation finds.
    const { faults } = await books.audit(undefined, 0);
    // What a break changes about the facts of events is shown by event-faults.test.ts.
    const ofBooks = besideLedger(faults).filter(({ check }) => !check.startsWith('event.'));
    const texts = ofBooks.map(({ check, object, detail }) =>
      `${check}: ${object}: ${detail}`
        .replace(/customer \d+/, 'customer #')
        .replace(/order line \d+/, 'order line #'),
    );
    t.deepEqual(texts, found);
  });
}

test('numbers that the tenant’s file skips are not a gap, others are', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' });
  const skip = (skipped: string) =>
    books.work(({ tx }) =>
      tx.query(`update counter set skipped = $1 where kind = 'order'`, [skipped]),
    );
  await books.work(({ tx }) => tx.query(`update counter set next = 5000 where kind = 'order'`));
  await skip('{[1002,5000)}');
  t.deepEqual((await books.audit()).faults, []);
  await books.order({ customerId, contractCode: 'P' });
  t.deepEqual((await books.audit()).faults, []);
  await skip('{[1003,5000)}');
  t.deepEqual((await books.audit()).faults, [
    {
      check: 'number.order',
      object: 'order number 1002',
      detail: 'up to 4999: 3998 numbers are missing',
    },
  ]);
});
