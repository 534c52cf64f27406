/** Query parameters: which ones a call accepts, and how it refuses the rest. */
import test from 'ava';
import { z } from 'zod';
import { RequestError } from '../../../api/calls/errors.ts';
import { compileQuery } from '../../../api/xml/query.ts';
import { enumeration, integer } from '../../../api/xml/types.ts';

const page = compileQuery(
  z.object({ max: integer(0, 1000).default(50), status: enumeration(['A', 'B']).optional() }),
  { shared: ['format'] },
);

test('query parameters: empty ones are absent, defaults are filled in', (t) => {
  t.deepEqual(page.decode({ status: '' }), { max: 50 });
  t.deepEqual(page.decode({ max: '7', status: 'B', format: 'xml' }), { max: 7, status: 'B' });
});

test('query parameters: unknown ones are refused with the nearest and all known names', (t) => {
  const messagesOf = (parameters: Record<string, string | string[]>) =>
    t
      .throws(() => page.decode(parameters), { instanceOf: RequestError })
      ?.errors.map(({ code, path, message }) => `${code} ${path}: ${message}`);
  t.deepEqual(messagesOf({ stauts: 'A' }), [
    'query.unknown stauts: stauts is no parameter of this call; did you mean status? ' +
      '(known: max, status, format)',
  ]);
  t.deepEqual(messagesOf({ colour: '', max: ['1', '2'] }), [
    'query.unknown colour: colour is no parameter of this call (known: max, status, format)',
    'query.repeated max: max is given more than once',
  ]);
  t.deepEqual(messagesOf({ ['x'.repeat(300)]: '1' })?.length, 1);
  t.deepEqual(messagesOf({ __proto: '1', toString: '1' })?.length, 1);
});

test('query parameters: names that begin with _ or utm_ are ignored', (t) => {
  t.deepEqual(page.decode({ _: '1763', _ga: ['1', '2'], utm_source: 'mail' }), { max: 50 });
});

test('query parameters: repeated and wrong ones are refused by name', (t) => {
  const error = t.throws(() => page.decode({ max: '1001', status: 'C', format: ['1', '2'] }), {
    instanceOf: RequestError,
  });
  t.deepEqual(error?.errors, [
    { code: 'query.repeated', path: 'format', message: 'format is given more than once' },
    {
      code: 'query.range',
      path: 'max',
      message: 'max must be a whole number from 0 to 1000, not "1001"',
      value: '1001',
    },
    {
      code: 'query.invalid',
      path: 'status',
      message: 'status must be one of A, B, not "C"',
      value: 'C',
    },
  ]);
});

test('query parameters: a required one that is repeated is reported as repeated only', (t) => {
  const byCode = compileQuery(z.object({ code: z.string() }));
  const error = t.throws(() => byCode.decode({ code: ['a', 'b'] }), { instanceOf: RequestError });
  t.deepEqual(
    error?.errors.map(({ code }) => code),
    ['query.repeated'],
  );
});

test('query parameters: those that others require are named with all that is wrong', (t) => {
  const { decode } = compileQuery(
    z.object({ max: integer(0, 1000), name: enumeration(['A']).optional() }),
    { requires: ({ max }) => (max === undefined ? [] : ['name']) },
  );
  const errorsOf = (parameters: Record<string, string>) =>
    t
      .throws<RequestError>(() => decode(parameters), { instanceOf: RequestError })
      .errors.map(({ code, path }) => `${code} ${path}`);
  t.deepEqual(decode({ max: '1', name: 'A' }), { max: 1, name: 'A' });
  t.deepEqual(errorsOf({ max: '2000' }), ['query.range max', 'query.required name']);
  t.deepEqual(errorsOf({ max: '1', name: 'B' }), ['query.invalid name']);
});
