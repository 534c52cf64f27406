/**
 * The sandbox's vault: methods are stored once for each key, encrypted, and without security codes.
 */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { createVault } from '../../../providers/vault.ts';
import { leaksIn } from '../../support/leaks.ts';
import { makeTenant } from '../../support/tenants.ts';
import {
  askedFor,
  account,
  card,
  chargeOf,
  endless,
  failure,
  openBench,
  returnOf,
  sharedDatabase,
  secretKey,
  wholeDatabase,
} from './support.ts';

const shared = await sharedDatabase();

test('for a stored method the caller gets a token, its brand, its last digits and its expiry', async (t) => {
  const { sandbox } = await openBench(shared);
  const stored = await sandbox.store(card('5555 5555-5555 4444'), 'a', endless);
  t.regex(stored.token, /^sbx_[0-9a-f-]{36}$/);
  t.like(stored, { brand: 'MasterCard', lastFour: '4444', expiry: '2029-08-01' });
  const bank = await sandbox.store(account('000123456789'), 'b', endless);
  t.like(bank, { brand: null, lastFour: '6789', expiry: null });
});

test('a method that is stored again under its key keeps its token; another method is refused', async (t) => {
  const { sandbox } = await openBench(shared);
  const details = card('4111111111111111');
  const first = await sandbox.store(details, 'a', endless);
  const atOnce = await Promise.all([1, 2, 3].map(() => sandbox.store(details, 'a', endless)));
  for (const again of atOnce) t.deepEqual(again, first);
  t.not((await sandbox.store(details, 'b', endless)).token, first.token);
  const other = sandbox.store(card('5555555555554444'), 'a', endless);
  t.is(await failure(other), 'invalid idempotency_mismatch');
});

test('an invalid card or account is refused, and the error names the part at fault', async (t) => {
  const { sandbox } = await openBench(shared);
  const wrong = [
    [card('4111111111111112'), 'invalid invalid_number cardNumber'],
    [card('not a number'), 'invalid invalid_number cardNumber'],
    [account('12'), 'invalid account_number_invalid accountNumber'],
    [
      { ...account('000123456789'), abaRoutingNumber: '021000022' },
      'invalid routing_number_invalid abaRoutingNumber',
    ],
  ] as const;
  for (const [details, said] of wrong) {
    t.is(await failure(sandbox.store(details, 'w', endless)), said);
  }
});

test('another tenant cannot use a token, and its log does not show the charge', async (t) => {
  const { db, sandbox, sandboxOf, tokenOf } = await openBench(shared);
  const other = sandboxOf({ tenantId: (await makeTenant({ db, realNow: Date.now })).id });
  const token = await tokenOf(card('4111111111111111'));
  const { transactionId } = await sandbox.charge(chargeOf('k', token), endless);
  t.is((await other.charge(chargeOf('mine', token), endless)).errorCode, 'invalid_token');
  t.is(await other.status('charge', askedFor('k'), endless), 'unknown');
  const refund = await other.refund(returnOf('r', transactionId), endless);
  t.is(refund.errorCode, 'unknown_charge');
});

test('a method is encrypted for its token: another token or another key cannot decrypt it', async (t) => {
  const { db, tenant, sandbox, sandboxOf, tokenOf } = await openBench(shared);
  const [declining, token] = [
    await tokenOf(card('4000000000000002')),
    await tokenOf(card('4111111111111111')),
  ];
  const stranger = sandboxOf({ vault: createVault('another key, of 32 or more characters too') });
  await t.throwsAsync(stranger.charge(chargeOf('s', token), endless));
  await inTenant(db, tenant.id, (tx) =>
    tx.query(
      `update sandbox_method set sealed = (select sealed from sandbox_method where token = $1)
       where token = $2`,
      [token, declining],
    ),
  );
  await t.throwsAsync(sandbox.charge(chargeOf('d', declining), endless));
});

test("the database and the errors contain no number, code or holder's name in clear", async (t) => {
  const { db, tenant, sandbox, sandboxOf, tokenOf } = await openBench(shared);
  const [passing, closed] = [
    await tokenOf(card('4000000000000119', { cvv: '739' })),
    await tokenOf(account('000111111116')),
  ];
  const stranger = sandboxOf({ vault: createVault('another key, of 32 or more characters too') });
  // The call with the transient error uses the key before the other call does.
  const first = sandbox.charge(chargeOf('a', passing), endless);
  await Promise.allSettled([first]);
  const calls = [
    first,
    sandbox.charge(chargeOf('a', closed), endless),
    sandbox.store(card('4000000000000110'), 'store-1', endless),
    sandbox.store(card('4000000000000119', { cardholderName: 'X' }), 'store-1', endless),
    sandbox.store({ ...account('000111111116'), abaRoutingNumber: '1' }, 'x', endless),
    stranger.charge(chargeOf('b', passing), endless),
  ];
  const ended = await Promise.allSettled(calls);
  const errors = ended.map((end) =>
    end.status === 'rejected' ? inspectWhole(end.reason) : 'none',
  );
  t.false(errors.includes('none'));
  const answer = await sandbox.charge(chargeOf('c', closed), endless);
  const seen = [await wholeDatabase(db, tenant.id), ...errors, JSON.stringify(answer)].join('\n');
  // This excludes an empty text, which would always be clean.
  t.regex(seen, /sandbox_method .*sealed.*v1\./);
  t.regex(seen, /account_closed/);
  const numbers = ['4000000000000119', '4000000000000110', '000111111116'];
  t.deepEqual(leaksIn(seen, { numbers, codes: ['739'] }), []);
  for (const secret of ['Rowan Example', secretKey]) t.false(seen.includes(secret));
});

function inspectWhole(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((key) => [key, Reflect.get(error, key)]);
  const cause = error.cause === undefined ? '' : inspectWhole(error.cause);
  return `${error.stack} ${JSON.stringify(own.filter(([key]) => key !== 'cause'))} ${cause}`;
}
