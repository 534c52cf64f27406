/** Which orders share an invoice. */
import test from 'ava';
import { group } from '../../../domain/billing/rate/group.ts';
import { invoicedOrder } from './invoiced.ts';
import { chargeWith, lineWith } from '../fixtures.ts';
import { amountsOf, costing, dueWith } from './rated.ts';
import { fc } from '../../support/random.ts';

const charges = [costing('31.00')];
const shown = (groups: ReturnType<typeof group>) =>
  groups.map((orders) => orders.map(({ order }) => order.orderNumber).join(' '));

test('orders share an invoice by currency, by themselves, or by job code', (t) => {
  const orders = [
    invoicedOrder({ id: 1, orderNumber: 1001 }),
    invoicedOrder({ id: 2, orderNumber: 1002, separateInvoice: 1 }),
    invoicedOrder({ id: 3, orderNumber: 1003, separateInvoice: 2, jobCode: 'A' }),
    invoicedOrder({ id: 4, orderNumber: 1004, currency: 'EUR' }),
    invoicedOrder({ id: 5, orderNumber: 1005 }),
    invoicedOrder({ id: 6, orderNumber: 1006, separateInvoice: 2, jobCode: 'A' }),
    invoicedOrder({ id: 7, orderNumber: 1007, separateInvoice: 1 }),
  ].map((order) => ({ order, charges }));
  const expected = ['1001 1005', '1002', '1003 1006', '1004', '1007'];
  t.deepEqual(shown(group(orders)), expected);
  fc.assert(
    fc.property(fc.shuffledSubarray(orders, { minLength: orders.length }), (shuffled) => {
      t.deepEqual(shown(group(shuffled)), expected);
    }),
    { numRuns: 20 },
  );
});

test('an order that is not stored yet comes after all others', (t) => {
  const orders = [null, 1002, 1001].map((orderNumber) => ({
    order: invoicedOrder({ orderNumber }),
    charges,
  }));
  t.deepEqual(shown(group(orders)), ['1001 1002 ']);
});

test('an order without charges is on no invoice', (t) => {
  t.deepEqual(group([{ order: invoicedOrder({}), charges: [] }]), []);
});

test('charges with isSeparateInvoice are on one further invoice of their order', (t) => {
  const router = { charge: chargeWith({ isSeparateInvoice: true }) };
  const own = (amount: string, id: number) =>
    costing(amount, { kind: 'oneTime', due: dueWith({ line: lineWith({ id, ...router }) }) });
  const orders = [
    { order: invoicedOrder({ id: 1, orderNumber: 1001 }), charges: [own('80.00', 2), ...charges] },
    { order: invoicedOrder({ id: 2, orderNumber: 1002 }), charges },
    {
      order: invoicedOrder({ id: 3, orderNumber: 1003, separateInvoice: 1 }),
      charges: [...charges, own('5.00', 3), own('6.00', 4)],
    },
    { order: invoicedOrder({ id: 4, orderNumber: 1004 }), charges: [own('7.00', 5)] },
  ];
  const parts = group(orders.toReversed()).map((invoice) =>
    invoice.map(({ order, charges: of }) => `${order.orderNumber}: ${amountsOf(of).join(' ')}`),
  );
  t.deepEqual(parts, [
    ['1001: 31.00', '1002: 31.00'],
    ['1003: 31.00'],
    ['1001: 80.00'],
    ['1003: 5.00 6.00'],
    ['1004: 7.00'],
  ]);
});
