/** The billing run of a tenant whose taxes a provider knows: who is billed, waits, and is held. */
import test, { type ExecutionContext } from 'ava';
import { billCustomers } from '../../../operations/billing/bill-customers.ts';
import { billAllDue } from '../../../operations/due/orders.ts';
import { planBillingRun } from '../../../operations/due/billing-run.ts';
import { withTaxes } from '../../../operations/billing/asking.ts';
import { guarded } from '../../../providers/tax/guarded.ts';
import { TaxProviderError, type TaxProvider } from '../../../providers/tax/tax-provider.ts';
import { openAvatax } from '../../support/avatax.ts';
import { sharedDatabase } from '../support/books.ts';
import { openTaxedShop, type TaxedShop } from '../support/taxed-shop.ts';

const db = await sharedDatabase();
const gold = { contractCode: 'GOLD', startDate: '2027-01-15' };

async function openShop(t: ExecutionContext) {
  const now = (): number => shop.dependencies.realNow();
  const { double, provider } = await openAvatax(t, { now });
  const shop = await openTaxedShop(db, provider, { today: '2027-01-14' });
  return { double, shop };
}

type Calculate = TaxProvider['calculate'];
type Scripted = (
  document: Parameters<Calculate>[0],
  answer: () => ReturnType<Calculate>,
) => ReturnType<Calculate>;

/** A shop whose provider is asked by way of a script, which sees the number of calls so far. */
async function openScripted(t: ExecutionContext, script: Scripted) {
  const { provider } = await openAvatax(t);
  const calls = { count: 0 };
  const calculate: Calculate = (document) => {
    calls.count += 1;
    return script(document, () => provider.calculate(document));
  };
  const scripted = { ...provider, calculate };
  return { calls, shop: await openTaxedShop(db, scripted, { today: '2027-01-14' }) };
}

const silence = (code: string) => Promise.reject(new TaxProviderError('silent', code));

/** So many customers in New York, each with an order that is billed from tomorrow on. */
async function subscribe(shop: TaxedShop, count: number): Promise<void> {
  for (let each = 1; each <= count; each += 1) {
    await shop.order({ customerId: await shop.resident(), ...gold });
  }
}

/** As the billing run does, pass after pass. */
const billAll = ({ dependencies, tenantId }: TaxedShop) =>
  billAllDue(dependencies, tenantId, {
    lanes: 1,
    mayContinue: () => true,
    onBatch: () => undefined,
  });

test('the run asks about each invoice once, and makes it with the answer', async (t) => {
  const { double, shop } = await openShop(t);
  await subscribe(shop, 3);
  shop.tomorrow();
  await shop.run();
  const invoices = await shop.invoices();
  t.is(invoices.length, 3);
  // 36.00, its 4%, its 4.5%, and its 0.375%
  for (const invoice of invoices) t.regex(invoice, / 39\.20: /);
  t.is(double.calls.get('create'), 3);
  t.deepEqual(await shop.waits(), []);
  t.deepEqual((await shop.audit()).waiting, []);
});

test('while the provider is down its customers wait, and nobody else; tries after 1, 2, 4 minutes', async (t) => {
  const { double, shop } = await openShop(t);
  const plain = await shop.resident();
  await shop.order({ customerId: plain, contractCode: 'PLAIN', startDate: '2027-01-15' });
  await subscribe(shop, 12);
  double.be('down');
  shop.tomorrow();
  const planned = () => planBillingRun(shop.dependencies, shop.tenantId);
  // At 00:00, 00:01 and 00:03; the provider is back at 00:05.
  for (const minutes of [1, 2, 4]) {
    await shop.run();
    t.is((await shop.invoices()).length, 1);
    t.is((await shop.waits()).length, 12);
    await finish();
    t.like(await planned(), { due: false, runOn: '2027-01-15', waiting: 12 });
    t.is((await planned()).waitMs, minutes * 60_000);
    shop.later(minutes * 60_000 - 6_000);
    t.false((await planned()).due);
    shop.later(6_000);
    if (minutes === 4) double.be('well');
    t.true((await planned()).due);
  }
  const { waiting, faults } = await shop.audit(420_000);
  t.is(waiting.length, 12);
  t.deepEqual(
    faults.filter(({ check }) => check.startsWith('order.')),
    [],
  );
  await shop.run();
  const invoices = await shop.invoices();
  t.is(invoices.length, 13);
  t.true(invoices.every((each) => each.includes('2027-01-15')));
  t.deepEqual(await shop.waits(), []);
  t.like(await planned(), { due: false, runOn: '2027-01-16' });

  function finish(): Promise<unknown> {
    return shop.work(({ tx }) =>
      tx.query(
        `insert into billing_run (tenant_id, run_on, started_at, heartbeat_at, finished_at)
         values ($1, '2027-01-15', now(), now(), now()) on conflict do nothing`,
        [tx.tenantId],
      ),
    );
  }
});

test('a customer that the provider refuses is held with what it says; others are billed', async (t) => {
  const { shop } = await openShop(t);
  const [good, bad] = [await shop.resident(), await shop.resident()];
  const orderId = await shop.order({ customerId: bad, ...gold });
  await shop.order({ customerId: good, ...gold });
  await shop.move(bad, { zip: '00000' });
  shop.tomorrow();
  t.deepEqual(
    (await shop.run()).map(({ customerId, code }) => [customerId, code]),
    [[bad, 'tax.refused']],
  );
  t.is((await shop.invoices(good)).length, 1);
  t.is(await shop.holdOf(bad), 'tax.refused: The address value was incomplete.');
  t.like((await shop.audit()).held, [{ code: 'tax.refused' }]);
  // Generating asks again: in vain, then with another address.
  const generate = () => withTaxes(shop.dependencies, shop.tenantId, () => shop.generate(orderId));
  const refusal = await t.throwsAsync(generate());
  t.like(refusal, { code: 'tax.refused' });
  t.regex(refusal?.message ?? '', /The address value was incomplete/);
  t.is(await shop.holdOf(bad), 'tax.refused: The address value was incomplete.');
  await shop.move(bad);
  await generate();
  t.is((await shop.invoices(bad)).length, 1);
  t.is(await shop.holdOf(bad), null);
  t.deepEqual((await shop.audit()).held, []);
});

test('what changes while it is asked goes around once more', async (t) => {
  const { shop, calls } = await openScripted(t, async ({ customerId }, answer) => {
    const answered = await answer();
    if (calls.count === 1) await shop.move(customerId, { zip: '10001' });
    return answered;
  });
  await shop.order({ customerId: await shop.resident(), ...gold });
  shop.tomorrow();
  await shop.run();
  t.is(calls.count, 2);
  t.is((await shop.invoices()).length, 1);
});

test('what changes each time it is asked waits', async (t) => {
  const { shop, calls } = await openScripted(t, async ({ customerId }, answer) => {
    const answered = await answer();
    await shop.move(customerId, { zip: `1000${calls.count}` });
    return answered;
  });
  const customerId = await shop.resident();
  await shop.order({ customerId, ...gold });
  shop.tomorrow();
  await shop.run();
  t.is(calls.count, 2);
  t.deepEqual(await shop.waits(), [`${customerId} tries 1 changing`]);
  t.deepEqual(await shop.invoices(), []);
});

test('a call answers tax.unavailable while the provider is silent, and stores nothing', async (t) => {
  const { double, shop } = await openShop(t);
  const customerId = await shop.resident();
  shop.tomorrow();
  double.be('unavailable');
  const order = () =>
    withTaxes(shop.dependencies, shop.tenantId, () =>
      shop.order({ customerId, contractCode: 'GOLD' }, { generateInvoice: true }),
    );
  t.like(await t.throwsAsync(order()), { code: 'tax.unavailable' });
  t.deepEqual(await shop.invoices(), []);
  t.deepEqual(await shop.waits(), []);
  double.be('well');
  shop.later(60_000);
  const orderId = await order();
  t.regex(await shop.orderNow(orderId), /^Active /);
  t.is((await shop.invoices()).length, 1);
});

test('a generated invoice ends the wait of its customer', async (t) => {
  const { double, shop } = await openShop(t);
  const customerId = await shop.resident();
  const orderId = await shop.order({ customerId, ...gold });
  double.be('down');
  shop.tomorrow();
  await shop.run();
  t.is((await shop.waits()).length, 1);
  double.be('well');
  shop.later(30_000);
  await withTaxes(shop.dependencies, shop.tenantId, () => shop.generate(orderId));
  t.deepEqual(await shop.waits(), []);
  t.is((await shop.invoices()).length, 1);
});

test('who may not ask leaves the customer to the billing run', async (t) => {
  const { double, shop } = await openShop(t);
  const customerId = await shop.resident();
  await shop.order({ customerId, ...gold });
  shop.tomorrow();
  const how = { wait: true, asks: false };
  const batch = await billCustomers(shop.dependencies, shop.tenantId, [customerId], how);
  t.deepEqual(batch.waiting, [customerId]);
  t.is(double.calls.get('create'), undefined);
  t.deepEqual(await shop.waits(), [`${customerId} tries 0 not_asked`]);
  const nudged = await shop.read((tx) =>
    tx.query(`select kind from outbox where kind = 'billing'`),
  );
  t.is(nudged.length, 1);
  await shop.run();
  t.deepEqual(await shop.waits(), []);
  t.is((await shop.invoices()).length, 1);
});

test('a breaker that one answer closes keeps nobody waiting', async (t) => {
  let isDown = true;
  let nowMs = 0;
  const adapter = {
    calculate: (document: Parameters<TaxProvider['calculate']>[0]) =>
      isDown
        ? Promise.reject(new TaxProviderError('silent', 'http_503'))
        : Promise.resolve(document.lines.map(({ number }) => ({ number, taxes: [] }))),
    record: () => Promise.reject(new Error('not called')),
    void: () => Promise.reject(new Error('not called')),
    resolve: () => Promise.reject(new Error('not called')),
  };
  const provider = guarded(adapter, { timeLimitMs: 60_000, now: () => nowMs });
  const shop = await openTaxedShop(db, provider, { today: '2027-01-14' });
  await subscribe(shop, 12);
  shop.tomorrow();
  await shop.run();
  t.is((await shop.waits()).length, 12);
  isDown = false;
  nowMs += 60_000;
  shop.later(60_000);
  await shop.run();
  t.deepEqual(await shop.waits(), []);
  t.is((await shop.invoices()).length, 12);
});

test('whose turn does not come in time is asked about in the next pass, and waits for nothing', async (t) => {
  const { shop, calls } = await openScripted(t, (_document, answer) =>
    // Of three in the first pass one has its turn, and of two in the second one.
    [2, 3, 5].includes(calls.count) ? silence('not_asked') : answer(),
  );
  await subscribe(shop, 3);
  shop.tomorrow();
  t.true(await billAll(shop));
  t.is(calls.count, 6);
  t.is((await shop.invoices()).length, 3);
  t.deepEqual(await shop.waits(), []);
});

test('if nobody has a turn they wait, and the run ends', async (t) => {
  const { shop } = await openScripted(t, () => silence('not_asked'));
  const customerId = await shop.resident();
  await shop.order({ customerId, ...gold });
  shop.tomorrow();
  t.true(await billAll(shop));
  t.deepEqual(await shop.waits(), [`${customerId} tries 1 not_asked`]);
});

test('if another caller tests the provider just then, what was kept back is asked again', async (t) => {
  const { shop, calls } = await openScripted(t, (_document, answer) =>
    calls.count <= 2 ? silence('circuit_open') : answer(),
  );
  await subscribe(shop, 2);
  shop.tomorrow();
  await shop.run();
  t.is((await shop.invoices()).length, 2);
  t.deepEqual(await shop.waits(), []);
});
