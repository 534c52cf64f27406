/**
 * Kills the API with SIGKILL while it asks the tax provider and bills new orders. Called again, each
 * call has made one order with its taxes. What workers ask and record is walked in
 * `test/system/faults`.
 */
import test from 'ava';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { avataxAccount, portland, startAvatax } from '../../support/avatax.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { startParts } from './parts.ts';
import { openTestDatabase, openTill } from './till.ts';

const CUSTOMERS = 24;

const double = await startAvatax();
const parts = await startParts();
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const { street2: _none, ...address } = portland;
const till = await openTill(parts, db, {
  label: `taxes-${suffix()}`,
  testClock: '2027-01-15T12:00:00Z',
  plans: [recurring('P', 36, { ...prepaid, taxCodes: ['STANDARD'] })],
  file: { address, tax: { type: 'avatax', ...avataxAccount, url: double.url } },
});

test.after.always(async () => {
  await parts.stop();
  double.close();
  for (const opened of [db, relayDb]) await opened.close();
});

const asked = (): number => double.calls.get('create') ?? 0;

const customer = (nth: number): string =>
  `<customer><extCustomerRef>C-${nth}</extCustomerRef><billingContact><firstName>Ada</firstName>` +
  '<address><street1>350 5th Ave</street1><city>New York</city><state>NY</state><zip>10118</zip>' +
  '<countryCode>US</countryCode></address></billingContact></customer>';
const order = '<subscriptionOrder><contractCode>P</contractCode></subscriptionOrder>';

test('the API dies while it asks and bills: a repeated call makes one taxed order', async (t) => {
  const customers = Array.from({ length: CUSTOMERS }, (_, index) => index + 1);
  for (const nth of customers) {
    t.is((await till.call('POST', '/customers', customer(nth))).status, 201);
  }
  const post = (nth: number) => {
    const path = `/orders?extCustomerRef=C-${nth}&generateInvoice=true`;
    return till.call('POST', path, order, `order ${nth}`).catch(() => undefined);
  };
  double.be('well', { delayMs: 100 });
  const answers = customers.map(post);
  await until('some are asked about', () => Promise.resolve(asked() >= CUSTOMERS / 2));
  await parts.api.kill();
  await Promise.all(answers);
  await endConnections(parts, 'api');
  double.be('well');
  await parts.api.start();
  // A customer that the API may have died of is billed apart first.
  for (const nth of customers) {
    await until('the order is made', async () => (await post(nth))?.status === 201);
  }
  await until('nothing is to be recorded', async () => {
    const open = await till.read(`select from tax_record where state in ('toRecord', 'toVoid')`);
    return open.length === 0;
  });
  const rows = await till.read(
    `select round(i.current_amount_due, 2)::text as text, count(*)::int as count
     from subscription_order o join invoice_line l on l.order_id = o.id
     join invoice i on i.id = l.invoice_id group by 1`,
  );
  t.deepEqual(rows, [{ text: '39.20', count: CUSTOMERS }]);
  await auditIsClean(t, parts, { db, relayDb });
});
