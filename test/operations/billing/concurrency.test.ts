/** Simultaneous billing: each order is billed once, and one bad customer stops nobody. */

import test from 'ava';
import { Client } from 'pg';
import { billCustomers } from '../../../operations/billing/bill-customers.ts';
import { billAllDue } from '../../../operations/due/orders.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { held } from '../support/held.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await ownDatabase();
const closed = { pricingType: 'TieredPricing', price: undefined };
const until10 = { ...closed, tiers: [{ unitsFrom: 0, unitsTo: 10, price: 1 }] };
const plans = [
  recurring('P', 10, prepaid),
  recurring('DEAR', 9999, prepaid),
  recurring('TIERS', 0, { ...prepaid, ...until10 }),
];

/** Customers with an order each, due at the next 00:00. */
async function withOrders(count: number, contractCode = 'P') {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customers: number[] = [];
  for (let made = 0; made < count; made += 1) {
    const customerId = await books.customer({ ref: `C-${made}` });
    await books.order({ customerId, contractCode });
    customers.push(customerId);
  }
  return { books, customers };
}

const invoicesEach = (books: Books) =>
  books.read(async (tx) => {
    const rows = await tx.query<{ customerId: number; count: number }>(
      'select customer_id, count(*) from invoice group by 1 order by 1',
    );
    return rows.map((row) => [row.customerId, row.count]);
  });

test('two simultaneous runs bill each order once', async (t) => {
  const { books, customers } = await withOrders(30);
  books.tomorrow();
  const { dependencies, tenantId } = books;
  const lanes = { lanes: 2, mayContinue: () => true, onBatch: () => {} };
  await Promise.all([
    billCustomers(dependencies, tenantId, customers, { wait: true }),
    billAllDue(dependencies, tenantId, lanes),
    ...customers
      .slice(0, 5)
      .map((id) => billCustomers(dependencies, tenantId, [id], { wait: true })),
    billCustomers(dependencies, tenantId, customers.toReversed(), { wait: false }),
  ]);
  t.deepEqual(
    await invoicesEach(books),
    customers.map((id) => [id, 1]),
  );
  t.deepEqual(await books.counters(), { order: 1031, invoice: 1031 });
  t.deepEqual((await books.audit()).faults, []);
});

test('a customer that another transaction has locked is skipped or waited for, as asked', async (t) => {
  const { books, customers } = await withOrders(2);
  const [locked = 0, free = 0] = customers;
  books.tomorrow();
  const { dependencies, tenantId } = books;
  const holder = await held(books, ({ tx }) =>
    tx.query('select from customer where id = $1 for no key update', [locked]),
  );
  const batch = await billCustomers(dependencies, tenantId, customers, { wait: false });
  t.like(batch, { customers: 1, invoices: 1, skipped: [locked], held: [] });
  t.deepEqual(await invoicesEach(books), [[free, 1]]);
  const waiting = billCustomers(dependencies, tenantId, customers, { wait: true });
  await holder.commit();
  t.like(await waiting, { invoices: 1, skipped: [] });
  t.deepEqual((await books.audit()).faults, []);
});

test('an insert of a child row does not make billing skip its customer', async (t) => {
  const { books, customers } = await withOrders(1);
  books.tomorrow();
  const { dependencies, tenantId } = books;
  const writer = await held(books, ({ tx }) =>
    tx.query(`insert into contact (tenant_id, customer_id, kind) values ($1, $2, 'billing')`, [
      tenantId,
      customers[0],
    ]),
  );
  const batch = await billCustomers(dependencies, tenantId, customers, { wait: false });
  await writer.commit();
  t.like(batch, { invoices: 1, skipped: [] });
});

test('a customer that cannot be rated is held, the others are billed', async (t) => {
  const { books, customers } = await withOrders(5, 'TIERS');
  const [, bad = 0] = customers;
  // The interface does not allow this: a quantity beyond the last tier.
  await books.work(({ tx }) =>
    tx.query(
      `update order_line l set quantity = 11 from subscription_order o
       where o.id = l.order_id and o.customer_id = $1`,
      [bad],
    ),
  );
  books.tomorrow();
  t.deepEqual(await books.run(), [{ customerId: bad, code: 'quantity.outOfRange' }]);
  const others = customers.filter((id) => id !== bad).map((id) => [id, 1]);
  t.deepEqual(await invoicesEach(books), others);
  const audit = await books.audit();
  t.deepEqual(audit.faults, []);
  t.deepEqual(audit.held, [
    {
      customerId: bad,
      extCustomerRef: 'C-1',
      code: 'quantity.outOfRange',
      text: null,
      since: '2027-01-16T05:00:00Z',
    },
  ]);
  // Held until a person releases it, then billed for everything that it missed.
  await books.advance('2027-02-20');
  t.is((await books.invoices(bad)).length, 0);
  await books.work(({ tx }) =>
    tx.query(
      `with mended as (update order_line l set quantity = 1 from subscription_order o
         where o.id = l.order_id and o.customer_id = $1)
       update customer set billing_held_at = null, billing_held_code = null where id = $1`,
      [bad],
    ),
  );
  await books.run();
  t.deepEqual(
    (await books.invoices(bad)).map((text) => text.slice(5)),
    [
      'on 2027-02-20 due 2027-03-22 Outstanding 2.00: ' +
        'TIERS 2027-01-15 2027-02-14 1.00, TIERS 2027-02-15 2027-03-14 1.00',
    ],
  );
  t.deepEqual((await books.audit()).faults, []);
});

test('a customer with a bug in its rating is held too, the others are billed', async (t) => {
  const { books, customers } = await withOrders(3);
  const [, bad = 0] = customers;
  // A first term that ends before it begins: an assertion of the rules fails.
  await books.work(({ tx }) =>
    tx.query(
      `update subscription_order set end_date = '2027-01-15', term_first_end = '2027-01-01'
       where customer_id = $1`,
      [bad],
    ),
  );
  books.tomorrow();
  t.deepEqual(await books.run(), [{ customerId: bad, code: 'service.fault' }]);
  const [bug] = books.bugs;
  t.is(bug?.message, `customer ${bad} is held`);
  t.true(bug?.cause instanceof Error);
  const others = customers.filter((id) => id !== bad).map((id) => [id, 1]);
  t.deepEqual(await invoicesEach(books), others);
  t.deepEqual(
    (await books.audit()).held.map(({ code }) => code),
    ['service.fault'],
  );
});

test('a database error bisects the batch down to the customer at fault', async (t) => {
  const { books, customers } = await withOrders(9, 'DEAR');
  const bad = customers[6] ?? 0;
  // 9999.00 x 1e13 units exceed the column: the statement that writes the batch fails.
  await books.work(({ tx }) =>
    tx.query(
      `update order_line l set quantity = 10000000000000
       from subscription_order o where o.id = l.order_id and o.customer_id = $1`,
      [bad],
    ),
  );
  books.tomorrow();
  const { dependencies, tenantId } = books;
  const batch = await billCustomers(dependencies, tenantId, customers, { wait: true });
  t.like(batch, { customers: 8, invoices: 8, skipped: [] });
  t.deepEqual(batch.held, [{ customerId: bad, code: 'billing.amountTooLarge' }]);
  t.deepEqual(
    await invoicesEach(books),
    customers.filter((id) => id !== bad).map((id) => [id, 1]),
  );
  t.deepEqual((await books.counters())['invoice'], 1009);
  t.deepEqual((await books.audit()).faults, []);
});

test('an error while rows are built bisects the batch, and the log has the error', async (t) => {
  const { books, customers } = await withOrders(5);
  const bad = customers[3] ?? 0;
  // A balance that no rule makes: rating succeeds, and the totals that continue from it throw.
  const { dependencies, tenantId } = books;
  await books.work(({ tx }) =>
    tx.query(
      `insert into customer_balance (tenant_id, customer_id, currency, balance, last_total_due)
       values ($1, $2, 'USD', 'NaN', 0)`,
      [tenantId, bad],
    ),
  );
  books.tomorrow();
  const batch = await billCustomers(dependencies, tenantId, customers, { wait: true });
  t.like(batch, { customers: 4, invoices: 4, skipped: [] });
  t.deepEqual(batch.held, [{ customerId: bad, code: 'service.fault' }]);
  t.is(books.bugs[0]?.message, `customer ${bad} is held`);
  t.regex(String(books.bugs[0]?.cause), /not a decimal: NaN/);
});

test('a batch that takes too long is bisected down to the customer that does so alone', async (t) => {
  const { books, customers } = await withOrders(3);
  const bad = customers[1] ?? 0;
  const { dependencies, tenantId } = books;
  // The error of a statement beyond its time limit.
  await slowly(bad, 'query_canceled');
  books.tomorrow();
  const batch = await billCustomers(dependencies, tenantId, customers, { wait: true });
  t.like(batch, { customers: 2, invoices: 2 });
  t.deepEqual(batch.held, [{ customerId: bad, code: 'billing.timedOut' }]);
});

test('a transient failure holds nobody', async (t) => {
  const { books, customers } = await withOrders(3);
  const { dependencies, tenantId } = books;
  await slowly(customers[1] ?? 0, 'admin_shutdown');
  books.tomorrow();
  await t.throwsAsync(billCustomers(dependencies, tenantId, customers, { wait: true }));
  t.deepEqual((await books.audit()).held, []);
});

/** From now on ledger entries of this customer raise an error. */
async function slowly(customerId: number, condition: string): Promise<void> {
  const owner = new Client({ connectionString: db.ownerUrl });
  await owner.connect();
  await owner.query(
    `create function fail_${customerId}() returns trigger language plpgsql as $$
     begin raise exception 'as asked' using errcode = '${condition}'; end $$;
     create trigger fail_${customerId} before insert on ledger_entry for each row
       when (new.customer_id = ${customerId}) execute function fail_${customerId}()`,
  );
  await owner.end();
}

test('an audit in the middle of a renewal sees one snapshot of it, and no fault', async (t) => {
  const { books, customers } = await withOrders(40);
  books.tomorrow();
  const { dependencies, tenantId } = books;
  let isBilling = true;
  // The audit runs in the middle, however fast each of the two is.
  const middle = Promise.withResolvers<void>();
  const renewal = (async () => {
    for (const [index, id] of customers.entries()) {
      if (index === customers.length / 2) await middle.promise;
      await billCustomers(dependencies, tenantId, [id], { wait: true });
    }
    isBilling = false;
  })();
  const underWay: number[] = [];
  while (isBilling) {
    const seen = await books.audit(0);
    t.deepEqual(seen.faults, []);
    t.is(seen.underWay + seen.invoices, customers.length);
    underWay.push(seen.underWay);
    if (seen.underWay <= customers.length / 2) middle.resolve();
  }
  await renewal;
  t.true(underWay.some((orders) => orders > 0 && orders < customers.length));
  t.like(await books.audit(0), { underWay: 0, invoices: customers.length, faults: [] });
});

test('a batch ends before it exceeds 5,000 charges; the other customers are in the next one', async (t) => {
  const codes = ['A', 'B', 'C'];
  const charges = codes.flatMap((code) => recurring(code, 1, prepaid).charges);
  const daily = { ...recurring('DAILY', 1), billingPeriod: 'Daily', charges };
  const books = await openBooks(db, { today: '2027-01-15', plans: [daily] });
  const customers = [await books.customer(), await books.customer(), await books.customer()];
  // 900 days from 30 July 2024 to 15 January 2027, and the day of the run: 2,703 charges each.
  for (const customerId of customers) {
    await books.order({ customerId, contractCode: 'DAILY', startDate: '2024-07-30' });
  }
  books.tomorrow();
  const { dependencies, tenantId } = books;
  const first = await billCustomers(dependencies, tenantId, customers, { wait: true });
  t.like(first, { customers: 1, invoices: 1, skipped: customers.slice(1), held: [] });
  t.deepEqual(await books.run(), []);
  const totals = await books.read((tx) =>
    tx.query('select round(current_amount_due) as due from invoice order by number_value'),
  );
  t.deepEqual(totals, [{ due: '2703' }, { due: '2703' }, { due: '2703' }]);
  t.deepEqual((await books.audit()).faults, []);
});
