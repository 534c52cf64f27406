/** Autopay: each invoice is paid once, for its own charges, while it is open. */

import test from 'ava';
import { readWokenOrder } from '../../../db/queries/orders/wake.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { payAtOnce } from '../../../operations/gateway-calls/pay-at-once.ts';
import { sharedDatabase } from '../support/books.ts';
import { cash, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const plans = [recurring('TEN', 10, prepaid), recurring('SIX', 6, prepaid)];

async function opened(
  settings: Readonly<Record<string, unknown>> = {},
  dunning: Readonly<Record<string, unknown>> = {},
): Promise<{ books: PaymentBooks; customerId: number }> {
  const file = { settings, dunning };
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans, file });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  return { books, customerId };
}

const flagsOf = (books: PaymentBooks) =>
  books.read((tx) =>
    tx.query(
      `select is_system_payment as system, is_processed_by_billing_run as run,
              is_cascading as cascades, effective_date as date, base_user_id as user
       from payment order by id`,
    ),
  );

test('an invoice is paid on its date, by the first method on file, once', async (t) => {
  const { books, customerId } = await opened();
  await books.file(customerId, 2, { token: 'tok_2' });
  await books.order({ customerId, contractCode: 'TEN', isAutoPay: true });
  await books.advance('2027-01-16');
  t.deepEqual(await books.open(), ['1001 Outstanding 10.00 of 10.00']);
  const claimed = await books.claim();
  t.is(claimed.payments.length, 1);
  t.deepEqual(await books.claim(), { payments: [], more: false });
  await books.settle();
  t.deepEqual(books.gateway.calls, ['charge tok_1 10.00: approve']);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 10.00']);
  t.deepEqual(await flagsOf(books), [
    { system: true, run: true, cascades: true, date: '2027-01-16', user: null },
  ]);
  await books.advance('2027-02-15');
  await books.autopaid();
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 10.00', '1002 Paid 0.00 of 10.00']);
  t.deepEqual(await books.faults(), []);
});

test('a claim leaves a method of a gateway with a rate limit to the payment’s workflow', async (t) => {
  const { books, customerId } = await opened();
  await books.file(customerId, 2, { token: 'pm_1', gateway: 'stripe' });
  await books.bill(customerId, '30', { isAutoPay: true });
  const [cascadeId = 0] = await books.pending();
  books.gateway.onCharge('tok_1', 'decline');
  const nudged: Nudge[] = [];
  const dispatch = (_tenantId: number, nudges: readonly Nudge[]) => void nudged.push(...nudges);
  const options = { dispatch, lanes: 1, mayContinue: () => true };
  const claimed = [{ cascadeId, gateway: 'sandbox' }] as const;
  await payAtOnce(books.dependencies, books.gateway.gateways, books.tenantId, claimed, options);
  t.deepEqual(books.gateway.calls, ['charge tok_1 30.00: decline']);
  t.deepEqual(nudged.at(-1), { kind: 'payment', objectId: cascadeId });
  await books.settle();
  t.is(books.gateway.calls.at(-1), 'charge pm_1 30.00: approve');
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 30.00']);
});

test('an order’s own workflow claims the invoices of which it is the lowest order, and no others', async (t) => {
  const { books, customerId } = await opened();
  const order = { customerId, contractCode: 'TEN', isAutoPay: true };
  const [first, second] = [await books.order(order), await books.order(order)];
  const other = await books.order({ ...order, separateInvoice: 1 });
  await books.advance('2027-01-16');
  const nextOf = (id: number) =>
    books.read(async (tx) => (await readWokenOrder(tx, id))?.autopayOn ?? null);
  t.deepEqual(
    [await nextOf(first), await nextOf(second), await nextOf(other)],
    ['2027-01-16', null, '2027-01-16'],
  );
  t.is((await books.claim({ orderId: second })).payments.length, 0);
  t.is((await books.claim({ orderId: first })).payments.length, 1);
  t.is(await nextOf(first), null);
  await books.settle();
  t.deepEqual((await books.open()).map((text) => text.slice(5)).toSorted(), [
    'Outstanding 10.00 of 10.00',
    'Paid 0.00 of 20.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('only the lines of orders with isAutoPay are paid, up to the open amount', async (t) => {
  const { books, customerId } = await opened();
  await books.order({ customerId, contractCode: 'TEN', isAutoPay: true });
  await books.order({ customerId, contractCode: 'SIX' });
  await books.advance('2027-01-16');
  await books.autopaid();
  t.deepEqual(books.gateway.calls, ['charge tok_1 10.00: approve']);
  t.deepEqual(await books.open(), ['1001 Outstanding 6.00 of 16.00']);
  await books.advance('2027-02-15');
  await books.pay({ customerId, amount: '15' });
  // The older invoice's 6 and 9 of the 16: only 7 are open.
  await books.autopaid();
  t.is(books.gateway.calls.at(-1), 'charge tok_1 7.00: approve');
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 16.00', '1002 Paid 0.00 of 16.00']);
  t.deepEqual(await books.faults(), []);
});

test('with autopay on the due date, an invoice that was paid before is not paid again', async (t) => {
  const { books, customerId } = await opened({ autopayOn: 'dueDate' });
  await books.order({ customerId, contractCode: 'TEN', isAutoPay: true });
  await books.bill(customerId, '5', { isAutoPay: true, dueDate: '2027-01-18' });
  await books.advance('2027-01-17');
  await books.autopaid();
  t.deepEqual(books.gateway.calls, []);
  await books.advance('2027-01-18');
  await books.autopaid();
  t.deepEqual(books.gateway.calls, ['charge tok_1 5.00: approve']);
  await books.pay({ customerId, amount: '10' });
  await books.advance('2027-02-15');
  await books.autopaid();
  // The invoice of 16 January was paid in cash; that of 15 February is due in March.
  t.is(books.gateway.calls.length, 1);
  await books.advance('2027-03-17');
  await books.autopaid();
  t.is(books.gateway.calls.length, 2);
  t.deepEqual(await books.faults(), []);
});

test('an invoice by hand with isAutoPay is claimed when it is made, for its open amount', async (t) => {
  const { books, customerId } = await opened();
  await books.pay({ customerId, amount: '4' });
  await books.bill(customerId, '10', { isAutoPay: true });
  await books.bill(customerId, '10');
  t.deepEqual((await books.payments()).slice(1), [
    '#2 Payment Pending Waiting 6.00 CreditCard by 1',
  ]);
  await books.settle();
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 10.00', '1002 Outstanding 10.00 of 10.00']);
  t.deepEqual(await books.faults(), []);
});

test('without a method on file nobody is charged, then or later', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  await books.order(
    { customerId, contractCode: 'TEN', isAutoPay: true },
    { generateInvoice: true },
  );
  t.deepEqual(await books.claim(), { payments: [], more: false });
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.autopaid();
  t.deepEqual([books.gateway.calls, await books.payments()], [[], []]);
  t.deepEqual(await books.faults(), []);
});

test('a claim that waited is limited to the open amount of its turn, or canceled', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '10', { isAutoPay: true });
  await books.bill(customerId, '20', { isAutoPay: true, dueDate: '2027-01-20' });
  const third = await books.bill(customerId, '30', { isAutoPay: true, dueDate: '2027-01-21' });
  // 20 of 1002, 4 of 1003; 1001 is due last, and cancelled.
  await books.pay({ customerId, amount: '24', method: cash });
  await books.cancelInvoice(1001);
  await books.settle();
  t.deepEqual(books.gateway.calls, ['charge tok_1 26.00: approve']);
  t.deepEqual(await books.payments(), [
    '#1 Payment Canceled 10.00 CreditCard by 1',
    '#2 Payment Canceled 20.00 CreditCard by 1',
    '#3 Payment Paid 26.00 CreditCard by 1',
    '#4 Payment Paid 24.00 Cash',
  ]);
  const [named] = await books.read((tx) =>
    tx.query('select named_invoice_ids as ids from payment where autopay_invoice_id = $1', [third]),
  );
  t.deepEqual(named, { ids: [third] });
  t.deepEqual(await books.faults(), []);
});

test('an invoice that every method declines stays open, and is not tried again without retry days', async (t) => {
  const { books, customerId } = await opened({}, { retryDays: [] });
  await books.file(customerId, 3, { token: 'tok_3' });
  books.gateway.onCharge('tok_1', 'decline');
  books.gateway.onCharge('tok_3', 'decline');
  await books.bill(customerId, '10', { isAutoPay: true });
  await books.settle();
  await books.advance('2027-01-20');
  await books.autopaid();
  t.deepEqual(books.gateway.calls, ['charge tok_1 10.00: decline', 'charge tok_3 10.00: decline']);
  t.deepEqual(await books.open(), ['1001 Outstanding 10.00 of 10.00']);
  t.deepEqual(await books.faults(), []);
});

test('simultaneous claims make one payment, and a limit leaves the rest', async (t) => {
  const { books } = await opened();
  for (let n = 0; n < 4; n += 1) {
    const customerId = await books.customer();
    await books.file(customerId, 1, { token: `tok_${n}` });
    await books.order({ customerId, contractCode: 'TEN', isAutoPay: true });
  }
  await books.advance('2027-01-16');
  const few = await books.claim({ limit: 1 });
  t.deepEqual([few.payments.length, few.more], [1, true]);
  const claims = await Promise.all([1, 2, 3].map(() => books.claim()));
  t.is(claims.flatMap(({ payments }) => payments).length, 3);
  await books.settle();
  t.is(books.gateway.calls.length, 4);
  const open = await books.open();
  t.is(open.length, 4);
  t.true(open.every((text) => text.includes(' Paid ')));
  t.deepEqual(await books.faults(), []);
});

test('the audit finds an invoice that was not claimed on its autopay day', async (t) => {
  const { books, customerId } = await opened();
  await books.order({ customerId, contractCode: 'TEN', isAutoPay: true });
  await books.advance('2027-01-16');
  // Its order's workflow has until the end of this day.
  t.deepEqual(await books.open(), ['1001 Outstanding 10.00 of 10.00']);
  t.deepEqual(await books.faults(), []);
  books.tomorrow();
  // The run of the next day must begin within a minute.
  t.deepEqual((await books.audit(59_000)).faults, []);
  t.deepEqual((await books.audit(60_000)).faults, [
    {
      check: 'invoice.unclaimed',
      object: 'invoice 1001',
      detail: 'should have been paid automatically on 2027-01-16, but no payment has been started',
    },
  ]);
  await books.autopaid();
  t.deepEqual((await books.audit(60_000)).faults, []);
});

test('the audit finds an invoice made by hand that the run of its day left out', async (t) => {
  const { books, customerId } = await opened({ autopayOn: 'dueDate' });
  await books.bill(customerId, '5', { isAutoPay: true, dueDate: '2027-01-16' });
  t.deepEqual((await books.audit(60_000)).faults, []);
  await books.advance('2027-01-16');
  t.deepEqual(
    (await books.audit(60_000)).faults.map(({ check, object }) => `${check}: ${object}`),
    ['invoice.unclaimed: invoice 1001'],
  );
  await books.autopaid();
  t.deepEqual((await books.audit(60_000)).faults, []);
});
