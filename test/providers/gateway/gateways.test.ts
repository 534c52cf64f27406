/** The gateway of a tenant: the one that its file names, with the secrets of that file. */
import test from 'ava';
import { stringify } from 'yaml';
import { openGateways } from '../../../operations/gateway-calls/gateways.ts';
import { gatewayAdapters } from '../../../providers/gateway/adapters.ts';
import { applyTenantFile } from '../../../operations/tenants/apply.ts';
import { createVault } from '../../../providers/vault.ts';
import { suffix } from '../../support/temporal.ts';
import { askedFor, chargeOf, failure, secretKey, sharedDatabase } from './support.ts';
import { stripeServer } from './stripe-server.ts';
import { tenantIdOf } from '../../../operations/context/context.ts';
import { checkTemplates } from '../../../providers/mail/check-templates.ts';

const shared = await sharedDatabase();

/** A tenant whose file can be applied again. */
async function openTenant(stripeApiUrl?: string) {
  const label = `t${suffix()}`;
  const { db } = shared;
  const dependencies = { db, realNow: () => Date.UTC(2027, 2, 15) };
  const apply = async (gateway: object) => {
    const basics = { tenant: label, name: 'Test', timezone: 'UTC', currency: 'USD' };
    const applied = await applyTenantFile(dependencies, {
      text: stringify({ ...basics, gateway }),
      vault: createVault(secretKey),
      secretOf: () => undefined,
      checkTemplates,
      isStrict: false,
      isDryRun: false,
    });
    if (!applied.isValid) throw new Error(JSON.stringify(applied.mistakes));
    return (await tenantIdOf(db, label)) ?? 0;
  };
  const address = stripeApiUrl === undefined ? {} : { stripeApiUrl };
  return {
    apply,
    gateways: openGateways(
      dependencies,
      gatewayAdapters(dependencies, { secretKeys: secretKey, ...address }),
    ),
    strangers: openGateways(
      dependencies,
      gatewayAdapters(dependencies, { secretKeys: 'another key, 32 characters or more' }),
    ),
  };
}

test('a tenant that names no gateway has the sandbox, the same object at each call', async (t) => {
  const { apply, gateways } = await openTenant();
  const tenantId = await apply({});
  const gateway = await gateways.ofTenant(tenantId);
  t.is(gateway.name, 'sandbox');
  t.is((await gateway.charge(chargeOf('k', 'tok_ok'))).outcome, 'approved');
  t.is(await gateways.ofTenant(tenantId), gateway);
  t.is(await gateways.named(tenantId, 'sandbox'), gateway);
  t.is(await failure(gateways.named(tenantId, 'stripe')), 'unavailable no_secret_key');
});

test('Stripe is called with the secret key of the tenant file, and at once with a changed key', async (t) => {
  const { url, requests, answer } = await stripeServer(t);
  answer('GET', '/v1/payment_intents/search', { body: { object: 'search_result', data: [] } });
  const { apply, gateways } = await openTenant(url);
  const tenantId = await apply({ type: 'stripe', secretKey: 'sk_test_first' });
  const first = await gateways.ofTenant(tenantId);
  t.is(first.name, 'stripe');
  t.is(await first.status('charge', askedFor('k')), 'unknown');
  await apply({ type: 'stripe', secretKey: 'sk_test_second' });
  const changed = await gateways.ofTenant(tenantId);
  t.not(changed, first);
  t.is(await changed.status('charge', askedFor('k')), 'unknown');
  const keys = requests.map(({ headers }) => headers.authorization);
  t.deepEqual(keys, ['Bearer sk_test_first', 'Bearer sk_test_second']);
});

test('Stripe is called at the address of the tenant file, and at once at a changed one', async (t) => {
  const servers = [await stripeServer(t), await stripeServer(t), await stripeServer(t)] as const;
  for (const { answer } of servers) {
    answer('GET', '/v1/payment_intents/search', { body: { object: 'search_result', data: [] } });
  }
  const [usual, first, second] = servers;
  const { apply, gateways } = await openTenant(usual.url);
  const account = { type: 'stripe', secretKey: 'sk_test_1' };
  const ask = async (gateway: object) => {
    const stripe = await gateways.ofTenant(await apply({ ...account, ...gateway }));
    t.is(await stripe.status('charge', askedFor('k')), 'unknown');
    return servers.map(({ requests }) => requests.length);
  };
  t.deepEqual(await ask({ url: first.url }), [0, 1, 0]);
  t.deepEqual(await ask({ url: second.url }), [0, 1, 1]);
  t.deepEqual(await ask({}), [1, 1, 1]);
});

test('a method stays with its gateway, even if the file now names another one', async (t) => {
  const { apply, gateways } = await openTenant();
  const tenantId = await apply({ type: 'sandbox', secretKey: 'sk_test_1' });
  const sandbox = await gateways.ofTenant(tenantId);
  const stripe = await gateways.named(tenantId, 'stripe');
  t.is(stripe.name, 'stripe');
  await apply({ type: 'stripe', secretKey: 'sk_test_1' });
  t.is(await gateways.ofTenant(tenantId), stripe);
  t.is(await gateways.named(tenantId, 'sandbox'), sandbox);
});

test('a gateway whose key cannot be decrypted is off', async (t) => {
  const { apply, gateways, strangers } = await openTenant();
  const tenantId = await apply({ type: 'stripe', secretKey: 'sk_test_1' });
  t.is((await gateways.ofTenant(tenantId)).name, 'stripe');
  t.is(await failure(strangers.ofTenant(tenantId)), 'unavailable secret_key_unreadable');
});
