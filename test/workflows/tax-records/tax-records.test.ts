/** The workflow of a tenant's tax records, from the event of an invoice to the provider. */
import test, { type ExecutionContext } from 'ava';
import { cancelInvoice } from '../../../operations/invoices/cancel.ts';
import { startAvatax } from '../../support/avatax.ts';
import { attributesOf, detailsOf, isRunning, until } from '../harness.ts';
import { sharedHarness } from '../setup.ts';
import { openTaxed } from './taxed.ts';

const harness = await sharedHarness('real');

/** A tenant with an AvaTax of its own. */
async function openShop(t: ExecutionContext) {
  const double = await startAvatax();
  t.teardown(double.close);
  return { double, ...(await openTaxed(harness, double.url)) };
}

test('an invoice is recorded by itself and voided when it is cancelled, and the workflow ends', async (t) => {
  const shop = await openShop(t);
  const { books, double, workflow } = shop;
  await shop.invoice();
  await until('it is recorded', async () => (await shop.records())[0] === '1001 recorded 1');
  t.like(await workflow.result(), { recorded: 1, voided: 0 });
  t.regex(
    await detailsOf(workflow),
    new RegExp(`^\\*\\*Tax records, ${books.label}: Done\\*\\*\n\n- .* UTC: 1 invoice recorded$`),
  );
  const flags = { suspendOrders: false, cancelOrders: false, rollbackBillingPeriod: false };
  await books.work((its) => cancelInvoice(harness.dependencies, its, { number: '1001' }, flags));
  await until('it is voided', async () => (await shop.records())[0] === '1001 voided 2');
  t.like(await workflow.result(), { recorded: 0, voided: 1 });
  t.is([...double.records.values()][0]?.status, 'Cancelled');
  const history = JSON.stringify(await workflow.fetchHistory());
  t.notRegex(history, /5th Ave|10118|39\.2/);
  const [line] = harness.lines.filter(
    (each) => each.work === 'tax records' && each.tenant === books.label,
  );
  t.like(line, { recorded: 1, voided: 0, failed: 0 });
});

test('while the provider does not answer the workflow waits in sight', async (t) => {
  const shop = await openShop(t);
  const { double, workflow } = shop;
  double.be('down', { only: 'createoradjust' });
  await shop.invoice();
  await until(
    'it waits',
    async () =>
      (await shop.records())[0] === '1001 toRecord 1' &&
      (await isRunning(workflow)) &&
      (await attributesOf(workflow)).includes('Phase=Waiting'),
  );
  const details = await detailsOf(workflow);
  t.regex(details, /: Waiting\*\*\n\n- 1 open invoice, next attempt at .* UTC\n/);
  t.regex(details, /- the tax provider does not answer since .* UTC\n/);
  t.regex(details, /- invoice \d+: unreachable, again at .* UTC\n- .*: 1 put off$/);
  double.be('well');
  await shop.again();
  t.like(await workflow.result(), { recorded: 1, voided: 0 });
  t.deepEqual(await shop.records(), ['1001 recorded 2']);
});
