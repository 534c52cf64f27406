/** The tax rates of the tenant file, as operations read them. */
import test from 'ava';
import { readTenant } from '../../../operations/context/context.ts';
import { secretContext } from '../../../db/entities/sealed.ts';
import { readTenantFile } from '../../../operations/tenants/read.ts';
import { readShownFile } from '../../../operations/tenants/show.ts';
import { createVault } from '../../../providers/vault.ts';
import { bench, everythingStored, secretKey, smallest, spoiled, textOf } from './support.ts';

const quebec = { country: 'CA', state: 'QC', percent: '9.9750', taxCode: 'STD', name: 'QST' };
const books = { country: 'CA', percent: '0', taxCode: 'BOOKS', name: 'GST' };
const exempt = { ...books, taxCode: 'CARE', category: 'E', exemptionReason: 'Health care' };

test('the rates of the file are read with their defaults, in the order of the file', async (t) => {
  const { apply, changes, in: inLabel } = await bench(t);
  const draft = { ...smallest, tax: { type: 'table', rates: [quebec, books, exempt] } };
  const applied = await apply(textOf(draft));
  t.deepEqual(applied.isValid && applied.notInForce, []);
  t.deepEqual((await inLabel('tiny', readTenant)).taxRates, [
    { ...quebec, percent: '9.975', category: 'S', exemptionReason: null },
    { ...books, state: null, category: 'Z', exemptionReason: null },
    { ...exempt, state: null },
  ]);
  t.deepEqual(await changes(draft), []);
});

test('without the type table there are no rates, be they in the file or not', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const rates = async () => (await inLabel('tiny', readTenant)).taxRates;
  await changes(smallest);
  t.deepEqual(await rates(), []);
  await changes({ ...smallest, tax: { type: 'none', rates: [quebec] } });
  t.deepEqual(await rates(), []);
});

const home = { street1: 'Am Markt 1', city: 'Berlin', zip: '10115', countryCode: 'DE' };
const avatax = { type: 'avatax', accountId: '20', licenseKey: 'LICENSE-1', companyCode: 'EULER' };

test('addresses are validated if the file says so, and its type is the table or AvaTax', async (t) => {
  const { apply, in: inLabel } = await bench(t);
  const validates = async (tax: object) => {
    const applied = await apply(textOf({ ...smallest, address: home, tax }));
    t.deepEqual(applied.isValid && applied.notInForce, []);
    return (await inLabel('tiny', readTenant)).validatesAddresses;
  };
  const table = { type: 'table', rates: [quebec] };
  t.false(await validates({}));
  t.true(await validates({ ...table, validateAddresses: 'true' }));
  t.false(await validates({ ...table, validateAddresses: 'false' }));
  t.false(await validates(table));
  t.true(await validates({ ...avatax, validateAddresses: 'true' }));
  t.false(await validates(avatax));
});

test('a tenant with AvaTax is taxed from its address, and has no rates', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  await changes({ ...smallest, address: home, tax: avatax });
  const { taxProvider, taxRates } = await inLabel('tiny', readTenant);
  t.deepEqual(taxProvider, { shipFrom: { ...home, street2: null, state: null } });
  t.deepEqual(taxRates, []);
  t.deepEqual(await changes({ ...smallest, address: home, tax: {} }), ['tax: changed']);
  t.is((await inLabel('tiny', readTenant)).taxProvider, null);
});

test('invoices by hand are taxed unless the file says no; of a tenant of before, once its file names it', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const taxes = async () => (await inLabel('tiny', readTenant)).settings.taxesOneOffInvoices;
  const applied = async (tax: object) => {
    await changes({ ...smallest, tax: { type: 'table', rates: [quebec], ...tax } });
    return taxes();
  };
  t.true(await applied({}));
  t.false(await applied({ oneOffInvoices: 'false' }));
  t.true(await applied({}));
  // As a file is stored that was applied before.
  await inLabel('tiny', (tx) =>
    tx.query(`update tenant set file = file #- '{tax,oneOffInvoices}'`),
  );
  t.false(await taxes());
  t.false(await applied({ validateAddresses: 'true' }));
  t.true(await applied({ oneOffInvoices: 'true' }));
  t.true(await applied({}));
});

const needed = 'is needed for the tax type avatax';
const https = 'must be an address that begins with https:// (on this machine also http://)';
const noSecrets = { secretOf: () => undefined, isStrict: false };
const avataxMistakes: readonly (readonly [Record<string, unknown>, string])[] = [
  [{ 'tax.accountId': undefined }, 'tax.accountId: is needed for the type avatax'],
  [{ 'tax.licenseKey': undefined }, 'tax.licenseKey: is needed for the type avatax'],
  [{ 'tax.companyCode': undefined }, 'tax.companyCode: is needed for the type avatax'],
  [
    { 'tax.licenseKey': { env: 'UNSET' } },
    'tax.licenseKey: the environment variable UNSET is not set',
  ],
  [{ 'tax.rates': [quebec] }, 'tax.rates: is not for the type avatax'],
  [{ 'tax.url': 'http://rest.avatax.com' }, `tax.url: ${https}, without a path`],
  [{ 'tax.url': 'https://rest.avatax.com/api' }, `tax.url: ${https}, without a path`],
  [{ 'tax.url': 'https://me@rest.avatax.com' }, `tax.url: ${https}, without a path`],
  [{ 'tax.url': 'http://127.0.0.1.example.com' }, `tax.url: ${https}, without a path`],
  [{ address: undefined }, `address: ${needed}`],
  [{ address: {} }, `address: ${needed}`],
  [{ address: 'Berlin' }, 'address: must be a mapping of keys to values'],
  [{ 'address.street1': undefined }, `address.street1: ${needed}`],
  [{ 'address.city': undefined }, `address.city: ${needed}`],
  [{ 'address.countryCode': undefined }, `address.countryCode: ${needed}`],
  [
    { 'address.countryCode': 'UK' },
    'address.countryCode: must be a code of two letters by ISO 3166',
  ],
  [
    { 'address.countryCode': 'de' },
    'address.countryCode: must be a country code of two capital letters',
  ],
  [
    { 'address.countryCode': 'US', 'address.state': 'NY', 'address.zip': '1220' },
    'address.zip: must have 5 or 9 digits',
  ],
];

test('each mistake of a file with AvaTax names its key', (t) => {
  const draft = { ...smallest, address: home, tax: avatax };
  for (const [edits, mistake] of avataxMistakes) {
    const reading = readTenantFile(textOf(spoiled(draft, edits)), noSecrets);
    const found = reading.isValid ? [] : reading.mistakes;
    t.deepEqual(
      found.map(({ path, message }) => `${path}: ${message}`),
      [mistake],
    );
  }
  const taken = { 'address.countryCode': undefined, 'address.country': 'de' };
  t.true(readTenantFile(textOf(spoiled(draft, taken)), noSecrets).isValid);
});

test('AvaTax may be on this machine', async (t) => {
  const { changes } = await bench(t);
  for (const url of ['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000']) {
    const draft = { ...smallest, address: home, tax: { ...avatax, url } };
    t.is((await changes(draft)).length, 1);
  }
});

test('a license key is sealed, and encrypted again only when it has changed', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const draft = { ...smallest, address: home, tax: avatax };
  const sealedText = async () => {
    const path = `select file#>>'{tax,licenseKey,sealed}' as sealed from tenant`;
    const [row] = await inLabel('tiny', (tx) => tx.query<{ sealed: string }>(path));
    return row?.sealed ?? '';
  };
  const vault = createVault(secretKey);
  const context = secretContext('tiny', 'tax/licenseKey');
  await changes(draft);
  const first = await sealedText();
  t.is(vault.open(first, context), 'LICENSE-1');
  t.deepEqual(await changes(draft), []);
  t.is(await sealedText(), first);
  const other = { ...draft, tax: { ...avatax, licenseKey: 'LICENSE-2' } };
  t.deepEqual(await changes(other), ['tax: changed']);
  t.is(vault.open(await sealedText(), context), 'LICENSE-2');
});

test('no license key is stored in clear, or shown', async (t) => {
  const it = await bench(t);
  await it.changes({ ...smallest, address: home, tax: avatax });
  const shown = await it.in('tiny', readShownFile);
  t.like(shown['tax'], { accountId: '20', licenseKey: { withheld: 'set' } });
  const stored = await everythingStored(it, 'tiny');
  for (const text of [stored, JSON.stringify(shown)]) {
    t.true(text.includes('EULER'));
    t.false(text.includes('LICENSE'));
    t.false(text.includes(Buffer.from('LICENSE-1').toString('base64')));
  }
});

test('a file that an earlier version stored gains no change by the new keys', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const draft = { ...smallest, tax: { type: 'table', rates: [quebec] } };
  await changes(draft);
  await inLabel('tiny', (tx) =>
    tx.query('update tenant set file = jsonb_set(file, $1, $2)', [
      ['tax'],
      JSON.stringify({
        type: 'table',
        validateAddresses: false,
        rates: [{ ...quebec, percent: '9.975' }],
      }),
    ]),
  );
  t.deepEqual(await changes(draft), []);
  const [rate] = (await inLabel('tiny', readTenant)).taxRates;
  t.is(rate?.category, 'S');
});
