/** The timeline of an order, on real books. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { TIMELINE_ENTRIES_MAX } from '../../../db/queries/orders/timeline.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { orderTimeline } from '../../../operations/orders/timeline.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { liveLong } from '../support/long-lives.ts';
import { overheard, type Said } from '../support/overheard.ts';
import { openPaymentBooks } from '../support/payment-books.ts';
import { rowsReadOf } from '../support/plan-reading.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const plans = [recurring('FEE', 31, prepaid), recurring('OTHER', 20, prepaid)];
const coupons = [{ code: 'THREE', percent: 10, periods: 3 }];

/** `2027-01-15 happened created` */
async function timeline(books: Books, id: number, shared = db.app): Promise<string[]> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const dependencies = { ...books.dependencies, db: shared };
  const entries = await orderTimeline(dependencies, tenant, { id });
  return (entries ?? []).map(({ date, state, text }) => `${date} ${state} ${text}`);
}

test('a life of an order: invoices, a suspension, a cancelled invoice, and its end', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans, file: { coupons } });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'FEE', couponCode: 'THREE' });
  t.deepEqual(await timeline(books, id), [
    '2027-01-15 happened created',
    '2027-01-15 happened is Active',
    '2027-01-16 next bills',
    '2027-04-14 next coupon THREE: 0 of 3 periods, to 2027-04-14',
  ]);
  await books.advance('2027-01-16');
  await books.suspend(id);
  await books.advance('2027-01-20');
  await books.activate(id);
  await books.cancelInvoice(1001);
  await books.customerAction(customerId, 'suspend');
  await books.advance('2027-01-22');
  await books.customerAction(customerId, 'activate');
  await books.advance('2027-02-01');
  await books.put(id, { orderStatus: 'Canceled' });
  t.deepEqual(await timeline(books, id), [
    '2027-01-15 happened created',
    '2027-01-15 happened is Active',
    '2027-01-16 happened invoice 1001, 27.90 USD',
    '2027-01-16 happened is Suspended, was Active',
    '2027-01-20 happened is Active, was Suspended',
    '2027-01-20 happened invoice 1001 cancelled',
    '2027-01-20 happened the service of the customer is suspended',
    '2027-01-22 happened the service of the customer is resumed',
    '2027-02-01 happened is Canceled',
    '2027-02-01 happened coupon THREE: 1 of 3 periods, to 2027-04-14',
  ]);
});

test('a cancellation with a number is told by it', async (t) => {
  const file = { documents: { cancellation: 'document' } };
  const books = await openBooks(db, { today: '2027-01-15', plans, file });
  const id = await books.order({ customerId: await books.customer(), contractCode: 'FEE' });
  await books.advance('2027-01-16');
  await books.cancelInvoice(1001);
  t.true(
    (await timeline(books, id)).includes('2027-01-16 happened cancellation 1002 of invoice 1001'),
  );
});

test('an invoice that orders share shows the part of each', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const one = await books.order({ customerId, contractCode: 'FEE' });
  const other = await books.order({ customerId, contractCode: 'OTHER' });
  await books.advance('2027-01-16');
  t.true(
    (await timeline(books, one)).includes('2027-01-16 happened invoice 1001, 31.00 of 51.00 USD'),
  );
  t.true(
    (await timeline(books, other)).includes('2027-01-16 happened invoice 1001, 20.00 of 51.00 USD'),
  );
});

test('renewals of the term, and its end', async (t) => {
  const books = await openBooks(db, { today: '2027-01-01', plans });
  const customerId = await books.customer();
  const id = await books.order({
    customerId,
    contractCode: 'FEE',
    isAutoRenew: true,
    endDate: '2027-01-31',
  });
  await books.advance('2027-03-02');
  t.deepEqual(await timeline(books, id), [
    '2027-01-01 happened created',
    '2027-01-01 happened is Active',
    '2027-01-02 happened invoice 1001, 31.00 USD',
    '2027-02-01 happened renewed to 2027-02-28',
    '2027-02-01 happened invoice 1002, 31.00 USD',
    '2027-03-01 happened renewed to 2027-03-31',
    '2027-03-01 happened invoice 1003, 31.00 USD',
    '2027-04-01 next renews',
    '2027-04-01 next bills',
  ]);
  await books.put(id, { isAutoRenew: false });
  t.true((await timeline(books, id)).includes('2027-04-01 next completes'));
  await books.advance('2027-04-01');
  t.deepEqual((await timeline(books, id)).slice(-2), [
    '2027-03-01 happened invoice 1003, 31.00 USD',
    '2027-04-01 happened is Complete',
  ]);
});

test('a hold of the customer is shown, and what waits has today as its day', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'FEE' });
  await books.work(({ tx, time }) =>
    tx.query(
      `update customer set billing_held_at = $2, billing_held_code = 'order.priceMissing'
       where id = $1`,
      [customerId, time.now],
    ),
  );
  books.jump('2027-01-20');
  t.deepEqual((await timeline(books, id)).slice(-2), [
    '2027-01-15 happened the customer is held from billing: order.priceMissing',
    '2027-01-20 next bills',
  ]);
});

test('payments, what was taken back of them, and credits', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'FEE' });
  await books.advance('2027-01-16');
  await books.credit({ customerId, amount: '10' });
  const texts = async () =>
    (await timeline(books, id))
      .filter((text) => / (credit|payment) /.test(text))
      .map((text) => text.replace(/(credit|payment) \d+/, '$1'));
  t.deepEqual(await texts(), ['2027-01-16 happened credit, 10.00 USD to invoice 1001']);
  await books.cancelInvoice(1001);
  t.deepEqual(await texts(), [
    '2027-01-16 happened credit, 10.00 USD to invoice 1001',
    '2027-01-16 happened credit taken back, 10.00 USD of invoice 1001',
  ]);
});

test('an automatic payment that comes, its decline and retry, and a payment that is canceled', async (t) => {
  const file = { dunning: { retryDays: [3] } };
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans, file });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  const id = await books.order({ customerId, contractCode: 'FEE', isAutoPay: true });
  await books.advance('2027-01-16');
  const afterBilling = async () =>
    (await timeline(books, id)).slice(3).map((text) => text.replace(/payment \d+/, 'payment'));
  t.deepEqual(await afterBilling(), [
    '2027-01-16 next pays invoice 1001, 31.00 USD',
    '2027-02-15 next bills',
  ]);
  books.gateway.onCharge('tok_1', 'decline');
  await books.autopaid();
  t.deepEqual(await afterBilling(), [
    '2027-01-16 happened payment declined, 31.00 USD of invoice 1001',
    '2027-01-19 next retries invoice 1001 (retry 1)',
    '2027-02-15 next bills',
  ]);
  const paid = await books.paid({ customerId, amount: '31' });
  await books.unpay(paid);
  t.deepEqual(await afterBilling(), [
    '2027-01-16 happened payment declined, 31.00 USD of invoice 1001',
    '2027-01-16 happened payment, 31.00 USD to invoice 1001',
    '2027-01-16 happened payment taken back, 31.00 USD of invoice 1001',
    '2027-02-15 next bills',
  ]);
});

const LONG = 1_000;

test('of 1,000 invoices the newest 200 are shown, and no others are read', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'FEE' });
  await books.work(({ tx }) => liveLong(tx, { customerId, orderId: id, lines: 1, periods: LONG }));
  const said: Said[] = [];
  const entries = await timeline(books, id, overheard(db.app, said));
  const happened = entries.filter((each) => each.includes(' happened '));
  // The order was created after its invoices, which are of 2027-01-01.
  t.is(happened.length, TIMELINE_ENTRIES_MAX);
  t.is(happened[0], '2027-01-01 happened invoice 1803, 2.50 USD');
  t.is(happened.at(-3), '2027-01-01 happened invoice 2000, 2.50 USD');
  t.regex(entries.at(-1) ?? '', / next bills$/);
  const statements = said.filter(({ text }) => /^(select (?!set_config)|with |\()/.test(text));
  const read = await inTenant(db.app, books.tenantId, (tx) => rowsReadOf(tx.query, statements), {
    readOnly: true,
  });
  // Two statements read them.
  t.is(read.invoice_line, 2 * TIMELINE_ENTRIES_MAX);
  t.true((read.invoice ?? 0) <= 2 * TIMELINE_ENTRIES_MAX, `${read.invoice}`);
});
