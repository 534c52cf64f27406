/** Pauses of orders and customers that end by themselves, at 00:00 of their day, before it bills. */
import test from 'ava';
import { tenantInfo } from '../../../operations/context/context.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { thresholds } from '../support/dunning-books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const plans = [
  recurring('M31', 31, prorated),
  recurring('A31', 31, { isProrated: true }),
  recurring('L62', 62, prorated),
];
const until = '2027-03-01';

/** M31 since 2027-01-15, billed to 02-14, on 2027-01-20. */
async function booksWith(fields: object = {}, file: Readonly<Record<string, unknown>> = {}) {
  const books = await openBooks(db, { today: '2027-01-15', plans, file });
  const customerId = await books.customer({ paymentTerms: { value: 10, units: 'Days' } });
  const order = { customerId, contractCode: 'M31', ...fields };
  const id = await books.order(order, { generateInvoice: true });
  await books.advance('2027-01-20');
  return { books, customerId, id };
}

const pausesOf = (books: Books) =>
  books
    .read((tx) =>
      tx.query<{ text: string }>(
        `select concat_ws(' ', case when order_id is null then 'customer' else 'order' end,
         suspended_on, resumed_on, 'until ' || until) as text from service_pause order by id`,
      ),
    )
    .then((rows) => rows.map(({ text }) => text));

const statusOf = async (books: Books, id: number) => {
  const [row] = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat(status, case when status_by_hand then ' by hand' end) as text
       from customer where id = $1`,
      [id],
    ),
  );
  return row?.text;
};

const amounts = async (books: Books) =>
  (await books.invoices()).map((text) => text.replace(/^\S+ on (\S+) .*: /, '$1: '));

const eventsOf = async (books: Books) => {
  const rows = await books.read((tx) =>
    tx.query<{ type: string }>('select type from event order by id'),
  );
  return rows.map(({ type }) => type);
};

/** As `amounts`: what the preview says that the runs up to a day will make. */
async function foreseen(books: Books, customerId: number, asOf: string): Promise<string[]> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const invoices = await nextInvoices(books.dependencies, tenant, { id: customerId }, asOf);
  return invoices.flatMap(({ invoiceDate, lines }) =>
    lines.flatMap(({ charges }) =>
      charges.map(
        ({ priceCode, billingStartDate, billingEndDate, amount }) =>
          `${invoiceDate}: ${[priceCode, billingStartDate, billingEndDate, amount].join(' ')}`,
      ),
    ),
  );
}

const twice = [
  '2027-01-15: M31 2027-01-15 2027-02-14 31.00',
  // 14 of the 28 days from 02-15 to 03-14.
  '2027-03-01: M31 2027-03-01 2027-03-14 15.50',
  '2027-03-15: M31 2027-03-15 2027-04-14 31.00',
];

test('an order that is suspended until a day bills again on it', async (t) => {
  const { books, customerId, id } = await booksWith();
  await books.suspend(id, until);
  t.deepEqual(await foreseen(books, customerId, '2027-03-15'), twice.slice(1));
  await books.advance('2027-02-28');
  t.is(await books.orderNow(id), 'Suspended');
  const before = (await eventsOf(books)).length;
  await books.advance(until);
  t.deepEqual((await eventsOf(books)).slice(before, before + 2), [
    'order.updated',
    'invoice.created',
  ]);
  await books.advance('2027-03-15');
  t.deepEqual(await amounts(books), twice);
  t.deepEqual(await pausesOf(books), [`order 2027-01-20 ${until}`]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a customer that is suspended until a day is billed again on it', async (t) => {
  const { books, customerId } = await booksWith();
  await books.cancelInvoice(1001);
  await books.customerAction(customerId, 'suspend', until);
  t.deepEqual(await foreseen(books, customerId, '2027-03-15'), twice.slice(1));
  await books.advance('2027-02-28');
  t.is(await statusOf(books, customerId), 'Suspended1 by hand');
  const before = (await eventsOf(books)).length;
  await books.advance('2027-03-15');
  t.is(await statusOf(books, customerId), 'Active');
  t.deepEqual((await amounts(books)).slice(1), twice.slice(1));
  t.deepEqual((await eventsOf(books)).slice(before, before + 3), [
    'customer.transition',
    'customer.updated',
    'invoice.created',
  ]);
  t.deepEqual(await pausesOf(books), [`customer 2027-01-20 ${until}`]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a run that comes late ends the pause on its day', async (t) => {
  const { books, id } = await booksWith();
  await books.suspend(id, until);
  books.jump('2027-03-05');
  await books.run();
  t.is((await amounts(books))[1], '2027-03-05: M31 2027-03-01 2027-03-14 15.50');
  t.deepEqual(await pausesOf(books), [`order 2027-01-20 ${until}`]);
});

test('a further suspension of an order moves the day; without one it is refused', async (t) => {
  const { books, id } = await booksWith();
  await books.suspend(id);
  await books.suspend(id, '2027-02-20');
  await books.suspend(id, until);
  await refused(t, books.suspend(id), 'order.transition');
  await books.advance('2027-02-25');
  t.is(await books.orderNow(id), 'Suspended');
  t.deepEqual(await pausesOf(books), [`order 2027-01-20 until ${until}`]);
  await books.advance(until);
  t.is((await amounts(books))[1], twice[1]);
});

test('a further suspension of a customer moves the day, or takes it away', async (t) => {
  const { books, customerId } = await booksWith();
  await books.customerAction(customerId, 'suspend', '2027-02-01');
  await books.customerAction(customerId, 'suspend', '2027-02-10');
  t.deepEqual(await pausesOf(books), ['customer 2027-01-20 until 2027-02-10']);
  await books.customerAction(customerId, 'suspend');
  await books.advance('2027-03-20');
  t.is(await statusOf(books, customerId), 'Suspended1 by hand');
  t.deepEqual(await pausesOf(books), ['customer 2027-01-20']);
});

test('whoever activates, or cancels, before the day forgets it', async (t) => {
  const { books, customerId, id } = await booksWith();
  await books.suspend(id, until);
  await books.customerAction(customerId, 'suspend', until);
  await books.advance('2027-01-25');
  await books.activate(id);
  await books.customerAction(customerId, 'activate');
  const other = await books.order({ customerId, contractCode: 'M31' });
  await books.suspend(other, until);
  await books.put(other, { orderStatus: 'Canceled' });
  t.deepEqual(await pausesOf(books), [
    'order 2027-01-20 2027-01-25',
    'customer 2027-01-20 2027-01-25',
    'order 2027-01-25',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('an order that ends in its pause does not resume, and bills no prepaid charge', async (t) => {
  const { books, customerId, id } = await booksWith({ endDate: '2027-02-20', isAutoRenew: false });
  const unbilled = await books.order({
    customerId,
    contractCode: 'M31',
    endDate: '2027-02-28',
    isAutoRenew: false,
  });
  await books.suspend(id, until);
  await books.suspend(unbilled, until);
  await books.advance('2027-03-10');
  t.is(await books.orderNow(id), 'Complete ends 2027-02-20');
  t.is(await books.orderNow(unbilled), 'Complete ends 2027-02-28');
  t.is((await amounts(books)).length, 1);
  t.deepEqual(await pausesOf(books), ['order 2027-01-20', 'order 2027-01-20']);
  t.deepEqual((await books.audit()).faults, []);
});

test('a change that waited takes effect on the day, before it bills', async (t) => {
  const { books, customerId, id } = await booksWith();
  await books.change(id, { contractCode: 'L62' }, { effectiveDate: '2027-02-01' });
  await books.suspend(id, until);
  // 62.00 x 14/28; nothing of the old order was billed for these days.
  const both = [
    '2027-03-01: L62 2027-03-01 2027-03-14 31.00',
    '2027-03-15: L62 2027-03-15 2027-04-14 62.00',
  ];
  t.deepEqual(await foreseen(books, customerId, '2027-03-15'), both);
  await books.advance('2027-03-15');
  t.deepEqual((await amounts(books)).slice(1), both);
  t.is(await books.orderNow(id), 'Superseded ends 2027-02-28');
  t.deepEqual((await books.audit()).faults, []);
});

test('a change that is agreed on while its customer is paused bills from its day', async (t) => {
  const { books, customerId, id } = await booksWith();
  await books.customerAction(customerId, 'suspend', '2027-02-01');
  await books.change(id, { contractCode: 'L62' }, { effectiveDate: '2027-02-08' });
  // 7 of 31 days of the period from 01-15 to 02-14.
  const credit = 'M31 2027-02-08 2027-02-14 -7.00';
  const stub = 'L62 2027-02-08 2027-02-14 14.00';
  const period = '2027-02-15: L62 2027-02-15 2027-03-14 62.00';
  const days = [`2027-02-08: ${credit}`, `2027-02-08: ${stub}`, period];
  t.deepEqual(await foreseen(books, customerId, '2027-02-15'), days);
  await books.advance('2027-02-15');
  t.deepEqual((await amounts(books)).slice(1), [`2027-02-08: ${credit}, ${stub}`, period]);
  t.is(await books.orderNow(id), 'Superseded ends 2027-02-07');
  t.deepEqual((await books.audit()).faults, []);
});

test('nothing is forgiven: the status is what the age of the invoices says', async (t) => {
  // 1001 is due on 01-25: 35 days overdue on 03-01, 60 on 03-26.
  for (const [day, status, billed] of [
    [until, 'Overdue2', 2],
    ['2027-03-26', 'Suspended1', 1],
  ] as const) {
    const { books, customerId } = await booksWith({}, { dunning: { thresholds } });
    await books.customerAction(customerId, 'suspend', day);
    t.is((await foreseen(books, customerId, day)).length, billed - 1);
    await books.advance(day);
    t.is(await statusOf(books, customerId), status);
    t.is((await amounts(books)).length, billed);
    t.deepEqual((await books.audit()).faults, []);
    // Paid, it is Active again.
    await books.cancelInvoice(1001);
    t.is(await statusOf(books, customerId), 'Active');
    await books.advance('2027-04-15');
    t.true((await amounts(books)).length > billed);
    t.deepEqual((await books.audit()).faults, []);
  }
});

test('a hold is not released: the pause ends, and nothing is billed', async (t) => {
  const { books, customerId, id } = await booksWith();
  await books.suspend(id, until);
  await books.work((context) =>
    context.tx.query(
      `update customer set billing_held_at = now(), billing_held_code = 'service.fault' where id = $1`,
      [customerId],
    ),
  );
  await books.advance('2027-03-05');
  t.regex((await books.orderNow(id)) ?? '', /^Active/);
  t.is((await amounts(books)).length, 1);
  await books.customerAction(customerId, 'activate');
  await books.advance('2027-03-06');
  t.is((await amounts(books))[1], '2027-03-06: M31 2027-03-01 2027-03-14 15.50');
});

test('the audit names a pause that should have ended', async (t) => {
  const { books, customerId, id } = await booksWith();
  await books.suspend(id, until);
  await books.customerAction(customerId, 'suspend', until);
  await books.work((context) => context.tx.query(`update service_pause set until = '2027-01-21'`));
  books.jump('2027-01-22');
  const faults = (await books.audit()).faults.filter(({ check }) => check === 'pause.until');
  t.deepEqual(
    faults.map(({ object, detail }) => `${object} ${detail}`),
    [
      'order 1001 its pause should have ended on 2027-01-21',
      `customer ${customerId} its pause should have ended on 2027-01-21`,
    ],
  );
});
