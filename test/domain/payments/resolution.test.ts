/** When a person may resolve a gateway call, and how long the gateway is asked afterwards. */

import test from 'ava';
import { mayResolve, nextAskOn } from '../../../domain/payments/resolution.ts';

for (const [rule, now, may] of [
  ['a payment that waits for its turn has no call to resolve', ['Waiting', false], false],
  ['nor has it one if the gateway knows of none', ['Waiting', true], false],
  ['a call without an answer is resolved', ['Charging', false], true],
  ['what the gateway has accepted is not', ['Processing', false], false],
  ['what it has accepted and lost is', ['Processing', true], true],
  ['a final payment is not', [null, false], false],
] as const) {
  test(rule, (t) => {
    const [phase, isLost] = now;
    t.is(mayResolve({ phase, isLost }), may);
  });
}

test('the gateway is asked each day, the last time 30 days after the resolution', (t) => {
  const resolvedOn = '2027-01-15';
  t.is(nextAskOn({ resolvedOn, today: '2027-01-16' }), '2027-01-17');
  t.is(nextAskOn({ resolvedOn, today: '2027-02-13' }), '2027-02-14');
  t.is(nextAskOn({ resolvedOn, today: '2027-02-14' }), null);
});
