/** Invoices are recorded at the tax provider once, and voided there when they are cancelled. */
import test from 'ava';
import {
  claimTaxRecords,
  writeRecorded,
  type ClaimedCall,
} from '../../../db/queries/tax-records/calls.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { TaxProviderError, type TaxProvider } from '../../../providers/tax/tax-provider.ts';
import { openAvatax } from '../../support/avatax.ts';
import { sharedDatabase } from '../support/books.ts';
import { openTaxShop } from './shop.ts';

const db = await sharedDatabase();

/** Fails the next calls of `record` after or before they reach the provider. */
function failing(
  provider: TaxProvider,
  failures: { readonly after?: Error[]; readonly before?: Error[] },
): TaxProvider {
  return {
    ...provider,
    async record(document) {
      const before = failures.before?.shift();
      if (before !== undefined) throw before;
      const record = await provider.record(document);
      const after = failures.after?.shift();
      if (after !== undefined) throw after;
      return record;
    },
  };
}
const timeout = () => new TaxProviderError('silent', 'timeout');
const refusal = () => new TaxProviderError('refused', 'InvalidAddress');

test('an invoice is recorded once, with its totals, and its addresses are forgotten', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  t.deepEqual(await shop.records(), ['1001 toRecord 0 of 36 3.2']);
  t.like(await shop.pass(), { recorded: 1, voided: 0, failed: 0, open: 0, waitMs: null });
  t.deepEqual(await shop.records(), ['1001 recorded 1 36 3.2 of 36 3.2']);
  const [invoice] = await shop.sql<{ id: number }>('select id from invoice');
  t.like(double.records.get(String(invoice?.id)), {
    status: 'Committed',
    date: '2027-01-15',
    currencyCode: 'USD',
    total: 36,
    tax: 3.2,
  });
  t.is(double.records.size, 1);
  t.like(await shop.pass(), { recorded: 0, open: 0, waitMs: null });
  t.is(double.calls.get('createoradjust'), 1);
  t.deepEqual(await shop.sql('select from tax_record where document is not null'), []);
  t.deepEqual(await shop.faults(), []);
});

test('invoices without a tax code, by hand or not, are none of the provider’s', async (t) => {
  const { provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice('FREE');
  const [customer] = await shop.sql<{ id: number }>('select id from customer');
  const charge = { amount: '10.00', priceCode: 'WORK' };
  await shop.books.manualInvoice(customer?.id ?? 0, {
    invoiceLineItems: [{ invoiceLineItemCharges: [charge] }],
  });
  t.is(await shop.numberOf(), 1002);
  t.deepEqual(await shop.records(), []);
  t.deepEqual(await shop.faults(), []);
});

test('a lost answer: the call is repeated with the same code, and there is one record', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  shop.at.provider = failing(provider, { after: [timeout()] });
  await shop.invoice();
  const progress = await shop.pass();
  t.like(progress, { recorded: 0, failed: 1, open: 1 });
  // Repeated after a minute.
  t.true((progress.waitMs ?? 0) > 50_000 && (progress.waitMs ?? 0) <= 60_000);
  t.true(Math.abs((progress.silentSince ?? 0) - Date.now()) < 60_000);
  t.deepEqual(await shop.records(), ['1001 toRecord 1 timeout of 36 3.2']);
  t.deepEqual(await shop.faults(), []);
  await shop.soon();
  t.like(await shop.pass(), { recorded: 1, open: 0, silentSince: null, troubles: [] });
  t.is(double.calls.get('createoradjust'), 2);
  t.is(double.records.size, 1);
  t.deepEqual(await shop.records(), ['1001 recorded 2 36 3.2 of 36 3.2']);
});

test('an invoice that is cancelled before anybody began to record it is not recorded', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.books.cancelInvoice(await shop.invoice());
  t.deepEqual(await shop.records(), ['1001 voided 0 of 36 3.2']);
  t.like(await shop.pass(), { recorded: 0, voided: 0, waitMs: null });
  t.is(double.records.size, 0);
  t.is(double.calls.get('void'), undefined);
  t.deepEqual(await shop.faults(), []);
});

test('a recorded invoice is voided when it is cancelled, and again after a lost answer', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  await shop.pass();
  await shop.books.cancelInvoice(1001);
  t.deepEqual(await shop.records(), ['1001 toVoid 1 36 3.2 of 36 3.2']);
  shop.at.provider = {
    ...provider,
    async void(code) {
      await provider.void(code);
      throw timeout();
    },
  };
  t.like(await shop.pass(), { voided: 0, failed: 1, open: 1 });
  shop.at.provider = provider;
  await shop.soon();
  t.like(await shop.pass(), { voided: 1, open: 0 });
  t.deepEqual(
    [...double.records.values()].map(({ status }) => status),
    ['Cancelled'],
  );
  t.deepEqual(await shop.records(), ['1001 voided 3 36 3.2 of 36 3.2']);
  t.deepEqual(await shop.faults(), []);
});

test('an invoice that is cancelled while it is being recorded ends voided', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  shop.at.provider = {
    ...provider,
    async record(document) {
      const record = await provider.record(document);
      await shop.books.cancelInvoice(1001);
      return record;
    },
  };
  t.like(await shop.pass(), { recorded: 1, voided: 1, failed: 0, open: 0 });
  t.deepEqual(await shop.records(), ['1001 voided 2 36 3.2 of 36 3.2']);
  t.is([...double.records.values()][0]?.status, 'Cancelled');
  t.is(double.calls.get('void'), 1);
});

test('cancelled while the provider is silent: voided only when the lost call can do nothing more', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  shop.at.provider = {
    ...provider,
    async record(document) {
      await shop.books.cancelInvoice(1001);
      await provider.record(document);
      throw timeout();
    },
  };
  const progress = await shop.pass();
  t.like(progress, { recorded: 0, voided: 0, failed: 1, open: 1, troubles: [] });
  // The lease of two minutes.
  t.true((progress.waitMs ?? 0) > 100_000);
  t.deepEqual(await shop.records(), ['1001 toVoid 1 of 36 3.2']);
  await shop.soon();
  t.like(await shop.pass(), { voided: 1, open: 0 });
  t.is([...double.records.values()][0]?.status, 'Cancelled');
});

test('what the provider refused to record, or never got, is voided without a record', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  shop.at.provider = failing(provider, { before: [refusal()] });
  await shop.pass();
  await shop.books.cancelInvoice(1001);
  t.deepEqual(await shop.records(), ['1001 toVoid 1 of 36 3.2']);
  t.like(await shop.pass(), { voided: 1, open: 0 });
  t.is(double.records.size, 0);
  t.deepEqual(await shop.faults(), []);
});

test('an answer that comes after the lease finds its invoice cancelled: it is voided again', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  const { tenantId } = shop.books;
  const [call] = await inTenant(db.app, tenantId, (tx) => claimTaxRecords(tx, 1));
  const { code, attempts, document } = call as ClaimedCall;
  if (document === null) return t.fail();
  await shop.books.cancelInvoice(1001);
  await shop.soon();
  // The provider knows nothing of it yet.
  t.like(await shop.pass(), { voided: 1, open: 0 });
  const record = await provider.record({ ...document, code, returnOf: null });
  await inTenant(db.app, tenantId, (tx) =>
    Promise.resolve(writeRecorded(tx, [{ code, attempts, ...record }])),
  );
  t.deepEqual(await shop.records(), ['1001 toVoid 3 36 3.2 of 36 3.2']);
  t.like(await shop.pass(), { voided: 1, open: 0 });
  t.is(double.records.get(code)?.status, 'Cancelled');
});

test('two processes never record an invoice at once, and a lost one is followed by another', async (t) => {
  const { provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  const claim = () => inTenant(db.app, shop.books.tenantId, (tx) => claimTaxRecords(tx, 10));
  const [first, second] = await Promise.all([claim(), claim()]);
  t.is(first.length + second.length, 1);
  t.like(await shop.pass(), { recorded: 0, open: 1 });
  await shop.soon();
  const [again] = await claim();
  t.is(again?.attempts, 2);
  // The outcome of the first claim counts for nothing now.
  const [lost] = [...first, ...second];
  const outcome = { code: lost?.code ?? '', attempts: 1, total: '1', tax: '1' };
  await inTenant(db.app, shop.books.tenantId, (tx) =>
    Promise.resolve(writeRecorded(tx, [outcome])),
  );
  t.deepEqual(await shop.records(), ['1001 toRecord 2 of 36 3.2']);
});

test('while the provider is down a pass stops after a few calls and puts the rest off', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  for (let made = 0; made < 20; made += 1) await shop.invoice();
  let calls = 0;
  shop.at.provider = {
    ...provider,
    record(document) {
      calls += 1;
      return provider.record(document);
    },
  };
  double.be('unavailable');
  const progress = await shop.pass();
  t.like(progress, { recorded: 0, failed: 20, open: 20 });
  t.true(calls < 15, `${calls} calls`);
  t.is(progress.troubles.length, 3);
  t.true((progress.waitMs ?? 0) > 50_000);
  const pauses = 'select distinct failures, trouble from tax_record';
  t.deepEqual(await shop.sql(pauses), [{ failures: 1, trouble: 'silent' }]);
  t.deepEqual(await shop.faults(), []);
  // A new guard, whose breaker is closed.
  shop.at.provider = (await openAvatax(t, { url: double.url })).provider;
  double.be('well');
  await shop.soon();
  t.like(await shop.pass(), { recorded: 20, failed: 0, open: 0, silentSince: null });
  t.is(double.records.size, 20);
});

test('pauses after silence are 1, 2, 4, 8 and then always 15 minutes', async (t) => {
  const { provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  shop.at.provider = null;
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { waitMs } = await shop.pass();
    pauses.push(Math.round((waitMs ?? 0) / 60_000));
    await shop.soon();
  }
  t.deepEqual(pauses, [1, 2, 4, 8, 15, 15]);
  t.deepEqual(await shop.records(), ['1001 toRecord 0 no_provider of 36 3.2']);
});

test('what the provider refuses is shown, tried every 15 minutes, and found by the audit', async (t) => {
  const { provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  await shop.invoice();
  shop.at.provider = failing(provider, { before: [refusal(), refusal()] });
  t.like(await shop.pass(), { recorded: 0, failed: 2 });
  shop.at.provider = failing(provider, { before: [refusal()] });
  await shop.soon();
  const progress = await shop.pass();
  t.like(progress, { recorded: 1, failed: 1, open: 1, silentSince: null });
  t.is(Math.round((progress.waitMs ?? 0) / 60_000), 15);
  t.like(progress.troubles[0], { state: 'toRecord', code: 'InvalidAddress' });
  const [fault, ...others] = await shop.faults();
  t.regex(fault ?? '', /^tax\.recorded: invoice 100[12]: the tax provider refuses it, toRecord: I/);
  t.deepEqual(others, []);
  await shop.soon();
  t.like(await shop.pass(), { recorded: 1, open: 0, troubles: [] });
  t.deepEqual(await shop.faults(), []);
});

test('a record that comes to another amount is a fault of the audit; the invoice stays', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  double.be('wrong');
  await shop.pass();
  t.deepEqual(await shop.records(), ['1001 recorded 1 36 4.2 of 36 3.2']);
  t.deepEqual(await shop.faults(), [
    'tax.recorded: invoice 1001: the tax provider has 36 and 4.2 of tax, the invoice says 36 and ' +
      '3.2 of tax',
  ]);
});

test('an invoice with credits is recorded with what they carry back', async (t) => {
  const { double, provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  const customerId = await shop.customer();
  const order = { customerId, contractCode: 'SILVER' };
  // 31.00 for 31 days, and 2.76 of tax: 1.24, 1.40, 0.12
  const id = await shop.asked(() => shop.books.order(order, { generateInvoice: true }));
  shop.books.jump('2027-01-25');
  await shop.asked(() => shop.books.change(id, { contractCode: 'FREE' }, { bills: true }));
  await shop.pass();
  // 21 of 31 days go back: 21.00; of the remaining 10.00 the taxes are 0.40, 0.45 and 0.04.
  t.deepEqual(await shop.records(), [
    '1001 recorded 1 31 2.76 of 31 2.76',
    '1002 recorded 1 -21 -1.87 of -21 -1.87',
  ]);
  t.deepEqual(
    [...double.records.values()].map(({ total, tax }) => [total, tax]),
    [
      [31, 2.76],
      [-21, -1.87],
    ],
  );
  t.deepEqual(await shop.faults(), []);
});

test('the events of invoices wake the workflow if there is something to record or to void', async (t) => {
  const { provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice('FREE');
  t.false(await shop.nudged());
  await shop.invoice();
  t.true(await shop.nudged());
  await shop.pass();
  await shop.customer();
  t.false(await shop.nudged());
  // The tenant has left its provider, but what it cancels has to be voided there.
  await shop.leave();
  await shop.books.cancelInvoice(1002);
  t.true(await shop.nudged());
});
