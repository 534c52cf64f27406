/** Sums that exceed a column are refused when they are made, with the element at fault. */
import test from 'ava';
import { billCustomers } from '../../../operations/billing/bill-customers.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPaymentBooks } from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { noteAsserted } from '../../support/asserted.ts';

const db = await sharedDatabase();

async function withCustomer() {
  const books = await openPaymentBooks(db, {
    today: '2027-01-15',
    plans: [recurring('P', 10, prepaid)],
  });
  return { books, customerId: await books.customer() };
}

const invoiceOf = (...amounts: readonly string[]) => ({
  invoiceLineItems: [{ invoiceLineItemCharges: amounts.map((amount) => ({ amount })) }],
});
const charge =
  'invoiceLineItems/invoiceLineItem[1]/invoiceLineItemCharges/invoiceLineItemCharge[1]';
const large = { unitPrice: '999999999999', quantity: '9999' };

test('a charge, a percentage, a line or an invoice by hand that is too large is refused', async (t) => {
  const { books, customerId } = await withCustomer();
  const refused = async (charges: readonly object[], path: string, lines = 1): Promise<void> => {
    const line = { invoiceLineItemCharges: charges };
    const input = { invoiceLineItems: Array.from({ length: lines }, () => line) };
    await t.throwsAsync(books.manualInvoice(customerId, input), { code: 'field.invalid' }, path);
    const error = await t.throwsAsync(books.manualInvoice(customerId, input));
    t.like(error, { path: `invoice/${path}` });
  };
  await refused([{ unitPrice: '999999999999', quantity: '999999' }], `${charge}/unitPrice`);
  await refused([{ isPercent: true, unitPrice: '1000' }, large], `${charge}/unitPrice`);
  await refused([large, large], 'invoiceLineItems/invoiceLineItem[1]');
  await refused([large], 'invoiceLineItems', 2);
  t.deepEqual(await books.invoices(), []);
});

test('a balance that is too large is refused in an invoice, a debit, generateInvoice and a billing run', async (t) => {
  const { books, customerId } = await withCustomer();
  await books.manualInvoice(customerId, {
    invoiceLineItems: [{ invoiceLineItemCharges: [large, { amount: '999999999998.99' }] }],
  });
  // 9,999,999,999,989,999.99: one hundred million more would be 17 digits.
  await t.throwsAsync(books.manualInvoice(customerId, invoiceOf('100000000')), {
    code: 'field.invalid',
    message: /more than the books can hold/,
  });
  await books.manualInvoice(customerId, invoiceOf('9995', '0.99'));
  const order = { customerId, contractCode: 'P' };
  const error = await t.throwsAsync(books.order(order, { generateInvoice: true }), {
    code: 'field.invalid',
  });
  t.like(error, { path: 'generateInvoice', value: '10000000000000005.98' });
  const debit = await t.throwsAsync(books.credit({ customerId, amount: '-20' }), {
    code: 'field.invalid',
  });
  t.like(debit, { path: 'processPayment/amount', value: '-20.00' });
  await books.order(order);
  const paying = { customerId, amount: '1', generateInvoice: true };
  const paid = await t.throwsAsync(books.pay(paying), { code: 'field.invalid' });
  t.like(paid, { path: 'generateInvoice' });
  books.tomorrow();
  const { dependencies, tenantId } = books;
  const batch = await billCustomers(dependencies, tenantId, [customerId], { wait: true });
  t.deepEqual(batch.held, [{ customerId, code: 'billing.amountTooLarge' }]);
  noteAsserted('billing.amountTooLarge');
});
