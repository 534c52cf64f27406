/** Rehearsals of small books: what the run of a day will make, and its comparison with the last period. */
import test from 'ava';
import type { Compared } from '../../../domain/billing/rehearsed.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { rehearse } from '../../../operations/rehearsals/rehearse.ts';
import { avataxFile, newYorker } from '../support/avatax-tenant.ts';
import { openBooks, sharedDatabase, type Books, type BooksOptions } from '../support/books.ts';
import { partialTaxes } from '../support/partial-taxes.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';
import { upload } from '../support/uploads.ts';

const db = await sharedDatabase();
const limits = { ratio: '3', amount: '100', amounts: {} };

async function rehearsed(books: Books, day: IsoDate) {
  const compared: Compared[] = [];
  const outliers: Compared[] = [];
  const found = await rehearse(books.dependencies, books.tenantId, {
    day,
    limits,
    onCompared: async (some) => compared.push(...some),
    onOutliers: async (some) => outliers.push(...some),
  });
  return { ...found, compared, outliers };
}

const open = (options: Partial<BooksOptions> = {}) =>
  openBooks(db, {
    today: '2027-01-15',
    plans: [
      recurring('P', 10, prepaid),
      recurring('Q', 45, prepaid),
      recurring('DAY', 1, prepaid, { billingPeriod: 'Daily' }),
    ],
    ...options,
  });

test('the run of tomorrow is compared with the last period of each customer', async (t) => {
  const books = await open();
  const grown = await books.customer();
  const same = await books.customer();
  const first = await books.customer();
  // 10.00 on 2027-01-16; from the next period on 45.00 beside it.
  await books.order({ customerId: grown, contractCode: 'P', startDate: '2027-01-16' });
  await books.order({ customerId: same, contractCode: 'P', startDate: '2027-01-16' });
  await books.advance('2027-02-15');
  await books.order({ customerId: grown, contractCode: 'Q', startDate: '2027-02-16' });
  await books.order({ customerId: first, contractCode: 'Q', startDate: '2027-02-16' });
  const { runOn, figures, compared, outliers, failing } = await rehearsed(books, '2027-02-16');
  t.is(runOn, '2027-02-16');
  t.deepEqual(compared, [
    { customerId: grown, currency: 'USD', total: '55', amount: '55', lastAmount: '10' },
    { customerId: same, currency: 'USD', total: '10', amount: '10', lastAmount: '10' },
    { customerId: first, currency: 'USD', total: '45', amount: '45', lastAmount: null },
  ]);
  t.deepEqual(figures.run, {
    customers: 3,
    orders: 4,
    invoices: 3,
    amounts: { USD: '110' },
    charges: [{ kind: 'period', currency: 'USD', count: 4, amount: '110' }],
    untaxed: 0,
  });
  t.is(figures.before.invoices, 0);
  t.deepEqual(figures.compared, { amounts: { USD: '110' }, lastAmounts: { USD: '20' }, first: 1 });
  t.deepEqual([outliers, failing], [[], []]);
});

test('what the runs before the day make is told apart', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'DAY', startDate: '2027-01-16' });
  const { figures, compared } = await rehearsed(books, '2027-01-18');
  t.is(figures.run.invoices, 1);
  t.deepEqual(figures.run.amounts, { USD: '1' });
  t.is(figures.before.invoices, 2);
  t.deepEqual(figures.before.amounts, { USD: '2' });
  t.like(compared[0], { amount: '1', lastAmount: null });
});

test('today, and a day that is over, are rehearsed as what the run of today catches up', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P', startDate: '2027-01-16' });
  books.jump('2027-01-20');
  for (const day of ['2027-01-16', '2027-01-20']) {
    const { runOn, figures } = await rehearsed(books, day);
    t.is(runOn, '2027-01-20');
    t.like(figures.run, { customers: 1, invoices: 1, amounts: { USD: '10' } });
  }
});

test('an order bills on its day what a pause that ends by then lets it bill', async (t) => {
  const books = await open({ plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const order = await books.order({ customerId, contractCode: 'P', startDate: '2027-01-15' });
  await books.advance('2027-01-20');
  await books.suspend(order, '2027-03-01');
  await books.advance('2027-02-28');
  const { figures } = await rehearsed(books, '2027-03-01');
  t.is(figures.run.invoices, 1);
  const [before] = await books.invoices();
  await books.advance('2027-03-01');
  const [, made] = await books.invoices();
  t.truthy(before);
  t.regex(
    made ?? '',
    new RegExp(`^\\d+ on 2027-03-01 .* ${Number(figures.run.amounts['USD']).toFixed(2)}:`),
  );
});

test('the fee is compared with the last fee, though an invoice of usage came in between', async (t) => {
  const usage = { chargeType: 'UsageCharge', pricingType: 'FixedPricing', price: 2 };
  const metered = recurring('M', 10, prepaid);
  const plan = { ...metered, charges: [...metered.charges, { priceCode: 'UNITS', ...usage }] };
  const books = await open({ plans: [plan], file: { settings: { usageGraceDays: 3 } } });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'M', startDate: '2027-01-15' });
  await books.run();
  await upload(books, [{ orderId, chargeDate: '2027-01-15', quantity: '40', extRefId: 'one' }]);
  await books.advance('2027-02-14');
  const fee = await rehearsed(books, '2027-02-15');
  t.like(fee.compared[0], { amount: '10', lastAmount: '10' });
  await books.advance('2027-02-15');
  // 40 units in the days up to 02-14, billed 3 days of grace later.
  const used = await rehearsed(books, '2027-02-18');
  t.like(used.compared[0], { amount: '80', lastAmount: null });
  await books.advance('2027-03-14');
  t.like((await rehearsed(books, '2027-03-15')).compared[0], { amount: '10', lastAmount: '10' });
});

test('held customers and suspects are passed over and counted', async (t) => {
  const books = await open();
  const [held, suspect, other] = [
    await books.customer(),
    await books.customer(),
    await books.customer(),
  ];
  for (const customerId of [held, suspect, other]) {
    await books.order({ customerId, contractCode: 'P', startDate: '2027-01-16' });
  }
  await books.work(async ({ tx }) => {
    await tx.query(
      `update customer set billing_held_at = now(), billing_held_code = 'billing.crashed'
       where id = $1`,
      [held],
    );
    await tx.query('insert into billing_suspect (tenant_id, customer_id) values ($1, $2)', [
      tx.tenantId,
      suspect,
    ]);
  });
  const { figures, compared } = await rehearsed(books, '2027-01-16');
  t.deepEqual(
    compared.map(({ customerId }) => customerId),
    [other],
  );
  t.deepEqual(figures.passedOver, { held: 1, suspects: 1, tooLarge: 0, failing: {} });
});

test('a customer that the run would hold is named with its code, and the others are rehearsed', async (t) => {
  const tiers = {
    pricingType: 'TieredPricing',
    price: undefined,
    tiers: [{ unitsFrom: 0, unitsTo: 10, price: 1 }],
  };
  const books = await open({ plans: [recurring('TIERS', 1, { ...prepaid, ...tiers })] });
  const [bad, other] = [await books.customer(), await books.customer()];
  for (const customerId of [bad, other]) {
    await books.order({ customerId, contractCode: 'TIERS', startDate: '2027-01-16' });
  }
  // The interface does not allow this: a quantity beyond the last tier.
  await books.work(({ tx }) =>
    tx.query(
      `update order_line l set quantity = 11 from subscription_order o
       where o.id = l.order_id and o.customer_id = $1`,
      [bad],
    ),
  );
  const { failing, figures } = await rehearsed(books, '2027-01-16');
  const held = [{ customerId: bad, code: 'quantity.outOfRange' }];
  t.deepEqual(failing, held);
  t.deepEqual(figures.passedOver.failing, { 'quantity.outOfRange': 1 });
  t.is(figures.run.invoices, 1);
  books.tomorrow();
  t.deepEqual(await books.run(), held);
});

test('a tax provider is not asked: invoices without its answer are counted, and compared without tax', async (t) => {
  const provider = { ...partialTaxes };
  const books = await open({
    file: avataxFile(),
    taxProvider: provider,
    plans: [recurring('P', 100, { ...prepaid, taxCodes: ['STANDARD'] })],
  });
  const customerId = await newYorker(books);
  await books.order({ customerId, contractCode: 'P', startDate: '2027-01-16' });
  await books.advance('2027-02-15');
  const asked: unknown[] = [];
  provider.calculate = (document) => {
    asked.push(document);
    return partialTaxes.calculate(document);
  };
  const { figures, compared } = await rehearsed(books, '2027-02-16');
  t.deepEqual(asked, []);
  t.is(figures.run.untaxed, 1);
  t.like(compared[0], { total: '100', amount: '100', lastAmount: '100' });
});

test('a run further ahead than 31 days is refused', async (t) => {
  const books = await open();
  await t.notThrowsAsync(rehearsed(books, '2027-02-15'));
  await refused(t, rehearsed(books, '2027-02-16'), 'field.invalid');
});

test('more customers than a batch has are rehearsed once each, and a stop ends it between two batches', async (t) => {
  const books = await open();
  await books.work(async ({ tx }) => {
    await tx.query(
      `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
       select $1, 'A customer', 'Active', 'USD', now(), now() from generate_series(1, 230)`,
      [tx.tenantId],
    );
  });
  const ids = await books.read((tx) =>
    tx.query<{ id: number }>('select id from customer order by id'),
  );
  for (const { id } of ids) {
    await books.order({ customerId: id, contractCode: 'P', startDate: '2027-01-16' });
  }
  const { figures, compared } = await rehearsed(books, '2027-01-16');
  t.deepEqual(
    compared.map(({ customerId }) => customerId),
    ids.map(({ id }) => id),
  );
  t.like(figures.run, { customers: 230, invoices: 230, amounts: { USD: '2300' } });
  const stop = new AbortController();
  const seen: number[] = [];
  const stopped = rehearse(books.dependencies, books.tenantId, {
    day: '2027-01-16',
    limits,
    onProgress: (customers) => {
      seen.push(customers);
      stop.abort(new Error('stopped'));
    },
    signal: stop.signal,
  });
  await t.throwsAsync(stopped, { message: 'stopped' });
  t.deepEqual(seen, [200]);
});
