/** The billing operation on real rows: what is billed, on which invoice, for which days. */

import test from 'ava';
import { demoPlan } from '../support/tenants.ts';
import { openBooks, sharedDatabase } from './books.ts';
import { prepaid, prorated, recurring } from './plans.ts';

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

test('seats in arrears are billed the day after the month, all at the one volume price', async (t) => {
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

test('an agreed price is billed for the year, due months are clipped to the month', async (t) => {
  const books = await openBooks(db, { today: '2027-01-31' });
  const customerId = await books.customer();
  const orderLineItems = [{ priceCode: 'SUPPORT', unitPrice: '1200', quantity: '2' }];
  const order = { customerId, contractCode: 'ANNUAL', orderLineItems };
  await books.order(order, { generateInvoice: true });
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-31 due 2027-02-28 Outstanding 2400.00: SUPPORT 2027-01-31 2028-01-30 2400.00',
  ]);
});

test('an aligned plan bills its stub by days, then whole months from the alignment day', async (t) => {
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

test('a month end that a month does not have is clipped, and comes back', async (t) => {
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

test('a backdated order is billed each elapsed period as a charge of its own', async (t) => {
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

test('due orders share an invoice, stand alone, or share it by jobCode', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 10, prepaid)] });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P' };
  const quantity = (number: string) => ({
    orderLineItems: [{ priceCode: 'P', quantity: number }],
  });
  await books.order({ ...order, ...quantity('1') });
  await books.order({ ...order, ...quantity('2'), separateInvoice: 1 });
  await books.order({ ...order, ...quantity('3'), separateInvoice: 2, jobCode: 'A' });
  await books.order({ ...order, ...quantity('4') });
  await books.order({ ...order, ...quantity('5'), separateInvoice: 2, jobCode: 'B' });
  await books.order({ ...order, ...quantity('6'), separateInvoice: 2, jobCode: 'A' });
  await books.advance('2027-01-16');
  const days = 'P 2027-01-15 2027-02-14';
  const head = 'on 2027-01-16 due 2027-02-15 Outstanding';
  t.deepEqual(await books.invoices(), [
    `1001 ${head} 50.00: ${days} 10.00, ${days} 40.00`,
    `1002 ${head} 20.00: ${days} 20.00`,
    `1003 ${head} 90.00: ${days} 30.00, ${days} 60.00`,
    `1004 ${head} 50.00: ${days} 50.00`,
  ]);
  // Invoices of one run are chained by number.
  const totals = await books.read((tx) =>
    tx.query(
      `select round(previous_balance, 2) as previous, round(payments_and_adjustments, 2) as paid,
              round(total_due, 2) as total from invoice order by invoice_number`,
    ),
  );
  t.deepEqual(totals, [
    { previous: '0.00', paid: '0.00', total: '50.00' },
    { previous: '50.00', paid: '0.00', total: '70.00' },
    { previous: '70.00', paid: '0.00', total: '160.00' },
    { previous: '160.00', paid: '0.00', total: '210.00' },
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('another currency has invoices and a balance of its own', async (t) => {
  const euro = { unitsFrom: 0, price: 9, currency: 'EUR' };
  const dollar = { unitsFrom: 0, price: 10 };
  const tiers = { price: undefined, pricingType: 'TieredPricing', tiers: [dollar, euro] };
  const plans = [recurring('P', 0, { ...prepaid, ...tiers })];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' });
  await books.order({ customerId, contractCode: 'P', currency: 'EUR' });
  await books.advance('2027-02-15');
  const rows = await books.read((tx) =>
    tx.query(
      `select currency, round(previous_balance, 2) as previous, round(total_due, 2) as total
       from invoice order by currency, invoice_number`,
    ),
  );
  t.deepEqual(rows, [
    { currency: 'EUR', previous: '0.00', total: '9.00' },
    { currency: 'EUR', previous: '9.00', total: '18.00' },
    { currency: 'USD', previous: '0.00', total: '10.00' },
    { currency: 'USD', previous: '10.00', total: '20.00' },
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('due terms are the order’s, else the plan’s, the customer’s, the tenant’s; the earliest of a shared invoice', async (t) => {
  const withTerms = { dueDateValue: 20, dueDateUnits: 'Days' };
  const plans = [recurring('OWN', 10, prepaid, withTerms), recurring('NONE', 10, prepaid)];
  const file = { paymentTerms: { value: 2, units: 'Months' } };
  const books = await openBooks(db, { today: '2027-01-15', plans, file });
  const dueDates = async (customerId: number) =>
    (await books.invoices(customerId)).map((text) => /due (\S+)/.exec(text)?.[1]);
  const terms = { paymentTerms: { value: 5, units: 'Days' } };
  const [tenants, customers, plan, shared] = [
    await books.customer(),
    await books.customer(terms),
    await books.customer(terms),
    await books.customer(),
  ];
  const at = { generateInvoice: true };
  await books.order({ customerId: tenants, contractCode: 'NONE' }, at);
  t.deepEqual(await dueDates(tenants), ['2027-03-15']);
  await books.order({ customerId: customers, contractCode: 'NONE' }, at);
  t.deepEqual(await dueDates(customers), ['2027-01-20']);
  await books.order({ customerId: plan, contractCode: 'OWN' }, at);
  t.deepEqual(await dueDates(plan), ['2027-02-04']);
  await books.order({ customerId: shared, contractCode: 'OWN' });
  await books.order({ customerId: shared, contractCode: 'OWN', dueDateValue: 1 });
  await books.advance('2027-01-16');
  t.deepEqual(await dueDates(shared), ['2027-01-17']);
});

test('a zero invoice is Paid at once, one of nothing but one-time zeros is not made', async (t) => {
  const once = { priceCode: 'FREE', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };
  const free = {
    contractCode: 'FREE',
    name: 'Free',
    billingPeriod: 'Monthly',
    charges: [{ ...once, price: 0 }],
  };
  const plans = [recurring('ZERO', 0, prepaid), free];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'FREE' }, { generateInvoice: true });
  t.deepEqual(await books.invoices(), []);
  t.is(await books.orderNow(id), 'Active');
  await books.order({ customerId, contractCode: 'ZERO' }, { generateInvoice: true });
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Paid 0.00: ZERO 2027-01-15 2027-02-14 0.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a future order activates and bills on its first day', async (t) => {
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

test('the last period of an order that ends is cut, and the order is Complete the day after', async (t) => {
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

test('a cut arrears period is billed the day after the end, as the order turns Complete', async (t) => {
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

test('a renewing order bills on, and its end is computed from the term’s start', async (t) => {
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

test('a draft bills nothing until it is made Active', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P', orderStatus: 'Draft' });
  await books.advance('2027-02-20');
  t.is(await books.orderNow(id), 'Draft');
  await books.put(id, { orderStatus: 'Active' });
  t.is(await books.orderNow(id), 'Active next 2027-01-15 bills 2027-02-21');
  t.deepEqual((await books.audit()).faults, []);
});

test('GOLD and SEATS of one customer share the invoice on which both are due', async (t) => {
  const plans = [demoPlan('GOLD'), demoPlan('SEATS')];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'GOLD' }, { generateInvoice: true });
  await books.order({ customerId, contractCode: 'SEATS' });
  await books.advance('2027-02-15');
  t.is(
    (await books.invoices())[1],
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 39.95: ' +
      'GOLD-FEE 2027-02-15 2027-03-14 29.95, SEAT 2027-01-15 2027-02-14 10.00',
  );
  // Of orders whose plans differ an invoice names no billing period.
  const periods = await books.read((tx) =>
    tx.query('select billing_period from invoice order by invoice_number'),
  );
  t.deepEqual(periods, [{ billing_period: 'Monthly' }, { billing_period: null }]);
});
