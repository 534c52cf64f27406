/** What calls answer if the tenant has the addresses that they send validated by AvaTax. */
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { noteAsserted } from '../../support/asserted.ts';
import { avataxAccount, startAvatax } from '../../support/avatax.ts';
import { until } from '../../support/until.ts';
import { schemaOfAnswer, violations } from '../../support/xsd.ts';
import type { Received } from '../support.ts';
import { startTenantApi, valueOf } from '../tenant-api.ts';

const LIMIT_MS = 5_000;
const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
/** While it is set, it ends the time of calls instead of a timer. */
let ends: (() => void)[] | undefined;
const startTaxLimit = (ms: number, onOver: () => void) => {
  if (ms !== LIMIT_MS) throw new Error(`a limit of ${ms} ms`);
  ends?.push(onOver);
  return () => undefined;
};
const api = await startTenantApi({ log, startTaxLimit });

/** A tenant with an AvaTax of its own. */
async function withAvatax(t: ExecutionContext, account: Partial<typeof avataxAccount> = {}) {
  const double = await startAvatax();
  t.teardown(double.close);
  const home = { street1: '1 Main St', city: 'Portland', state: 'OR', zip: '97201' };
  const tax = { type: 'avatax', validateAddresses: true, ...avataxAccount, url: double.url };
  const file = { address: { ...home, countryCode: 'US' }, tax: { ...tax, ...account } };
  const tenant = await api.another({ file });
  return { ...tenant, double, asked: () => double.calls.get('resolve') ?? 0 };
}

const customer = (inner: string) => `<customer>${inner}</customer>`;
const billing = (inner: string) => `<billingContact>${inner}</billingContact>`;
const sales = (inner: string) => `<salesContact>${inner}</salesContact>`;
const ada = '<firstName>Ada</firstName>';
const address = (zip: string, country = 'US', street = '<street1>1 Main St</street1>') =>
  `<address>${street}<city>Albany</city><state>NY</state><zip>${zip}</zip>` +
  `<countryCode>${country}</countryCode></address>`;
const good = address('12207');
const unknown = address('00000');

const idOf = (answer: Received) => valueOf(answer.body, 'customer@id');
const UNKNOWN = 'is invalid: The postal code is not known.';
const INVALID = 'saved, but the address is invalid';
const NOT_VALIDATED = 'saved, but the address was not validated';
const silentAt = (path: string) => [
  'address.notValidated',
  `${path}/address was not validated, as the tax provider did not answer`,
];

/** The message of a status, and each code with its text. */
function said({ status, body }: Received) {
  const errors = [...body.matchAll(/<error code="([^"]*)">([^<]*)<\/error>/g)];
  return [status, valueOf(body, 'message'), ...errors.map(([, code, text]) => [code, text])];
}

test.serial(
  'while AvaTax does not answer, customers are saved, and nothing waits for it',
  async (t) => {
    const { post, put, get, double } = await withAvatax(t);
    const made = await post('/customers', customer(billing(ada + good)));
    t.is(made.status, 200, made.body);
    const path = `/customer/${idOf(made)}`;
    double.be('silent');
    ends = [];
    const both = billing(`<address><zip>12208</zip></address>`) + sales(ada + good);
    const waiting = put(path, customer(both));
    await until('both addresses are asked about at once', async () => ends?.length === 2);
    // Nothing is locked meanwhile.
    t.is((await put(path, customer('<name>New</name>'))).status, 200);
    for (const end of ends) end();
    ends = undefined;
    const answer = await waiting;
    t.deepEqual(said(answer), [
      201,
      NOT_VALIDATED,
      silentAt('customer/billingContact'),
      silentAt('customer/salesContact'),
    ]);
    t.deepEqual(violations(schemaOfAnswer(answer.body), answer.body), []);
    const saved = await get(path);
    t.is(valueOf(saved.body, 'zip'), '12208');
    t.is(answer.headers.etag, saved.headers.etag);
    noteAsserted('address.notValidated');
  },
);

test('an address that AvaTax knows is valid, whatever the rules of the table say', async (t) => {
  const { post, get, asked } = await withAvatax(t);
  const written = '<state>New York</state><country>us</country>';
  const loose = `<address><street1>1 Main St</street1><city>Albany</city>${written}</address>`;
  for (const sent of [good, address('M5V 3L9', 'CA'), loose]) {
    const made = await post('/customers', customer(billing(ada + sent)));
    t.is(made.status, 200, made.body);
    t.is((await get(`/customer/${idOf(made)}`)).body, made.body);
  }
  t.is(asked(), 3);
});

test('what AvaTax finds is in its words at its element, for each call and contact', async (t) => {
  const { post, put, get, remove } = await withAvatax(t);
  const made = await post('/customers', customer(billing(ada + unknown) + sales(ada + good)));
  const fault = (path: string) => ['address.invalid', `${path}/address/zip ${UNKNOWN}`];
  t.deepEqual(said(made), [201, INVALID, fault('customer/billingContact')]);
  t.deepEqual(violations(schemaOfAnswer(made.body), made.body), []);
  const path = `/customer/${idOf(made)}`;
  t.is(valueOf((await get(path)).body, 'zip'), '00000');
  const canada = await put(path, customer(sales(address('00000', 'CA'))));
  t.deepEqual(said(canada), [201, INVALID, fault('customer/salesContact')]);
  // A part is validated with what is stored.
  const contact = `${path}/billingContact`;
  const street = billing('<address><street1>2 Main St</street1></address>');
  t.deepEqual(said(await put(contact, street)), [201, INVALID, fault('billingContact')]);
  const zip = billing('<address><zip>12207</zip></address>');
  t.is((await put(contact, zip)).status, 200);
  await remove(`${path}/salesContact`);
  const added = await post(`${path}/salesContact`, sales(unknown));
  t.deepEqual(said(added), [201, INVALID, fault('salesContact')]);
  t.is((await put(`${path}/salesContact`, sales(good))).status, 200);
});

test('AvaTax is asked neither about other countries nor about an incomplete address', async (t) => {
  const { post, asked } = await withAvatax(t);
  const noStreet = await post('/customers', customer(billing(ada + address('1220', 'US', ''))));
  const path = 'customer/billingContact/address';
  t.deepEqual(said(noStreet), [201, INVALID, ['address.invalid', `${path}/street1 is required`]]);
  const germany = await post('/customers', customer(billing(ada + address('00000', 'DE'))));
  t.is(germany.status, 200);
  const nowhere = await post('/customers', customer(billing(ada + address('00000', 'UK'))));
  t.deepEqual(said(nowhere), [
    201,
    INVALID,
    ['address.invalid', `${path}/countryCode must be a code of two letters by ISO 3166, not UK`],
  ]);
  t.is((await post('/customers', customer(billing(ada)))).status, 200);
  t.is(asked(), 0);
});

test('an address that AvaTax refuses is invalid as a whole', async (t) => {
  const { post } = await withAvatax(t);
  const long = `<street1>${'x'.repeat(51)}</street1>`;
  const made = await post('/customers', customer(billing(ada + address('12207', 'US', long))));
  t.deepEqual([made.status, valueOf(made.body, 'message')], [201, INVALID]);
  const path = 'customer/billingContact/address';
  t.regex(made.body, new RegExp(`<error code="address.invalid">${path} is invalid: [^<]+line1`));
});

test('an address that is invalid and one that nobody validated are listed together', async (t) => {
  const { post, double } = await withAvatax(t);
  double.be('unavailable');
  const berlin = '<address><city>Berlin</city><countryCode>DE</countryCode></address>';
  const made = await post('/customers', customer(billing(ada + berlin) + sales(ada + good)));
  t.deepEqual(said(made), [
    201,
    INVALID,
    ['address.invalid', 'customer/billingContact/address/street1 is required'],
    silentAt('customer/salesContact'),
  ]);
});

test('a repeated key gets the stored answer, and AvaTax is not asked again', async (t) => {
  const { call, double, asked } = await withAvatax(t);
  const more = {
    body: customer(billing(ada + unknown)),
    headers: { 'idempotency-key': 'once' },
  };
  const first = await call('POST', '/customers', more);
  double.be('down');
  const again = await call('POST', '/customers', more);
  t.deepEqual([again.status, again.body], [201, first.body]);
  t.is(again.headers['idempotency-replayed'], 'true');
  t.is(asked(), 1);
});

test('a failing AvaTax is not named as the fault of an address, and no license key is told', async (t) => {
  const { post, put, double } = await withAvatax(t);
  const made = await post('/customers', customer(billing(ada + good)));
  const answers = [made];
  for (const mood of ['down', 'unavailable'] as const) {
    double.be(mood);
    const changed = await put(`/customer/${idOf(made)}`, customer(billing(good)));
    t.deepEqual(said(changed), [201, NOT_VALIDATED, silentAt('customer/billingContact')]);
    answers.push(changed);
  }
  const licenseKey = 'ANOTHER-LICENSE-KEY' as typeof avataxAccount.licenseKey;
  const stranger = await withAvatax(t, { licenseKey });
  const refused = await stranger.post('/customers', customer(billing(ada + good)));
  t.deepEqual(said(refused), [201, NOT_VALIDATED, silentAt('customer/billingContact')]);
  const told = [...logged, ...[...answers, refused].map(({ body }) => body)].join('\n');
  t.true(logged.length > 0);
  for (const key of [licenseKey, avataxAccount.licenseKey]) {
    const credentials = Buffer.from(`${avataxAccount.accountId}:${key}`).toString('base64');
    for (const secret of [key, credentials, avataxAccount.accountId]) {
      t.false(told.includes(secret));
    }
  }
});

test('without validateAddresses AvaTax is not asked about an address', async (t) => {
  const double = await startAvatax();
  t.teardown(double.close);
  const home = { street1: '1 Main St', city: 'Berlin', countryCode: 'DE' };
  const tax = { type: 'avatax', ...avataxAccount, url: double.url };
  const own = await api.another({ file: { address: home, tax } });
  t.is((await own.post('/customers', customer(billing(ada + unknown)))).status, 201);
  t.is(double.calls.get('resolve'), undefined);
});
