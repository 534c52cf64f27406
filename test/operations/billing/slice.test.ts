/**
 * What a slice of the billing run does besides billing: it dispatches payments and keeps counts.
 */

import test from 'ava';
import { billTenant } from '../../../operations/runs/billing-run.ts';
import type { RunSlice } from '../../../operations/runs/billing-run.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPaymentBooks } from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await sharedDatabase();

/** Two invoices by hand whose autopay day has come, and an order that is due. */
async function opened() {
  const books = await openPaymentBooks(db, {
    today: '2027-01-15',
    plans: [recurring('TEN', 10, prepaid)],
    file: { settings: { autopayOn: 'dueDate' } },
  });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  for (const amount of ['5', '6']) {
    await books.bill(customerId, amount, { isAutoPay: true, dueDate: '2027-01-16' });
  }
  await books.order({ customerId, contractCode: 'TEN' });
  books.tomorrow();
  return books;
}

const sliceOf = (dispatch: RunSlice['dispatch']): RunSlice => ({
  runOn: '2027-01-16',
  lanes: 1,
  onProgress: () => undefined,
  signal: new AbortController().signal,
  dispatch,
  gateways: noGateways,
});

/** No payment is due for settlement, so no gateway is asked. */
const noGateways: RunSlice['gateways'] = {
  ofTenant: () => Promise.reject(new Error('no gateway is asked')),
  named: () => Promise.reject(new Error('no gateway is asked')),
};

test('the payments of left-over invoices are dispatched at once', async (t) => {
  const books = await opened();
  const told: { readonly tenantId: number; readonly nudges: readonly Nudge[] }[] = [];
  const slice = sliceOf((tenantId, nudges) => void told.push({ tenantId, nudges }));
  const { done } = await billTenant(books.dependencies, books.tenantId, slice);
  t.true(done);
  const cascades = await books.read((tx) =>
    tx.query<{ id: number }>('select id from payment order by id'),
  );
  t.is(cascades.length, 2);
  const nudges = cascades.map(({ id }) => ({ kind: 'payment', objectId: id }));
  t.deepEqual(told, [{ tenantId: books.tenantId, nudges }]);
});

test('a failed slice counts what it has billed', async (t) => {
  const books = await opened();
  const slice = sliceOf(() => {
    throw new Error('something broke');
  });
  const failed = billTenant(books.dependencies, books.tenantId, slice);
  await t.throwsAsync(failed, { message: 'something broke' });
  const counts = await books.read((tx) =>
    tx.query('select customers, orders, invoices from billing_run'),
  );
  t.deepEqual(counts, [{ customers: 1, orders: 1, invoices: 1 }]);
});
