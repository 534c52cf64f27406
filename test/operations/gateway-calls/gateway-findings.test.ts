/**
 * Gateway records that do not match the books are stored and reported, and never change a balance.
 */

import test from 'ava';
import { commandsOf, tenantCommand } from '../../support/tenant-command.ts';
import { administer } from '../../support/template.ts';
import { ownDatabase, sharedDatabase } from '../support/books.ts';
import { card, onFile, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();

/** A customer who owes 100 on 1001. */
async function opened(): Promise<{ books: PaymentBooks; customerId: number }> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '100', { dueDate: '2027-01-20' });
  return { books, customerId };
}

/** Another installation has charged with the key of the call under way. */
const chargedElsewhere = (books: PaymentBooks, amount: string, currency = 'USD') =>
  books.work(({ tx }) =>
    tx.query(
      `insert into sandbox_transaction (tenant_id, idempotency_key, operation, amount, currency,
         status)
       select tenant_id, gateway_key, 'charge', $1, $2, 'Approved' from payment
       where phase = 'Charging'`,
      [amount, currency],
    ),
  );

const findings = (books: PaymentBooks) =>
  books.read((tx) =>
    tx.query(`select kind, detail, closed_reason as closed from gateway_finding order by id`),
  );

const faults = async (books: PaymentBooks): Promise<string[]> =>
  (await books.faults()).map(({ check, object, detail }) =>
    `${check}: ${object}: ${detail}`.replaceAll(/(payment|refund|transaction) \d+/g, '$1 #'),
  );

for (const [amount, currency, text] of [
  ['9', 'USD', 'a charge over 9 USD'],
  ['100', 'EUR', 'a charge over 100 EUR'],
] as const) {
  test(`${text} instead of 100 USD blocks the payment until it is resolved`, async (t) => {
    const { books, customerId } = await opened();
    books.gateway.onCharge('tok', 'loseCall');
    const cascade = await books.pay({ customerId, amount: '100', method: card('tok') });
    t.like(await books.carry(cascade), { failureCode: 'gateway.unknown' });
    await chargedElsewhere(books, amount, currency);
    const why = `the gateway has ${text} under the key, not 100.00 USD`;
    const held = {
      done: false,
      phase: 'Charging',
      did: `is held: ${why}`,
      failureCode: 'gateway.difference',
      asks: true,
    };
    t.like(await books.carry(cascade), held);
    const calls = books.gateway.calls.length;
    // The gateway is not asked any more, whatever it would answer now.
    await books.work(({ tx }) => tx.query('delete from sandbox_transaction'));
    t.like(await books.carry(cascade), held);
    t.is(books.gateway.calls.length, calls);
    t.deepEqual(await books.open(), ['1001 Outstanding 100.00 of 100.00']);
    t.deepEqual(books.raised, [`tenant ${books.label}, payment ${cascade}: ${why}`]);
    t.deepEqual(await faults(books), [`gateway.difference: payment #: ${why}`]);

    t.like(await books.resolve(cascade, 'declined'), { done: true, status: 'Declined' });
    t.deepEqual(await findings(books), [
      { kind: 'difference', detail: why, closed: 'the bank says so' },
    ]);
    t.deepEqual(await faults(books), []);
  });
}

test('a record under the key with the same amount and currency belongs to the call', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok', 'loseCall');
  const cascade = await books.pay({ customerId, amount: '100', method: card('tok') });
  await books.carry(cascade);
  await chargedElsewhere(books, '100');
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(await findings(books), []);
});

test('another amount under the key of a refund’s share stops the refund', async (t) => {
  const { books, customerId } = await opened();
  await books.paid({ customerId, amount: '100', method: card('tok') });
  await books.advance('2027-01-16');
  books.gateway.onReturn('loseAnswer');
  const cascade = await books.refund({ customerId, amount: '40' });
  await books.carry(cascade);
  await books.work(({ tx }) =>
    tx.query(`update sandbox_transaction set amount = 41 where operation = 'refund'`),
  );
  t.like(await books.carry(cascade), {
    phase: 'Charging',
    did: 'is held: the gateway has a refund over 41 USD under the key, not 40.00 USD',
  });
  t.deepEqual(
    (await faults(books)).map((text) => text.split(':')[0]),
    ['gateway.difference'],
  );
  await books.resolve(cascade, 'approved', '4711');
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.like((await findings(books))[0], { closed: 'the bank says so' });
});

test('an approval after a resolve as declined is stored and reported, and changes no balance', async (t) => {
  const { books, customerId } = await opened();
  const cascade = await books.pay({ customerId, amount: '100', method: card('tok') });
  const held = books.gateway.hold('tok');
  const carried = books.carry(cascade);
  await held.arrived;
  t.like(await books.resolve(cascade, 'declined'), { done: true, status: 'Declined' });
  held.release();
  const { did, ...end } = await carried;
  t.like(end, { done: true, status: 'Declined', failureCode: 'gateway.lateApproval' });
  const [charge] = await books.read((tx) =>
    tx.query<{ id: number }>('select id from sandbox_transaction'),
  );
  const detail =
    'the gateway approved the charge of 100.00 USD after it was declined here: ' +
    `transaction ${charge?.id}`;
  t.is(did, `is final, but ${detail}`);
  t.deepEqual(await findings(books), [{ kind: 'lateApproval', detail, closed: null }]);
  t.deepEqual(books.raised, [`tenant ${books.label}, payment ${cascade}: ${detail}`]);
  t.deepEqual(await faults(books), [
    'gateway.lateApproval: payment #: the gateway approved the charge of 100.00 USD after it was ' +
      'declined here: transaction #',
  ]);
  t.deepEqual(await books.ledger(), []);
  t.deepEqual(await books.open(), ['1001 Outstanding 100.00 of 100.00']);
  // Its workflow is nudged, to show the finding.
  const outbox = await books.read((tx) =>
    tx.query('select from outbox where object_id = $1', [cascade]),
  );
  t.is(outbox.length, 0, 'the look that shows it has taken the nudge out');
  t.like(await books.carry(cascade), { failureCode: 'gateway.lateApproval', did });
  t.is(books.raised.length, 1);

  const close = (payment: string, ...reason: string[]): Promise<string> =>
    tenantCommand(db.ownerUrl, 'payment', 'close', books.label, payment, ...reason);
  const usage = 'Usage: npm run tenant -- payment close TENANT PAYMENT REASON\n';
  t.is(await close(String(cascade)), usage);
  t.is(await close('x', 'given back'), usage);
  t.regex(
    await close(String(cascade), 'by card 4111 1111 1111 1111'),
    /must not contain a card number/,
  );
  t.is(await close('1', 'given', 'back'), `Payment 1 of ${books.label} has no open finding.\n`);
  t.is(
    await close(String(cascade), 'given', 'back'),
    `the findings of payment ${cascade} of ${books.label} are closed\n`,
  );
  t.deepEqual(await findings(books), [{ kind: 'lateApproval', detail, closed: 'given back' }]);
  t.deepEqual(await commandsOf(books), [`Anna: tenant payment close payment ${cascade}`]);
  t.deepEqual(await faults(books), []);
  t.like(await books.carry(cascade), { did: 'is final', failureCode: null });
});

test('so is an approval after the cascade has continued and charged another method', async (t) => {
  const { books, customerId } = await opened();
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.file(customerId, 2, { token: 'tok_2' });
  const cascade = await books.pay({ customerId, amount: '100', method: onFile(1) });
  const held = books.gateway.hold('tok_1');
  const carried = books.carry(cascade);
  await held.arrived;
  await books.resolve(cascade, 'declined');
  await books.settle();
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 100.00 CreditCard by 1',
    '#2 Payment Paid 100.00 CreditCard by 2',
  ]);
  held.release();
  t.like(await carried, { done: true, status: 'Paid', failureCode: 'gateway.lateApproval' });
  t.deepEqual(
    (await faults(books)).map((text) => text.split(':').slice(0, 2).join(':')),
    ['gateway.lateApproval: payment #'],
  );
});

test('a refund that is paid after a resolve as declined is stored and reported', async (t) => {
  const { books, customerId } = await opened();
  await books.paid({ customerId, amount: '100', method: card('tok') });
  await books.advance('2027-01-16');
  const cascade = await books.refund({ customerId, amount: '40' });
  const held = books.gateway.hold('back');
  const carried = books.carry(cascade);
  await held.arrived;
  await books.resolve(cascade, 'declined');
  await books.carry(cascade);
  held.release();
  t.like(await carried, { done: true, status: 'Declined', failureCode: 'gateway.lateApproval' });
  t.like((await findings(books))[0], { kind: 'lateApproval', closed: null });
  t.is(books.raised.length, 1);
});

test('a late decline is not a finding, nor is an approval of a call resolved as approved', async (t) => {
  for (const [act, outcome] of [
    ['decline', 'declined'],
    ['approve', 'approved'],
  ] as const) {
    const { books, customerId } = await opened();
    books.gateway.onCharge('tok', act);
    const cascade = await books.pay({ customerId, amount: '100', method: card('tok') });
    const held = books.gateway.hold('tok');
    const carried = books.carry(cascade);
    await held.arrived;
    await books.resolve(cascade, outcome);
    held.release();
    await carried;
    t.deepEqual([await findings(books), books.raised], [[], []]);
  }
});

test('two installations with the same label and ids on one account make different keys', async (t) => {
  const keys = await Promise.all(
    [await ownDatabase(), await ownDatabase()].map(async (each) => {
      const books = await openPaymentBooks(each, { today: '2027-01-15', label: 'twin' });
      const customerId = await books.customer();
      const lastOf = (table: string) =>
        books.read((tx) =>
          tx.query<{ key: string }>(
            `select gateway_key as key from ${table} where gateway_key is not null`,
          ),
        );
      // As if the other one had the same history.
      await administer(each.ownerUrl, `select setval('id_seq', 900000)`);
      await books.paid({ customerId, amount: '100', method: card('tok') });
      await books.advance('2027-01-16');
      await books.refunded({ customerId, amount: '40' });
      const rows = [...(await lastOf('payment')), ...(await lastOf('refund_share'))];
      return rows.map(({ key }) => key);
    }),
  );
  const [one = [], two = []] = keys;
  const named = (each: readonly string[]) => each.map((key) => key.split('/').slice(0, 2));
  t.is(one.length, 2);
  t.deepEqual(named(one), named(two));
  for (const [index, key] of one.entries()) t.not(key, two[index]);
});
