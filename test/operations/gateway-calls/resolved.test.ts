/** Calls that a gateway never answers are resolved by a person; the gateway is asked on. */

import test from 'ava';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { closeFindings } from '../../../operations/gateway-calls/findings.ts';
import { sharedDatabase } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import {
  fileThree,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';

const db = await sharedDatabase();

/** A customer with tok_1, tok_2 and tok_3 on file. */
async function opened(): Promise<{ books: PaymentBooks; customerId: number }> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await fileThree(books, customerId);
  return { books, customerId };
}

const resultsOf = (books: PaymentBooks) =>
  books.read((tx) =>
    tx.query(
      `select is_success as good, error_code as code, status_message as said
       from processor_result order by id`,
    ),
  );

test('a call that the gateway never answers is resolved once, with a reason', async (t) => {
  for (const outcome of ['approved', 'declined'] as const) {
    const { books, customerId } = await opened();
    const waiting = await books.pay({ customerId, amount: '30', method: onFile(3) });
    await refused(t, books.resolve(waiting, outcome), 'update.refused');
    books.gateway.onCharge('tok_3', 'loseCall');
    await books.carry(waiting);
    const status = outcome === 'approved' ? 'Paid' : 'Declined';
    t.like(await books.resolve(waiting, outcome, undefined, 'one'), { done: true, status });
    t.like((await resultsOf(books))[0], {
      said: 'the bank says so',
      good: outcome === 'approved',
      code: outcome === 'approved' ? '0' : 'resolved',
    });
    t.like(await books.resolve(waiting, outcome, undefined, 'one'), { done: true, status });
    await refused(t, books.resolve(waiting, 'declined'), 'update.refused');
    t.like(await books.carry(waiting), { done: true, status });
    t.is(books.gateway.calls.length, 1);
    t.deepEqual(await books.faults(), [], outcome);
  }
});

test("a payment resolved as approved with the gateway's transaction can be refunded there", async (t) => {
  const { books, customerId } = await opened();
  const cascade = await books.pay({ customerId, amount: '30', method: onFile(3) });
  books.gateway.onCharge('tok_3', 'loseAnswer');
  await books.carry(cascade);
  const [charge] = await books.read((tx) =>
    tx.query<{ id: number }>('select id from sandbox_transaction'),
  );
  await books.resolve(cascade, 'approved', String(charge?.id));
  await books.refunded({ customerId, amount: '30' });
  t.is(books.gateway.calls.at(-1), 'void back 30.00: approve');
  t.deepEqual(await books.payments(), [
    '#1 Payment Voided 30.00 ACH by 3 back 30.00',
    '#2 Refund Paid -30.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a resolve that comes again has its first answer, and does not resolve the next call', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_1', 'loseCall');
  books.gateway.onCharge('tok_2', 'loseCall');
  const cascade = await books.pay({ customerId, amount: '30', method: onFile(1) });
  await books.carry(cascade);
  const resolve = () => books.resolve(cascade, 'declined', undefined, 'one');
  const first = await resolve();
  t.like(first, { done: false, phase: 'Waiting' });
  // The next method's call is under way, too, and loses its answer.
  t.like(await books.carry(cascade), { done: false, phase: 'Charging' });
  t.deepEqual(await resolve(), first);
  t.is((await resultsOf(books)).length, 1);
  // The lost call never arrived, so it is made again.
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(await books.faults(), []);
});

test('after a resolve as declined the cascade continues with the next method', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_1', 'loseCall');
  const cascade = await books.pay({ customerId, amount: '30', method: onFile(1) });
  await books.carry(cascade);
  t.like(await books.resolve(cascade, 'declined'), { done: false, phase: 'Waiting' });
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.is(books.gateway.calls.at(-1), 'charge tok_2 30.00: approve');
  t.deepEqual(await books.faults(), []);
});

/** The account tok_3 is charged 30.00, and the gateway has not said how it ended. */
async function unanswered(act: 'process' | 'loseAnswer' | 'accept') {
  const { books, customerId } = await opened();
  const cascade = await books.pay({ customerId, amount: '30', method: onFile(3) });
  books.gateway.onCharge('tok_3', act);
  await books.carry(cascade);
  const found = async (): Promise<string[]> =>
    (await books.faults()).map(({ check, detail }) =>
      `${check}: ${detail}`.replaceAll(/transaction \d+/g, 'transaction #'),
    );
  return {
    books,
    customerId,
    cascade,
    found,
    /** 00:00 of the next day, as far as gateways are asked. */
    nextDay: async (): Promise<void> => {
      books.tomorrow();
      await books.askGateways();
    },
    close: () =>
      books.work(({ tx, time, tenant }) =>
        closeFindings(
          { tx, tenant },
          { paymentId: cascade, reason: 'seen at the bank', now: time.now },
        ),
      ),
    chargeId: () =>
      books.read(async (tx) => {
        const [row] = await tx.query<{ id: number }>('select id from sandbox_transaction');
        return String(row?.id);
      }),
  };
}

test('a payment in processing is not resolved: its gateway says how it ended', async (t) => {
  const { books, cascade, found } = await unanswered('accept');
  t.deepEqual(await books.payments(), ['#1 Payment Pending Processing 30.00 ACH by 3']);
  for (const outcome of ['approved', 'declined'] as const) {
    await refused(t, books.resolve(cascade, outcome), 'payment.processing', undefined);
  }
  const error = await t.throwsAsync(books.resolve(cascade, 'approved'));
  t.is(
    error?.message,
    `payment ${cascade} cannot be resolved: it is Processing, the gateway has accepted it, and ` +
      'says within some days how it ended',
  );
  t.deepEqual(await books.payments(), ['#1 Payment Pending Processing 30.00 ACH by 3']);
  t.deepEqual(await books.ledger(), []);
  await books.gateway.finish('Approved');
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(await found(), []);
});

test('one that the gateway no longer knows is resolved', async (t) => {
  const { books, cascade } = await unanswered('accept');
  await books.work(({ tx }) => tx.query('delete from sandbox_transaction'));
  t.like(await books.resolve(cascade, 'declined'), { done: true, status: 'Declined' });
});

test('what a gateway declines days after it was resolved as approved is a finding, which a person closes', async (t) => {
  const { books, cascade, found, nextDay, close, chargeId } = await unanswered('process');
  await books.resolve(cascade, 'approved', await chargeId());
  t.deepEqual(await found(), []);
  await nextDay();
  await nextDay();
  t.deepEqual(await found(), []);
  await books.gateway.finish('Declined');
  await nextDay();
  const detail =
    'the gateway declined the charge of 30.00 USD after it was approved here: card_declined';
  t.deepEqual(await found(), [`gateway.lateDecline: ${detail}`]);
  t.deepEqual(books.raised, [`tenant ${books.label}, payment ${cascade}: ${detail}`]);
  // The books stay as they were resolved.
  t.deepEqual(await books.payments(), ['#1 Payment Paid 30.00 ACH by 3 left 30.00']);
  const asked = books.gateway.calls.length;
  await nextDay();
  t.is(books.gateway.calls.length, asked);
  t.true(await close());
  t.deepEqual(await found(), []);
});

test('what a gateway has approved is a finding the day after it was resolved as declined, also of the first of a cascade', async (t) => {
  const { books, customerId } = await opened();
  const cascade = await books.pay({ customerId, amount: '30', method: onFile(1) });
  books.gateway.onCharge('tok_1', 'loseAnswer');
  await books.carry(cascade);
  await books.resolve(cascade, 'declined');
  await books.settle();
  t.deepEqual(await books.faults(), []);
  books.tomorrow();
  t.true(await books.askGateways());
  t.deepEqual(
    (await books.faults()).map(({ check, object }) => `${check} ${object}`),
    [`gateway.lateApproval payment ${cascade}`],
  );
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 30.00 CreditCard by 1',
    '#2 Payment Paid 30.00 CreditCard by 2 left 30.00',
  ]);
});

test('one that the gateway has approved as well gets its transaction, and can be refunded', async (t) => {
  const { books, customerId, cascade, found, nextDay } = await unanswered('loseAnswer');
  await books.resolve(cascade, 'approved');
  await nextDay();
  t.deepEqual(await found(), []);
  await books.refunded({ customerId, amount: '30' });
  t.is(books.gateway.calls.at(-1), 'refund back 30.00: approve');
  t.deepEqual(await found(), []);
});

test('another transaction than the person gave, or another amount, is a finding that can be closed', async (t) => {
  const other = await unanswered('loseAnswer');
  await other.books.resolve(other.cascade, 'approved', '4711');
  await other.nextDay();
  t.deepEqual(await other.found(), [
    'gateway.difference: the gateway has it as transaction #, not 4711',
  ]);
  t.true(await other.close());
  t.deepEqual(await other.found(), []);

  const more = await unanswered('loseAnswer');
  await more.books.resolve(more.cascade, 'approved', await more.chargeId());
  await more.books.work(({ tx }) => tx.query('update sandbox_transaction set amount = 31'));
  await more.nextDay();
  t.deepEqual(await more.found(), [
    'gateway.difference: the gateway has a charge over 31 USD under the key, not 30.00 USD',
  ]);
  t.true(await more.close());
  t.deepEqual(await more.found(), []);
});

test('a gateway that never says is asked each day, for 30 days', async (t) => {
  const { books, cascade, found, nextDay } = await unanswered('process');
  await books.resolve(cascade, 'declined');
  const before = books.gateway.calls.length;
  for (let day = 1; day <= 33; day += 1) await nextDay();
  t.is(books.today(), addDays('2027-01-15', 33));
  t.is(books.gateway.calls.length - before, 30);
  t.deepEqual(await found(), []);
});
