/**
 * Credits for the unused days of canceled orders, to the cent, if the tenant's file asks for them.
 */
import test from 'ava';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { sharedDatabase } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';
import type { PlanFile } from '../../support/tenants.ts';

const db = await sharedDatabase();
const file = { settings: { creditUnusedOnCancel: true } };
const now = { generateInvoice: true };
const canceled = { orderStatus: 'Canceled' } as const;

const open = (today: string, ...plans: readonly PlanFile[]) =>
  openPaymentBooks(db, { today, plans, file });

/** `P 13.53 from 2027-02-01`: the amount that each credit returns of which charge. */
async function credited(books: PaymentBooks): Promise<string[]> {
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', c.price_code, round(r.amount, 2), 'from', r.unused_from) as text
       from charge_credit r
       join invoice_charge c on c.tenant_id = r.tenant_id and c.id = r.invoice_charge_id
       order by r.id`,
    ),
  );
  return rows.map((row) => row.text);
}

test('cancelling an order credits its prepaid days from tomorrow', async (t) => {
  const books = await open('2027-01-15', recurring('P', 29.95, prorated));
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, now);
  await books.advance('2027-01-31');
  await books.put(id, canceled);
  // 17 of 31 days are used: 16.42 of 29.95.
  t.deepEqual(await credited(books), ['P 13.53 from 2027-02-01']);
  t.deepEqual(await books.payments(), ['#1 Credit Paid 13.53']);
  t.deepEqual(await books.applications(), ['#1 to 1001: 13.53 leaving 0.00']);
  t.deepEqual(await books.ledger(), ['credit #1 -13.53']);
  t.deepEqual(await books.balances(), ['16.42 USD']);
  t.deepEqual(await books.faults(), []);
  const [credit] = await books.read((tx) =>
    tx.query('select is_system_payment, effective_date, notes from payment'),
  );
  t.deepEqual(credit, {
    isSystemPayment: true,
    effectiveDate: '2027-01-31',
    notes: 'Unused days of order 1001 from 2027-02-01 on',
  });
  await books.advance('2027-03-15');
  t.is((await books.invoices()).length, 1);
  t.deepEqual(await books.faults(), []);
});

test('without the setting nothing is credited', async (t) => {
  const books = await openPaymentBooks(db, {
    today: '2027-01-15',
    plans: [recurring('P', 29.95, prorated)],
  });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, now);
  await books.put(id, canceled);
  t.deepEqual(await books.payments(), []);
  t.deepEqual(await books.faults(), []);
});

test('the credit of a paid invoice stays unapplied, and pays later invoices', async (t) => {
  const books = await open('2027-01-01', recurring('P', 31, prorated), recurring('Q', 5));
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, now);
  await books.order({ customerId, contractCode: 'Q' });
  await books.pay({ customerId, amount: '31' });
  await books.advance('2027-01-10');
  await books.put(id, canceled);
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 31.00 Cash',
    '#2 Credit Paid 21.00 left 21.00',
  ]);
  t.deepEqual(await books.balances(), ['-21.00 USD']);
  await books.advance('2027-02-01');
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 31.00', '1002 Paid 0.00 of 5.00']);
  t.is(await books.totals(1002), '31.00 -52.00 5.00 = -16.00');
  t.deepEqual(await books.faults(), []);
});

test('suspended days are not credited, and neither are days that were not billed', async (t) => {
  const books = await open('2027-01-01', recurring('P', 31, prorated));
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P', separateInvoice: 1 } as const;
  const held = await books.order(order, now);
  const late = await books.order(order);
  await books.suspend(late);
  await books.advance('2027-01-10');
  await books.suspend(held);
  await books.advance('2027-01-20');
  await books.put(held, canceled);
  t.deepEqual(await credited(books), ['P 11.00 from 2027-01-21']);
  await books.activate(late);
  await books.advance('2027-01-25');
  await books.put(late, canceled);
  t.deepEqual((await books.invoices()).slice(1), [
    // 1 January, and 20 to 31 January.
    '1002 on 2027-01-21 due 2027-02-20 Outstanding 13.00: P 2027-01-01 2027-01-31 13.00',
  ]);
  t.deepEqual((await credited(books)).slice(1), ['P 6.00 from 2027-01-26']);
  t.deepEqual(await books.faults(), []);
});

test('charges without proration, in arrears or one-time are not credited; arrears are billed to the end', async (t) => {
  const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', price: 31 };
  const plan = {
    ...recurring('P', 31, { isPrepaid: true }),
    charges: [
      { priceCode: 'WHOLE', ...fee, isPrepaid: true },
      { priceCode: 'SETUP', ...fee, chargeType: 'OneTimeCharge' },
      { priceCode: 'LATER', ...fee, isProrated: true },
    ],
  };
  const books = await open('2027-01-01', plan);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, now);
  await books.advance('2027-01-10');
  await books.put(id, canceled);
  t.deepEqual(await books.payments(), []);
  await books.advance('2027-01-11');
  t.deepEqual((await books.invoices()).slice(1), [
    '1002 on 2027-01-11 due 2027-02-10 Outstanding 10.00: LATER 2027-01-01 2027-01-10 10.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('percentages and taxes are credited with their base', async (t) => {
  const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };
  const tiers = (percent: number) => [{ unitsFrom: 0, percent }];
  const plan = {
    ...recurring('P', 31, prorated),
    charges: [
      { priceCode: 'P', ...fee, isProrated: true, price: 31 },
      { priceCode: 'SETUP', ...fee, chargeType: 'OneTimeCharge', price: 49 },
      { priceCode: 'CARE', ...fee, isProrated: true, tiers: tiers(10) },
      { priceCode: 'FLAT', ...fee, tiers: tiers(5) },
      { priceCode: 'VAT', ...fee, isTax: true, tiers: tiers(20) },
    ],
  };
  const books = await open('2027-01-01', plan);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, now);
  await books.advance('2027-01-10');
  await books.put(id, canceled);
  t.deepEqual(await credited(books), [
    'P 21.00 from 2027-01-11',
    'CARE 2.10 from 2027-01-11',
    'VAT 4.62 from 2027-01-11',
  ]);
  // 110.40 - 27.72: 59.00 + 5.90 + 4.00 + 13.78.
  t.deepEqual(await books.balances(), ['82.68 USD']);
  t.deepEqual(await books.faults(), []);
});

test('a partly credited invoice cannot be cancelled, with a rollback or without', async (t) => {
  const books = await open('2027-01-01', recurring('P', 31, prorated));
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, now);
  await books.advance('2027-02-10');
  await books.put(id, canceled);
  const before = await books.ledger();
  for (const flags of [{}, { rollbackBillingPeriod: true }, { cancelOrders: true }]) {
    await refused(t, books.cancelInvoice(1002, flags), 'invoice.credited');
  }
  // A paid invoice is refused for the same reason.
  await books.pay({ customerId, amount: '62' });
  await refused(t, books.cancelInvoice(1002), 'invoice.credited');
  t.deepEqual((await books.ledger()).slice(0, before.length), before);
  t.deepEqual(await books.faults(), []);
});

test('an older invoice of the order without a credit can be cancelled', async (t) => {
  const books = await open('2027-01-01', recurring('P', 31, prorated));
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, now);
  await books.advance('2027-02-10');
  // 10 of 28 days are used: 11.07.
  await books.put(id, canceled);
  await books.cancelInvoice(1001);
  // The credit, which was applied to the oldest invoice first, moves to the other one.
  t.deepEqual(await books.open(), [
    '1001 Cancelled 0.00 of 31.00',
    '1002 Outstanding 11.07 of 31.00',
  ]);
  t.deepEqual(await books.balances(), ['11.07 USD']);
  t.deepEqual(await books.faults(), []);
});

test('charges of a cancelled invoice are not credited', async (t) => {
  const books = await open('2027-01-01', recurring('P', 31, prorated));
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, now);
  await books.cancelInvoice(1001);
  await books.put(id, canceled);
  t.deepEqual(await books.payments(), []);
  const other = await books.order({ customerId, contractCode: 'P' }, now);
  await books.cancelInvoice(1002, { cancelOrders: true });
  t.is(await books.orderNow(other), 'Canceled ends 2027-01-01');
  t.deepEqual(await books.payments(), []);
  t.deepEqual(await books.faults(), []);
});

test('cancelOrders credits what other invoices prepaid, and nothing twice', async (t) => {
  const books = await open('2027-01-01', recurring('P', 31, prorated));
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, now);
  const charges = [{ enterpriseSubscription: '1001', invoiceLineItemCharges: [{ amount: '7' }] }];
  await books.manualInvoice(customerId, { invoiceLineItems: charges });
  await books.manualInvoice(customerId, { invoiceLineItems: charges });
  await books.advance('2027-01-10');
  await books.cancelInvoice(1002, { cancelOrders: true });
  t.deepEqual(await credited(books), ['P 21.00 from 2027-01-11']);
  await books.advance('2027-01-15');
  await books.cancelInvoice(1003, { cancelOrders: true });
  t.deepEqual(await credited(books), ['P 21.00 from 2027-01-11']);
  t.deepEqual(await books.balances(), ['10.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('prepaid charges of an order that never begins are credited in full', async (t) => {
  const books = await open('2027-01-01', recurring('P', 31, prorated));
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P', startDate: '2027-02-01' };
  const id = await books.order(order, { forceInvoiceGeneration: true });
  await books.put(id, canceled);
  t.deepEqual(await credited(books), ['P 31.00 from 2027-01-02']);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 31.00']);
  t.deepEqual(await books.faults(), []);
});

test('the days after an end that was moved earlier are credited with a cancellation', async (t) => {
  const books = await open('2027-01-01', recurring('P', 31, prorated));
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P', endDate: '2027-01-20', isAutoRenew: false };
  const id = await books.order(order, now);
  await books.put(id, { endDate: '2027-01-10' });
  await books.advance('2027-01-05');
  // Of 20 days 5 are used; moving the end to the 10th credited nothing.
  await books.put(id, canceled);
  t.deepEqual(await credited(books), ['P 15.00 from 2027-01-06']);
  t.deepEqual(await books.faults(), []);
});

test('a credit is never negative: a rebate alone is not charged back', async (t) => {
  const agreed = { pricingType: 'UserEnteredPricing', ...prorated };
  const plan = { ...recurring('P', 31, prorated) };
  const charges = [
    ...plan.charges,
    { priceCode: 'LESS', chargeType: 'RecurringCharge', ...agreed },
  ];
  const books = await open('2027-01-01', { ...plan, charges });
  const customerId = await books.customer();
  const lines = (unitPrice: string) => [{ priceCode: 'P' }, { priceCode: 'LESS', unitPrice }];
  const cheaper = { customerId, contractCode: 'P', orderLineItems: lines('-9.3') };
  const free = { customerId, contractCode: 'P', orderLineItems: lines('-31') };
  const ids = [await books.order(cheaper, now), await books.order(free, now)];
  await books.advance('2027-01-10');
  for (const id of ids) await books.put(id, canceled);
  t.deepEqual(await credited(books), ['P 21.00 from 2027-01-11', 'LESS -6.30 from 2027-01-11']);
  t.deepEqual(await books.payments(), ['#1 Credit Paid 14.70']);
  t.deepEqual(await books.faults(), []);
});
