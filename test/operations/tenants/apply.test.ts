/** What applying a tenant file writes, what it does not change, and what it reports. */
import test from 'ava';
import { contentOf } from '../../../operations/tenants/parts/plans/content.ts';
import { readNewestPlans } from '../../../operations/tenants/parts/plans/apply.ts';
import { readTenantFile } from '../../../operations/tenants/read.ts';
import { bench, draftOf, sample, smallest, spoiled, textOf, type Draft } from './support.ts';

const fixed = (price: string) => ({
  priceCode: 'FEE',
  chargeType: 'RecurringCharge',
  pricingType: 'FixedPricing',
  price,
});
const plan = (contractCode: string, price: string) => ({
  contractCode,
  name: contractCode,
  billingPeriod: 'Monthly',
  charges: [fixed(price)],
});
const shop: Draft = { ...smallest, plans: [plan('A', '10'), plan('B', '20')] };

test('demo.yaml is applied as a whole: tenant, clock, counters, users, offerings', async (t) => {
  const { apply, in: inLabel } = await bench(t);
  const applied = await apply(sample('demo'));
  t.true(applied.isValid);
  await inLabel('demo', async (tx) => {
    const [tenant] = await tx.query(
      `select name, timezone, currency, payment_terms_value as value,
              payment_terms_units as units, has_test_clock as clock from tenant`,
    );
    t.deepEqual(tenant, {
      name: 'Demo Telecom',
      timezone: 'America/New_York',
      currency: 'USD',
      value: 30,
      units: 'Days',
      clock: true,
    });
    t.deepEqual(await tx.query('select now, target, status from test_clock'), [
      { now: new Date('2027-01-01T12:00:00Z'), target: null, status: 'Ready' },
    ]);
    t.deepEqual(await tx.query('select kind, first, next from counter order by kind'), [
      { kind: 'invoice', first: 1001, next: 1001 },
      { kind: 'order', first: 1001, next: 1001 },
    ]);
    t.deepEqual(
      await tx.query(
        'select username, roles, first_name, disabled_at from base_user order by username',
      ),
      [
        { username: 'admin@demo', roles: ['ROLE_API'], firstName: null, disabledAt: null },
        { username: 'api@demo', roles: ['ROLE_API'], firstName: 'Api', disabledAt: null },
        { username: 'clerk@demo', roles: [], firstName: null, disabledAt: null },
      ],
    );
    t.deepEqual(await tx.query('select sku, name from product_offering order by sku'), [
      { sku: 'INTERNET', name: 'Internet access' },
      { sku: 'VOICE', name: 'Voice' },
    ]);
    t.deepEqual(await tx.query('select workflow_id, kind from outbox'), [
      { workflowId: 'billing/demo', kind: 'billing' },
    ]);
  });
});

test('the plans of demo.yaml are read from their rows as the file has them', async (t) => {
  const { apply, in: inLabel } = await bench(t);
  await apply(sample('demo'));
  const reading = readTenantFile(sample('demo'), { secretOf: () => undefined, isStrict: false });
  if (!reading.isValid) return t.fail(JSON.stringify(reading.mistakes));
  const { file } = reading.checked;
  const stored = await inLabel('demo', readNewestPlans);
  t.deepEqual([...stored.keys()].toSorted(), ['ANNUAL', 'GOLD', 'METERED', 'SEATS']);
  for (const { contractCode, ...rest } of file.plans) {
    t.deepEqual(
      stored.get(contractCode)?.content,
      contentOf({ contractCode, ...rest }, file.currency),
    );
  }
  const gold = stored.get('GOLD')?.content;
  t.is(gold?.productOffering, 'INTERNET');
  t.is(gold?.dueDateValue, 30);
  t.deepEqual(
    gold?.charges.map(({ priceCode, standardQuantity, maxQuantity, taxCodes, tiers }) => ({
      priceCode,
      standardQuantity,
      maxQuantity,
      taxCodes,
      tiers: tiers.map(({ unitsFrom, unitsTo, price, currency }) =>
        [unitsFrom, unitsTo, price, currency].join(' '),
      ),
    })),
    [
      {
        priceCode: 'GOLD-SETUP',
        standardQuantity: '1',
        maxQuantity: null,
        taxCodes: [],
        tiers: ['0  49 USD'],
      },
      {
        priceCode: 'GOLD-FEE',
        standardQuantity: '1',
        maxQuantity: '100',
        taxCodes: ['STANDARD'],
        tiers: ['0  29.95 USD'],
      },
    ],
  );
});

test('acme.yaml lives in real time, with the defaults of the format', async (t) => {
  const { apply, in: inLabel } = await bench(t);
  t.true((await apply(sample('acme'))).isValid);
  await inLabel('acme', async (tx) => {
    t.deepEqual(await tx.query('select now from test_clock'), []);
    const [file] = await tx.query(
      `select file->'settings' as settings, file->'dunning' as dunning,
              file->'gateway' as gateway, file->'users' as users from tenant`,
    );
    t.deepEqual(file, {
      settings: {
        creditUnusedOnCancel: false,
        crossTenantAttempts: { max: 10, withinMinutes: 60 },
        autopayOn: 'invoiceDate',
        billingWindow: '0s',
        billingWindowSeconds: 0,
        usageGraceDays: 0,
      },
      dunning: {
        thresholds: [
          { daysOverdue: 15, status: 'Overdue1' },
          { daysOverdue: 30, status: 'Overdue2' },
          { daysOverdue: 45, status: 'Overdue3' },
          { daysOverdue: 60, status: 'Suspended1' },
          { daysOverdue: 120, status: 'InActive1' },
        ],
        retryDays: [1, 3, 5, 7],
      },
      gateway: { type: 'sandbox' },
      users: [{ username: 'api@acme', roles: ['ROLE_API'] }],
    });
  });
});

test('a file that is applied again changes nothing, whatever the order of its keys', async (t) => {
  const { apply, changes } = await bench(t);
  await apply(sample('demo'));
  t.deepEqual(await changes(draftOf(sample('demo'))), []);
  const demo = draftOf(sample('demo'));
  t.deepEqual(await changes(Object.fromEntries(Object.entries(demo).toReversed())), []);
  t.deepEqual(await changes(spoiled(demo, { 'plans[0].charges[0].price': '49' })), []);
});

test('a file with a mistake writes nothing, not even its valid parts', async (t) => {
  const { apply, db } = await bench(t);
  const applied = await apply(textOf(spoiled(shop, { 'plans[1].charges[0].price': 'x' })));
  t.false(applied.isValid);
  t.is((await db.pool.query(`select tenant_by_host('tiny') as id`)).rows[0]?.id, null);
});

test('a dry run reports the changes and writes nothing', async (t) => {
  const { changes, db, in: inLabel } = await bench(t);
  t.deepEqual(await changes(shop, { isDryRun: true }), [
    'tenant tiny: created',
    'plan A: version 1',
    'plan B: version 1',
  ]);
  t.is((await db.pool.query(`select tenant_by_host('tiny') as id`)).rows[0]?.id, null);
  await changes(shop);
  const later = { ...shop, name: 'Larger', plans: [plan('A', '11')] };
  const told = ['name: changed', 'plan A: version 2', 'plan B: retired, endDate 2027-03-14'];
  t.deepEqual(await changes(later, { isDryRun: true }), told);
  await inLabel('tiny', async (tx) => {
    t.deepEqual(await tx.query('select version, end_date from plan order by contract_code'), [
      { version: 1, endDate: null },
      { version: 1, endDate: null },
    ]);
  });
  t.deepEqual(await changes(later), told);
});

test('a changed plan is a new version with its own ids; the other plans do not change', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  await changes(shop);
  const versions = () =>
    inLabel('tiny', (tx) =>
      tx.query(
        `select p.contract_code as code, p.version, p.is_newest as newest, t.price::text
         from plan p join plan_charge c on c.plan_id = p.id join pricing_tier t on t.charge_id = c.id
         order by 1, 2`,
      ),
    );
  t.deepEqual(await changes({ ...shop, plans: [plan('A', '12.50'), plan('B', '20')] }), [
    'plan A: version 2',
  ]);
  t.deepEqual(await versions(), [
    { code: 'A', version: 1, newest: false, price: '10.000000' },
    { code: 'A', version: 2, newest: true, price: '12.500000' },
    { code: 'B', version: 1, newest: true, price: '20.000000' },
  ]);
  // A return to the first price is a change again.
  t.deepEqual(await changes(shop), ['plan A: version 3']);
});

test("a change of a currency's tiers makes a version, their position among others does not", async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const tier = (unitsFrom: string, price: string, more: Draft = {}) => ({
    unitsFrom,
    price,
    ...more,
  });
  const withTiers = (tiers: readonly unknown[]): Draft => ({
    ...smallest,
    plans: [
      {
        ...plan('A', '1'),
        charges: [{ ...fixed('1'), price: undefined, pricingType: 'TieredPricing', tiers }],
      },
    ],
  });
  const euros = [tier('0', '5', { unitsTo: '10' }), tier('11', '4', { unitsTo: '20' })];
  const dollars = [tier('0', '6', { currency: 'USD' })];
  t.deepEqual(await changes(withTiers([...dollars, ...euros])), [
    'tenant tiny: created',
    'plan A: version 1',
  ]);
  t.deepEqual(await changes(withTiers([...euros, ...dollars])), []);
  const rows = await inLabel('tiny', (tx) =>
    tx.query(
      `select currency, units_from::int as "from", units_to::int as "to" from pricing_tier
       order by position`,
    ),
  );
  // 11 after 10 means 10.
  t.deepEqual(rows, [
    { currency: 'EUR', from: 0, to: 10 },
    { currency: 'EUR', from: 10, to: 20 },
    { currency: 'USD', from: 0, to: null },
  ]);
});

test('a plan that is removed from the file ends yesterday, once; added again, it is a version', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const demoClock = { ...shop, timezone: 'America/New_York', testClock: '2027-05-01T02:00:00Z' };
  await changes(demoClock);
  const withoutB = { ...demoClock, plans: [plan('A', '10')] };
  // On the tenant's clock it is still 30 April in New York.
  t.deepEqual(await changes(withoutB), ['plan B: retired, endDate 2027-04-29']);
  t.deepEqual(await changes(withoutB), []);
  t.deepEqual(await changes(demoClock), ['plan B: version 2']);
  const ends = await inLabel('tiny', (tx) =>
    tx.query(`select version, end_date from plan where contract_code = 'B' order by version`),
  );
  t.deepEqual(ends, [
    { version: 1, endDate: '2027-04-29' },
    { version: 2, endDate: null },
  ]);
});

test('percent tiers and penalties are stored, with the default penaltyStatus', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const percent = { unitsFrom: '0', percent: '2.5' };
  const charge = { ...fixed('1'), price: undefined, tiers: [percent], isPenalty: 'true' };
  await changes({ ...smallest, plans: [{ ...plan('A', '1'), charges: [charge] }] });
  const [row] = await inLabel('tiny', (tx) =>
    tx.query(
      `select penalty_status, price, trim_scale(percent)::text as percent, currency
       from plan_charge c join pricing_tier t on t.charge_id = c.id`,
    ),
  );
  t.deepEqual(row, {
    penaltyStatus: 'Overdue3',
    price: null,
    percent: '2.5',
    currency: 'EUR',
  });
});

test('each section that changes is named, lists by their entries', async (t) => {
  const { apply, changes } = await bench(t);
  await apply(sample('demo'));
  const edits = {
    name: 'Other',
    'settings.billingWindow': '30m',
    'coupons[0].percent': '20',
    'coupons[2]': { code: 'NEW', percent: '1' },
    salesAgents: undefined,
    'productOfferings[1].name': 'Voices',
  };
  t.deepEqual(await changes(spoiled(draftOf(sample('demo')), edits)), [
    'name: changed',
    'settings: changed',
    'salesAgent AGENT-1: removed',
    'productOffering VOICE: changed',
    'coupon WELCOME10: version 2',
    'coupon NEW: version 1',
  ]);
});

test('two simultaneous applies of a new tenant make one tenant, and each plan once', async (t) => {
  const { apply, in: inLabel } = await bench(t);
  const users = [{ username: 'a', password: 'secret', roles: [] }];
  const text = textOf({ ...shop, users });
  const applied = await Promise.all([apply(text), apply(text), apply(text)]);
  const created = applied.filter((it) => it.isValid && it.changes.length > 0);
  const quiet = applied.filter((it) => it.isValid && it.changes.length === 0);
  t.deepEqual([created.length, quiet.length], [1, 2]);
  const counts = await inLabel('tiny', (tx) =>
    tx.query(
      'select (select count(*) from plan) as plans, (select count(*) from base_user) as users',
    ),
  );
  t.deepEqual(counts, [{ plans: 2, users: 1 }]);
});

test('an IBAN and a BIC are stored without blanks, and their blanks change nothing', async (t) => {
  const { changes, in: inLabel } = await bench(t);
  const bankAccount = { iban: 'de89 3704 0044 0532 0130 00', bic: 'COBADEFF XXX' };
  await changes({ ...smallest, bankAccount, contact: { phone: '+49 30 1234' } });
  const compact = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
  const [row] = await inLabel('tiny', (tx) =>
    tx.query(`select file->'bankAccount' as account, file->'contact' as contact from tenant`),
  );
  t.deepEqual(row, { account: compact, contact: { phone: '+49 30 1234' } });
  const again = { ...smallest, bankAccount: compact, contact: { phone: '+49 30 1234' } };
  t.deepEqual(await changes(again), []);
  t.deepEqual(await changes(smallest), ['contact: changed', 'bankAccount: changed']);
});
