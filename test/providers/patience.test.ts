/**
 * How an operation that is not ready yet is retried: until it succeeds, until it cannot, or until
 * we stop.
 */
import test from 'ava';
import { withPatience } from '../../providers/patience.ts';

const patience = { limitSeconds: 60, pauseMs: 0 };

/** Fails the given number of times, then returns the number of attempts. */
function failing(times: number) {
  let tries = 0;
  return () => {
    tries += 1;
    return tries > times ? Promise.resolve(tries) : Promise.reject(new Error(`try ${tries}`));
  };
}

test('a failing operation is retried until it succeeds', async (t) => {
  t.is(await withPatience(failing(3), patience), 4);
});

test('a failure that is not transient is thrown at once', async (t) => {
  const mayPass = (error: unknown) => !String(error).includes('try 2');
  await t.throwsAsync(withPatience(failing(3), { ...patience, mayPass }), { message: 'try 2' });
});

test('the last failure is thrown when the time is over', async (t) => {
  const never = failing(Number.POSITIVE_INFINITY);
  await t.throwsAsync(withPatience(never, { ...patience, limitSeconds: -1 }), { message: 'try 1' });
});

test('a caller that aborts gets its own reason, not the failure', async (t) => {
  const stopping = new AbortController();
  const attempt = () => {
    stopping.abort(new Error('stopped'));
    return Promise.reject(new Error('not ready'));
  };
  const { signal } = stopping;
  await t.throwsAsync(withPatience(attempt, { ...patience, signal }), { message: 'stopped' });
});
