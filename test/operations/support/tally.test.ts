/** Tests the counting of random steps itself, because nobody would notice what it misses. */
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { NOTHING_TO_DO, newTally } from './tally.ts';

const outlooks = {
  half: { succeeds: 0.5, refusals: ['order.transition'] },
  all: { succeeds: 1, refusals: [] },
} as const;
const refuse = () => Promise.reject(new DomainError('order.transition', 'no'));
const succeed = () => Promise.resolve('done');

test('a refusal for a reason that is not listed for this kind of step fails', async (t) => {
  const tally = newTally(outlooks);
  await tally.take('half', refuse);
  await t.throwsAsync(tally.take('all', refuse), { message: /all is refused by order.transition/ });
});

test('an error that is not a refusal fails', async (t) => {
  const { take } = newTally(outlooks);
  await t.throwsAsync(
    take('half', () => Promise.reject(new Error('a bug'))),
    { message: 'a bug' },
  );
});

test('steps that succeed too rarely, never, or are never tried fail', async (t) => {
  const refusals = (count: number) => Array.from({ length: count }, () => refuse);
  const idle = () => Promise.resolve(NOTHING_TO_DO);
  const lives = [[], refusals(10), [idle], [succeed, ...refusals(14)]];
  for (const steps of lives) {
    const tally = newTally(outlooks);
    for (const step of steps) await tally.take('half', step);
    const attempt = await t.try((inner) => tally.assertShares(inner, ['half']));
    attempt.discard();
    t.false(attempt.passed, String(steps.length));
  }
});

test('a few steps may all be refused by chance', async (t) => {
  const tally = newTally(outlooks);
  for (const step of [refuse, refuse]) await tally.take('half', step);
  tally.assertShares(t, ['half']);
});

test('steps that succeed often enough pass; one with nothing to act on does not count', async (t) => {
  const tally = newTally(outlooks);
  const idle = () => Promise.resolve(NOTHING_TO_DO);
  for (const step of [succeed, refuse, idle]) await tally.take('half', step);
  tally.assertShares(t, ['half']);
});
