/** Written documents are read back unchanged, and no input breaks the reader. */
import test from 'ava';
import { z } from 'zod';
import { RequestError } from '../../api/calls/errors.ts';
import { compile } from '../../api/xml/codec.ts';
import {
  attribute,
  boolean,
  date,
  decimal,
  id,
  integer,
  listOf,
  root,
  text,
} from '../../api/xml/types.ts';
import { fc } from '../support/random.ts';

const sample = compile(
  root(
    'sample',
    z.strictObject({
      id: id(),
      label: attribute(text()).optional(),
      note: text().nullish(),
      count: integer().nullish(),
      amount: decimal().nullish(),
      on: date().nullish(),
      isOn: boolean().nullish(),
      lines: listOf('line', z.strictObject({ id: id(), note: text().nullish() })).nullish(),
    }),
  ),
);

/** Any characters that XML 1.0 allows, trimmed and not empty, as a value is after reading. */
const words = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 100 })
  // oxlint-disable-next-line no-control-regex -- the characters that XML forbids
  .map((value) => value.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '').trim())
  .filter((value) => value !== '');
const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const dates = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((value) => value.toISOString().slice(0, 10));
const decimals = fc
  .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 1, max: 999_999 }))
  .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(6, '0')}`);

const optional = <T>(values: fc.Arbitrary<T>) =>
  fc.option(fc.option(values, { nil: null }), { nil: undefined });

const samples = fc
  .record({
    id: ids,
    label: fc.option(words, { nil: undefined }),
    note: optional(words),
    count: optional(fc.integer({ min: -2_147_483_647 })),
    amount: optional(decimals),
    on: optional(dates),
    isOn: optional(fc.boolean()),
    lines: fc.option(fc.array(fc.record({ id: ids, note: optional(words) })), { nil: undefined }),
  })
  .map((value) => withoutUndefined(value) as Parameters<typeof sample.encode>[0]);

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(present.map(([key, inner]) => [key, withoutUndefined(inner)]));
}

test('written values are read back unchanged', (t) => {
  fc.assert(
    fc.property(samples, (value) => {
      t.deepEqual(sample.decode(Buffer.from(sample.encode(value))), value);
    }),
  );
});

const pieces = [
  ['<', '>', '/', '&', ';', '"', "'", '=', ' ', '\n', 'sample', 'note', 'lines', 'line', 'id'],
  ['<sample>', '</sample>', '<note>', '</note>', '<lines>', '<line id="1">', '</line>', '&lt;'],
  ['<!--', '-->', '<![CDATA[', ']]>', '<?', '?>', '<!DOCTYPE', '&#', '&#x41;', '\u0000', '\u00e9'],
];
const scraps = fc.constantFrom(...pieces.flat());

test('any text is read or refused with 400, never anything else', (t) => {
  fc.assert(
    fc.property(fc.array(scraps, { maxLength: 30 }), (parts) => {
      try {
        sample.decode(parts.join(''));
      } catch (error) {
        t.true(error instanceof RequestError, String(error));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('any bytes are read or refused with 400, never anything else', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const document = Buffer.concat([Buffer.from('<sample id="1"><note>'), bytes]);
      const error = t.throws(() => sample.decode(document), { instanceOf: RequestError });
      t.is(error?.status, 400);
    }),
  );
});
