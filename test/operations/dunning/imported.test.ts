/** How imported debts age: what was overdue before the move is one quiet change, the rest is not. */

import test from 'ava';
import { card } from '../support/payment-books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { sharedDatabase } from '../support/books.ts';
import { openDunningBooks, type DunningBooksOptions } from '../support/dunning-books.ts';
import { importCustomer, importInvoice } from '../support/imported.ts';

const db = await sharedDatabase();

/** The thresholds are in force for months on the day of the move. */
async function open(options: Partial<DunningBooksOptions> = {}) {
  const books = await openDunningBooks(db, { today: '2027-01-01', ...options });
  books.jump('2027-03-31');
  return {
    ...books,
    importCustomer: (openingBalance?: string) =>
      books.work((its) =>
        importCustomer(its, openingBalance === undefined ? {} : { openingBalance }),
      ),
    importInvoice: (customerId: number, number: string, dueDate: string) =>
      books.work((its) => importInvoice(its, { customerId, number, amount: '60', dueDate })),
    /** The customer's transitions: whether each is mailed. */
    mailed: async (customerId: number): Promise<boolean[]> => {
      const rows = await books.read((tx) =>
        tx.query<{ mail: boolean }>(
          `select coalesce((detail->>'mail')::boolean, false) as mail from event
           where type = 'customer.transition' and customer_id = $1 order by id`,
          [customerId],
        ),
      );
      return rows.map(({ mail }) => mail);
    },
    penalties: async (): Promise<string[]> => {
      const rows = await books.read((tx) =>
        tx.query<{ text: string }>(
          `select price_code || ' ' || billing_start_date as text from invoice_charge
           where kind = 'penalty' order by id`,
        ),
      );
      return rows.map(({ text }) => text);
    },
  };
}

test('an invoice 90 days overdue makes one change at the next 00:00, which nothing announces', async (t) => {
  const books = await open();
  await books.age();
  const customerId = await books.importCustomer();
  // 31 December + 90 days is 31 March.
  await books.importInvoice(customerId, 'OLD-1', '2026-12-31');
  t.is(await books.standing(customerId), 'Active, open, next 2027-04-01');
  t.deepEqual(await books.faults(), []);
  await books.advance('2027-04-01');
  t.deepEqual(await books.transitions(customerId), ['2027-04-01 Active to Suspended1']);
  t.deepEqual(await books.mailed(customerId), [false]);
  await books.advance('2027-05-01');
  t.deepEqual(await books.transitions(customerId), ['2027-04-01 Active to Suspended1']);
  t.deepEqual(await books.faults(), []);
});

test('a dunning that an import opens begins with the next run, and no workflow before', async (t) => {
  const books = await open();
  await books.age();
  const [late, near, known, paid] = [
    await books.importCustomer(),
    await books.importCustomer(),
    await books.importCustomer(),
    await books.importCustomer('-60.00'),
  ];
  await books.bill(known, '10', { dueDate: '2027-03-31' });
  await books.advance('2027-04-01');
  t.deepEqual(await books.nudged(), [known]);
  await books.importInvoice(late, 'OLD-1', '2026-12-31');
  await books.importInvoice(late, 'OLD-2', '2026-12-30');
  // 5 days overdue: no threshold is reached.
  await books.importInvoice(near, 'OLD-3', '2027-03-27');
  await books.importInvoice(known, 'OLD-4', '2027-03-27');
  await books.importInvoice(paid, 'OLD-5', '2027-03-27');
  t.deepEqual(await books.nudged(), [known]);
  t.is(await books.standing(near), 'Active, open, next 2027-04-02');
  t.is(await books.standing(paid), 'Active, no dunning');
  t.deepEqual(await books.faults(), []);
  await books.advance('2027-04-02');
  t.deepEqual(new Set(await books.nudged()), new Set([late, near]));
  t.is(await books.standing(near), 'Active, open, next 2027-04-11');
  t.is(await books.standing(late), 'Suspended1, open');
  t.deepEqual(await books.faults(), []);
});

test('what people do about it meanwhile begins it', async (t) => {
  const books = await open();
  await books.age();
  const customerId = await books.importCustomer();
  await books.importInvoice(customerId, 'OLD-1', '2026-12-31');
  await books.importInvoice(customerId, 'OLD-2', '2027-03-10');
  t.deepEqual(await books.nudged(), []);
  await books.cancelInvoice('OLD-1');
  t.deepEqual(await books.nudged(), [customerId]);
  t.is(await books.standing(customerId), 'Active, open, next 2027-04-01');
  await books.advance('2027-04-01');
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-04-09');
  t.deepEqual(await books.faults(), []);
});

test('a day on which the run is still to come takes the change at once', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer();
  await books.importInvoice(customerId, 'OLD-1', '2026-12-31');
  t.is(await books.standing(customerId), 'Active, open, next 2027-03-31');
  await books.age();
  t.deepEqual(await books.transitions(customerId), ['2027-03-31 Active to Suspended1']);
  t.deepEqual(await books.mailed(customerId), [false]);
});

test('the step after the move is mailed and penalized, the steps before are not', async (t) => {
  const penalty = {
    chargeType: 'OneTimeCharge',
    pricingType: 'FixedPricing',
    price: 7,
    isPenalty: true,
  };
  const fee = recurring('FEE', 31, prorated);
  const charges = [
    ...fee.charges,
    { ...penalty, priceCode: 'LATE1', penaltyStatus: 'Overdue1' },
    { ...penalty, priceCode: 'LATE2', penaltyStatus: 'Overdue2' },
  ];
  const books = await open({ plans: [{ ...fee, charges }] });
  await books.age();
  const customerId = await books.importCustomer();
  const day = { startDate: '2027-04-01' };
  await books.order({ customerId, contractCode: 'FEE', ...day }, { generateInvoice: true });
  // 15 days overdue on 25 March, 30 on 9 April.
  await books.importInvoice(customerId, 'OLD-1', '2027-03-10');
  await books.advance('2027-04-08');
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-04-09');
  t.deepEqual(await books.penalties(), []);
  await books.advance('2027-04-10');
  t.deepEqual(await books.transitions(customerId), [
    '2027-04-01 Active to Overdue1',
    '2027-04-09 Overdue1 to Overdue2',
  ]);
  t.deepEqual(await books.mailed(customerId), [false, true]);
  t.deepEqual(await books.penalties(), ['LATE2 2027-04-09']);
  t.deepEqual(await books.faults(), []);
});

test('an imported invoice that becomes overdue here is announced like one made here', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer();
  await books.importInvoice(customerId, 'OLD-1', '2027-04-01');
  t.is(await books.standing(customerId), 'Active, no dunning');
  await books.advance('2027-04-16');
  t.deepEqual(await books.transitions(customerId), ['2027-04-16 Active to Overdue1']);
  t.deepEqual(await books.mailed(customerId), [true]);
  t.deepEqual(await books.faults(), []);
});

test('an older imported invoice raises the status quietly; one made here of the same age does not', async (t) => {
  const books = await open();
  const [older, same] = [await books.customer(), await books.customer()];
  for (const id of [older, same]) await books.bill(id, '10', { dueDate: '2027-04-20' });
  await books.advance('2027-05-11');
  await books.importInvoice(older, 'OLD-1', '2026-12-15');
  await books.importInvoice(same, 'OLD-2', '2027-04-20');
  await books.advance('2027-05-20');
  t.deepEqual(await books.transitions(older), [
    '2027-05-05 Active to Overdue1',
    '2027-05-12 Overdue1 to Suspended1',
  ]);
  t.deepEqual(await books.mailed(older), [true, false]);
  // 20 April + 30.
  t.deepEqual(await books.transitions(same), [
    '2027-05-05 Active to Overdue1',
    '2027-05-20 Overdue1 to Overdue2',
  ]);
  t.deepEqual(await books.mailed(same), [true, true]);
  t.deepEqual(await books.faults(), []);
});

test('paying an imported debt brings the customer back at once', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer();
  await books.importInvoice(customerId, 'OLD-1', '2026-12-31');
  await books.importInvoice(customerId, 'OLD-2', '2027-03-15');
  await books.advance('2027-04-01');
  t.is(await books.standing(customerId), 'Suspended1, open');
  await books.paid({ customerId, amount: '60' });
  // 15 March + 30 is 14 April.
  t.is(await books.standing(customerId), 'Overdue1, open, next 2027-04-14');
  await books.cancelInvoice('OLD-2');
  t.is(await books.standing(customerId), 'Active, closed');
  t.deepEqual(await books.faults(), []);
});

test('a payment in processing holds back the debt that it would pay; the next one counts from its own move', async (t) => {
  const books = await open();
  await books.age();
  const customerId = await books.importCustomer();
  await books.importInvoice(customerId, 'OLD-1', '2026-12-31');
  // 10 March + 15 is 25 March.
  await books.importInvoice(customerId, 'OLD-2', '2027-03-10');
  books.gateway.onCharge('tok_days', 'accept');
  await books.carry(await books.pay({ customerId, amount: '60', method: card('tok_days') }));
  await books.advance('2027-04-01');
  t.deepEqual(await books.transitions(customerId), ['2027-04-01 Active to Overdue1']);
  t.deepEqual(await books.mailed(customerId), [false]);
  t.deepEqual(await books.faults(), []);
});

test('an opening balance never ages', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer('12.34');
  await books.advance('2027-07-01');
  t.is(await books.standing(customerId), 'Active, no dunning');
  t.deepEqual(await books.balances(), ['12.34 USD']);
  t.deepEqual(await books.faults(), []);
});
