/** The sandbox's debits by SEPA, and the card that its first charge renews. */
import test from 'ava';
import { ibans } from './numbers.ts';
import type { SepaAccountDetails } from '../../../providers/gateway/gateway.ts';
import {
  account,
  askedFor,
  card,
  chargeOf,
  endless,
  failure,
  openBench,
  sharedDatabase,
} from './support.ts';

const shared = await sharedDatabase();

const sepa = (iban: string): SepaAccountDetails => ({
  type: 'SEPA',
  iban,
  accountHolder: 'Rowan Example',
});

/** A bench whose tenant's day a test moves. */
async function opened() {
  const bench = await openBench(shared);
  let day = '2027-03-03';
  const sandbox = bench.sandboxOf({ today: () => Promise.resolve(day) });
  return { ...bench, sandbox, on: (date: string) => void (day = date) };
}

test('a SEPA account keeps its country, its end, and the reference of its mandate', async (t) => {
  const { sandbox, db, tenant } = await opened();
  const stored = await sandbox.store(sepa(ibans.paid), 'k', endless);
  t.like(stored, { brand: null, lastFour: '3000', expiry: null, debit: 'sepa', country: 'DE' });
  t.regex(stored.mandate ?? '', /^SBX[0-9A-F]{16}$/);
  t.deepEqual(await sandbox.store(sepa(ibans.paid), 'k', endless), stored);
  const rows = await db.ask<{ text: string }>({
    name: 'sandbox-methods',
    text: `select string_agg(m::text, '') as text from sandbox_method m where tenant_id = $1`,
    values: [tenant.id],
  });
  t.false(JSON.stringify(rows).includes('0532013000'));
});

test('an account of a page has a mandate, one that a call sends has none', async (t) => {
  const { sandbox } = await opened();
  const own = { ...account('000123456789'), isMandated: true };
  t.like(await sandbox.store(own, 'a', endless), { debit: 'usBankAccount', lastFour: '6789' });
  const sent = await sandbox.store(account('000123456789'), 'b', endless);
  t.deepEqual([sent.debit, sent.mandate], [undefined, undefined]);
});

test('a wrong IBAN is refused', async (t) => {
  const { sandbox } = await opened();
  const wrong = sandbox.store(sepa('DE88370400440532013000'), 'k', endless);
  t.is(await failure(wrong), 'invalid iban_invalid iban');
});

const outcomes = [
  ['paid', '3000', 'approved', '0'],
  ['declined', '3001', 'declined', 'insufficient_funds'],
] as const;

for (const [which, end, outcome, code] of outcomes) {
  test(`a debit of the account ..${end} is ${outcome} at 00:00 two days later`, async (t) => {
    const { sandbox, on } = await opened();
    const { token } = await sandbox.store(sepa(ibans[which]), 'k', endless);
    const call = {
      ...chargeOf('c', token, '30.00'),
      currency: 'EUR',
      methodType: 'Token' as const,
    };
    const asked = { ...askedFor('c', '30.00'), currency: 'EUR' };
    t.like(await sandbox.charge(call, endless), { outcome: 'pending', newsOn: '2027-03-05' });
    on('2027-03-04');
    t.like(await sandbox.status('charge', asked, endless), { outcome: 'pending' });
    on('2027-03-05');
    t.like(await sandbox.status('charge', asked, endless), { outcome, errorCode: code });
    t.like(await sandbox.charge(call, endless), { outcome, errorCode: code });
  });
}

test('a debit of the account ..3002 is paid after two days, and returned three days later', async (t) => {
  const { sandbox, on } = await opened();
  const { token } = await sandbox.store(sepa(ibans.returned), 'k', endless);
  const call = { ...chargeOf('c', token, '30.00'), currency: 'EUR', methodType: 'Token' as const };
  const asked = { ...askedFor('c', '30.00'), currency: 'EUR' };
  await sandbox.charge(call, endless);
  on('2027-03-05');
  const paid = await sandbox.status('charge', asked, endless);
  t.like(paid, { outcome: 'approved', newsOn: '2027-03-08' });
  const transactionId = typeof paid === 'string' ? '' : (paid.transactionId ?? '');
  const made = { transactionId, currency: 'EUR' };
  on('2027-03-07');
  t.deepEqual(await sandbox.withdrawals(made, endless), []);
  on('2027-03-08');
  const [withdrawn] = await sandbox.withdrawals(made, endless);
  t.like(withdrawn, { kind: 'return', amount: '30.0000', reason: 'insufficient_funds' });
});

test('the first charge of the card ..4202 renews it: ..4242, three years later', async (t) => {
  const { sandbox } = await opened();
  const details = card('4000000000004202', { expiry: '2025-02-28' });
  const stored = await sandbox.store(details, 'k', endless);
  const { token } = stored;
  t.like(stored, { brand: 'Visa', lastFour: '4202', expiry: '2025-02-28' });
  const before = await sandbox.method({ token, mandate: null }, endless);
  t.deepEqual(before, { brand: 'Visa', lastFour: '4202', expiry: '2025-02-28', isUsable: true });
  const renewed = { brand: 'Visa', lastFour: '4242', expiry: '2028-02-29' };
  const answer = await sandbox.charge(chargeOf('c', token), endless);
  t.deepEqual(answer.renewed, renewed);
  const after = await sandbox.method({ token, mandate: null }, endless);
  t.deepEqual(after, { ...renewed, isUsable: true });
  t.false((await sandbox.method({ token: 'tok_ok', mandate: null }, endless)).isUsable);
});

test('a removed method is gone, and removing it again changes nothing', async (t) => {
  const { sandbox } = await opened();
  const { token } = await sandbox.store(card('4111111111111111'), 'k', endless);
  const other = await sandbox.store(card('4111111111111111'), 'other', endless);
  for (const _ of [1, 2]) await sandbox.remove({ token }, endless);
  t.false((await sandbox.method({ token, mandate: null }, endless)).isUsable);
  t.true((await sandbox.method({ token: other.token, mandate: null }, endless)).isUsable);
});
