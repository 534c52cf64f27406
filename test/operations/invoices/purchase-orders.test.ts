/** Which purchase order the lines of invoices name, and the invoice of them. */
import test from 'ava';
import type { ManualInvoiceInput } from '../../../domain/invoices/by-hand.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { updateCustomer } from '../../../operations/customers/write.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { readInvoice } from '../../../operations/invoices/read.ts';
import { priceChange } from '../../../operations/orders/change.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const plans = [recurring('P', 31, prorated), recurring('Q', 10, prepaid)];
const now = { generateInvoice: true };

/** Whose purchase order is PO-C. */
async function customerOf(books: Books): Promise<number> {
  const id = await books.customer();
  await books.work((context) => updateCustomer(context, { id }, { purchaseOrder: 'PO-C' }, {}));
  return id;
}

/** That of the invoice, then those of its lines. */
async function namedBy(books: Books, number: number) {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const invoice = await books.read((tx) => readInvoice(tx, tenant, { number: String(number) }));
  return invoice && [invoice.purchaseOrder, ...invoice.lines.map((line) => line.purchaseOrder)];
}

test('a line names the purchase order of its order, or else its customer’s; an invoice that of its lines, if they agree', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await customerOf(books);
  await books.order({ customerId, contractCode: 'P', purchaseOrder: 'PO-1' });
  await books.order({ customerId, contractCode: 'Q' });
  await books.advance('2027-01-16');
  t.deepEqual(await namedBy(books, 1001), [null, 'PO-1', 'PO-C']);
  await books.order({ customerId, contractCode: 'Q', purchaseOrder: 'PO-1' }, now);
  t.deepEqual(await namedBy(books, 1002), ['PO-1', 'PO-1']);
  t.deepEqual((await books.audit()).faults, []);
});

test('the purchase order of an order can change until its first invoice', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await customerOf(books);
  const id = await books.order({ customerId, contractCode: 'P', purchaseOrder: 'PO-1' });
  await books.put(id, { purchaseOrder: 'PO-2' });
  await books.put(id, { invoiceText: 'Hosting' });
  await books.advance('2027-01-16');
  t.deepEqual(await namedBy(books, 1001), ['PO-2', 'PO-2']);
  const at = 'subscriptionOrder/purchaseOrder';
  await refused(t, books.put(id, { purchaseOrder: 'PO-3' }), 'field.notEditable', at);
  await refused(t, books.put(id, { purchaseOrder: null }), 'field.notEditable', at);
  await books.put(id, { purchaseOrder: 'PO-2' });
  t.deepEqual((await books.audit()).faults, []);
});

test('a change order has the purchase order of the order before, unless its body says another or none', async (t) => {
  for (const [sent, expected] of [
    [{}, 'PO-1'],
    [{ purchaseOrder: 'PO-2' }, 'PO-2'],
    [{ purchaseOrder: null }, 'PO-C'],
  ] as const) {
    const books = await openBooks(db, { today: '2027-01-15', plans });
    const customerId = await customerOf(books);
    const first = await books.order({ customerId, contractCode: 'P', purchaseOrder: 'PO-1' }, now);
    await books.change(first, { contractCode: 'Q', ...sent }, { bills: true });
    // What goes back of the order before is of that one.
    const agreed = expected === 'PO-1' ? 'PO-1' : null;
    t.deepEqual(await namedBy(books, 1002), [agreed, 'PO-1', expected]);
    t.deepEqual((await books.audit()).faults, []);
  }
});

test('previews of invoices name the purchase orders that the invoices will', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await customerOf(books);
  const id = await books.order({ customerId, contractCode: 'P', purchaseOrder: 'PO-1' });
  await books.order({ customerId, contractCode: 'Q' });
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const next = await nextInvoices(books.dependencies, tenant, { id: customerId }, null);
  t.deepEqual(
    next.map(({ purchaseOrder, lines }) => [
      purchaseOrder,
      ...lines.map((line) => line.purchaseOrder),
    ]),
    [[null, 'PO-1', 'PO-C']],
  );
  await books.advance('2027-01-16');
  const input = { contractCode: 'Q', purchaseOrder: 'PO-2' };
  const named = { path: 'currentOrderId', value: '' };
  const request = { input, named, effectiveDate: null, deletesCurrent: false, bills: true };
  const change = await priceChange(books.dependencies, tenant, { id }, request);
  t.deepEqual(
    change.invoices.map(({ lines }) => lines.map((line) => line.purchaseOrder)),
    [['PO-1', 'PO-2']],
  );
});

/** Each line comes to 5.00. */
const charged = { invoiceLineItemCharges: [{ amount: '5' }] };

test('a line by hand names what the body says, or else its order’s, or else its customer’s', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await customerOf(books);
  await books.order({
    customerId,
    contractCode: 'P',
    purchaseOrder: 'PO-1',
    startDate: '2027-03-01',
  });
  const ofOrder = { ...charged, enterpriseSubscription: '1001' };
  const own = { ...charged, purchaseOrder: 'PO-L' };
  const made = async (number: number, input: ManualInvoiceInput) => {
    await books.manualInvoice(customerId, input);
    return namedBy(books, number);
  };
  t.deepEqual(await made(1001, { invoiceLineItems: [charged] }), ['PO-C', 'PO-C']);
  t.deepEqual(await made(1002, { invoiceLineItems: [ofOrder, charged, own] }), [
    null,
    'PO-1',
    'PO-C',
    'PO-L',
  ]);
  const body = { purchaseOrder: 'PO-B', invoiceLineItems: [ofOrder, charged, own] };
  t.deepEqual(await made(1003, body), [null, 'PO-B', 'PO-B', 'PO-L']);
  t.deepEqual((await books.audit()).faults, []);
});
