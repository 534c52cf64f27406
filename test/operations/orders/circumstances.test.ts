/** The circumstances of an order: time zones, downtime, new versions of its plan, first numbers. */

import test from 'ava';
import { applyTenantFile } from '../../../operations/tenants/apply.ts';
import { createVault } from '../../../providers/vault.ts';
import { checkTemplates } from '../../../providers/mail/check-templates.ts';
import { stringify } from 'yaml';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

test('today is the tenant’s day, also in zones ahead of UTC or behind', async (t) => {
  const plans = [recurring('P', 10, prepaid)];
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const books = await openBooks(db, { today: '2027-01-31', timezone, plans });
    const customerId = await books.customer();
    const id = await books.order({ customerId, contractCode: 'P' });
    t.is(await books.orderNow(id), 'Active next 2027-01-31 bills 2027-02-01');
    await books.advance('2027-02-28');
    t.deepEqual(await books.invoices(), [
      '1001 on 2027-02-01 due 2027-03-03 Outstanding 10.00: P 2027-01-31 2027-02-27 10.00',
      '1002 on 2027-02-28 due 2027-03-30 Outstanding 10.00: P 2027-02-28 2027-03-30 10.00',
    ]);
    t.deepEqual((await books.audit()).faults, []);
  }
});

test('the first run after a downtime bills each elapsed period with its own dates', async (t) => {
  const plans = [recurring('P', 10, prepaid), recurring('ENDS', 31, prorated)];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const now = { generateInvoice: true };
  await books.order({ customerId, contractCode: 'P' }, now);
  const ends = { endDate: '2027-03-02', isAutoRenew: false, separateInvoice: 1 };
  const id = await books.order({ customerId, contractCode: 'ENDS', ...ends }, now);
  while (books.today() < '2027-04-20') books.tomorrow();
  await books.run();
  t.is(await books.orderNow(id), 'Complete ends 2027-03-02');
  t.deepEqual((await books.invoices()).slice(2), [
    '1003 on 2027-04-20 due 2027-05-20 Outstanding 30.00: P 2027-02-15 2027-03-14 10.00, ' +
      'P 2027-03-15 2027-04-14 10.00, P 2027-04-15 2027-05-14 10.00',
    // 16 of the 28 days from 15 February: 31.00 x 16 / 28 = 17.714...
    '1004 on 2027-04-20 due 2027-05-20 Outstanding 17.71: ENDS 2027-02-15 2027-03-02 17.71',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

const asAlways = { isStrict: false, isDryRun: false };

test('an order keeps its plan’s version, a new order gets the newest', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 10, prepaid)] });
  const apply = async (price: number | null) => {
    const text = stringify({
      tenant: books.label,
      name: 'Test tenant',
      timezone: 'America/New_York',
      currency: 'USD',
      users: [],
      plans: price === null ? [] : [recurring('P', price, prepaid)],
    });
    const vault = createVault('a secret key of the tests, and of nothing else');
    const how = { vault, secretOf: () => undefined, checkTemplates, ...asAlways };
    const applied = await applyTenantFile(books.dependencies, { text, ...how });
    t.true(applied.isValid, JSON.stringify(applied));
  };
  const [first, second] = [await books.customer(), await books.customer()];
  const now = { generateInvoice: true };
  await books.order({ customerId: first, contractCode: 'P' }, now);
  await apply(25);
  await books.order({ customerId: second, contractCode: 'P' }, now);
  await books.advance('2027-02-15');
  await apply(null);
  const third = books.order({ customerId: second, contractCode: 'P' }, now);
  await refused(t, third, 'plan.retired', 'subscriptionOrder/contractCode');
  await books.advance('2027-03-15');
  const amounts = async (id: number) =>
    (await books.invoices(id)).map((text) => / Outstanding (\S+):/.exec(text)?.[1]);
  t.deepEqual(await amounts(first), ['10.00', '10.00', '10.00']);
  t.deepEqual(await amounts(second), ['25.00', '25.00', '25.00']);
  t.deepEqual((await books.audit()).faults, []);
});

test('numbers begin where the tenant file says', async (t) => {
  const file = { numbering: { order: 7, invoice: 500_001 } };
  const plans = [recurring('P', 10, prepaid)];
  const books = await openBooks(db, { today: '2027-01-15', plans, file });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  t.deepEqual(await books.counters(), { order: 8, invoice: 500_002 });
  t.regex((await books.invoices())[0] ?? '', /^500001 /);
  t.deepEqual((await books.audit()).faults, []);
});

test('a suspended customer accepts orders but gets no invoice, an inactive one does neither', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 10, prepaid)] });
  const customerId = await books.customer();
  await books.customerAction(customerId, 'suspend');
  const order = { customerId, contractCode: 'P' };
  await refused(t, books.order(order, { generateInvoice: true }), 'order.notBillable');
  const id = await books.order(order);
  t.is(await books.orderNow(id), 'Active');
  await refused(t, books.generate(id), 'order.notBillable');
  await books.advance('2027-01-20');
  t.deepEqual(await books.invoices(), []);
  const inactive = await books.customer({ status: 'InActive2' });
  await refused(t, books.order({ ...order, customerId: inactive }), 'customer.inactive');
});
