/** New orders: by both names of the customer, with defaults, with and without an invoice. */

import test from 'ava';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

test('a new order takes its defaults from its plan, its customer and the day', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer({ ref: 'C-1' });
  const id = await books.order({ contractCode: 'GOLD' }, { extCustomerRef: 'C-1' });
  const [order] = await books.read((tx) => tx.query('select * from subscription_order'));
  t.like(order, {
    id,
    orderNumber: 1001,
    status: 'Active',
    customerId,
    currency: 'USD',
    startDate: '2027-01-15',
    endDate: null,
    isAutoRenew: true,
    anchor: '2027-01-15',
    separateInvoice: 0,
    isAutoPay: false,
    dueDateValue: null,
  });
  const lines = await books.read((tx) =>
    tx.query(
      `select l.position, c.price_code, trim_scale(l.quantity)::text as quantity, l.is_active
       from order_line l join plan_charge c on c.id = l.charge_id order by l.position`,
    ),
  );
  t.deepEqual(lines, [
    { position: 1, priceCode: 'GOLD-SETUP', quantity: '1', isActive: true },
    { position: 2, priceCode: 'GOLD-FEE', quantity: '1', isActive: true },
  ]);
  // The same transaction enqueues its workflow.
  const outbox = await books.read((tx) =>
    tx.query(`select workflow_id, object_id from outbox where kind = 'order'`),
  );
  t.deepEqual(outbox, [{ workflowId: `order/${books.label}/${id}`, objectId: id }]);
});

test('a mandatory charge that was omitted is added, an optional one is not', async (t) => {
  const once = { chargeType: 'OneTimeCharge', pricingType: 'FixedPricing', price: 5 };
  const plan = recurring('P', 10, prepaid);
  const charges = [
    ...plan.charges,
    { priceCode: 'MUST', isMandatory: true, standardQuantity: 2, ...once },
    { priceCode: 'MAY', ...once },
  ];
  const books = await openBooks(db, { today: '2027-01-15', plans: [{ ...plan, charges }] });
  const customerId = await books.customer();
  const orderLineItems = [{ priceCode: 'P', quantity: '3', position: 7 }];
  await books.order({ customerId, contractCode: 'P', orderLineItems }, { generateInvoice: true });
  t.deepEqual(await books.invoices(), [
    // Lines by position: the added one gets the first free position.
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 40.00: ' +
      'MUST 2027-01-15 2027-01-15 10.00, P 2027-01-15 2027-02-14 30.00',
  ]);
});

test('generateInvoice bills what is due of the whole customer, and only that', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 10, prepaid)] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' });
  const at = { generateInvoice: true };
  await books.order({ customerId, contractCode: 'P', startDate: '2027-02-01' }, at);
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 10.00: P 2027-01-15 2027-02-14 10.00',
  ]);
  await books.order({ customerId, contractCode: 'P', startDate: '2027-01-10' }, at);
  t.is((await books.invoices()).length, 2);
  await books.advance('2027-01-16');
  t.is((await books.invoices()).length, 2);
  t.deepEqual((await books.audit()).faults, []);
});

test('forceInvoiceGeneration also bills the next due date, once, dated today', async (t) => {
  const plans = [recurring('P', 10, prepaid), recurring('ARREARS', 10)];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const force = { forceInvoiceGeneration: true };
  const future = { customerId, contractCode: 'P', startDate: '2027-02-01' };
  const id = await books.order(future, force);
  t.is(await books.orderNow(id), 'Provisioning next 2027-03-01 bills 2027-03-01');
  const arrears = await books.order({ customerId, contractCode: 'ARREARS' }, force);
  t.is(await books.orderNow(arrears), 'Active next 2027-03-15 bills 2027-03-15');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 10.00: P 2027-02-01 2027-02-28 10.00',
    '1002 on 2027-01-15 due 2027-02-14 Outstanding 10.00: ARREARS 2027-01-15 2027-02-14 10.00',
  ]);
  await books.advance('2027-03-01');
  t.is(await books.orderNow(id), 'Active next 2027-04-01 bills 2027-04-01');
  t.is((await books.invoices()).length, 3);
  t.deepEqual((await books.audit()).faults, []);
});

test('the action generateInvoice bills at once; without due charges there is no invoice', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 10, prepaid)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' });
  t.is(await books.generate(id), 1);
  t.is(await books.generate(id), 0);
  const draft = await books.order({ customerId, contractCode: 'P', orderStatus: 'Draft' });
  await refused(t, books.generate(draft), 'order.notBillable');
  t.is((await books.invoices()).length, 1);
});

test('an order with exactly 1,000 elapsed periods is billed, at once and by the run', async (t) => {
  const plans = [recurring('DAILY', 1, prepaid, { billingPeriod: 'Daily' })];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const [atOnce, byRun] = [await books.customer(), await books.customer()];
  // From 21 April 2024 to 15 January 2027 there are 1,000 days, both counted.
  const order = { contractCode: 'DAILY', startDate: '2024-04-21' };
  await books.order({ ...order, customerId: atOnce }, { generateInvoice: true });
  await books.order({ ...order, customerId: byRun });
  t.deepEqual(await books.run(), []);
  await books.advance('2027-01-16');
  const totals = await books.read((tx) =>
    tx.query(
      `select customer_id, round(sum(current_amount_due)) as total from invoice
       group by 1 order by 1`,
    ),
  );
  t.deepEqual(totals, [
    { customerId: atOnce, total: '1001' },
    { customerId: byRun, total: '1001' },
  ]);
  t.deepEqual((await books.audit()).faults, []);
});
