/** New prices of running orders: who knows of them before, who tells of them, and what finds a wrong one. */
import test from 'ava';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { priceChange } from '../../../operations/orders/change.ts';
import { orderTimeline } from '../../../operations/orders/timeline.ts';
import { readOrder } from '../../../operations/orders/read.ts';
import { storyOf } from '../../../operations/orders/story.ts';
import { readWokenOrder } from '../../../db/queries/orders/wake.ts';
import { corrupt, own } from '../books/corrupt.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { applyTo, billed, versionOf } from '../support/new-prices.ts';
import { prorated, recurring } from '../support/plans.ts';
import { upload } from '../support/uploads.ts';

const db = await sharedDatabase();
const m = (price: number, existingOrders = 'nextPeriod') =>
  recurring('M', price, prorated, { existingOrders });

async function dearer() {
  const books = await openBooks(db, { today: '2027-01-15', plans: [m(31, 'keep')] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'M' });
  await books.advance('2027-01-20');
  await applyTo(books, [m(33)]);
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  return { books, customerId, id, tenant };
}

test('nextInvoice knows the prices before any run has dated the order', async (t) => {
  const { books, customerId, tenant } = await dearer();
  const invoices = await nextInvoices(books.dependencies, tenant, { id: customerId }, '2027-03-20');
  t.deepEqual(
    invoices.map(({ invoiceDate, currentAmountDue }) => `${invoiceDate} ${currentAmountDue}`),
    ['2027-02-15 33.00', '2027-03-15 33.00'],
  );
});

test('the quoteHash of a change is of the version that bills', async (t) => {
  const { books, id, tenant } = await dearer();
  const hash = async (effectiveDate: string, keepsPrices: boolean) => {
    const named = { path: 'currentOrderId', value: '' };
    const request = { input: {}, effectiveDate, keepsPrices, deletesCurrent: false, bills: true };
    const input = keepsPrices ? {} : { contractCode: 'M' };
    return (await priceChange(books.dependencies, tenant, { id }, { ...request, input, named }))
      .quoteHash;
  };
  t.is(await hash('2027-02-15', true), await hash('2027-02-15', false));
  t.not(await hash('2027-01-20', true), await hash('2027-01-20', false));
});

test('the order shows its day, and the timeline and the Web UI tell of it', async (t) => {
  const { books, id, tenant } = await dearer();
  const shown = () => books.read((tx) => readOrder(tx, tenant, { id }));
  const facts = async () => {
    const order = await books.read((tx) => readWokenOrder(tx, id));
    return order && storyOf(order, { today: books.today(), next: null, before: undefined }).changes;
  };
  const told = async () =>
    ((await orderTimeline(books.dependencies, tenant, { id })) ?? [])
      .filter(({ text }) => text === 'new prices')
      .map(({ date, state }) => `${date} ${state}`);
  t.is((await shown())?.priceChangeDate, null);
  await books.advance('2027-01-21');
  t.is((await shown())?.priceChangeDate, '2027-02-15');
  t.deepEqual(await facts(), ['new prices on 2027-02-15']);
  t.deepEqual(await told(), ['2027-02-15 next']);
  await books.advance('2027-02-15');
  t.is((await shown())?.priceChangeDate, null);
  t.is(await facts(), undefined);
  t.deepEqual(await told(), ['2027-02-15 happened']);
});

test('runs at once move an order once', async (t) => {
  const { books, id } = await dearer();
  await books.advance('2027-02-14');
  books.tomorrow();
  await Promise.all([books.run(), books.run(), books.put(id, { isAutoRenew: false })]);
  t.is(await versionOf(books, id), 'v2');
  t.deepEqual((await billed(books)).slice(1), ['on 2027-02-15: M 2027-02-15 2027-03-14 33.00']);
  const [moves] = await books.read((tx) =>
    tx.query<{ count: number }>(
      'select jsonb_array_length(earlier_prices) as count from subscription_order where id = $1',
      [id],
    ),
  );
  t.is(moves?.count, 1);
  t.deepEqual((await books.audit()).faults, []);
});

test('new prices beside a change, a renewal and two runs bill each period once', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [m(31, 'keep')] });
  const customerId = await books.customer();
  const changing = await books.order({ customerId, contractCode: 'M' });
  const endDate = '2027-02-14';
  const renewing = await books.order({ customerId, contractCode: 'M', endDate });
  await books.advance('2027-01-20');
  await applyTo(books, [m(33)]);
  await books.advance('2027-02-14');
  books.tomorrow();
  const [next] = await Promise.all([
    books.change(changing, { contractCode: 'M' }, { effectiveDate: '2027-02-15' }),
    books.run(),
    books.put(renewing, { endDate: '2027-03-14' }),
    books.run(),
  ]);
  await books.advance('2027-02-16');
  t.is(await versionOf(books, renewing), 'v2');
  t.is(await versionOf(books, next), 'v2');
  // What the run has billed of the replaced order is credited again.
  const charged = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat(l.order_id, ' ', round(sum(c.amount), 2)) as text
       from invoice_charge c join invoice_line l
         on l.tenant_id = c.tenant_id and l.id = c.invoice_line_id
       where c.billing_start_date >= '2027-02-15'
       group by l.order_id having sum(c.amount) <> 0 order by l.order_id`,
    ),
  );
  t.deepEqual(
    charged.map(({ text }) => text),
    [`${renewing} 33.00`, `${next} 33.00`],
  );
  t.deepEqual((await books.audit()).faults, []);
});

test('usage costs the price of the window in which it counts', async (t) => {
  const calls = (price: number, existingOrders: string) => ({
    ...recurring('C', price, { chargeType: 'UsageCharge' }, { existingOrders }),
  });
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans: [calls(0.1, 'keep')],
    file: { settings: { usageGraceDays: 3 } },
  });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'C' });
  await books.advance('2027-01-20');
  await applyTo(books, [calls(0.2, 'nextPeriod')]);
  await books.advance('2027-02-15');
  t.is(await versionOf(books, orderId), 'v2');
  await upload(books, [{ orderId, chargeDate: '2027-02-14', quantity: '100' }]);
  await upload(books, [{ orderId, chargeDate: '2027-02-15', quantity: '100' }]);
  await books.advance('2027-03-18');
  const amounts = (await books.invoices()).map((each) => /Outstanding (\S+):/.exec(each)?.[1]);
  t.deepEqual(amounts, ['10.00', '20.00']);
  t.deepEqual((await books.audit()).faults, []);
});

test('the audit names what costs the price of another version, and a day that is missing', async (t) => {
  const { books } = await dearer();
  const faults = async (): Promise<string[]> =>
    (await books.audit()).faults.map(({ check, object }) => `${check} ${object}`);
  await books.advance('2027-01-21');
  await corrupt(books, [`update subscription_order set price_change_on = null where ${own}`]);
  t.deepEqual(await faults(), ['order.dates order 1001']);
  await corrupt(books, [
    `update subscription_order set price_change_on = '2027-02-15' where ${own}`,
  ]);
  await books.advance('2027-02-15');
  t.deepEqual(await faults(), []);
  // The first period at the price of the second version.
  await corrupt(books, [
    `update billed_period set charge_id = (
       select charge_id from order_line where ${own}) where ${own} and period_index = 0`,
  ]);
  t.true((await faults()).includes('price.version order 1001'));
  t.deepEqual(await versionFaultOf(books), [
    'line 1 of 2027-01-15 costs what version 2 says, which did not hold then',
  ]);
});

async function versionFaultOf(books: Books): Promise<string[]> {
  const { faults } = await books.audit();
  return faults.filter(({ check }) => check === 'price.version').map(({ detail }) => detail);
}
