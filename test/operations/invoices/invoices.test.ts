/** Invoices cancelled with each combination of flags, and invoices made by hand. */

import test from 'ava';
import { tenantInfo } from '../../../operations/context/context.ts';
import { updateCustomer } from '../../../operations/customers/write.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { readInvoice } from '../../../operations/invoices/read.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const plans = [recurring('P', 31, prorated), recurring('ARREARS', 10)];

const balanceOf = async (books: Books) => {
  const [row] = await books.read((tx) =>
    tx.query<{ balance: string }>(
      'select round(sum(amount), 2)::text as balance from ledger_entry',
    ),
  );
  return row?.balance;
};

/** Billed on 15 January for a month and on 15 February for another. */
async function billedTwice(): Promise<{ books: Books; id: number; customerId: number }> {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await books.advance('2027-02-15');
  return { books, id, customerId };
}

test('a cancellation subtracts the amount from the balance; the month stays billed', async (t) => {
  const { books, id } = await billedTwice();
  t.is(await balanceOf(books), '62.00');
  await books.cancelInvoice(1002);
  t.is(await balanceOf(books), '31.00');
  t.is(await books.orderNow(id), 'Active next 2027-03-15 bills 2027-03-15');
  await books.advance('2027-03-15');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 31.00: P 2027-01-15 2027-02-14 31.00',
    '1002 on 2027-02-15 due 2027-03-17 Cancelled 31.00: P 2027-02-15 2027-03-14 31.00',
    '1003 on 2027-03-15 due 2027-04-14 Outstanding 31.00: P 2027-03-15 2027-04-14 31.00',
  ]);
  const [last] = await books.read((tx) =>
    tx.query(
      `select round(previous_balance, 2) as previous,
              round(payments_and_adjustments, 2) as adjustments, round(total_due, 2) as total
       from invoice where number_value = 1003`,
    ),
  );
  // The next invoice still continues from the cancelled invoice's total; the reversal is an
  // adjustment.
  t.deepEqual(last, { previous: '62.00', adjustments: '-31.00', total: '62.00' });
  t.deepEqual((await books.audit()).faults, []);
});

test('an invoice keeps the purchase order that its customer had when it was made', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const set = (purchaseOrder: string | null) =>
    books.work((context) => updateCustomer(context, { id: customerId }, { purchaseOrder }, {}));
  await set('PO-1');
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  await set('PO-2');
  const byHand = { invoiceLineItems: [{ invoiceLineItemCharges: [{ amount: '5' }] }] };
  await books.work((context) => createInvoice(context, { id: customerId }, byHand));
  await set(null);
  await books.advance('2027-02-15');
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const ordersOf = async (number: string) => {
    const invoice = await books.read((tx) => readInvoice(tx, tenant, { number }));
    return [invoice?.purchaseOrder, ...(invoice?.lines ?? []).map((line) => line.purchaseOrder)];
  };
  t.deepEqual(await ordersOf('1001'), ['PO-1', 'PO-1']);
  t.deepEqual(await ordersOf('1002'), ['PO-2', 'PO-2']);
  t.deepEqual(await ordersOf('1003'), [null, null]);
});

test('after a rollback the next 00:00 bills exactly the same again, under a new number', async (t) => {
  const { books, id } = await billedTwice();
  await books.cancelInvoice(1002, { rollbackBillingPeriod: true });
  t.is(await books.orderNow(id), 'Active next 2027-02-15 bills 2027-02-16');
  t.deepEqual((await books.audit()).faults, []);
  await books.advance('2027-03-15');
  t.deepEqual((await books.invoices()).slice(1), [
    '1002 on 2027-02-15 due 2027-03-17 Cancelled 31.00: P 2027-02-15 2027-03-14 31.00',
    '1003 on 2027-02-16 due 2027-03-18 Outstanding 31.00: P 2027-02-15 2027-03-14 31.00',
    '1004 on 2027-03-15 due 2027-04-14 Outstanding 31.00: P 2027-03-15 2027-04-14 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a rollback of an older invoice does not change what later ones billed', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' }, { generateInvoice: true });
  await books.advance('2027-02-15');
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  t.is(await books.orderNow(id), 'Active next 2027-01-15 bills 2027-02-16');
  await books.advance('2027-03-15');
  t.deepEqual((await books.invoices()).slice(1), [
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 29.95: GOLD-FEE 2027-02-15 2027-03-14 29.95',
    // The one-time charge is billed again too.
    '1003 on 2027-02-16 due 2027-03-18 Outstanding 78.95: ' +
      'GOLD-SETUP 2027-01-15 2027-01-15 49.00, GOLD-FEE 2027-01-15 2027-02-14 29.95',
    '1004 on 2027-03-15 due 2027-04-14 Outstanding 29.95: GOLD-FEE 2027-03-15 2027-04-14 29.95',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a second rollback of the same period lets it be billed a third time, and no more', async (t) => {
  const { books } = await billedTwice();
  await books.cancelInvoice(1002, { rollbackBillingPeriod: true });
  await books.advance('2027-02-16');
  await books.cancelInvoice(1003, { rollbackBillingPeriod: true });
  await books.advance('2027-02-20');
  t.deepEqual(
    (await books.invoices()).map((text) => text.slice(0, 18)),
    ['1001 on 2027-01-15', '1002 on 2027-02-15', '1003 on 2027-02-16', '1004 on 2027-02-17'],
  );
  t.is(await balanceOf(books), '62.00');
  t.deepEqual((await books.audit()).faults, []);
});

test('suspendOrders suspends the Active orders of the invoice, and no others', async (t) => {
  const { books, id, customerId } = await billedTwice();
  const other = await books.order({ customerId, contractCode: 'P', separateInvoice: 1 });
  await books.advance('2027-02-16');
  await books.cancelInvoice(1002, { suspendOrders: true });
  t.is(await books.orderNow(id), 'Suspended');
  t.is(await books.orderNow(other), 'Active next 2027-03-15 bills 2027-03-15');
  t.is(await balanceOf(books), '62.00');
  await books.advance('2027-03-20');
  await books.activate(id);
  await books.advance('2027-03-21');
  t.is(
    (await books.invoices()).at(-1),
    // 26 of the 31 days from 15 March; those of February stay billed.
    '1005 on 2027-03-21 due 2027-04-20 Outstanding 26.00: P 2027-03-20 2027-04-14 26.00',
  );
  t.deepEqual((await books.audit()).faults, []);
});

test('cancelOrders cancels orders in any status, and nothing more is billed', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const inAdvance = await books.order({ customerId, contractCode: 'P' });
  const arrears = await books.order({ customerId, contractCode: 'ARREARS' });
  await books.advance('2027-02-15');
  await books.suspend(inAdvance);
  await books.advance('2027-02-20');
  // 1001 billed the prepaid month; 1002 both orders.
  await books.cancelInvoice(1002, { cancelOrders: true });
  t.is(await books.orderNow(inAdvance), 'Canceled ends 2027-02-20');
  t.is(await books.orderNow(arrears), 'Canceled ends 2027-02-20');
  await books.advance('2027-04-01');
  t.is((await books.invoices()).length, 2);
  t.is(await balanceOf(books), '31.00');
  t.deepEqual((await books.audit()).faults, []);
});

test('contradictory flags are refused, and so is a second cancellation', async (t) => {
  const { books } = await billedTwice();
  const all = [
    { suspendOrders: true, cancelOrders: true },
    { suspendOrders: true, rollbackBillingPeriod: true },
    { cancelOrders: true, rollbackBillingPeriod: true },
    { suspendOrders: true, cancelOrders: true, rollbackBillingPeriod: true },
  ];
  for (const flags of all) await refused(t, books.cancelInvoice(1002, flags), 'field.invalid');
  t.is(await balanceOf(books), '62.00');
  await books.cancelInvoice(1002);
  await refused(t, books.cancelInvoice(1002), 'invoice.notCancellable');
  await refused(t, books.cancelInvoice(1999), 'invoice.unknown');
  t.is(await balanceOf(books), '31.00');
});

test('an invoice made by hand gets its number, its terms, and its place in the sequence of totals', async (t) => {
  const { books, id, customerId } = await billedTwice();
  const charges = [
    { priceCode: 'WORK', unitPrice: '12.345', quantity: '3', invoiceText: 'Three hours' },
    { priceCode: 'TRAVEL', amount: '20.00' },
    // A tenth of the other two.
    { priceCode: 'RUSH', isPercent: true, unitPrice: '10' },
  ];
  await books.manualInvoice(customerId, {
    invoiceLineItems: [
      { enterpriseSubscription: '1001', invoiceLineItemCharges: charges },
      { invoiceText: 'Only words' },
    ],
    notes: 'By hand',
  });
  t.is(
    (await books.invoices()).at(-1),
    // 12.345 x 3 = 37.035, half away from zero; 57.04 x 10% = 5.704.
    '1003 on 2027-02-15 due 2027-03-17 Outstanding 62.74: WORK 37.04, TRAVEL 20.00, RUSH 5.70, ',
  );
  const [row] = await books.read((tx) =>
    tx.query(
      `select l.order_id, l.contract_code, i.notes, round(i.previous_balance, 2) as previous,
              round(i.total_due, 2) as total
       from invoice i join invoice_line l on l.invoice_id = i.id
       where i.number_value = 1003 order by l.position limit 1`,
    ),
  );
  t.deepEqual(row, {
    orderId: id,
    contractCode: 'P',
    notes: 'By hand',
    previous: '62.00',
    total: '124.74',
  });
  t.deepEqual((await books.audit()).faults, []);
});

test('an invoice by hand of zero or less is Paid at once', async (t) => {
  const { books, customerId } = await billedTwice();
  const invoiceLineItems = [{ invoiceLineItemCharges: [{ amount: '-5.00' }] }];
  await books.manualInvoice(customerId, { invoiceLineItems, dueDate: '2027-02-20' });
  t.is((await books.invoices()).at(-1), '1003 on 2027-02-15 due 2027-02-20 Paid -5.00: -5.00');
  t.is(await balanceOf(books), '57.00');
  await refused(t, books.cancelInvoice(1003), 'invoice.notCancellable');
  t.deepEqual((await books.audit()).faults, []);
});

const charge = 'invoice/invoiceLineItems/invoiceLineItem[1]/invoiceLineItemCharges';
const wrong: readonly [
  rule: string,
  input: object,
  code: 'field.invalid' | 'field.required',
  path: string,
][] = [
  ['no lines', {}, 'field.required', 'invoice/invoiceLineItems'],
  ['no amount', line({}), 'field.required', `${charge}/invoiceLineItemCharge[1]/amount`],
  [
    'an amount that is not the product',
    line({ unitPrice: '2', quantity: '3', amount: '7' }),
    'field.invalid',
    `${charge}/invoiceLineItemCharge[1]/amount`,
  ],
  [
    'an amount finer than a cent',
    line({ amount: '0.001' }),
    'field.invalid',
    `${charge}/invoiceLineItemCharge[1]/amount`,
  ],
  [
    'a percentage of nothing stated',
    line({ isPercent: true }),
    'field.required',
    `${charge}/invoiceLineItemCharge[1]/unitPrice`,
  ],
  [
    'a number of somebody else’s order',
    { invoiceLineItems: [{ enterpriseSubscription: '4711' }] },
    'field.invalid',
    'invoice/invoiceLineItems/invoiceLineItem[1]/enterpriseSubscription',
  ],
  [
    'an unknown currency',
    { ...line({ amount: '1' }), currency: 'XXZ' },
    'field.invalid',
    'invoice/currency/@id',
  ],
];

function line(fields: object): object {
  return { invoiceLineItems: [{ invoiceLineItemCharges: [fields] }] };
}

test('a wrong invoice by hand names the element and uses no number', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  for (const [rule, input, code, path] of wrong) {
    t.log(rule);
    await refused(t, books.manualInvoice(customerId, input), code, path);
  }
  await refused(t, books.manualInvoice(4711, line({ amount: '1' })), 'customer.unknown');
  t.deepEqual(await books.invoices(), []);
  t.deepEqual(await books.counters(), { order: 1001, invoice: 1001 });
});
