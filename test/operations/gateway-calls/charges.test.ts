/** Payments through a gateway: each key is charged once, whatever happens to the answer. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import {
  card,
  fileThree,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';

const db = await sharedDatabase();

/** A customer who owes 100 on 1001, with tok_1, tok_2 and tok_3 on file. */
async function opened(): Promise<{ books: PaymentBooks; customerId: number }> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '100', { dueDate: '2027-01-20' });
  await fileThree(books, customerId);
  return { books, customerId };
}

const resultsOf = (books: PaymentBooks) =>
  books.read((tx) =>
    tx.query(
      `select processor_request_type as type, is_success as good, error_code as code,
              status_message as said, round(amount, 2)::text as amount,
              round(secondary_amount, 2)::text as secondary
       from processor_result order by id`,
    ),
  );

test('a card is charged amount and surcharge; the amount without the surcharge is applied', async (t) => {
  const { books, customerId } = await opened();
  const cascade = await books.pay({
    customerId,
    amount: '60',
    totalSurcharge: '1.8',
    method: card('tok_new', 2),
  });
  t.deepEqual(await books.payments(), ['#1 Payment Pending Waiting 61.80 CreditCard']);
  t.deepEqual(await books.ledger(), []);
  t.like(await books.carry(cascade), { done: true, status: 'Paid', paymentId: String(cascade) });
  t.deepEqual(books.gateway.calls, ['charge tok_new 61.80: approve']);
  t.deepEqual(await books.payments(), ['#1 Payment Paid 61.80 CreditCard']);
  t.deepEqual(await books.applications(), ['#1 to 1001: 60.00 leaving 0.00']);
  t.deepEqual(await books.ledger(), [
    'payment #1 -60.00',
    'surcharge #1 1.80',
    'surchargePaid #1 -1.80',
  ]);
  t.deepEqual(await resultsOf(books), [
    { type: 'charge', good: true, code: '0', said: null, amount: '61.80', secondary: '1.80' },
  ]);
  // Stored, in place of the previous one.
  t.is(await books.filed(customerId), '1 tok_1, 2 tok_new, 3 tok_3');
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.is(books.gateway.calls.length, 1);
  t.deepEqual(await books.faults(), []);
});

test('a declined card is applied to nothing, and is not stored', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_new', 'hardDecline');
  await books.paid({ customerId, amount: '60', method: card('tok_new', 1) });
  t.deepEqual(await books.payments(), ['#1 Payment Declined 60.00 CreditCard']);
  t.deepEqual([await books.applications(), await books.ledger()], [[], []]);
  t.like((await resultsOf(books))[0], { good: false, code: 'account_closed', amount: '60.00' });
  t.is(await books.filed(customerId), '1 tok_1, 2 tok_2, 3 tok_3');
  t.deepEqual(await books.balances(), ['100.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('after a real decline the next method is tried, and each attempt is a payment of its own', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_1', 'decline');
  books.gateway.onCharge('tok_2', 'hardDecline');
  const cascade = await books.pay({ customerId, amount: '100', method: onFile(1) });
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(books.gateway.calls, [
    'charge tok_1 100.00: decline',
    'charge tok_2 100.00: hardDecline',
    'charge tok_3 100.00: approve',
  ]);
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 100.00 CreditCard by 1',
    '#2 Payment Declined 100.00 CreditCard by 2',
    '#3 Payment Paid 100.00 ACH by 3',
  ]);
  const rows = await books.read((tx) =>
    tx.query(
      'select cascade_id, attempt, payment_method_context as shown from payment order by id',
    ),
  );
  t.deepEqual(rows, [
    { cascadeId: cascade, attempt: 1, shown: 'Visa - *****1111' },
    { cascadeId: cascade, attempt: 2, shown: 'Visa - *****2222' },
    { cascadeId: cascade, attempt: 3, shown: 'ACH - *****3333' },
  ]);
  t.deepEqual(await books.applications(), ['#3 to 1001: 100.00 leaving 0.00']);
  t.deepEqual(await books.faults(), []);
});

test('the cascade starts at the preference named and only goes upwards', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_2', 'decline');
  books.gateway.onCharge('tok_3', 'decline');
  const cascade = await books.pay({ customerId, amount: '100', method: onFile(2) });
  t.like(await books.carry(cascade), { done: true, status: 'Declined' });
  t.deepEqual(books.gateway.calls, [
    'charge tok_2 100.00: decline',
    'charge tok_3 100.00: decline',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a card in the request does not cascade to those on file', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_new', 'decline');
  await books.paid({ customerId, amount: '100', method: card('tok_new') });
  t.deepEqual(books.gateway.calls, ['charge tok_new 100.00: decline']);
});

test('a lost answer is looked up, and neither repeated nor cascaded', async (t) => {
  for (const [act, status, calls] of [
    ['loseAnswer', 'Paid', ['status charge: approved']],
    ['loseDecline', 'Paid', ['status charge: declined', 'charge tok_2 100.00: approve']],
    ['loseCall', 'Paid', ['status charge: unknown', 'charge tok_1 100.00: approve']],
  ] as const) {
    const { books, customerId } = await opened();
    books.gateway.onCharge('tok_1', act);
    const cascade = await books.pay({ customerId, amount: '100', method: onFile(1) });
    t.like(
      await books.carry(cascade),
      {
        done: false,
        status: 'Pending',
        phase: 'Charging',
        failureCode: 'gateway.unknown',
        asks: true,
      },
      act,
    );
    t.deepEqual(
      await books.payments(),
      ['#1 Payment Pending Charging 100.00 CreditCard by 1'],
      act,
    );
    t.deepEqual(await books.faults(), [], act);
    t.like(await books.carry(cascade), { done: true, status }, act);
    t.deepEqual(books.gateway.calls, [`charge tok_1 100.00: ${act}`, ...calls]);
    t.deepEqual(await books.open(), ['1001 Paid 0.00 of 100.00'], act);
    t.deepEqual(await books.faults(), [], act);
  }
});

test('while the gateway processes the call, nothing is charged again and no other method is tried', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_1', 'process');
  const cascade = await books.pay({ customerId, amount: '100', method: onFile(1) });
  const waits: (number | null)[] = [];
  for (let asked = 0; asked < 4; asked += 1) {
    const progress = await books.carry(cascade, asked);
    t.like(progress, { done: false, phase: 'Charging', asks: true });
    waits.push(progress.waitMs);
  }
  t.deepEqual(waits, [2_000, 4_000, 8_000, 16_000]);
  t.is((await books.carry(cascade, 60)).waitMs, 3_600_000);
  t.deepEqual(await books.faults(), []);
  await books.gateway.finish('Declined');
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(
    books.gateway.calls.filter((call) => call.startsWith('charge')),
    ['charge tok_1 100.00: process', 'charge tok_2 100.00: approve'],
  );
  t.deepEqual(await books.faults(), []);
});

test('after transient errors the call is made three times at once, then again later, with one key', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_1', 'pass', 'pass');
  const first = await books.pay({ customerId, amount: '40', method: onFile(1) });
  t.like(await books.carry(first), { done: true, status: 'Paid' });
  t.is(books.gateway.calls.length, 3);
  books.gateway.onCharge('tok_1', 'pass', 'pass', 'pass', 'approve');
  const second = await books.pay({ customerId, amount: '60', method: onFile(1) });
  t.like(await books.carry(second), {
    done: false,
    phase: 'Charging',
    failureCode: 'gateway.passing',
  });
  t.like(await books.carry(second), { done: true, status: 'Paid' });
  t.deepEqual(books.gateway.calls.slice(3), [
    'charge tok_1 60.00: pass',
    'charge tok_1 60.00: pass',
    'charge tok_1 60.00: pass',
    'status charge: unknown',
    'charge tok_1 60.00: approve',
  ]);
  const keys = await books.read((tx) =>
    tx.query<{ key: string }>('select idempotency_key as key from sandbox_transaction order by id'),
  );
  const random = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
  t.is(keys.length, 2);
  t.regex(keys[0]?.key ?? '', new RegExp(`^${books.label}/${first}/${random}$`));
  t.regex(keys[1]?.key ?? '', new RegExp(`^${books.label}/${second}/${random}$`));
  t.deepEqual(await books.faults(), []);
});

test('a gateway that cannot be reached is awaited; a malformed call is a decline', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_1', 'beUnavailable', 'beInvalid');
  const cascade = await books.pay({ customerId, amount: '100', method: onFile(1) });
  t.like(await books.carry(cascade), { done: false, failureCode: 'gateway.unavailable' });
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 100.00 CreditCard by 1',
    '#2 Payment Paid 100.00 CreditCard by 2',
  ]);
  t.like((await resultsOf(books))[0], { good: false, code: 'token_unknown' });
  t.deepEqual(await books.faults(), []);
});
