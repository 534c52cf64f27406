/**
 * Automatic payments whose gateway asks for the payer: they wait, are confirmed, refused or too
 * late, and the cascade and the retries go on from there. The amounts and days are those of GOLD in
 * New York: 49.00 + 29.95 + 2.66 = 81.61, from 2027-01-15, with three days to confirm.
 */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { openCollectionBooks, type CollectionBooks } from '../support/collection-books.ts';
import { card } from '../support/payment-books.ts';
import type { Act } from '../../support/scripted-gateway.ts';

const db = await sharedDatabase();

interface Opened {
  readonly books: CollectionBooks;
  readonly customerId: number;
  readonly invoiceId: number;
}

interface Given {
  readonly first?: readonly Act[];
  readonly second?: readonly Act[];
  readonly actionDays?: number;
}

/** The invoice of 15 January, which the first method on file is to pay. */
async function gold({ first = ['ask'], second, actionDays = 3 }: Given = {}): Promise<Opened> {
  const file = { gateway: { type: 'sandbox', actionDays } };
  const books = await openCollectionBooks(db, { today: '2027-01-15', file });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1', lastFour: '3184' });
  books.gateway.onCharge('tok_1', ...first);
  if (second !== undefined) {
    await books.file(customerId, 2, { token: 'tok_2', lastFour: '4242' });
    books.gateway.onCharge('tok_2', ...second);
  }
  const invoiceId = await books.bill(customerId, '81.61', { isAutoPay: true });
  await books.settle();
  return { books, customerId, invoiceId };
}

async function waitingId(books: CollectionBooks): Promise<number> {
  const [row] = await books.read((tx) =>
    tx.query<{ id: number }>(`select id from payment where status = 'ActionRequired'`),
  );
  return row?.id ?? 0;
}

async function events(books: CollectionBooks, type: string): Promise<number[]> {
  const rows = await books.read((tx) =>
    tx.query<{ id: number }>('select object_id as id from event where type = $1', [type]),
  );
  return rows.map(({ id }) => id);
}

test('it waits until 00:00 of the day three days later; no money moves, nothing fails', async (t) => {
  const { books } = await gold();
  t.deepEqual(await books.waiting(), ['81.61 until 2027-01-18']);
  await books.live('2027-01-17');
  t.deepEqual(await books.waiting(), ['81.61 until 2027-01-18']);
  t.deepEqual(await books.open(), ['1001 Outstanding 81.61 of 81.61']);
  t.deepEqual(await books.attempts(), []);
  t.deepEqual(await events(books, 'payment.failed'), []);
  t.is((await events(books, 'payment.actionRequired')).length, 1);
  t.deepEqual(await books.faults(), []);
});

test('confirmed on the next day, it is Paid, by the same call of the gateway', async (t) => {
  const { books } = await gold({ second: ['approve'] });
  await books.live('2027-01-16');
  const id = await waitingId(books);
  t.is((await books.confirm(id, '81.61')).is, 'waiting');
  await books.gateway.payer('confirms');
  t.is((await books.comeBack(id)).is, 'over');
  t.deepEqual(await books.paidOn(), ['2027-01-15 Paid 81.61']);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 81.61']);
  t.is(books.gateway.calls.filter((call) => call.startsWith('charge')).length, 1);
  t.deepEqual(await books.faults(), []);
});

test('refused, the next method is charged at once', async (t) => {
  const { books } = await gold({ second: ['approve'] });
  await books.live('2027-01-16');
  const id = await waitingId(books);
  await books.confirm(id, '81.61');
  await books.gateway.payer('refuses');
  await books.comeBack(id);
  await books.settle();
  t.deepEqual(await books.paidOn(), ['2027-01-15 Declined 81.61', '2027-01-15 Paid 81.61']);
  t.deepEqual(await books.attempts(), []);
  t.deepEqual(await books.faults(), []);
});

test('without an answer it is declined at 00:00 of the third day, and the next method is charged', async (t) => {
  const { books } = await gold({ second: ['approve'] });
  await books.live('2027-01-18');
  t.deepEqual(await books.paidOn(), ['2027-01-15 Declined 81.61', '2027-01-15 Paid 81.61']);
  t.is(await lastCode(books), '0');
  t.deepEqual(await books.faults(), []);
});

async function lastCode(books: CollectionBooks): Promise<string> {
  const [row] = await books.read((tx) =>
    tx.query<{ code: string }>(
      'select error_code as code from processor_result order by id desc limit 1',
    ),
  );
  return row?.code ?? 'none';
}

test('without another method the retries count from its end: 01-19, 01-21, 01-23, 01-25', async (t) => {
  const { books } = await gold({ first: ['ask', 'decline', 'decline', 'decline', 'decline'] });
  await books.live('2027-01-18');
  t.is(await lastCode(books), 'authentication_required');
  t.deepEqual(await books.attempts(), ['2027-01-19 1001 #1: due']);
  await books.live('2027-02-28');
  t.deepEqual(await books.attempts(), [
    '2027-01-19 1001 #1: done declined',
    '2027-01-21 1001 #2: done declined',
    '2027-01-23 1001 #3: done declined',
    '2027-01-25 1001 #4: done declined',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a retry that asks waits until 01-22, and what passed meanwhile is not made up for', async (t) => {
  const { books } = await gold({ first: ['ask', 'ask', 'decline', 'decline'] });
  await books.live('2027-01-19');
  t.deepEqual(await books.waiting(), ['81.61 until 2027-01-22']);
  await books.live('2027-01-21');
  t.deepEqual(await books.attempts(), ['2027-01-19 1001 #1: claimed']);
  await books.live('2027-02-28');
  t.deepEqual(await books.attempts(), [
    '2027-01-19 1001 #1: done declined',
    '2027-01-23 1001 #2: done declined',
    '2027-01-25 1001 #3: done declined',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('with no days to confirm it is a decline at once', async (t) => {
  const { books } = await gold({ actionDays: 0, second: ['approve'] });
  t.deepEqual(await books.waiting(), []);
  t.deepEqual(await books.paidOn(), ['2027-01-15 Declined 81.61', '2027-01-15 Paid 81.61']);
  t.true(books.gateway.calls.includes('end: ended'));
  t.deepEqual(await books.faults(), []);
});

test('the next method may wait anew', async (t) => {
  const { books } = await gold({ second: ['ask'] });
  await books.live('2027-01-18');
  t.deepEqual(await books.waiting(), ['81.61 until 2027-01-21']);
  await books.live('2027-01-21');
  t.deepEqual(await books.attempts(), ['2027-01-22 1001 #1: due']);
  t.deepEqual(await books.faults(), []);
});

test('a payment that is about to charge for the same invoice ends it at the gateway first', async (t) => {
  const { books, customerId, invoiceId } = await gold();
  const invoiceIds = [invoiceId];
  await books.paid({ customerId, amount: '81.61', invoiceIds, method: card('tok_new') });
  t.deepEqual(books.gateway.calls.slice(-2), ['end: ended', 'charge tok_new 81.61: approve']);
  t.deepEqual(await books.paidOn(), ['2027-01-15 Canceled 81.61', '2027-01-15 Paid 81.61']);
  t.deepEqual(await events(books, 'payment.failed'), []);
  await books.live('2027-02-28');
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 81.61']);
  t.deepEqual(await books.faults(), []);
});

test('what its payer has confirmed by then is Paid, and the newcomer charges nobody', async (t) => {
  const { books, customerId, invoiceId } = await gold();
  await books.confirm(await waitingId(books), '81.61');
  await books.gateway.payer('confirms');
  const invoiceIds = [invoiceId];
  await books.paid({ customerId, amount: '81.61', invoiceIds, method: card('tok_new') });
  t.deepEqual(await books.paidOn(), ['2027-01-15 Paid 81.61', '2027-01-15 Canceled 81.61']);
  t.false(books.gateway.calls.some((call) => call.includes('tok_new')));
  t.deepEqual(await books.faults(), []);
});

test('the newcomer waits while the gateway is silent', async (t) => {
  const { books, customerId, invoiceId } = await gold();
  books.gateway.silence(true);
  const invoiceIds = [invoiceId];
  const id = await books.pay({ customerId, amount: '81.61', invoiceIds, method: card('tok_new') });
  t.like(await books.carry(id), { done: false, failureCode: 'gateway.unknown' });
  t.deepEqual(await books.waiting(), ['81.61 until 2027-01-18']);
  books.gateway.silence(false);
  await books.settle();
  t.deepEqual(await books.paidOn(), ['2027-01-15 Canceled 81.61', '2027-01-15 Paid 81.61']);
  t.deepEqual(await books.faults(), []);
});

test('a newcomer that is declined leaves the invoice to the retries', async (t) => {
  const { books, customerId, invoiceId } = await gold();
  books.gateway.onCharge('tok_new', 'decline');
  const invoiceIds = [invoiceId];
  await books.paid({ customerId, amount: '81.61', invoiceIds, method: card('tok_new') });
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: due']);
  t.deepEqual(await books.faults(), []);
});

test('deleted, it is Canceled: no entry, no event, and its invoice is not tried again', async (t) => {
  const { books } = await gold({ second: ['approve'] });
  await books.giveUp(await waitingId(books));
  t.deepEqual(await books.paidOn(), ['2027-01-15 Canceled 81.61']);
  t.deepEqual(await events(books, 'payment.failed'), []);
  await books.live('2027-02-28');
  t.deepEqual(await books.attempts(), []);
  t.deepEqual(await books.open(), ['1001 Outstanding 81.61 of 81.61']);
  t.deepEqual(await books.faults(), []);
});

test('confirmed by then, it is not cancelled but Paid', async (t) => {
  const { books } = await gold();
  const id = await waitingId(books);
  await books.gateway.payer('confirms');
  await t.throwsAsync(books.giveUp(id), { code: 'payment.notCancellable' });
  t.deepEqual(await books.paidOn(), ['2027-01-15 Paid 81.61']);
  t.deepEqual(await books.faults(), []);
});

test('once its invoice is paid otherwise, it is ended and Canceled', async (t) => {
  const { books, customerId } = await gold();
  const id = await waitingId(books);
  await books.pay({ customerId, amount: '81.61' });
  t.is((await books.confirm(id, '81.61')).is, 'over');
  t.like(await books.carry(id), { done: true, status: 'Canceled' });
  t.true(books.gateway.calls.includes('end: ended'));
  t.deepEqual(await books.faults(), []);
});

test('a payment plan that is enabled ends it, and the invoice pays itself once the plan is over', async (t) => {
  const { books, customerId } = await gold();
  const id = await waitingId(books);
  await books.plan(customerId);
  t.like(await books.carry(id), { done: true, status: 'Canceled' });
  t.deepEqual(await books.attempts(), ['2027-01-31 installment 1 #1: due']);
  t.deepEqual(await books.faults(), []);
});

test('the payer agrees to what is open now; what moved is shown again', async (t) => {
  const { books, customerId } = await gold();
  const id = await waitingId(books);
  await books.pay({ customerId, amount: '30' });
  t.is((await books.confirm(id, '81.61')).is, 'moved');
  t.is((await books.confirm(id, '51.61')).is, 'waiting');
  await books.gateway.payer('confirms');
  await books.comeBack(id);
  t.deepEqual(await books.paidOn(), ['2027-01-15 Paid 51.61', '2027-01-15 Paid 30.00']);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 81.61']);
  t.deepEqual(await books.faults(), []);
});

test('a person resolves it as declined, and never as approved', async (t) => {
  const { books } = await gold();
  const id = await waitingId(books);
  await t.throwsAsync(books.resolve(id, 'approved'), { code: 'update.refused' });
  t.like(await books.resolve(id, 'declined'), { done: true, status: 'Declined' });
  t.is(await lastCode(books), 'authentication_required');
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: due']);
  t.deepEqual(await books.faults(), []);
});

test('while the gateway is silent it waits on beyond its time, and may still be Paid', async (t) => {
  const { books } = await gold();
  books.gateway.silence(true);
  await books.live('2027-01-18');
  t.deepEqual(await books.waiting(), ['81.61 until 2027-01-18']);
  await books.gateway.payer('confirms');
  books.gateway.silence(false);
  await books.askGateways();
  t.deepEqual(await books.paidOn(), ['2027-01-15 Paid 81.61']);
  t.deepEqual(await books.faults(), []);
});

test('an installment waits at most until the next one', async (t) => {
  const file = { gateway: { type: 'sandbox', actionDays: 10 } };
  const books = await openCollectionBooks(db, { today: '2027-01-15', file });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  books.gateway.onCharge('tok_1', 'ask', 'approve');
  await books.bill(customerId, '100');
  await books.plan(customerId, {
    chargeAmount: '50',
    startDate: '2027-01-16',
    totalNumberOfInstallments: 2,
    frequencyValue: 7,
    frequencyUnits: 'Days',
  });
  await books.live('2027-01-16');
  t.deepEqual(await books.waiting(), ['50.00 until 2027-01-23']);
  await books.live('2027-01-23');
  t.deepEqual((await books.paidOn()).slice(0, 2), [
    '2027-01-16 Declined 50.00',
    '2027-01-23 Paid 50.00',
  ]);
  t.deepEqual(await books.faults(), []);
});
