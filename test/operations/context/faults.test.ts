/** The meaning of PostgreSQL's and the network's error codes: a line for each kind. */
import test from 'ava';
import {
  OutcomeUnknownError,
  UnavailableError,
  isConnectionFault,
  isTransient,
  refusesCommit,
  sqlStateOf,
  violatedKeyOf,
} from '../../../db/connection/faults.ts';

const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, ...more });

/** Whether it is transient, whether the connection is broken, whether COMMIT certainly failed. */
const codes: readonly (readonly [code: string, boolean, boolean, boolean])[] = [
  ['40P01', true, false, true],
  ['40001', true, false, true],
  ['55P03', true, false, true],
  ['08006', true, true, false],
  ['57P01', true, true, false],
  ['53300', true, false, false],
  ['58030', true, false, false],
  ['25P03', false, true, false],
  ['40003', false, false, false],
  ['57014', false, false, true],
  ['22003', false, false, true],
  ['23505', false, false, true],
  ['XX000', false, false, false],
  ['ECONNREFUSED', true, true, false],
  ['EHOSTUNREACH', true, true, false],
  ['ENOENT', false, false, false],
];

for (const [code, transient, ofConnection, refused] of codes) {
  test(`${code} is classified as documented`, (t) => {
    const error = withCode(code);
    t.deepEqual(
      [isTransient(error), isConnectionFault(error), refusesCommit(error)],
      [transient, ofConnection, refused],
    );
  });
}

test('a host without a reachable address is a broken connection', (t) => {
  const error = new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]);
  t.true(isConnectionFault(error));
  t.true(isTransient(error));
  t.false(isTransient(new AggregateError([withCode('ENOENT')])));
});

test('the service’s own database errors are transient, a bug is not', (t) => {
  t.true(isTransient(new UnavailableError('no room')));
  t.true(isTransient(new OutcomeUnknownError('broken')));
  t.false(isTransient(new TypeError('x is undefined')));
  t.is(sqlStateOf(withCode('EPIPE')), null);
  t.is(sqlStateOf('40001'), null);
});

test('only a violated unique constraint names a key', (t) => {
  t.is(violatedKeyOf(withCode('23505', { constraint: 'a_key' })), 'a_key');
  t.is(violatedKeyOf(withCode('23503', { constraint: 'a_key' })), null);
  t.is(violatedKeyOf(withCode('23505')), null);
});
