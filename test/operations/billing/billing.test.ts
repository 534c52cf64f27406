/** The billing operation on real rows: what it bills, on which invoice, for which days. */

import test from 'ava';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

test('an order is billed at the next 00:00 for its own days, then every month', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  t.deepEqual(await books.invoices(), []);
  t.is(await books.orderNow(id), 'Active next 2027-01-15 bills 2027-01-16');
  await books.advance('2027-03-15');
  t.deepEqual(await books.invoices(), [
    // 49.00 + 29.95; 30 days from the day of the run.
    '1001 on 2027-01-16 due 2027-02-15 Outstanding 78.95: ' +
      'GOLD-SETUP 2027-01-15 2027-01-15 49.00, GOLD-FEE 2027-01-15 2027-02-14 29.95',
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 29.95: GOLD-FEE 2027-02-15 2027-03-14 29.95',
    '1003 on 2027-03-15 due 2027-04-14 Outstanding 29.95: GOLD-FEE 2027-03-15 2027-04-14 29.95',
  ]);
  t.is(await books.orderNow(id), 'Active next 2027-04-15 bills 2027-04-15');
  t.deepEqual((await books.audit()).faults, []);
});

test('seats in arrears are billed the day after the month, all at one volume price', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer({ paymentTerms: { value: 10, units: 'Days' } });
  const orderLineItems = [{ priceCode: 'SEAT', quantity: '12' }];
  await books.order({ customerId, contractCode: 'SEATS', orderLineItems });
  await books.advance('2027-02-14');
  t.deepEqual(await books.invoices(), []);
  await books.advance('2027-02-15');
  // 12 x 8.00; the plan names no terms, the customer does.
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-02-15 due 2027-02-25 Outstanding 96.00: SEAT 2027-01-15 2027-02-14 96.00',
  ]);
});

test('an agreed price is billed for the year, and due months are clipped to the month', async (t) => {
  const books = await openBooks(db, { today: '2027-01-31' });
  const customerId = await books.customer();
  const orderLineItems = [{ priceCode: 'SUPPORT', unitPrice: '1200', quantity: '2' }];
  const order = { customerId, contractCode: 'ANNUAL', orderLineItems };
  await books.order(order, { generateInvoice: true });
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-31 due 2027-02-28 Outstanding 2400.00: SUPPORT 2027-01-31 2028-01-30 2400.00',
  ]);
});

test('an aligned plan bills its stub by days, then whole months from its day', async (t) => {
  const books = await openBooks(db, { today: '2027-01-20' });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'METERED' });
  await books.advance('2027-02-01');
  t.deepEqual(await books.invoices(), [
    // 12 of the 31 days: 12.00 x 12 / 31 = 4.645...
    '1001 on 2027-01-21 due 2027-02-20 Outstanding 4.65: LINE 2027-01-20 2027-01-31 4.65',
    '1002 on 2027-02-01 due 2027-03-03 Outstanding 12.00: LINE 2027-02-01 2027-02-28 12.00',
  ]);
  t.is(await books.orderNow(id), 'Active next 2027-03-01 bills 2027-03-01');
});

test('a day that a month does not have is clipped, and used again in the next month', async (t) => {
  const books = await openBooks(db, { today: '2027-01-31', plans: [recurring('P', 10, prepaid)] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.advance('2027-04-30');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-31 due 2027-03-02 Outstanding 10.00: P 2027-01-31 2027-02-27 10.00',
    '1002 on 2027-02-28 due 2027-03-30 Outstanding 10.00: P 2027-02-28 2027-03-30 10.00',
    '1003 on 2027-03-31 due 2027-04-30 Outstanding 10.00: P 2027-03-31 2027-04-29 10.00',
    '1004 on 2027-04-30 due 2027-05-30 Outstanding 10.00: P 2027-04-30 2027-05-30 10.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

const lengths: readonly [billingPeriod: string, ends: string, next: string][] = [
  ['Daily', '2027-01-15', '2027-01-16'],
  ['Weekly', '2027-01-21', '2027-01-22'],
  ['Monthly', '2027-02-14', '2027-02-15'],
  ['Quarterly', '2027-04-14', '2027-04-15'],
  ['SemiAnnual', '2027-07-14', '2027-07-15'],
  ['Yearly', '2028-01-14', '2028-01-15'],
];
test('every billing period ends the day before the next begins', async (t) => {
  const plans = lengths.map(([billingPeriod]) =>
    recurring(billingPeriod, 10, prepaid, { billingPeriod }),
  );
  const books = await openBooks(db, { today: '2027-01-15', plans });
  for (const [billingPeriod, ends, next] of lengths) {
    const customerId = await books.customer();
    const order = { customerId, contractCode: billingPeriod };
    const id = await books.order(order, { generateInvoice: true });
    const [invoice] = await books.invoices(customerId);
    t.true(invoice?.endsWith(`: ${billingPeriod} 2027-01-15 ${ends} 10.00`), invoice);
    t.is(await books.orderNow(id), `Active next ${next} bills ${next}`);
  }
});

test('each elapsed period of a backdated order is a separate charge', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 10, prepaid)] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P', startDate: '2026-11-10' });
  await books.advance('2027-01-16');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-16 due 2027-02-15 Outstanding 30.00: P 2026-11-10 2026-12-09 10.00, ' +
      'P 2026-12-10 2027-01-09 10.00, P 2027-01-10 2027-02-09 10.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a future order is activated and billed on its first day', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P', startDate: '2027-02-01' });
  t.is(await books.orderNow(id), 'Provisioning next 2027-02-01 bills 2027-02-01');
  await books.advance('2027-01-31');
  t.is(await books.orderNow(id), 'Provisioning next 2027-02-01 bills 2027-02-01');
  await books.advance('2027-02-01');
  t.is(await books.orderNow(id), 'Active next 2027-03-01 bills 2027-03-01');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-02-01 due 2027-03-03 Outstanding 31.00: P 2027-02-01 2027-02-28 31.00',
  ]);
});

test('the last period of an ending order is cut, and the day after the order is Complete', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P', endDate: '2027-03-31', isAutoRenew: false };
  const id = await books.order(order, { generateInvoice: true });
  await books.advance('2027-03-31');
  t.is(await books.orderNow(id), 'Active ends 2027-03-31');
  await books.advance('2027-04-01');
  t.is(await books.orderNow(id), 'Complete ends 2027-03-31');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 31.00: P 2027-01-15 2027-02-14 31.00',
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 31.00: P 2027-02-15 2027-03-14 31.00',
    // 17 of the 31 days from 15 March to 14 April.
    '1003 on 2027-03-15 due 2027-04-14 Outstanding 17.00: P 2027-03-15 2027-03-31 17.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a cut arrears period is billed when the order becomes Complete', async (t) => {
  const plans = [recurring('P', 31, { isProrated: true })];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P', endDate: '2027-01-24', isAutoRenew: false };
  const id = await books.order(order);
  await books.advance('2027-01-25');
  // 10 of 31 days.
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-25 due 2027-02-24 Outstanding 10.00: P 2027-01-15 2027-01-24 10.00',
  ]);
  t.is(await books.orderNow(id), 'Complete ends 2027-01-24');
  t.deepEqual((await books.audit()).faults, []);
});

test('a renewing order continues to bill, and its end is computed from the term’s start', async (t) => {
  const books = await openBooks(db, { today: '2027-01-31', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  // One month from 31 January: its end is the day before 28 February.
  const order = { customerId, contractCode: 'P', endDate: '2027-02-27', isAutoRenew: true };
  const id = await books.order(order, { generateInvoice: true });
  await books.advance('2027-02-28');
  t.is(await books.orderNow(id), 'Active ends 2027-03-30 next 2027-03-31 bills 2027-03-31');
  await books.advance('2027-03-31');
  t.is(await books.orderNow(id), 'Active ends 2027-04-29 next 2027-04-30 bills 2027-04-30');
  t.is((await books.invoices()).length, 3);
  t.deepEqual((await books.audit()).faults, []);
});

test('a draft bills nothing until it is Active', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P', orderStatus: 'Draft' });
  await books.advance('2027-02-20');
  t.is(await books.orderNow(id), 'Draft');
  await books.put(id, { orderStatus: 'Active' });
  t.is(await books.orderNow(id), 'Active next 2027-01-15 bills 2027-02-21');
  t.deepEqual((await books.audit()).faults, []);
});
