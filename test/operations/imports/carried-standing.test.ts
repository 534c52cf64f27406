/** What follows from carried-over invoices: statuses by age, commissions, sums, orders, lists. */

import test from 'ava';
import { readCustomer } from '../../../operations/customers/read.ts';
import { listInvoices } from '../../../operations/invoices/read.ts';
import { readOrder } from '../../../operations/orders/read.ts';
import { listPayments } from '../../../operations/payments/read.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { openAgentShop } from '../commissions/shop.ts';
import { sharedDatabase } from '../support/books.ts';
import { batchInit, carriedOf, eventsFrom, everything } from '../support/batch-init.ts';
import { openDunningBooks } from '../support/dunning-books.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const zeroing = { ...everything, zeroOutCustomerBalance: true };
const now = { generateInvoice: true };

test('a customer that is overdue is Active at once, and its orders bill again', async (t) => {
  const thresholds = [
    { daysOverdue: 15, status: 'Overdue1' },
    { daysOverdue: 30, status: 'Suspended1' },
  ];
  const plans = [recurring('PRE', 31, prepaid)];
  const books = await openDunningBooks(db, { today: '2027-01-01', thresholds, plans });
  const [late, stopped, byHand] = [
    await books.customer(),
    await books.customer(),
    await books.customer(),
  ];
  const dueDate = '2027-01-05';
  await books.order({ customerId: stopped, contractCode: 'PRE' });
  await books.bill(stopped, '10', { dueDate });
  await books.advance('2027-01-15');
  await books.bill(late, '10', { dueDate: '2027-01-15' });
  await books.bill(byHand, '10', { dueDate: '2027-01-15' });
  await books.advance('2027-02-04');
  await books.customerAction(byHand, 'suspend');
  t.is(await books.standing(late), 'Overdue1, open, next 2027-02-14');
  t.is(await books.standing(stopped), 'Suspended1, open');
  await books.nudged();
  const id = await batchInit(books, everything);
  t.is(await books.standing(late), 'Active, closed');
  t.is(await books.standing(stopped), 'Active, closed');
  t.is(await books.standing(byHand), 'Suspended1, closed');
  t.deepEqual(
    (await books.nudged()).toSorted((x, y) => x - y),
    [late, stopped, byHand],
  );
  t.deepEqual((await books.transitions(stopped)).at(-1), '2027-02-04 Suspended1 to Active');
  // The status is a fact of the customer, which receivers follow.
  t.deepEqual(
    (await eventsFrom(books, id)).map((text) => text.split(' ')[0]),
    [
      'customer.transition',
      'customer.transition',
      'customer.updated',
      'customer.updated',
      'batch.finished',
    ],
  );
  t.deepEqual(await books.faults(), []);
  await books.advance('2027-03-20');
  t.is((await books.open()).at(-1), '1006 Outstanding 31.00 of 31.00');
  t.is(await books.standing(late), 'Active, closed');
  t.deepEqual(await books.faults(), []);
});

test('a paid invoice keeps its commissions when it is carried over, until money is taken back', async (t) => {
  const shop = await openAgentShop(db);
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  await shop.link(id);
  await shop.generate(id);
  await shop.paid({ customerId, amount: '29.95' });
  const earned = ['2027-01-15 ADA 1001 REC 3.00 of 29.95 of 1001'];
  t.deepEqual(await shop.earned(), earned);
  await batchInit(shop, zeroing);
  t.deepEqual(await shop.earned(), earned);
  t.deepEqual(await shop.faults(), []);
  await shop.refunded({ customerId, amount: '9.95' });
  t.deepEqual(await carriedOf(shop), ['1001 9.95 was Paid']);
  t.is((await shop.earned()).length, 2);
  t.deepEqual(await shop.faults(), []);
  await shop.refunded({ customerId, amount: '20' });
  t.is((await shop.earned()).length, 2);
  t.deepEqual(await shop.faults(), []);
});

async function financialsOf(books: PaymentBooks, customerId: number) {
  const { dependencies, tenantId } = books;
  const tenant = await tenantInfo(dependencies, tenantId);
  const view = await books.read((tx) => readCustomer(dependencies, tx, tenant, { id: customerId }));
  const { currentBalance, outstandingBalance, overdueBalance } = view?.financials ?? {};
  const { unappliedBalance, lifetimeValue, lifetimePayments } = view?.financials ?? {};
  return [
    currentBalance,
    outstandingBalance,
    overdueBalance,
    unappliedBalance,
    lifetimeValue,
    lifetimePayments,
  ];
}

test('what is open is nothing, and sums over time go by the status before', async (t) => {
  const plans = [recurring('PRE', 31, prepaid)];
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'PRE' }, now);
  await books.advance('2027-02-15');
  await books.cancelInvoice(1002);
  await books.bill(customerId, '20');
  await books.pay({ customerId, amount: '40' });
  await books.advance('2027-03-14');
  const sums = ['11.00', '11.00', '0.00', '0.00', '51.00', '40.00'];
  t.deepEqual(await financialsOf(books, customerId), sums);
  const orderTotal = async () => {
    const tenant = await tenantInfo(books.dependencies, books.tenantId);
    const order = await inTenant(books.db.app, books.tenantId, (tx) =>
      readOrder(tx, tenant, { id: orderId }),
    );
    return order?.totalLifetimeValue;
  };
  t.is(await orderTotal(), '31.00');
  await batchInit(books, everything);
  t.deepEqual(await financialsOf(books, customerId), [
    '11.00',
    '0.00',
    '0.00',
    '0.00',
    '51.00',
    '40.00',
  ]);
  t.is(await orderTotal(), '31.00');
  await batchInit(books, zeroing);
  t.deepEqual(await financialsOf(books, customerId), [
    '0.00',
    '0.00',
    '0.00',
    '0.00',
    '51.00',
    '40.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('an order that is changed or canceled is credited for days on a carried-over invoice', async (t) => {
  const plans = [recurring('P', 29.95, prorated), recurring('Q', 60, prorated)];
  const file = { settings: { creditUnusedOnCancel: true } };
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans, file });
  const [one, two] = [await books.customer(), await books.customer()];
  const ended = await books.order({ customerId: one, contractCode: 'P' }, now);
  const changed = await books.order({ customerId: two, contractCode: 'P' }, now);
  await batchInit(books, zeroing);
  await books.advance('2027-01-31');
  await books.put(ended, { orderStatus: 'Canceled' });
  // 17 of 31 days are used: 16.42 of 29.95.
  t.deepEqual(await books.payments(), ['#1 Credit Paid 13.53 left 13.53']);
  await books.advance('2027-02-01');
  // 14 of 31 days: 27.10 of 60.00, less 13.53.
  await books.change(changed, { contractCode: 'Q' }, { effectiveDate: '2027-02-01', bills: true });
  t.is((await books.open()).at(-1), '1003 Outstanding 13.57 of 13.57');
  await t.throwsAsync(books.cancelInvoice(1001), { code: 'invoice.notCancellable' });
  t.deepEqual(await books.faults(), []);
  await books.cancelInvoice(1003, { rollbackBillingPeriod: true });
  await books.advance('2027-02-02');
  t.deepEqual(await books.faults(), []);
});

test('a cancelled invoice that was rolled back stays so, and is billed once more', async (t) => {
  const books = await openPaymentBooks(db, {
    today: '2027-01-15',
    plans: [recurring('PRE', 31, prepaid)],
  });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'PRE' }, now);
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  await batchInit(books, zeroing);
  await books.advance('2027-01-16');
  t.deepEqual(await books.open(), [
    '1001 CarriedOver 0.00 of 31.00',
    '1002 Outstanding 31.00 of 31.00',
  ]);
  t.is(await books.totals(1002), '31.00 -31.00 31.00 = 31.00');
  t.deepEqual(await books.faults(), []);
});

test('invoices and credits are listed by the status CarriedOver', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '30');
  await books.credit({ customerId: await books.customer(), amount: '5' });
  await batchInit(books, everything);
  await books.bill(customerId, '1');
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const open = { from: null, before: null };
  const page = { offset: 0, max: 10, customerId: null, extCustomerRef: null };
  const filter = {
    ...page,
    status: 'CarriedOver',
    creditNoteOf: null,
    isCreditNote: null,
    created: open,
    updated: open,
  } as const;
  const [invoices, credits] = await books.read((tx) =>
    Promise.all([
      listInvoices(tx, tenant, filter),
      listPayments(tx, tenant, { ...filter, type: 'Credit', amount: null }),
    ]),
  );
  t.deepEqual(
    invoices.rows.map((invoice) => `${invoice.invoiceNumber} ${invoice.status}`),
    ['1001 CarriedOver'],
  );
  t.deepEqual(
    credits.rows.map(credits.view).map((credit) => `${credit.status} ${credit.amount}`),
    ['CarriedOver 5.00'],
  );
});
