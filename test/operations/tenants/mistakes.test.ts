/** Every kind of mistake in a tenant file is reported with its path, and all of them together. */
import test from 'ava';
import { Scalar } from 'yaml';
import { readTenantFile } from '../../../operations/tenants/read.ts';
import { readSource } from '../../../operations/tenants/file/source.ts';
import { cases } from './mistakes-table.ts';
import { draftOf, put, sample, spoiled, textOf, type Draft } from './support.ts';
import { fc } from '../../support/random.ts';

const demo = draftOf(sample('demo'));
const noSecrets = { secretOf: () => undefined, isStrict: false };

function mistakesOf(text: string, options = noSecrets): string[] {
  const reading = readTenantFile(text, options);
  return reading.isValid ? [] : reading.mistakes.map(({ path, message }) => `${path}: ${message}`);
}

for (const { title, edits, path, message } of cases) {
  test(`${title}: a mistake at ${path}`, (t) => {
    const [only = '', ...others] = mistakesOf(textOf(spoiled(demo, edits)));
    t.deepEqual(others, []);
    t.true(only.startsWith(`${path}: ${message}`), only);
  });
}

test('many mistakes, of form and of meaning, in all parts of a file, are reported together', (t) => {
  const edits = {
    timezone: 'Mars/Olympus',
    foo: '1',
    'users[0].username': undefined,
    'plans[0].charges[0].price': 'free',
    'plans[1].charges[1].tiers[1].unitsFrom': '500',
    'plans[2].productOffering': 'TV',
    'coupons[1].percent': '5',
    'salesAgents[0].commissionPlan': 'X',
  };
  t.deepEqual(
    mistakesOf(textOf(spoiled(demo, edits)))
      .map((line) => line.replace(/:.*/, ''))
      .toSorted((a, b) => (a < b ? -1 : 1)),
    [
      'coupons[1].currency',
      'coupons[1].percent',
      'foo',
      'plans[0].charges[0].price',
      'plans[1].charges[1].tiers[1].unitsFrom',
      'plans[2].productOffering',
      'salesAgents[0].commissionPlan',
      'timezone',
      'users[0].username',
    ],
  );
});

const faultyText = `tenant: demo
name:
timezone: Europe/Berlin
currency: EUR
users:
  - username: a
    password: secret
    roles: [ROLE_API]
    colour: red
  - { username: b, password: other, roles: [] }
  - username: a
    password: third
    roles: []
name: twice
plans:
  - contractCode: P
    name: P
    charges: []
`;

test('each mistake has its line; for a missing key, the line of its parent', (t) => {
  const reading = readTenantFile(faultyText, noSecrets);
  t.deepEqual(reading.isValid ? [] : reading.mistakes, [
    { path: 'name', line: 2, message: 'has no value: give one, or leave the key out' },
    { path: 'users[0].colour', line: 9, message: 'is not a key of the format' },
    { path: 'users[2].username', line: 11, message: 'is also that of number 0 (counted from 0)' },
    { path: 'name', line: 14, message: 'is given twice' },
    { path: 'plans[0].billingPeriod', line: 16, message: 'is missing' },
    { path: 'plans[0].charges', line: 18, message: 'must have at least one charge' },
  ]);
});

test('invalid YAML, a file without a mapping and an empty file are reported', (t) => {
  t.deepEqual(mistakesOf(''), [': the file is empty']);
  t.deepEqual(mistakesOf('# nothing\n'), [': the file is empty']);
  t.deepEqual(mistakesOf('- a\n- b\n'), [': must be a mapping of keys to values']);
  t.regex(mistakesOf('tenant: [demo\n')[0] ?? '', /Flow sequence/);
  t.regex(mistakesOf('a: 1\n---\nb: 2\n')[0] ?? '', /multiple documents/);
  t.regex(mistakesOf('a: !!js/function x\n')[0] ?? '', /Unresolved tag/);
  t.deepEqual(
    mistakesOf('currency: &x { a: *x }\n').filter((line) => line.startsWith('currency')),
    ['currency.a: *x names no value before it', 'currency: must be a single value'],
  );
});

test('a text keeps what YAML would read as a number, an alias has the value that it names', (t) => {
  const text = `${sample('acme')}address: &home { zip: 01234, state: NO, city: "1e3" }
salesAgents: [{ code: 007, address: *home }]\n`;
  const reading = readTenantFile(text, noSecrets);
  if (!reading.isValid) return t.fail(JSON.stringify(reading.mistakes));
  const { file } = reading.checked;
  t.deepEqual(file.salesAgents, [
    {
      code: '007',
      address: { zip: '01234', state: 'NO', city: '1e3' },
      notificationsEnabled: false,
      disbursementsEnabled: false,
    },
  ]);
  t.deepEqual(file.address, { zip: '01234', state: 'NO', city: '1e3' });
});

test('a file that aliases expand without end is refused', (t) => {
  const doubled = (name: string, of: string) => `${name}: &${name} [${`*${of}, `.repeat(9)}]\n`;
  const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const bomb = letters.map((it, i) => doubled(it, letters[i - 1] ?? 'z')).join('');
  t.true(mistakesOf(`z: &z [x]\n${bomb}`).includes(': the file is too large'));
});

test.serial(
  '2,000 anchors with 2,000 aliases: each anchor is looked at once, not once an alias',
  (t) => {
    const text = Array.from({ length: 2_000 }, (_, i) => `a${i}: &x${i} v\nb${i}: *x${i}\n`).join(
      '',
    );
    const looks = looksAtAnchors(() => t.true(mistakesOf(text).length > 0));
    t.true(looks > 0 && looks <= 10_000, `${looks} looks`);
  },
);

test('an alias names the last anchor of its name before it', (t) => {
  const { value, mistakes } = readSource(
    'a: &x 1\nb: *x\nc: &x 2\nd: *x\ne: *later\nf: &later 3\n',
  );
  t.deepEqual(value, { a: '1', b: '1', c: '2', d: '2', e: undefined, f: '3' });
  t.deepEqual(mistakes, [{ path: 'e', line: 5, message: '*later names no value before it' }]);
});

test('a number with a comma is named as such in a flow mapping too, where YAML cuts it', (t) => {
  const hint = 'is not a number: decimals follow a point, and a number has no commas';
  for (const number of ['9,90', '1,234.50']) {
    const text = sample('acme').replace('price: 9.90', `price: ${number}`);
    t.deepEqual(mistakesOf(text), [`plans[0].charges[0].price: ${number} ${hint}`]);
  }
  t.deepEqual(mistakesOf(sample('acme').replace('price: 9.90', 'price: 9, 90: 1')), [
    'plans[0].charges[0].90: is not a key of the format',
  ]);
});

test('an unset secret of a callback is a mistake only with --strict', (t) => {
  const unset = 'callbacks[0].secret: the environment variable DEMO_CALLBACK_SECRET is not set';
  t.deepEqual(mistakesOf(sample('demo'), { ...noSecrets, isStrict: true }), [unset]);
  const reading = readTenantFile(sample('demo'), noSecrets);
  if (!reading.isValid) return t.fail(JSON.stringify(reading.mistakes));
  t.false(reading.checked.secrets.clear.has('callbacks[0].secret'));
  t.deepEqual(reading.checked.secrets.unset, [
    { path: ['callbacks', 0, 'secret'], variable: 'DEMO_CALLBACK_SECRET' },
  ]);
});

test('an unset password or secret of a gateway is always a mistake', (t) => {
  const edits = {
    'users[0].password': { env: 'UNSET' },
    'gateway.type': 'stripe',
    'gateway.secretKey': { env: 'UNSET' },
    'gateway.webhookSecret': { env: 'UNSET' },
  };
  t.deepEqual(
    mistakesOf(textOf(spoiled(demo, edits))).toSorted((a, b) => (a < b ? -1 : 1)),
    ['gateway.secretKey', 'gateway.webhookSecret', 'users[0].password'].map(
      (path) => `${path}: the environment variable UNSET is not set`,
    ),
  );
});

/** How often the anchor of a scalar is read while the work is done. */
function looksAtAnchors(work: () => void): number {
  let looks = 0;
  const anchors = new WeakMap<object, string | undefined>();
  Object.defineProperty(Scalar.prototype, 'anchor', {
    configurable: true,
    get(this: object) {
      looks += 1;
      return anchors.get(this);
    },
    set(this: object, anchor: string | undefined) {
      anchors.set(this, anchor);
    },
  });
  try {
    work();
  } finally {
    Reflect.deleteProperty(Scalar.prototype, 'anchor');
  }
  return looks;
}

/** The paths of all values inside. */
function pathsIn(value: unknown, path: string): string[] {
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => pathsIn(item, `${path}[${index}]`))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, part]) =>
          pathsIn(part, path === '' ? key : `${path}.${key}`),
        )
      : [];
  return path === '' ? inner : [path, ...inner];
}

test('a file with any change is accepted or refused with a path, and never crashes', (t) => {
  const junk = fc.oneof(
    fc.string(),
    fc.constantFrom('-1', '0', '99999999999999', '2027-02-30', 'GOLD', 'true'),
    fc.constant([]),
    fc.constant({}),
    fc.constant(['x', { y: 'z' }]),
  );
  const spoil = fc.record({ path: fc.constantFrom(...pathsIn(demo, '')), value: junk });
  fc.assert(
    fc.property(fc.array(spoil, { minLength: 1, maxLength: 4 }), (spoils) => {
      const draft: Draft = structuredClone(demo);
      for (const { path, value } of spoils) {
        // A value below an earlier change no longer exists.
        try {
          put(draft, path, structuredClone(value));
        } catch {
          continue;
        }
      }
      for (const line of mistakesOf(textOf(draft))) t.regex(line, /^[^:]*: ./s);
    }),
    { numRuns: 300 },
  );
});
