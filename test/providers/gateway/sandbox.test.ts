/** The sandbox gateway: its answer to each method, and that it executes each call only once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { GatewayDifference } from '../../../providers/gateway/gateway.ts';
import { cardBrand, isCardNumber } from '../../../domain/payments/cards.ts';
import {
  askedFor,
  account,
  card,
  chargeOf,
  endless,
  failure,
  openBench,
  openPool,
  returnOf,
  sharedDatabase,
  validationOf,
} from './support.ts';
import { fc } from '../../support/random.ts';

const shared = await sharedDatabase();

const cards = [
  // number, validate, charge
  ['4111111111111111', '0', '0'],
  ['5555555555554444', '0', '0'],
  ['378282246310005', '0', '0'],
  ['4000000000000002', 'card_declined', 'card_declined'],
  ['4000000000009995', 'insufficient_funds', 'insufficient_funds'],
  ['4000000000000341', '0', 'card_declined'],
] as const;

test('the number of a card decides the answer to a validation and to a charge', async (t) => {
  const { sandbox, tokenOf, logged } = await openBench(shared);
  for (const [number, validated, charged] of cards) {
    const token = await tokenOf(card(number));
    const validation = await sandbox.validate(validationOf(`v${number}`, token), endless);
    t.is(validation.errorCode, validated, number);
    const answer = await sandbox.charge(chargeOf(`c${number}`, token), endless);
    t.is(answer.errorCode, charged, number);
    t.is(answer.outcome, charged === '0' ? 'approved' : 'declined');
    t.is(answer.errorMessage === null, charged === '0');
    t.false(answer.isHardDecline);
    const status = charged === '0' ? 'Approved' : 'Declined';
    const errorCode = charged === '0' ? null : charged;
    const entry = { operation: 'charge', status, errorCode, amount: '12.5', calls: 1 };
    t.deepEqual(await logged(`c${number}`), entry);
  }
});

test('an approval has a number, an approval code and the checks of the card', async (t) => {
  const { sandbox, tokenOf } = await openBench(shared);
  const full = await tokenOf(card('4111111111111111'));
  const bare = await tokenOf(card('4111111111111111', { cvv: null, billingAddress: null }));
  const { transactionId, approvalCode, ...checked } = await sandbox.charge(
    chargeOf('full', full),
    endless,
  );
  t.regex(transactionId ?? '', /^\d+$/);
  t.regex(approvalCode ?? '', /^\d{6}$/);
  t.deepEqual(checked, {
    outcome: 'approved',
    errorCode: '0',
    errorMessage: null,
    isHardDecline: false,
    avsCode: 'Y',
    cvvCode: 'M',
  });
  const unchecked = await sandbox.charge(chargeOf('bare', bare), endless);
  t.deepEqual([unchecked.avsCode, unchecked.cvvCode], ['U', 'P']);
});

test('a closed account declines permanently, other accounts approve', async (t) => {
  const { sandbox, tokenOf } = await openBench(shared);
  const closed = await tokenOf(account('000111111116'));
  t.is((await sandbox.validate(validationOf('v', closed), endless)).errorCode, 'account_closed');
  const answer = await sandbox.charge(chargeOf('c', closed), endless);
  t.is(answer.errorCode, 'account_closed');
  t.true(answer.isHardDecline);
  const open = await tokenOf(account('000123456789'));
  t.is((await sandbox.charge(chargeOf('d', open), endless)).outcome, 'approved');
});

test('the tokens of the specification answer as documented, any other is unknown', async (t) => {
  const { sandbox } = await openBench(shared);
  const tokens = [
    ['tok_ok', '0', false],
    ['tok_declined', 'card_declined', false],
    ['tok_other', 'invalid_token', true],
    ['toString', 'invalid_token', true],
  ] as const;
  for (const [token, code, isHard] of tokens) {
    const answer = await sandbox.charge(chargeOf(`c-${token}`, token), endless);
    t.is(answer.errorCode, code, token);
    t.is(answer.isHardDecline, isHard);
    t.is(
      (await sandbox.validate(validationOf(`v-${token}`, token), endless)).errorCode,
      code,
      token,
    );
  }
});

test('a transient error ends with the third call of its key, and the log counts the calls', async (t) => {
  const { sandbox, tokenOf, logged } = await openBench(shared);
  const token = await tokenOf(card('4000000000000119'));
  const call = chargeOf('k', token);
  t.is(await failure(sandbox.charge(call, endless)), 'transient processing_error');
  t.is(await sandbox.status('charge', askedFor('k'), endless), 'unknown');
  t.is(await failure(sandbox.charge(call, endless)), 'transient processing_error');
  const answer = await sandbox.charge(call, endless);
  t.is(answer.outcome, 'approved');
  const entry = { operation: 'charge', status: 'Approved', errorCode: null, amount: '12.5' };
  t.deepEqual(await logged('k'), { ...entry, calls: 3 });
  // Another key is another attempt, and starts anew.
  t.is(await failure(sandbox.charge(chargeOf('l', token), endless)), 'transient processing_error');
});

test('two processes that charge with one key at once charge once, and get the same answer', async (t) => {
  const { sandbox, sandboxOf, tokenOf, logged, ownerUrl } = await openBench(shared);
  const other = sandboxOf({ db: await openPool(ownerUrl) });
  const token = await tokenOf(card('4111111111111111'));
  const asked = Array.from({ length: 10 }, (_, index) =>
    (index % 2 === 0 ? sandbox : other).charge(chargeOf('same', token), endless),
  );
  const answers = await Promise.all(asked);
  t.is(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  t.is(answers[0]?.outcome, 'approved');
  t.is((await logged('same'))?.calls, 10);
});

test('a key belongs to one call: another amount, token or operation is refused', async (t) => {
  const { sandbox, tokenOf, logged } = await openBench(shared);
  const token = await tokenOf(card('4111111111111111'));
  const { transactionId } = await sandbox.charge(chargeOf('k', token), endless);
  const others = [
    sandbox.charge(chargeOf('k', token, '12.51'), endless),
    sandbox.charge(chargeOf('k', 'tok_ok'), endless),
    sandbox.charge({ ...chargeOf('k', token), currency: 'EUR' }, endless),
    sandbox.validate(validationOf('k', token), endless),
    sandbox.refund(returnOf('k', transactionId), endless),
  ];
  for (const said of await Promise.all(others.map(failure))) {
    t.is(said, 'unknown idempotency_mismatch');
  }
  t.like(await logged('k'), { operation: 'charge', status: 'Approved', amount: '12.5' });
  // The same amount, written differently, is the same call.
  const again = await sandbox.charge(chargeOf('k', token, '12.5'), endless);
  t.is(again.transactionId, transactionId);
  // The recorded outcome is not returned as the answer to another call either.
  t.like(await sandbox.status('charge', askedFor('k', '12.5'), endless), { outcome: 'approved' });
  const otherCalls = [
    ['refund', askedFor('k')],
    ['charge', askedFor('k', '12.51')],
    ['charge', { ...askedFor('k'), currency: 'EUR' }],
  ] as const;
  for (const [operation, asked] of otherCalls) {
    const error = await t.throwsAsync(sandbox.status(operation, asked, endless), {
      instanceOf: GatewayDifference,
    });
    t.deepEqual(error.found, { text: 'a charge over 12.50 USD', transactionId });
  }
});

test('refunds never exceed the charge, even two simultaneous ones', async (t) => {
  const { sandbox, tokenOf } = await openBench(shared);
  const token = await tokenOf(card('4111111111111111'));
  const { transactionId } = await sandbox.charge(chargeOf('k', token, '10'), endless);
  const refund = async (key: string, amount: string) =>
    (await sandbox.refund(returnOf(key, transactionId, amount), endless)).errorCode;
  t.is(await refund('r0', '10.01'), 'refund_exceeds_charge');
  t.is(await refund('r1', '4'), '0');
  const atOnce = await Promise.all([refund('r2', '4'), refund('r3', '4')]);
  t.deepEqual(atOnce.toSorted(), ['0', 'refund_exceeds_charge']);
  t.is(await refund('r4', '2'), '0');
  t.is(await refund('r5', '0.01'), 'refund_exceeds_charge');
  // A repeated call with each key gets the same answer as before.
  t.deepEqual([await refund('r1', '4'), await refund('r4', '2')], ['0', '0']);
  t.deepEqual(
    [await refund('r5', '0.01'), await refund('r0', '10.01')],
    Array(2).fill('refund_exceeds_charge'),
  );
});

test('any refunds and retries, also simultaneous ones, never return more than was charged', async (t) => {
  const bench = await openBench(shared);
  const cents = fc.integer({ min: 1, max: 700 });
  const asked = fc.record({ cents, isVoid: fc.boolean(), key: fc.nat(5) });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 8 }), async (calls) => {
      run += 1;
      const charge = chargeOf(`property ${run}`, 'tok_ok', '10.00');
      const { transactionId } = await bench.sandbox.charge(charge, endless);
      const answers = await Promise.allSettled(
        calls.map(({ cents: some, isVoid, key }) => {
          const amount = isVoid ? '10.00' : (some / 100).toFixed(2);
          const call = returnOf(`property ${run}/${key}`, transactionId, amount);
          return isVoid ? bench.sandbox.void(call, endless) : bench.sandbox.refund(call, endless);
        }),
      );
      t.true(answers.some(({ status }) => status === 'fulfilled'));
      const gone = await inTenant(bench.db, bench.tenant.id, (tx) =>
        tx.query<{ cents: number }>(
          `select coalesce(sum(amount) * 100, 0)::bigint as cents from sandbox_transaction
           where charge_id = $1 and status = 'Approved'`,
          [transactionId],
        ),
      );
      t.true((gone[0]?.cents ?? Infinity) <= 1_000);
    }),
    { numRuns: 40 },
  );
});

test('a void returns the whole of a charge without refunds', async (t) => {
  const { sandbox, tokenOf } = await openBench(shared);
  const token = await tokenOf(card('4111111111111111'));
  const charged = async (key: string) =>
    (await sandbox.charge(chargeOf(key, token, '10'), endless)).transactionId;
  const codeOf = async (call: Promise<{ readonly errorCode: string }>) => (await call).errorCode;
  const first = await charged('a');
  t.is(await codeOf(sandbox.void(returnOf('v1', first, '9.99'), endless)), 'not_voidable');
  t.is(await codeOf(sandbox.void(returnOf('v2', first, '10'), endless)), '0');
  t.is(await codeOf(sandbox.void(returnOf('v2', first, '10'), endless)), '0');
  t.is(await codeOf(sandbox.void(returnOf('v3', first, '10'), endless)), 'not_voidable');
  t.is(await codeOf(sandbox.refund(returnOf('r1', first, '1'), endless)), 'refund_exceeds_charge');
  const second = await charged('b');
  t.is(await codeOf(sandbox.refund(returnOf('r2', second, '1'), endless)), '0');
  t.is(await codeOf(sandbox.void(returnOf('v4', second, '10'), endless)), 'not_voidable');
  t.like(await sandbox.status('void', askedFor('v2', '10'), endless), { outcome: 'approved' });
  t.like(await sandbox.status('void', askedFor('v3', '10'), endless), {
    errorCode: 'not_voidable',
  });
});

test('a charge that was not made, or was made in another currency, is not refunded', async (t) => {
  const { sandbox, tokenOf } = await openBench(shared);
  const declining = await tokenOf(card('4000000000000002'));
  const { transactionId: declinedId } = await sandbox.charge(chargeOf('d', declining), endless);
  const paid = await sandbox.charge(chargeOf('p', 'tok_ok'), endless);
  const ids = ['999999999', 'no number', '', declinedId];
  for (const [index, id] of ids.entries()) {
    const answer = await sandbox.refund(returnOf(`r${index}`, id), endless);
    t.is(answer.errorCode, 'unknown_charge', String(id));
  }
  const inEuro = { ...returnOf('e', paid.transactionId), currency: 'EUR' };
  t.is((await sandbox.refund(inEuro, endless)).errorCode, 'currency_mismatch');
});

test('the holder REFUND REFUSED is charged, and every refund is refused', async (t) => {
  const { sandbox, tokenOf } = await openBench(shared);
  const token = await tokenOf(card('4111111111111111', { cardholderName: 'Refund Refused' }));
  const { transactionId } = await sandbox.charge(chargeOf('k', token), endless);
  const answer = await sandbox.refund(returnOf('r', transactionId), endless);
  t.is(answer.errorCode, 'refund_refused');
});

test('the guide lists the cards, and every number in it is answered as documented', async (t) => {
  const { sandbox, tokenOf } = await openBench(shared);
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/sandbox.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| (\d{16})\b[^|]*\| ([^|]*) \| ([^|]*) \|$/gm)];
  const answered = await Promise.all(
    rows.map(async ([, number = '', validated = '', charged = '']) => {
      const token = await tokenOf(card(number));
      const { errorCode } = await sandbox.validate(validationOf(`v${number}`, token), endless);
      // Those that ask their payer are tested in payers.test.ts.
      if (charged.includes('asks')) {
        t.is(errorCode, 'asks', number);
        return number;
      }
      t.is(errorCode, /`(\w+)`/.exec(validated)?.[1] ?? '0', number);
      // The cards without an immediate answer are tested above, and in interrupted.test.ts.
      if (/third call|no answer/.test(charged)) return number;
      const answer = await sandbox.charge(chargeOf(`c${number}`, token), endless);
      t.is(answer.errorCode, /`(\w+)`/.exec(charged)?.[1] ?? '0', number);
      return number;
    }),
  );
  t.is(answered.length, 10);
  const others = [...guide.matchAll(/(\d{14,16})\s\(([\w ]+?)[,)]/g)];
  t.is(others.length, 6);
  for (const [, number = '', brand = ''] of others) {
    t.true(isCardNumber(number), number);
    t.is(cardBrand(number), brand);
  }
});
