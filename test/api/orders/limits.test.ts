/** Calls that are too large are refused as a whole, and the largest valid ones are answered. */
import test from 'ava';
import { refused, startTenantApi, valuesOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();

async function withCustomer(): Promise<TenantApi> {
  const own = await api.another();
  const ada = '<billingContact><firstName>Ada</firstName></billingContact>';
  await own.post('/customers', `<customer><extCustomerRef>C1</extCustomerRef>${ada}</customer>`);
  return own;
}

const line = '<orderLineItem><priceCode>SEAT</priceCode><quantity>1</quantity></orderLineItem>';

const orderOf = (lines: number, startDate: string) =>
  `<subscriptionOrder><contractCode>SEATS</contractCode><startDate>${startDate}</startDate>` +
  `<orderLineItems>${line.repeat(lines)}</orderLineItems></subscriptionOrder>`;

test('orders with too many lines, or too much to bill at once, are 400', async (t) => {
  const own = await withCustomer();
  for (const query of ['', '&generateInvoice=true']) {
    const post = (lines: number, startDate: string) =>
      own.post(`/orders?extCustomerRef=C1${query}`, orderOf(lines, startDate));
    const start = 'order.tooManyPeriods subscriptionOrder/startDate';
    refused(t, await post(500, '1945-01-01'), 400, start);
    refused(t, await post(300, '1945-01-01'), 400, start);
    refused(
      t,
      await post(1_500, '1945-01-01'),
      400,
      'field.invalid subscriptionOrder/orderLineItems',
    );
    refused(
      t,
      await post(501, '2027-01-15'),
      400,
      'field.invalid subscriptionOrder/orderLineItems',
    );
  }
  t.deepEqual(valuesOf((await own.get('/orders')).body, 'orderNumber'), []);
});

test('a list of orders has at most 20,000 line items', async (t) => {
  const own = await withCustomer();
  for (let count = 0; count < 40; count += 1) {
    const made = await own.post('/orders?extCustomerRef=C1', orderOf(500, '2027-02-01'));
    t.is(made.status, 201);
  }
  const full = await own.get('/orders?max=1000');
  t.is(full.status, 200);
  t.is(valuesOf(full.body, 'priceCode').length, 20_000);
  await own.post('/orders?extCustomerRef=C1', orderOf(1, '2027-02-01'));
  refused(t, await own.get('/orders?max=1000'), 400, 'list.tooLarge max');
  refused(t, await own.get('/orders?max=41&status=Provisioning'), 400, 'list.tooLarge max');
  const others = await own.get('/orders?offset=1&max=1000');
  t.is(valuesOf(others.body, 'priceCode').length, 20_000);
  t.is((await own.get('/orders?max=40')).status, 200);
});

test('a list of invoices has at most 20,000 line items and charges together', async (t) => {
  const own = await withCustomer();
  for (let count = 0; count < 4; count += 1) {
    // In arrears: on 2027-01-01 ten months that began on the 15th have passed, for 500 lines.
    const path = '/orders?extCustomerRef=C1&generateInvoice=true';
    t.is((await own.post(path, orderOf(500, '2026-02-15'))).status, 201);
  }
  const three = await own.get('/invoices?max=3');
  t.is(valuesOf(three.body, 'priceCode').length, 15_000);
  // Four invoices of 5,000 charges, each with its line item.
  refused(t, await own.get('/invoices?max=4'), 400, 'list.tooLarge max');
  refused(t, await own.get('/invoices?max=4&extCustomerRef=C1'), 400, 'list.tooLarge max');
  t.is((await own.get('/invoices?max=4&status=Paid')).status, 200);
});

test('an invoice made by hand has at most 5,000 charges, and as many line items', async (t) => {
  const own = await withCustomer();
  const charge = '<invoiceLineItemCharge><amount>0.01</amount></invoiceLineItemCharge>';
  const invoiceOf = (items: number, charges: number) => {
    const inner = `<invoiceLineItemCharges>${charge.repeat(charges)}</invoiceLineItemCharges>`;
    const item = `<invoiceLineItem>${inner}</invoiceLineItem>`;
    return `<invoice><invoiceLineItems>${item.repeat(items)}</invoiceLineItems></invoice>`;
  };
  const post = (items: number, charges: number) =>
    own.post('/invoices?extCustomerRef=C1', invoiceOf(items, charges));
  const made = await post(2, 2_500);
  t.is(made.status, 201);
  t.is(valuesOf(made.body, 'currentAmountDue')[0], '50.00');
  refused(t, await post(1, 5_001), 400, 'field.invalid invoice/invoiceLineItems');
  refused(t, await post(5_001, 0), 400, 'field.invalid invoice/invoiceLineItems');
});
