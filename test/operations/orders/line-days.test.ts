/** Order lines with days of their own: stored, billed by the runs, rolled back and audited. */
import test from 'ava';
import { lockOrder } from '../../../operations/context/locks.ts';
import { rescheduleOrders } from '../../../operations/standing/reschedule-orders.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const rata = recurring('RATA', 31, prorated);
const fixed = { pricingType: 'FixedPricing' } as const;
const plans = [
  rata,
  {
    ...rata,
    contractCode: 'MORE',
    charges: [
      ...rata.charges,
      { ...fixed, priceCode: 'LATER', chargeType: 'RecurringCharge', price: 62, isProrated: true },
      { ...fixed, priceCode: 'SETUP', chargeType: 'OneTimeCharge', price: 49 },
    ],
  },
];

interface LineDays {
  readonly priceCode: string;
  readonly startsOn?: string;
  readonly endsOn?: string;
}

/** As a change of the order would. */
async function setDays(books: Books, orderId: number, days: readonly LineDays[]): Promise<void> {
  await books.work(async (context) => {
    await lockOrder(context.tx, { id: orderId });
    for (const { priceCode, startsOn = null, endsOn = null } of days) {
      await context.tx.query(
        `update order_line l set starts_on = $3, ends_on = $4 from plan_charge g
         where l.order_id = $1 and g.id = l.charge_id and g.price_code = $2`,
        [orderId, priceCode, startsOn, endsOn],
      );
    }
    await rescheduleOrders(context, { orderIds: [orderId] });
  });
}

async function openWith(contractCode: string, settings = {}) {
  const books = await openBooks(db, { today: '2027-01-15', plans, file: { settings } });
  const customerId = await books.customer();
  return { books, id: await books.order({ customerId, contractCode, startDate: '2027-02-01' }) };
}

const faultsOf = async (books: Books) => (await books.audit()).faults;

test('a line that ends in a period is billed up to its last day, and again after a rollback', async (t) => {
  const { books, id } = await openWith('RATA');
  await setDays(books, id, [{ priceCode: 'RATA', endsOn: '2027-03-10' }]);
  await books.advance('2027-02-01');
  t.is(await books.orderNow(id), 'Active next 2027-03-01 bills 2027-03-01');
  await books.advance('2027-04-02');
  t.is(await books.orderNow(id), 'Active');
  const march = 'RATA 2027-03-01 2027-03-10 10.00';
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-02-01 due 2027-03-03 Outstanding 31.00: RATA 2027-02-01 2027-02-28 31.00',
    `1002 on 2027-03-01 due 2027-03-31 Outstanding 10.00: ${march}`,
  ]);
  t.deepEqual(await faultsOf(books), []);
  await books.cancelInvoice(1002, { rollbackBillingPeriod: true });
  t.is(await books.orderNow(id), 'Active next 2027-03-01 bills 2027-04-03');
  await books.advance('2027-05-02');
  const again = (await books.invoices()).at(-1);
  t.is(again, `1003 on 2027-04-03 due 2027-05-03 Outstanding 10.00: ${march}`);
  t.deepEqual(await faultsOf(books), []);
});

test('lines begin on their own days, and the order’s next date is the first of theirs', async (t) => {
  const { books, id } = await openWith('MORE');
  await setDays(books, id, [
    { priceCode: 'RATA', startsOn: '2027-02-10', endsOn: '2027-02-19' },
    { priceCode: 'LATER', startsOn: '2027-02-15' },
    { priceCode: 'SETUP', startsOn: '2027-02-12' },
  ]);
  await books.advance('2027-02-01');
  t.is(await books.orderNow(id), 'Active next 2027-02-10 bills 2027-02-10');
  await books.advance('2027-03-01');
  t.deepEqual(
    (await books.invoices()).map((text) => text.replace(/^.* Outstanding /, '')),
    [
      // 10 and 14 of February's 28 days.
      '11.07: RATA 2027-02-10 2027-02-19 11.07',
      '49.00: SETUP 2027-02-12 2027-02-12 49.00',
      '31.00: LATER 2027-02-15 2027-02-28 31.00',
    ],
  );
  t.is(await books.orderNow(id), 'Active next 2027-04-01 bills 2027-04-01');
  t.deepEqual(await faultsOf(books), []);
});

test('the audit finds an order whose dates do not agree with the days of its lines', async (t) => {
  const { books, id } = await openWith('RATA');
  await books.advance('2027-02-01');
  await books.work(({ tx }) =>
    tx.query(`update order_line set ends_on = '2027-02-28' where order_id = $1`, [id]),
  );
  const faults = await faultsOf(books);
  t.deepEqual(
    faults.map(({ check, detail }) => `${check}: ${detail}`),
    ['order.dates: nextBillableDate 2027-03-01, should be null; billOn 2027-03-01, should be null'],
  );
});

test('the end of an order credits the unused days of its lines’ billed days', async (t) => {
  const settings = { creditUnusedOnCancel: true };
  for (const [on, credit] of [
    // 11.07 for 10 of 28 days, of which 5 cost 5.54.
    ['2027-02-05', ['5.53']],
    ['2027-02-20', []],
  ] as const) {
    const { books, id } = await openWith('RATA', settings);
    await setDays(books, id, [{ priceCode: 'RATA', endsOn: '2027-02-10' }]);
    await books.advance(on);
    await books.put(id, { orderStatus: 'Canceled' });
    const credits = await books.read((tx) =>
      tx.query<{ amount: string }>(
        `select round(amount, 2)::text as amount from payment where payment_type = 'Credit'`,
      ),
    );
    t.deepEqual(
      credits.map(({ amount }) => amount),
      credit,
    );
    t.deepEqual(await faultsOf(books), []);
  }
});

test('the first day of a line is not after its last', async (t) => {
  const { books, id } = await openWith('RATA');
  const days = { priceCode: 'RATA', startsOn: '2027-02-11', endsOn: '2027-02-10' };
  await t.throwsAsync(setDays(books, id, [days]), { message: /order_line_days/ });
});
