/**
 * What a slice of the billing run does besides billing: it dispatches payments and keeps counts.
 */

import test from 'ava';
import { billTenant, type RunSliceOptions } from '../../../operations/due/billing-run.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import type { BillingRunProgress } from '../../../workflows/contract/billing-run.ts';
import { sharedDatabase } from '../support/books.ts';
import { noGateways } from '../support/no-gateways.ts';
import { card, openPaymentBooks } from '../support/payment-books.ts';
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

const sliceOf = (dispatch: RunSliceOptions['dispatch']): RunSliceOptions => ({
  runOn: '2027-01-16',
  lanes: 1,
  onProgress: () => undefined,
  signal: new AbortController().signal,
  dispatch,
  gateways: noGateways,
});

/** A slice ends after some seconds, in which a slow machine may not have billed all. */
async function billed(
  { dependencies, tenantId }: Awaited<ReturnType<typeof opened>>,
  slice: RunSliceOptions,
): Promise<BillingRunProgress> {
  for (;;) {
    const progress = await billTenant(dependencies, tenantId, slice);
    if (progress.done) return progress;
  }
}

test('the payments of left-over invoices are dispatched at once', async (t) => {
  const books = await opened();
  const told: { readonly tenantId: number; readonly nudges: readonly Nudge[] }[] = [];
  const slice = sliceOf((tenantId, nudges) => void told.push({ tenantId, nudges }));
  await billed(books, slice);
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
  const failed = billed(books, slice);
  await t.throwsAsync(failed, { message: 'something broke' });
  const counts = await books.read((tx) =>
    tx.query('select customers, orders, invoices from billing_run'),
  );
  t.deepEqual(counts, [{ customers: 1, orders: 1, invoices: 1 }]);
});

/** Paid by an account whose debit the bank returns, which the sandbox reports on the run's day. */
async function comesBack(books: Awaited<ReturnType<typeof opened>>) {
  const customerId = await books.customer();
  const id = await books.paid({ customerId, amount: '7', method: card('tok_a') });
  const [row] = await books.work(({ tx }) =>
    tx.query<{ charge: string }>(
      `update payment set gateway_news_on = '2027-01-16' where id = $1
       returning transaction_id as charge`,
      [id],
    ),
  );
  return { id, charge: row?.charge ?? '' };
}

const statusOf = async ({ read }: Awaited<ReturnType<typeof opened>>, id: number) =>
  (await read((tx) => tx.query('select status from payment where id = $1', [id])))[0];

test('a run asks for settlement first, and continues if a gateway does not answer', async (t) => {
  const books = await opened();
  const { id, charge } = await comesBack(books);
  const { gateways } = books.gateway;
  const slice = { ...sliceOf(() => undefined), gateways };
  books.gateway.withdraws(charge, 'silent');
  t.is((await billed(books, slice)).invoices, 1);
  t.deepEqual(await statusOf(books, id), { status: 'Paid' });
  const returned = { kind: 'return', ref: '1', amount: '7', currency: 'USD' } as const;
  const flags = { reason: 'insufficient_funds', isHardDecline: false, isReinstated: false };
  books.gateway.withdraws(charge, [{ ...returned, ...flags }]);
  t.is((await billed(books, slice)).invoices, 1);
  t.deepEqual(await statusOf(books, id), { status: 'Canceled' });
});

test('a slice that is told to stop does nothing more, and is not done', async (t) => {
  const books = await opened();
  const slice = { ...sliceOf(() => undefined), signal: AbortSignal.abort() };
  t.like(await billTenant(books.dependencies, books.tenantId, slice), { done: false, invoices: 0 });
  t.deepEqual(await books.read((tx) => tx.query('select from payment')), []);
});
