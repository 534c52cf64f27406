/** What the tenant file says of the gateway: what is stored, and which settings hold. */
import test from 'ava';
import { gatewaySettingsOf } from '../../../domain/payments/gateway-settings.ts';
import { readTenant } from '../../../operations/context/context.ts';
import { bench, smallest, type Draft } from './support.ts';

const stripe = { type: 'stripe', secretKey: 'sk_test_1' };
const usual = {
  publishableKey: null,
  rawCards: true,
  methods: ['card'],
  actionDays: 0,
  debitNoticeDays: 2,
  scriptUrl: null,
} as const;

test('a tenant that was applied before its keys existed goes on as before, and applying it again changes nothing', async (t) => {
  const it = await bench(t);
  const draft: Draft = { ...smallest, gateway: stripe };
  await it.changes(draft);
  const stored = await it.in('tiny', (tx) =>
    tx.query<{ gateway: object }>(`select file->'gateway' as gateway from tenant`),
  );
  t.deepEqual(Object.keys(stored[0]?.gateway ?? {}).toSorted(), ['secretKey', 'type']);
  t.deepEqual(await it.changes(draft), []);
  const { gateway, gatewaySettings } = await it.in('tiny', readTenant);
  t.is(gateway, 'stripe');
  t.deepEqual(gatewaySettings, usual);
});

test('what the file says of its gateway holds', async (t) => {
  const it = await bench(t);
  const given = {
    publishableKey: 'pk_test_51Nw',
    rawCards: false,
    methods: ['card', 'usBankAccount'],
    actionDays: 5,
    debitNoticeDays: 4,
    scriptUrl: 'http://127.0.0.1:4242/stripe.js',
  };
  const url = 'http://localhost:12111';
  const written = { ...given, rawCards: 'false', actionDays: '5', debitNoticeDays: '4', url };
  const draft: Draft = { ...smallest, gateway: { ...stripe, ...written } };
  await it.changes(draft);
  t.deepEqual((await it.in('tiny', readTenant)).gatewaySettings, given as never);
  t.deepEqual(await it.changes(draft), []);
  const other = { ...smallest, gateway: { ...stripe, ...written, actionDays: '0' } };
  t.deepEqual(await it.changes(other), ['gateway: changed']);
  t.is((await it.in('tiny', readTenant)).gatewaySettings.actionDays, 0);
});

test('an absent payer has three days to confirm where somebody tells him, else none', (t) => {
  t.is(gatewaySettingsOf({}, { tellsPayers: true }).actionDays, 3);
  t.is(gatewaySettingsOf({}, { tellsPayers: false }).actionDays, 0);
  t.is(gatewaySettingsOf({ actionDays: 0 }, { tellsPayers: true }).actionDays, 0);
  t.is(gatewaySettingsOf({ actionDays: 14 }, { tellsPayers: false }).actionDays, 14);
});
