/** What applying a file remarks: no mistakes, and things that its author may not expect. */
import test from 'ava';
import { createCustomer } from '../../../operations/customers/write.ts';
import { inOperation, tenantIdOf } from '../../../operations/context/context.ts';
import { mistakeText } from '../../../operations/tenants/file/mistakes.ts';
import { bench, draftOf, realNow, sample, spoiled, textOf } from './support.ts';

test('bounds of a usage charge hold for nothing, which applying remarks, in a dry run too', async (t) => {
  const it = await bench(t);
  const minutes = 'plans[1].charges[1]';
  const bounds = { [`${minutes}.minQuantity`]: '10', [`${minutes}.maxQuantity`]: '500' };
  const text = textOf(spoiled(draftOf(sample('demo')), bounds));
  for (const isDryRun of [true, false]) {
    const applied = await it.apply(text, { isDryRun });
    if (!applied.isValid) return t.fail(JSON.stringify(applied.mistakes));
    t.deepEqual(
      applied.remarks.map((remark) => mistakeText({ ...remark, line: null })),
      [
        `${minutes}.minQuantity: has no effect on a usage charge`,
        `${minutes}.maxQuantity: has no effect on a usage charge`,
      ],
    );
    t.true(applied.remarks.every(({ line }) => line !== null));
  }
  const plain = await it.apply(sample('demo'));
  t.deepEqual(plain.isValid && plain.remarks, []);
});

test('without a sender nobody confirms a sign-up, which is remarked where pages are used', async (t) => {
  const it = await bench(t);
  const { notifications: _notifications, ...silent } = draftOf(sample('demo'));
  const remarksOf = async (text: string) => {
    const applied = await it.apply(text, { isDryRun: true });
    if (!applied.isValid) throw new Error(JSON.stringify(applied.mistakes));
    return applied.remarks.map((remark) => mistakeText({ ...remark, line: null }));
  };
  t.deepEqual(await remarksOf(textOf(silent)), [
    'hostedPages.confirmFree: has no effect without notifications.from: sign-ups that charge nothing are made at once',
  ]);
  t.deepEqual(await remarksOf(sample('acme')), []);
});

test('pages at Stripe without a publishable key take no new method, which is remarked', async (t) => {
  const it = await bench(t);
  const stripe = { type: 'stripe', secretKey: 'sk_test_1' };
  const remarksOf = async (gateway: object, origins: readonly string[]) => {
    const edits = { gateway, 'hostedPages.allowedOrigins': origins };
    const text = textOf(spoiled(draftOf(sample('acme')), edits));
    const applied = await it.apply(text, { isDryRun: true });
    if (!applied.isValid) throw new Error(JSON.stringify(applied.mistakes));
    return applied.remarks.map((remark) => mistakeText({ ...remark, line: null }));
  };
  const shop = ['https://shop.example'];
  const missing =
    'gateway.publishableKey: is missing: the hosted pages take no new payment method without it';
  t.true((await remarksOf(stripe, shop)).includes(missing));
  t.false((await remarksOf({ ...stripe, publishableKey: 'pk_test_1' }, shop)).includes(missing));
  t.false((await remarksOf(stripe, [])).includes(missing));
  t.false((await remarksOf({ type: 'sandbox' }, shop)).includes(missing));
  const unconfirmed =
    'gateway.publishableKey: is missing: no payer can confirm a payment that waits for him without it';
  const waiting = { ...stripe, actionDays: '3' };
  t.true((await remarksOf(waiting, [])).includes(unconfirmed));
  t.false((await remarksOf({ ...waiting, publishableKey: 'pk_test_1' }, [])).includes(unconfirmed));
  t.false((await remarksOf({ ...waiting, actionDays: '0' }, [])).includes(unconfirmed));
});

test('customers whom no rate matches are remarked, where a table taxes', async (t) => {
  const it = await bench(t);
  t.true((await it.apply(sample('demo'))).isValid);
  const tenantId = (await tenantIdOf(it.db, 'demo')) ?? 0;
  const addresses = [
    { countryCode: 'US', state: 'New York' },
    { countryCode: 'US', state: 'NJ' },
    { country: 'United States', state: 'NY' },
    {},
  ];
  const ids: number[] = [];
  for (const address of addresses) {
    const contact = { firstName: 'Ada', lastName: 'Field', ...address };
    const contacts = { billing: contact, sales: null };
    const id = await inOperation({ db: it.db, realNow: () => realNow }, tenantId, (context) =>
      createCustomer(context, {}, contacts),
    );
    ids.push(id);
  }
  const remarksOf = async (text: string) => {
    const applied = await it.apply(text, { isDryRun: true });
    if (!applied.isValid) throw new Error(JSON.stringify(applied.mistakes));
    return applied.remarks.map((remark) => mistakeText({ ...remark, line: null }));
  };
  t.deepEqual(await remarksOf(sample('demo')), [
    `tax.rates: no rate matches the address of 3 customers, such as ${ids[1]}, whose invoices are without tax`,
  ]);
  const { tax: _tax, ...untaxed } = draftOf(sample('demo'));
  t.deepEqual(await remarksOf(textOf(untaxed)), []);
});
