/** Which orders share an invoice, when it is due, and what happens to zero invoices. */

import test from 'ava';
import { demoPlan } from '../../support/tenants.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

test('due orders share an invoice, have their own, or share it by jobCode', async (t) => {
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
  // Invoices of one run continue from each other by number.
  const totals = await books.read((tx) =>
    tx.query(
      `select round(previous_balance, 2) as previous, round(payments_and_adjustments, 2) as paid,
              round(total_due, 2) as total from invoice order by number_value`,
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

test('another currency has separate invoices and a separate balance', async (t) => {
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
       from invoice order by currency, number_value`,
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

test('due terms come from the order, else plan, customer, tenant; the earliest of a shared invoice wins', async (t) => {
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

test('a zero invoice is Paid at once, and one-time charges of zero alone make none', async (t) => {
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
  // If the plans of its orders differ, an invoice has no billing period.
  const periods = await books.read((tx) =>
    tx.query('select billing_period from invoice order by number_value'),
  );
  t.deepEqual(periods, [{ billingPeriod: 'Monthly' }, { billingPeriod: null }]);
});
