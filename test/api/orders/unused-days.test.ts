/** The credit of a canceled order, through the interface. */
import test from 'ava';
import { recurring } from '../../operations/support/plans.ts';
import { demoPlan } from '../../support/tenants.ts';
import { refused, startTenantApi, valueOf, valuesOf } from '../tenant-api.ts';

const care = {
  priceCode: 'CARE',
  chargeType: 'RecurringCharge',
  pricingType: 'FixedPricing',
  isPrepaid: true,
  isProrated: true,
  tiers: [{ unitsFrom: 0, percent: 10 }],
};
const caring = recurring('CARED', 31, { isPrepaid: true, isProrated: true });
const api = await startTenantApi({
  plans: [demoPlan('GOLD'), { ...caring, charges: [...caring.charges, care] }],
  file: {
    settings: { creditUnusedOnCancel: true },
    coupons: [{ code: 'TEN', percent: 10 }],
    tax: {
      type: 'table',
      rates: [
        { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
      ],
    },
  },
});

const order = (contractCode: string, more = ''): string =>
  `<subscriptionOrder><contractCode>${contractCode}</contractCode>${more}</subscriptionOrder>`;
const canceled = '<subscriptionOrder><orderStatus>Canceled</orderStatus></subscriptionOrder>';

async function newCustomer(ref: string, address = ''): Promise<void> {
  const contact = `<billingContact><firstName>Ada</firstName>${address}</billingContact>`;
  await api.post(
    '/customers',
    `<customer><extCustomerRef>${ref}</extCustomerRef>${contact}</customer>`,
  );
}

test('cancelling an order makes a system credit, and its invoice stays', async (t) => {
  await newCustomer('C1');
  const made = await api.post('/orders?extCustomerRef=C1&generateInvoice=true', order('GOLD'));
  t.is(made.status, 201, made.body);
  const id = valueOf(made.body, 'subscriptionOrder@id');
  const put = await api.put(`/order/${id}`, canceled);
  t.is(put.status, 200, put.body);
  const credits = await api.get('/credits?extCustomerRef=C1');
  // 1 of 31 days at 29.95 is used; the installation stays.
  t.is(valueOf(credits.body, 'amount'), '28.98');
  t.is(valueOf(credits.body, 'isSystemPayment'), 'true');
  t.is(valueOf(credits.body, 'status'), 'Paid');
  t.is(valueOf(credits.body, 'paymentType'), 'Credit');
  t.is(valueOf(credits.body, 'effectiveDate'), '2027-01-01');
  t.is(valueOf(credits.body, 'amountApplied'), '28.98');
  const number = valueOf((await api.get('/invoices?extCustomerRef=C1')).body, 'invoiceNumber');
  const path = `/invoice?invoiceNumber=${number}`;
  const invoice = await api.get(path);
  t.is(valueOf(invoice.body, 'outstandingBalance'), '49.97');
  for (const flags of ['', '&rollbackBillingPeriod=true', '&cancelOrders=true']) {
    refused(t, await api.remove(path + flags), 400, 'invoice.credited');
  }
  t.is((await api.get(path)).body, invoice.body);
  // Only once.
  refused(t, await api.put(`/order/${id}`, canceled), 400, 'order.notEditable subscriptionOrder');
});

test('a percentage is shown as one, and is credited with its fee', async (t) => {
  await newCustomer('C2');
  const made = await api.post('/orders?extCustomerRef=C2&generateInvoice=true', order('CARED'));
  const invoice = await api.get('/invoices?extCustomerRef=C2');
  const [fee, percentage] = ['CARED', 'CARE'].map((code) => {
    const charges = invoice.body.split('<invoiceLineItemCharge ').slice(1);
    return charges.find((text) => text.includes(`<priceCode>${code}</priceCode>`)) ?? '';
  });
  t.is(valueOf(fee ?? '', 'isPercent'), 'false');
  t.is(valueOf(percentage ?? '', 'isPercent'), 'true');
  t.is(valueOf(percentage ?? '', 'unitPrice'), '10');
  t.is(valueOf(percentage ?? '', 'amount'), '3.10');
  await api.put(`/order/${valueOf(made.body, 'subscriptionOrder@id')}`, canceled);
  // 30.00 of 31.00, and 3.00 of 3.10.
  t.deepEqual(valuesOf((await api.get('/credits?extCustomerRef=C2')).body, 'amount'), ['33.00']);
});

test('the credit is net of the discount, and takes the tax back', async (t) => {
  const newYork = '<address><state>NY</state><countryCode>US</countryCode></address>';
  await newCustomer('C3', newYork);
  const body = order('GOLD', '<couponCode>TEN</couponCode>');
  const made = await api.post('/orders?extCustomerRef=C3&generateInvoice=true', body);
  t.is(made.status, 201, made.body);
  await api.put(`/order/${valueOf(made.body, 'subscriptionOrder@id')}`, canceled);
  // 1 of 31 days: 0.97, -0.10 and 0.08 stand of 29.95, -3.00 and 2.39.
  t.deepEqual(valuesOf((await api.get('/credits?extCustomerRef=C3')).body, 'amount'), ['28.39']);
});
