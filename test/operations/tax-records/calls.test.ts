/** The calls of a batch of records, after an outage of the provider. */
import test from 'ava';
import { callAll } from '../../../operations/tax-records/pass.ts';
import { guarded } from '../../../providers/tax/guarded.ts';
import { TaxProviderError } from '../../../providers/tax/tax-provider.ts';
import { FAILURES_MAX, OPEN_MS } from '../../../providers/guard.ts';
import { newYork, portland } from '../../support/avatax.ts';

test('after an outage one call tests the provider, and the others follow in the same pass', async (t) => {
  let isDown = true;
  let nowMs = 0;
  const answer = () =>
    isDown
      ? Promise.reject(new TaxProviderError('silent', 'http_503'))
      : Promise.resolve({ total: '36', tax: '3.2' });
  const none = () => Promise.reject(new Error('not called'));
  const adapter = { record: answer, calculate: none, void: none, resolve: none };
  const provider = guarded(adapter, { timeLimitMs: 60_000, now: () => nowMs });
  const document = {
    customerId: 1,
    invoiceDate: '2027-01-15',
    currency: 'USD',
    shipFrom: portland,
    shipTo: newYork,
    lines: [],
    credits: [],
  };
  const claimed = Array.from({ length: 20 }, (_, index) => ({
    code: String(index + 1),
    invoiceId: index + 1,
    returnOf: null,
    attempts: 1,
    document,
  }));
  const { signal } = new AbortController();
  const down = await callAll(provider, claimed, { signal, testsFirst: true });
  t.is(down.recorded.length, 0);
  t.true(down.failed.length >= FAILURES_MAX);
  isDown = false;
  nowMs += OPEN_MS;
  const up = await callAll(provider, claimed, { signal, testsFirst: true });
  t.is(up.recorded.length, 20);
  t.is(up.silence, null);
});
