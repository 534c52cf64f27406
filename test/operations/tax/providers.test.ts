/** The tax provider of a tenant: the account that its file names, with the license key of that file. */
import test, { type ExecutionContext } from 'ava';
import { tenantIdOf } from '../../../operations/context/context.ts';
import { openTaxProviders, type OpenedAccount } from '../../../operations/tax/providers.ts';
import { taxAdapters } from '../../../providers/tax/adapters.ts';
import { TaxProviderError } from '../../../providers/tax/tax-provider.ts';
import { avataxAccount, newYork, startAvatax } from '../../support/avatax.ts';
import { bench, secretKey, smallest } from '../tenants/support.ts';

const address = { street1: '1 Main St', city: 'Portland', state: 'OR', zip: '97201' };
const home = { ...address, countryCode: 'US' };
const wrongKey = { licenseKey: 'ANOTHER-KEY' };

/** A tenant whose file can be applied again. */
async function openTenant(t: ExecutionContext) {
  const it = await bench(t);
  const double = await startAvatax();
  t.teardown(double.close);
  const dependencies = { db: it.db, realNow: () => Date.UTC(2027, 2, 15) };
  const avatax = { type: 'avatax', ...avataxAccount, url: double.url };
  const adapters = taxAdapters(dependencies, { secretKeys: secretKey });
  const given: OpenedAccount[] = [];
  const open = () =>
    openTaxProviders(dependencies, {
      vault: adapters.vault,
      avatax(account) {
        given.push(account);
        return adapters.avatax(account);
      },
    });
  const ofTenant = open();
  const strangers = openTaxProviders(
    dependencies,
    taxAdapters(dependencies, { secretKeys: 'another key, 32 characters or more' }),
  );
  const apply = async (tax: object): Promise<number> => {
    await it.changes({ ...smallest, address: home, tax });
    return (await tenantIdOf(it.db, 'tiny')) ?? 0;
  };
  return { it, avatax, apply, open, ofTenant, strangers, given };
}

async function failure(t: ExecutionContext, call: Promise<unknown>): Promise<string> {
  const error = await t.throwsAsync(call, { instanceOf: TaxProviderError });
  return `${error?.kind} ${error?.code}`;
}

test('a tenant with AvaTax has the same provider while its account is the same', async (t) => {
  const { avatax, apply, ofTenant, given } = await openTenant(t);
  const tenantId = await apply(avatax);
  const [first, second] = await Promise.all([ofTenant(tenantId), ofTenant(tenantId)]);
  t.deepEqual(await first?.resolve(newYork), []);
  t.is(second, first);
  await apply({ ...avatax, validateAddresses: 'true' });
  t.is(await ofTenant(tenantId), first);
  t.is(given.length, 1);
});

test('a changed license key is used at once', async (t) => {
  const { avatax, apply, ofTenant } = await openTenant(t);
  const tenantId = await apply({ ...avatax, ...wrongKey });
  const first = await ofTenant(tenantId);
  t.is(
    await failure(t, Promise.resolve(first?.resolve(newYork))),
    'silent AuthenticationException',
  );
  await apply(avatax);
  const changed = await ofTenant(tenantId);
  t.not(changed, first);
  t.deepEqual(await changed?.resolve(newYork), []);
});

test('another account, company or address is another provider', async (t) => {
  const { avatax, apply, ofTenant, given } = await openTenant(t);
  const { url: _ours, ...official } = avatax;
  const files = [
    avatax,
    { ...avatax, accountId: '7' },
    { ...avatax, companyCode: 'GAUSS' },
    official,
  ];
  const found = new Set<unknown>();
  for (const file of files) {
    found.add(await ofTenant(await apply(file)));
  }
  t.is(found.size, files.length);
  t.deepEqual(
    given.map(({ url, ...named }) => [Object.values(named).join(' '), url === avatax.url]),
    [
      ['2000134479 EULER 1D8F6A2B3C4E5F60', true],
      ['7 EULER 1D8F6A2B3C4E5F60', true],
      ['2000134479 GAUSS 1D8F6A2B3C4E5F60', true],
      ['2000134479 EULER 1D8F6A2B3C4E5F60', false],
    ],
  );
});

test('a tenant whose taxes are of another type has no provider', async (t) => {
  const { avatax, apply, ofTenant } = await openTenant(t);
  const rates = [{ country: 'US', percent: '5', taxCode: 'STANDARD', name: 'Sales tax' }];
  for (const tax of [{}, { type: 'table', rates }]) {
    t.is(await ofTenant(await apply(tax)), null);
    t.not(await ofTenant(await apply(avatax)), null);
  }
});

test('a provider whose key cannot be decrypted, or is missing, is silent', async (t) => {
  const { it, avatax, apply, open, strangers } = await openTenant(t);
  const tenantId = await apply(avatax);
  t.not(await open()(tenantId), null);
  t.is(await failure(t, strangers(tenantId)), 'silent license_key_unreadable');
  await it.in('tiny', (tx) =>
    tx.query(`update tenant set file = jsonb_set(file, '{tax,licenseKey}', 'null')`),
  );
  t.is(await failure(t, open()(tenantId)), 'silent no_license_key');
});
