/** Penalties: due on the day of the step, billed at the next 00:00, once each time. */

import test from 'ava';
import { prorated, recurring } from '../support/plans.ts';
import { sharedDatabase } from '../support/books.ts';
import { openDunningBooks } from '../support/dunning-books.ts';

const db = await sharedDatabase();
const late = {
  priceCode: 'LATE',
  chargeType: 'OneTimeCharge',
  pricingType: 'FixedPricing',
  price: 7,
  isPenalty: true,
  penaltyStatus: 'Overdue1',
};
const fee = recurring('FEE', 31, prorated);
const withPenalty = (penalty: Readonly<Record<string, unknown>>) => [
  { ...fee, charges: [...fee.charges, penalty] },
];

/** The charges of penalties, `LATE 2027-02-15 7.00 on 2027-02-16`. */
async function penalties(books: Awaited<ReturnType<typeof openDunningBooks>>): Promise<string[]> {
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select c.price_code || ' ' || c.billing_start_date || ' ' || round(c.amount, 2) || ' on '
         || i.invoice_date as text
       from invoice_charge c
       join invoice_line l on l.tenant_id = c.tenant_id and l.id = c.invoice_line_id
       join invoice i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
       where c.kind = 'penalty' order by i.number_value, c.id`,
    ),
  );
  return rows.map(({ text }) => text);
}

test('a one-time penalty is billed at the 00:00 after its step, once each time the customer gets there', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01', plans: withPenalty(late) });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'FEE' }, { generateInvoice: true });
  // Due on 31 January, Overdue1 on 15 February.
  await books.advance('2027-02-15');
  t.deepEqual(await penalties(books), []);
  t.is(await books.orderNow(orderId), 'Active next 2027-02-15 bills 2027-02-16');
  await books.advance('2027-03-10');
  t.deepEqual(await penalties(books), ['LATE 2027-02-15 7.00 on 2027-02-16']);
  // Overdue2 on 2 March is no further penalty; everything is paid, and the next debt ages anew.
  await books.paid({ customerId, amount: '100' });
  t.is(await books.standing(customerId), 'Active, closed');
  // The invoice of 1 April is due on 1 May, and 15 days overdue on 16 May.
  await books.advance('2027-05-20');
  t.deepEqual(await penalties(books), [
    'LATE 2027-02-15 7.00 on 2027-02-16',
    'LATE 2027-05-16 7.00 on 2027-05-17',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a customer that pays on the day of the step is not billed the penalty', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01', plans: withPenalty(late) });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'FEE' }, { generateInvoice: true });
  await books.advance('2027-02-15');
  await books.paid({ customerId, amount: '62' });
  t.is(await books.orderNow(orderId), 'Active next 2027-03-01 bills 2027-03-01');
  await books.advance('2027-03-15');
  t.deepEqual(await penalties(books), []);
  t.deepEqual(await books.faults(), []);
});

test('an order whose line items leave the penalty out is not billed it, unless it is mandatory', async (t) => {
  for (const isMandatory of [false, true]) {
    const plans = withPenalty({ ...late, isMandatory });
    const books = await openDunningBooks(db, { today: '2027-01-01', plans });
    const customerId = await books.customer();
    const orderLineItems = [{ priceCode: 'FEE' }];
    await books.order(
      { customerId, contractCode: 'FEE', orderLineItems },
      { generateInvoice: true },
    );
    await books.advance('2027-02-20');
    t.is((await penalties(books)).length, isMandatory ? 1 : 0);
    t.deepEqual(await books.faults(), []);
  }
});

test('a rollback makes a penalty due again while the customer stands there', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01', plans: withPenalty(late) });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'FEE' }, { generateInvoice: true });
  await books.advance('2027-02-17');
  t.is((await books.invoices()).at(-1)?.includes('LATE'), true);
  await books.cancelInvoice(1003, { rollbackBillingPeriod: true });
  await books.advance('2027-02-20');
  t.deepEqual(await penalties(books), [
    'LATE 2027-02-15 7.00 on 2027-02-16',
    'LATE 2027-02-15 7.00 on 2027-02-18',
  ]);
  t.deepEqual(await books.faults(), []);
});

const monthly = { ...late, chargeType: 'RecurringCharge', isProrated: true, price: 28 };

test('a recurring penalty is billed for the periods that begin from its step on, while the customer stands there', async (t) => {
  const plans = withPenalty({ ...monthly, isPrepaid: true });
  const books = await openDunningBooks(db, { today: '2027-01-01', plans });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'FEE' }, { generateInvoice: true });
  await books.advance('2027-03-10');
  // Overdue1 on 15 February: February is under way.
  t.deepEqual(await penalties(books), ['LATE 2027-03-01 28.00 on 2027-03-01']);
  await books.paid({ customerId, amount: '200' });
  await books.advance('2027-04-02');
  t.is((await penalties(books)).length, 1);
  t.deepEqual(await books.faults(), []);
});

test('a recurring penalty in arrears is billed on 1 April for March, if the customer still stands there', async (t) => {
  const plans = withPenalty(monthly);
  const books = await openDunningBooks(db, { today: '2027-01-01', plans });
  const [stays, leaves] = [await books.customer(), await books.customer()];
  for (const customerId of [stays, leaves]) {
    await books.order({ customerId, contractCode: 'FEE' }, { generateInvoice: true });
  }
  await books.advance('2027-03-20');
  t.deepEqual(await penalties(books), []);
  await books.paid({ customerId: leaves, amount: '93' });
  await books.advance('2027-04-01');
  t.deepEqual(await penalties(books), ['LATE 2027-03-01 28.00 on 2027-04-01']);
  t.deepEqual(await books.faults(), []);
});

test('a period that begins on the very day of the step is billed', async (t) => {
  const plans = withPenalty({ ...monthly, isPrepaid: true });
  const books = await openDunningBooks(db, { today: '2027-01-01', plans });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-31' });
  await books.advance('2027-01-15');
  // Months from the 15th; Overdue1 on 15 February, billed at the next 00:00.
  await books.order({ customerId, contractCode: 'FEE' }, { generateInvoice: true });
  await books.advance('2027-03-14');
  t.deepEqual(await penalties(books), ['LATE 2027-02-15 28.00 on 2027-02-16']);
  t.deepEqual(await books.faults(), []);
});

test('an order that begins after the step is billed from its first day, a part of a period', async (t) => {
  const plan = { ...fee, billingAlignment: 'DayOfMonth', alignmentDay: 1 };
  const charges = [...fee.charges, { ...monthly, isPrepaid: true }];
  const books = await openDunningBooks(db, { today: '2027-01-01', plans: [{ ...plan, charges }] });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-20' });
  await books.order({ customerId, contractCode: 'FEE', startDate: '2027-02-15' });
  // Overdue1 on 4 February; 15 to 28 February are 14 of 28 days.
  await books.advance('2027-02-20');
  t.deepEqual(await penalties(books), ['LATE 2027-02-15 14.00 on 2027-02-15']);
  t.deepEqual(await books.faults(), []);
});

test('a pending change passes a penalty on: it is billed once, by the order that serves', async (t) => {
  const change = { effectiveDate: '2027-02-20' };
  for (const [penalty, expected] of [
    [late, ['LATE 2027-02-15 7.00 on 2027-02-16']],
    [
      { ...monthly, isPrepaid: true },
      // By days, from each order's first one: 9 of 28, and 22 of 31, which the current order is credited.
      [
        'LATE 2027-02-20 9.00 on 2027-02-20',
        'LATE 2027-03-01 28.00 on 2027-03-01',
        'LATE 2027-03-10 19.87 on 2027-03-11',
        'LATE 2027-04-01 28.00 on 2027-04-01',
      ],
    ],
  ] as const) {
    const books = await openDunningBooks(db, { today: '2027-01-01', plans: withPenalty(penalty) });
    const customerId = await books.customer();
    const input = { customerId, contractCode: 'FEE' };
    const id = await books.order(input, { generateInvoice: true });
    const next = await books.change(id, input, change);
    await books.advance('2027-02-25');
    t.is(await books.orderNow(next), 'Active next 2027-03-01 bills 2027-03-01');
    if (penalty !== late) {
      await books.advance('2027-03-10');
      await books.change(next, input);
    }
    await books.advance('2027-04-01');
    t.deepEqual(await penalties(books), expected);
    t.deepEqual(await books.faults(), []);
  }
});
