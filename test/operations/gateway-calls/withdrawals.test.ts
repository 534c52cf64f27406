/** Money that a gateway withdraws: returned debits, disputes lost and won, and excess amounts. */

import test, { type ExecutionContext } from 'ava';
import type { Withdrawal } from '../../../providers/gateway/gateway.ts';
import { eraseCustomer } from '../../../operations/customers/erase.ts';
import { sharedDatabase } from '../support/books.ts';
import { card, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();

interface Opened {
  readonly books: PaymentBooks;
  readonly customerId: number;
}

async function opened(): Promise<Opened> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  return { books, customerId: await books.customer() };
}

const dispute = (amount: string, more: Partial<Withdrawal> = {}): Withdrawal => ({
  kind: 'dispute',
  ref: 'du_1',
  amount,
  currency: 'USD',
  reason: 'fraudulent',
  isHardDecline: false,
  isReinstated: false,
  ...more,
});

/** The gateway has a change of a payment, about which its workflow asks. */
async function news(
  books: PaymentBooks,
  paymentId: number,
  ...withdrawals: readonly Withdrawal[]
): Promise<void> {
  const charge = await chargeOf(books, paymentId);
  books.gateway.withdraws(charge, withdrawals);
  await tell(books, paymentId);
  await books.carry(paymentId);
}

async function chargeOf(books: PaymentBooks, paymentId: number): Promise<string> {
  const [row] = await books.read((tx) =>
    tx.query<{ id: string }>('select transaction_id as id from payment where id = $1', [paymentId]),
  );
  return row?.id ?? '';
}

/** As an event of the gateway does. */
const tell = (books: PaymentBooks, paymentId: number) =>
  books.work(({ tx }) =>
    tx.query('update payment set gateway_news_on = $2 where id = $1 returning id', [
      paymentId,
      books.today(),
    ]),
  );

const findings = (books: PaymentBooks) =>
  books.read((tx) => tx.query('select kind, detail from gateway_finding order by id'));

/** The scripted gateway has no log of its withdrawals. */
async function isClean(t: ExecutionContext, books: PaymentBooks): Promise<void> {
  const faults = await books.faults();
  t.deepEqual(
    faults.filter(({ check }) => !check.startsWith('sandbox.')),
    [],
  );
}

test('a payment that is withdrawn in full is Canceled, and its invoice is open again', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '80', { dueDate: '2027-01-20' });
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await news(books, id, dispute('100'));
  t.deepEqual(await books.payments(), ['#1 Payment Canceled 100.00 CreditCard']);
  t.deepEqual(await books.open(), ['1001 Outstanding 80.00 of 80.00']);
  t.deepEqual(await books.ledger(), ['payment #1 -100.00', 'paymentDisputed #1 100.00']);
  t.deepEqual(await books.applications(), [
    '#1 to 1001: 80.00 leaving 20.00',
    '#1 to 1001: -80.00 leaving 100.00',
  ]);
  t.deepEqual(await books.balances(), ['80.00 USD']);
  await isClean(t, books);
  // A repeated report is recorded once.
  await news(books, id, dispute('100'));
  t.is((await books.ledger()).length, 2);
  t.deepEqual(await findings(books), []);
});

test("the payment shows the gateway's reason as its newest result", async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  const returned = {
    kind: 'return',
    ref: 'r_1',
    reason: 'account_closed',
    isHardDecline: true,
  } as const;
  await news(books, id, dispute('100', returned));
  const [result] = await books.read((tx) =>
    tx.query(
      `select error_code as code, status_code as status, is_success as good, is_hard_decline as hard
       from processor_result order by id desc limit 1`,
    ),
  );
  t.deepEqual(result, { code: 'account_closed', status: 'return', good: false, hard: true });
  t.deepEqual((await books.ledger()).at(-1), 'paymentReturned #1 100.00');
  const [method] = await books.read((tx) =>
    tx.query('select hard_declined_at is not null as hard from payment_method'),
  );
  t.deepEqual(method, { hard: true });
  await isClean(t, books);
});

test('a disputed part is taken from unapplied money first; two parts are two entries', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '80', { dueDate: '2027-01-20' });
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await news(books, id, dispute('30'));
  t.deepEqual(await books.payments(), ['#1 Payment Paid 100.00 CreditCard']);
  // 20 were unapplied; 10 are taken from the invoice.
  t.deepEqual(await books.open(), ['1001 Outstanding 10.00 of 80.00']);
  await isClean(t, books);
  await news(books, id, dispute('30'), dispute('70', { ref: 'du_2' }));
  t.deepEqual(await books.payments(), ['#1 Payment Canceled 100.00 CreditCard']);
  t.deepEqual(await books.ledger(), [
    'payment #1 -100.00',
    'paymentDisputed #1 30.00',
    'paymentDisputed #1 70.00',
  ]);
  t.deepEqual(await books.balances(), ['80.00 USD']);
  await isClean(t, books);
});

test('of an erased customer a dispute, lost or won, is booked, and nothing that names it comes back', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '80', { dueDate: '2027-01-20' });
  const id = await books.paid({ customerId, amount: '80', method: card('tok_a') });
  await books.work((context) => eraseCustomer(context, { id: customerId }));
  await news(books, id, dispute('80'));
  t.deepEqual(await books.open(), ['1001 Outstanding 80.00 of 80.00']);
  t.deepEqual(await books.balances(), ['80.00 USD']);
  const texts = () =>
    books.read((tx) =>
      tx.query(
        `select error_code as code, error_message as said from processor_result
         where status_code = 'dispute'
         union all select 'notes', notes from payment where is_system_payment`,
      ),
    );
  t.deepEqual(await texts(), [{ code: 'fraudulent', said: null }]);
  await isClean(t, books);
  await news(books, id, dispute('80', { isReinstated: true }));
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await texts(), [
    { code: 'fraudulent', said: null },
    { code: 'notes', said: null },
  ]);
  await isClean(t, books);
});

test('after a partial refund the rest is withdrawn; the excess is reported', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await books.advance('2027-01-16');
  await books.refunded({ customerId, amount: '40' });
  await news(books, id, dispute('100'));
  t.deepEqual(await books.payments(), [
    '#1 Payment Canceled 100.00 CreditCard back 40.00',
    '#2 Refund Paid -40.00',
  ]);
  t.deepEqual(await books.ledger(), [
    'payment #1 -100.00',
    'refund #2 40.00',
    'paymentDisputed #1 60.00',
  ]);
  const detail =
    'by dispute du_1 the gateway withdrew 40.00 USD more than was paid and had not gone back';
  t.deepEqual(await findings(books), [{ kind: 'withdrawnExcess', detail }]);
  t.deepEqual(await books.balances(), []);
  t.deepEqual(
    (await books.faults()).map(({ check, detail: text }) => `${check}: ${text}`),
    [`gateway.withdrawnExcess: ${detail}`],
  );
  t.like(await books.carry(id), { done: true, failureCode: 'gateway.withdrawnExcess' });
});

test('a surcharge in the withdrawal is not excess, and is in no balance', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({
    customerId,
    amount: '100',
    totalSurcharge: '3',
    method: card('tok_a'),
  });
  await news(books, id, dispute('103'));
  t.deepEqual(await books.ledger(), [
    'payment #1 -100.00',
    'surcharge #1 3.00',
    'surchargePaid #1 -3.00',
    'paymentDisputed #1 100.00',
  ]);
  t.deepEqual(await books.balances(), []);
  await isClean(t, books);
});

test('a withdrawal of a cancelled payment is recorded, but not entered a second time', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await books.unpay(id);
  await news(books, id, dispute('100'));
  t.deepEqual(await books.ledger(), ['payment #1 -100.00', 'paymentCanceled #1 100.00']);
  t.deepEqual(await findings(books), []);
  await isClean(t, books);
});

test('after a partial withdrawal the rest can be cancelled, but no longer refunded', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await news(books, id, dispute('30'));
  await t.throwsAsync(books.refund({ customerId, amount: '71' }), {
    message: /more than was paid/,
  });
  await books.unpay(id);
  t.deepEqual((await books.ledger()).at(-1), 'paymentCanceled #1 70.00');
  t.deepEqual(await books.balances(), []);
  await isClean(t, books);
});

test('a dispute that is won is a new Paid system payment, once', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '80', { dueDate: '2027-01-20' });
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await news(books, id, dispute('100'));
  await books.advance('2027-01-20');
  const won = dispute('100', { isReinstated: true });
  await news(books, id, won);
  await news(books, id, won);
  t.deepEqual(await books.payments(), [
    '#1 Payment Canceled 100.00 CreditCard',
    '#2 Payment Paid 100.00 CreditCard left 20.00',
  ]);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 80.00']);
  t.deepEqual(await books.ledger(), [
    'payment #1 -100.00',
    'paymentDisputed #1 100.00',
    'payment #2 -100.00',
  ]);
  const [made] = await books.read((tx) =>
    tx.query(
      `select is_system_payment as system, effective_date::text as day from payment
       order by id desc limit 1`,
    ),
  );
  t.deepEqual(made, { system: true, day: '2027-01-20' });
  await isClean(t, books);
});

test('a dispute that was lost and won before anybody asked enters both', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await news(books, id, dispute('100', { isReinstated: true }));
  t.deepEqual(await books.balances(), ['-100.00 USD']);
  t.is((await books.ledger()).length, 3);
  await isClean(t, books);
});

test('a gateway that does not answer is asked again, and nothing is lost', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  const charge = await chargeOf(books, id);
  books.gateway.withdraws(charge, 'silent');
  await tell(books, id);
  t.like(await books.carry(id), { done: false, status: 'Paid', waitMs: 60_000, asks: false });
  books.gateway.withdraws(charge, [dispute('100')]);
  t.like(await books.carry(id), { done: true, status: 'Canceled' });
  await isClean(t, books);
});

test('a withdrawal waits until a pending refund of the payment has ended', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await books.advance('2027-01-16');
  books.gateway.onReturn('accept');
  const refund = await books.refund({ customerId, amount: '40' });
  await books.carry(refund);
  await news(books, id, dispute('100'));
  t.like(await books.carry(id), { done: false, status: 'Paid', waitMs: 60_000 });
  await books.gateway.finish('Declined');
  t.like(await books.carry(refund), { done: true, status: 'Declined' });
  t.like(await books.carry(id), { done: true, status: 'Canceled' });
  t.deepEqual(await books.ledger(), ['payment #1 -100.00', 'paymentDisputed #1 100.00']);
  t.deepEqual(await findings(books), []);
  await isClean(t, books);
});

test('two processes that record the same withdrawal record it once', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({ customerId, amount: '100', method: card('tok_a') });
  books.gateway.withdraws(await chargeOf(books, id), [dispute('100')]);
  await tell(books, id);
  await Promise.all([books.carry(id), books.carry(id), books.carry(id)]);
  t.deepEqual(await books.ledger(), ['payment #1 -100.00', 'paymentDisputed #1 100.00']);
  await isClean(t, books);
});
