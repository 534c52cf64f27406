/** What a PUT may change of an order before its first invoice and after it. */

import test from 'ava';
import { orderEditability } from '../../../operations/orders/update.ts';
import { demoPlan } from '../../support/tenants.ts';
import { type Books, openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const once = { chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };

const linesOf = (books: Books, orderId: number) =>
  books.read((tx) =>
    tx.query<{ id: number; code: string; quantity: string; position: number }>(
      `select l.id, c.price_code as code, trim_scale(l.quantity)::text as quantity, l.position
       from order_line l join plan_charge c on c.id = l.charge_id
       where l.order_id = $1 order by l.position`,
      [orderId],
    ),
  );

test('before its first invoice everything of an order may change', async (t) => {
  const plans = [demoPlan('GOLD'), recurring('P', 31, prorated)];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await books.put(id, { contractCode: 'P', startDate: '2027-02-01', jobCode: 'J' });
  t.is(await books.orderNow(id), 'Provisioning next 2027-02-01 bills 2027-02-01');
  t.like((await linesOf(books, id))[0], { code: 'P', quantity: '1' });
  await books.put(id, { startDate: '2027-01-10', jobCode: null });
  t.is(await books.orderNow(id), 'Active next 2027-01-10 bills 2027-01-16');
  await books.advance('2027-01-16');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-16 due 2027-02-15 Outstanding 31.00: P 2027-01-10 2027-02-09 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a status that is sent back as read is not a transition, even if a new start changes the status', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' });
  await books.put(id, { startDate: '2027-02-01', orderStatus: 'Active' });
  t.is(await books.orderNow(id), 'Provisioning next 2027-02-01 bills 2027-02-01');
  await books.put(id, { startDate: '2027-01-20', orderStatus: 'Provisioning' });
  t.is(await books.orderNow(id), 'Provisioning next 2027-01-20 bills 2027-01-20');
  await books.put(id, { startDate: '2027-01-15', orderStatus: 'Provisioning' });
  t.is(await books.orderNow(id), 'Active next 2027-01-15 bills 2027-01-16');
});

test('a suspended order whose start was moved to the future is Provisioning once it is activated', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' });
  await books.put(id, { orderStatus: 'Suspended' });
  await books.put(id, { startDate: '2027-02-01' });
  await books.put(id, { orderStatus: 'Active' });
  t.is(await books.orderNow(id), 'Provisioning next 2027-02-01 bills 2027-02-01');
  await books.advance('2027-02-01');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-02-01 due 2027-03-03 Outstanding 31.00: P 2027-02-01 2027-02-28 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a line that is sent twice is refused', async (t) => {
  const plans = [recurring('P', 31, prorated)];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' });
  const [line] = await linesOf(books, id);
  const twice = [1, 2].map((position) => ({ id: line?.id ?? 0, position, quantity: '2' }));
  const path = 'subscriptionOrder/orderLineItems/orderLineItem[2]/@id';
  await refused(t, books.put(id, { orderLineItems: twice }), 'field.invalid', path);
  t.like((await linesOf(books, id))[0], { quantity: '1', position: 1 });
});

test('lines match by id: they are changed, added, and removed if absent unless mandatory', async (t) => {
  const plan = recurring('P', 10, prepaid);
  const charges = [
    ...plan.charges,
    { priceCode: 'MAY', price: 3, ...once },
    { priceCode: 'MUST', price: 5, isMandatory: true, ...once },
  ];
  const books = await openBooks(db, { today: '2027-01-15', plans: [{ ...plan, charges }] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' });
  const [first, second, third] = await linesOf(books, id);
  t.deepEqual([first?.code, second?.code, third?.code], ['P', 'MAY', 'MUST']);
  const orderLineItems = [{ id: first?.id ?? 0, quantity: '4' }];
  await books.put(id, { orderLineItems });
  const after = await linesOf(books, id);
  t.deepEqual(after.map(({ code, quantity }) => `${code} ${quantity}`).toSorted(), [
    'MUST 1',
    'P 4',
  ]);
  t.is(after.find(({ code }) => code === 'P')?.id, first?.id);
  const unknown = { orderLineItems: [{ id: 4711, quantity: '1' }] };
  const path = 'subscriptionOrder/orderLineItems/orderLineItem[1]/@id';
  await refused(t, books.put(id, unknown), 'field.invalid', path);
  await books.put(id, { orderLineItems: [...orderLineItems, { priceCode: 'MAY', quantity: '2' }] });
  await books.advance('2027-01-16');
  // 4 x 10.00, 2 x 3.00 and the mandatory 5.00.
  t.regex((await books.invoices())[0] ?? '', / 51\.00: /);
  t.deepEqual((await books.audit()).faults, []);
});

test('an order with only a free one-time charge has no invoice, so its lines can change', async (t) => {
  const plan = recurring('P', 10, {});
  const charges = [...plan.charges, { priceCode: 'FREE', price: 0, ...once }];
  const books = await openBooks(db, { today: '2027-01-15', plans: [{ ...plan, charges }] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' });
  await books.advance('2027-01-16');
  t.deepEqual(await books.invoices(), []);
  const path = 'subscriptionOrder/startDate';
  await refused(t, books.put(id, { startDate: '2027-02-01' }), 'field.notEditable', path);
  await refused(t, books.put(id, { orderLineItems: null }), 'field.notEditable');
  await books.put(id, { endDate: '2027-06-30', isAutoRenew: false });
  t.is(await books.orderNow(id), 'Active ends 2027-06-30 next 2027-02-15 bills 2027-02-15');
  t.deepEqual((await books.audit()).faults, []);
});

test('after its first invoice an order accepts only endDate, orderStatus and isAutoRenew', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' }, { generateInvoice: true });
  const [first] = await linesOf(books, id);
  const lineId = first?.id ?? 0;
  const other = await books.customer();
  const changes = [
    ['startDate', { startDate: '2027-01-16' }],
    ['customer/@id', { customerId: other }],
    ['currency/@id', { currency: 'EUR' }],
    ['contractCode', { contractCode: 'SEATS' }],
    ['contractOffering/@id', { contractOfferingId: 4711 }],
    ['separateInvoice', { separateInvoice: 1 }],
    ['jobCode', { jobCode: 'J' }],
    ['purchaseOrder', { purchaseOrder: 'PO-1' }],
    ['isAutoPay', { isAutoPay: true }],
    ['dueDateValue', { dueDateValue: 5 }],
    ['invoiceText', { invoiceText: 'x' }],
    ['invoiceNotes', { invoiceNotes: 'x' }],
    ['notes', { notes: 'x' }],
    [
      'orderLineItems/orderLineItem[1]/quantity',
      { orderLineItems: [{ id: lineId, quantity: '2' }] },
    ],
    ['orderLineItems/orderLineItem[1]/@id', { orderLineItems: [{ priceCode: 'GOLD-FEE' }] }],
    ['orderLineItems', { orderLineItems: null }],
  ] as const;
  for (const [element, input] of changes) {
    t.log(element);
    await refused(t, books.put(id, input), 'field.notEditable', `subscriptionOrder/${element}`);
  }
  // Unchanged values that are sent back are not a change, and neither is another notation.
  await books.put(id, {
    startDate: '2027-01-15',
    customerId,
    currency: 'USD',
    contractCode: 'GOLD',
    separateInvoice: 0,
    jobCode: null,
    purchaseOrder: null,
    orderLineItems: [{ id: lineId, quantity: '1.00', priceCode: first?.code }],
    endDate: '2027-03-31',
    isAutoRenew: false,
  });
  t.is(await books.orderNow(id), 'Active ends 2027-03-31 next 2027-02-15 bills 2027-02-15');
});

test('a later end bills the days not yet billed, an earlier end credits nothing', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  const ends = { endDate: '2027-03-31', isAutoRenew: false };
  const id = await books.order(
    { customerId, contractCode: 'P', ...ends },
    { generateInvoice: true },
  );
  await books.advance('2027-03-20');
  await books.put(id, { endDate: '2027-04-10' });
  t.is(await books.orderNow(id), 'Active ends 2027-04-10 next 2027-04-01 bills 2027-04-01');
  await books.advance('2027-04-02');
  await books.put(id, { endDate: '2027-04-05' });
  await books.advance('2027-04-06');
  t.is(await books.orderNow(id), 'Complete ends 2027-04-05');
  t.deepEqual((await books.invoices()).slice(2), [
    // The period of 31 days from 15 March: 17 of them, then 10 more through the later end.
    '1003 on 2027-03-15 due 2027-04-14 Outstanding 17.00: P 2027-03-15 2027-03-31 17.00',
    '1004 on 2027-04-01 due 2027-05-01 Outstanding 10.00: P 2027-04-01 2027-04-10 10.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a later end of a charge that is not prorated bills each whole period once', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prepaid)] });
  const customerId = await books.customer();
  const ends = { endDate: '2027-01-31', isAutoRenew: false };
  const id = await books.order(
    { customerId, contractCode: 'P', ...ends },
    { generateInvoice: true },
  );
  await books.put(id, { endDate: '2027-02-28' });
  t.is(await books.orderNow(id), 'Active ends 2027-02-28 next 2027-02-15 bills 2027-02-15');
  await books.advance('2027-03-01');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 31.00: P 2027-01-15 2027-01-31 31.00',
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 31.00: P 2027-02-15 2027-02-28 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('an end set by PUT makes the present term the one that renews', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prepaid)] });
  const customerId = await books.customer();
  // Renews by a month: to 14 March, then 14 April.
  const order = { customerId, contractCode: 'P', endDate: '2027-02-14' };
  const id = await books.order(order, { generateInvoice: true });
  await books.advance('2027-02-20');
  t.is(await books.orderNow(id), 'Active ends 2027-03-14 next 2027-03-15 bills 2027-03-15');
  // The present term began on 15 February: two months from there are the new term.
  await books.put(id, { endDate: '2027-04-14' });
  await books.advance('2027-04-15');
  t.is(await books.orderNow(id), 'Active ends 2027-06-14 next 2027-05-15 bills 2027-05-15');
  await refused(
    t,
    books.put(id, { endDate: '2027-04-14' }),
    'field.invalid',
    'subscriptionOrder/endDate',
  );
  await books.put(id, { endDate: null });
  t.is(await books.orderNow(id), 'Active next 2027-05-15 bills 2027-05-15');
  t.deepEqual((await books.audit()).faults, []);
});

test('start and end are moved together, also beyond the previous end', async (t) => {
  const books = await openBooks(db, { today: '2027-01-01', plans: [recurring('ARREARS', 31)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'ARREARS', endDate: '2027-01-31' });
  await books.put(id, { startDate: '2027-02-01', endDate: '2027-02-10' });
  t.is(await books.orderNow(id), 'Provisioning ends 2027-02-10 next 2027-03-01 bills 2027-03-01');
  // Ten days, and again: to the 20th.
  await books.advance('2027-02-11');
  t.is(await books.orderNow(id), 'Active ends 2027-02-20 next 2027-03-01 bills 2027-03-01');
  t.deepEqual((await books.audit()).faults, []);
});

test('a new start of an order that has renewed makes a term up to its present end', async (t) => {
  const books = await openBooks(db, { today: '2027-01-01', plans: [recurring('ARREARS', 31)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'ARREARS', endDate: '2027-01-07' });
  await books.advance('2027-01-10');
  t.is(await books.orderNow(id), 'Active ends 2027-01-14 next 2027-02-01 bills 2027-02-01');
  await books.put(id, { startDate: '2027-01-09' });
  t.is(await books.orderNow(id), 'Active ends 2027-01-14 next 2027-02-09 bills 2027-02-09');
  // Of six days, the 9th to the 14th, and again.
  await books.advance('2027-01-16');
  t.is(await books.orderNow(id), 'Active ends 2027-01-20 next 2027-02-09 bills 2027-02-09');
  t.deepEqual((await books.audit()).faults, []);
});

type Status = 'Draft' | 'Provisioning' | 'Active' | 'Suspended' | 'Canceled';
const everyStatus: readonly Status[] = ['Draft', 'Provisioning', 'Active', 'Suspended', 'Canceled'];
const allowed: Record<Status, readonly Status[]> = {
  Draft: ['Active', 'Provisioning', 'Canceled'],
  Provisioning: ['Canceled'],
  Active: ['Suspended', 'Canceled'],
  Suspended: ['Active', 'Canceled'],
  Canceled: [],
};

test('a PUT follows only the transitions of the table', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prepaid)] });
  const customerId = await books.customer();
  const standing = async (status: Status): Promise<number> => {
    const startDate = status === 'Draft' || status === 'Provisioning' ? '2027-02-01' : null;
    const orderStatus = status === 'Draft' ? 'Draft' : 'Active';
    const id = await books.order({ customerId, contractCode: 'P', startDate, orderStatus });
    if (status === 'Suspended' || status === 'Canceled')
      await books.put(id, { orderStatus: status });
    return id;
  };
  for (const from of everyStatus) {
    for (const to of everyStatus.filter((status) => status !== from)) {
      const id = await standing(from);
      t.log(`${from} to ${to}`);
      if (allowed[from].includes(to)) {
        await books.put(id, { orderStatus: to });
        // An order with a future start that is activated is Provisioning until then.
        const now = from === 'Draft' && to === 'Active' ? 'Provisioning' : to;
        t.is((await books.orderNow(id)).split(' ')[0], now);
      } else await refused(t, books.put(id, { orderStatus: to }), 'order.transition');
    }
  }
  t.deepEqual((await books.audit()).faults, []);
});

test('a Complete or Canceled order can no longer change, and canEdit says so', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [recurring('P', 31, prepaid)] });
  const customerId = await books.customer();
  const ends = { endDate: '2027-01-20', isAutoRenew: false };
  const id = await books.order({ customerId, contractCode: 'P', ...ends });
  const editable = () => books.read((tx) => orderEditability(tx, { id }));
  t.deepEqual(await editable(), { editable: true, reason: null });
  await books.advance('2027-01-21');
  t.false((await editable())?.editable);
  t.regex((await editable())?.reason ?? '', /Complete/);
  await refused(t, books.put(id, { notes: 'x' }), 'order.notEditable');
  await refused(t, books.put(id, { orderStatus: 'Active' }), 'order.transition');
});
