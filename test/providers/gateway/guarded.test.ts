/**
 * Every gateway call has a time limit, and a gateway that does not answer is not called for a
 * while.
 */
import test from 'ava';
import type { GatewayAdapter } from '../../../providers/gateway/adapter.ts';
import { approved, declined } from '../../../providers/gateway/declines.ts';
import {
  GatewayError,
  type Gateway,
  type GatewayAnswer,
} from '../../../providers/gateway/gateway.ts';
import { guarded } from '../../../providers/gateway/adapters.ts';
import { FAILURES_MAX, OPEN_MS } from '../../../providers/guard.ts';
import { askedFor, card, chargeOf, failure, returnOf } from './support.ts';

/** A gateway whose charges end as the test says, with a clock and limits of the test. */
function guardedBench() {
  let now = 1_000_000;
  let asked = 0;
  let ending = (_signal: AbortSignal): Promise<GatewayAnswer> => Promise.resolve(approved({}));
  const limits: { readonly ms: number; readonly end: () => void }[] = [];
  const signals: AbortSignal[] = [];
  const answer = (signal: AbortSignal) => {
    asked += 1;
    signals.push(signal);
    return ending(signal);
  };
  const adapter: GatewayAdapter = {
    name: 'sandbox',
    store: async (_details, _key, signal) => {
      await answer(signal);
      return { token: 'x', brand: null, lastFour: null, expiry: null };
    },
    entered: async (_token, signal) => {
      await answer(signal);
      return { type: 'CreditCard', token: 'x', brand: null, lastFour: null, expiry: null };
    },
    validate: (_call, signal) => answer(signal),
    charge: (_call, signal) => answer(signal),
    confirm: (_call, signal) => answer(signal),
    end: (_call, signal) => answer(signal),
    challenge: async (_call, signal) => {
      await answer(signal);
      return null;
    },
    refund: (_call, signal) => answer(signal),
    void: (_call, signal) => answer(signal),
    status: (_operation, _key, signal) => answer(signal),
    method: async (_stored, signal) => {
      await answer(signal);
      return { brand: null, lastFour: null, expiry: null, isUsable: true };
    },
    remove: async (_stored, signal) => {
      await answer(signal);
    },
    withdrawals: async (_charge, signal) => {
      await answer(signal);
      return [];
    },
    made: async (_since, _from, signal) => {
      await answer(signal);
      return { calls: [], next: null };
    },
  };
  const gateway: Gateway = guarded(adapter, {
    timeLimitMs: 12_000,
    now: () => now,
    startLimit: (ms, end) => {
      limits.push({ ms, end });
      return () => {};
    },
  });
  return {
    gateway,
    limits,
    signals,
    charge: () => failure(gateway.charge(chargeOf('k', 'tok_ok'))),
    asked: () => asked,
    passTime: (ms: number) => (now += ms),
    answers: (answered: GatewayAnswer) => (ending = () => Promise.resolve(answered)),
    fails: (error: unknown) => (ending = () => Promise.reject(error)),
    ends: (ended: typeof ending) => (ending = ended),
  };
}

const unknown = () => new GatewayError('unknown', 'connection');

test('a call beyond its limit has an unknown outcome, and its work is told to stop', async (t) => {
  const { gateway, limits, signals, ends } = guardedBench();
  ends(() => new Promise(() => {}));
  const calls = [
    gateway.charge(chargeOf('k', 'tok_ok')),
    gateway.refund(returnOf('r', '1')),
    gateway.void(returnOf('v', '1')),
    gateway.status('charge', askedFor('k')),
    gateway.store(card('4111111111111111'), 's'),
  ].map(failure);
  t.deepEqual(
    limits.map(({ ms }) => ms),
    calls.map(() => 12_000),
  );
  for (const { end } of limits) end();
  t.deepEqual(
    await Promise.all(calls),
    calls.map(() => 'unknown timeout'),
  );
  t.true(signals.every(({ aborted }) => aborted));
});

test('any other error is an unknown outcome', async (t) => {
  const { charge, fails } = guardedBench();
  fails(new Error('the connection broke'));
  t.is(await charge(), 'unknown failed');
});

test('five calls in a row without an answer open the breaker, and further calls end at once', async (t) => {
  const { charge, asked, fails, gateway } = guardedBench();
  fails(unknown());
  for (let call = 1; call <= FAILURES_MAX; call += 1) t.is(await charge(), 'unknown connection');
  t.is(await charge(), 'unavailable circuit_open');
  t.is(await failure(gateway.status('charge', askedFor('k'))), 'unavailable circuit_open');
  t.is(asked(), FAILURES_MAX);
});

test('an answer in between resets the count', async (t) => {
  const { charge, fails, answers } = guardedBench();
  for (let round = 0; round < 3; round += 1) {
    fails(unknown());
    for (let call = 1; call < FAILURES_MAX; call += 1) t.is(await charge(), 'unknown connection');
    answers(approved({}));
    t.is(await charge(), 'answered');
  }
});

test('declines, transient errors, malformed details and calls under way never open it', async (t) => {
  const { charge, answers, fails, asked } = guardedBench();
  const kinds = [
    () => answers(declined('card_declined')),
    () => fails(new GatewayError('transient', 'rate_limit')),
    () => fails(new GatewayError('invalid', 'invalid_number', { field: 'cardNumber' })),
    () => fails(new GatewayError('unknown', 'processing')),
    () => fails(new GatewayError('unknown', 'idempotency_mismatch')),
  ];
  for (const happens of kinds) {
    happens();
    for (let call = 0; call < 2 * FAILURES_MAX; call += 1) {
      t.not(await charge(), 'unavailable circuit_open');
    }
  }
  t.is(asked(), kinds.length * 2 * FAILURES_MAX);
});

test('after the pause one call tests the gateway: an answer closes the breaker, no answer opens it again', async (t) => {
  const { charge, asked, fails, answers, passTime } = guardedBench();
  fails(new GatewayError('unavailable', 'unreachable'));
  for (let call = 0; call < FAILURES_MAX; call += 1) await charge();
  passTime(OPEN_MS - 1);
  t.is(await charge(), 'unavailable circuit_open');
  passTime(1);
  t.is(await charge(), 'unavailable unreachable');
  t.is(asked(), FAILURES_MAX + 1);
  // It is open again, for as long.
  passTime(OPEN_MS - 1);
  t.is(await charge(), 'unavailable circuit_open');
  passTime(1);
  answers(declined('card_declined'));
  t.is(await charge(), 'answered');
  fails(unknown());
  for (let call = 0; call < FAILURES_MAX; call += 1) t.is(await charge(), 'unknown connection');
  t.is(await charge(), 'unavailable circuit_open');
});

test('while one call tests the gateway, the others end at once', async (t) => {
  const { charge, fails, ends, passTime } = guardedBench();
  fails(unknown());
  for (let call = 0; call < FAILURES_MAX; call += 1) await charge();
  passTime(OPEN_MS);
  const answer = Promise.withResolvers<GatewayAnswer>();
  ends(() => answer.promise);
  const first = charge();
  t.is(await charge(), 'unavailable circuit_open');
  answer.resolve(approved({}));
  t.is(await first, 'answered');
  t.is(await charge(), 'answered');
});
