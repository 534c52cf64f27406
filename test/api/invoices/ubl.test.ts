/** Electronic invoices through the interface, valid by the official rules. */
import test from 'ava';
import { faultsOfUbl } from '../../support/ubl/rules.ts';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';

/** 29.95 a month, prepaid and prorated, to the 31st; 10% off with the coupon. */
const fee = {
  priceCode: 'FEE',
  invoiceText: 'Monthly fee',
  chargeType: 'RecurringCharge',
  pricingType: 'FixedPricing',
  price: 29.95,
  isPrepaid: true,
  isProrated: true,
  taxCodes: ['STANDARD'],
};
const plan = { contractCode: 'GOLD', name: 'Gold', billingPeriod: 'Monthly', charges: [fee] };
const rate = { country: 'AT', percent: 20, taxCode: 'STANDARD', name: 'USt' };
const address = { street1: 'Ring 1', city: 'Wien', zip: '1010', countryCode: 'AT' };
const seller = {
  address,
  taxId: 'ATU13585627',
  electronicAddress: '9915:seller',
  bankAccount: { iban: 'AT611904300234573201' },
  tax: { type: 'table', rates: [rate] },
};
const api = await startTenantApi({ currency: 'EUR', plans: [plan], file: seller });

const place = `<address><street1>Gasse 2</street1><city>Graz</city><zip>8010</zip>
  <countryCode>AT</countryCode></address>`;
const buyer = `<taxId>ATU12345675</taxId><electronicAddress>9915:buyer</electronicAddress>`;

/** A customer with an order, and its invoice 1001 of 29.95 and 5.99. */
async function billed(own: TenantApi, reference: string, fields = buyer): Promise<string> {
  await own.post(
    '/customers',
    `<customer><name>Käufer &amp; Co</name><extCustomerRef>${reference}</extCustomerRef>${fields}
     <billingContact><firstName>Bo</firstName>${place}</billingContact></customer>`,
  );
  const order = await own.post(
    `/orders?extCustomerRef=${reference}&generateInvoice=true`,
    '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>',
  );
  if (order.status !== 201) throw new Error(order.body);
  const list = await own.get(`/invoices?extCustomerRef=${reference}`);
  const id = valueOf(list.body, 'invoice@id');
  if (id === undefined) throw new Error(list.body);
  return id;
}

/** The texts of the basic elements of a name. */
const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<cbc:${name}(?: [^>]*)?>([^<]*)`, 'g'))].map(
    ([, text = '']) => text,
  );

const cash = (amount: string) =>
  `<processPayment><amount>${amount}</amount><paymentMethodDTO type="Cash"><cashPaymentMethod/></paymentMethodDTO></processPayment>`;

const without = (key: string) =>
  Object.fromEntries(Object.entries(seller).filter(([k]) => k !== key));

test('format=ubl is an electronic invoice, by id and by number, also when it is paid', async (t) => {
  const own = await api.another({ currency: 'EUR', plans: [plan], file: seller });
  const id = await billed(own, 'C1');
  const given = await own.get(`/invoice/${id}?format=ubl`);
  t.is(given.status, 200, given.body);
  t.is(given.headers['content-type'], 'application/xml; charset=utf-8');
  t.deepEqual(faultsOfUbl(given.body), []);
  t.deepEqual(textsOf(given.body, 'PayableAmount'), ['35.94']);
  t.deepEqual(textsOf(given.body, 'TaxableAmount'), ['29.95']);
  t.is((await own.get('/invoice?invoiceNumber=1001&format=ubl')).body, given.body);
  const paid = await own.post('/payments?extCustomerRef=C1', cash('35.94'));
  t.is(paid.status, 201, paid.body);
  t.is((await own.get(`/invoice/${id}?format=ubl`)).body, given.body);
});

test('the days that a change does not use are credited with their tax, and name their invoice', async (t) => {
  const dearer = { ...plan, contractCode: 'MORE', charges: [{ ...fee, price: 60 }] };
  const own = await api.another({ currency: 'EUR', plans: [plan, dearer], file: seller });
  await billed(own, 'C1');
  const { body } = await own.get('/orders?extCustomerRef=C1');
  const changed = await own.post(
    `/changeOrder?currentOrderId=${valueOf(body, 'subscriptionOrder@id')}&generateInvoice=true`,
    '<subscriptionOrder><contractCode>MORE</contractCode></subscriptionOrder>',
  );
  t.true(changed.status < 300, changed.body);
  const given = await own.get('/invoice?invoiceNumber=1002&format=ubl');
  t.deepEqual(faultsOfUbl(given.body), []);
  t.regex(given.body, /<cac:InvoiceDocumentReference>\s*<cbc:ID>1001<\/cbc:ID>/);
});

test('what is missing is an error each, and an unknown invoice is a 404', async (t) => {
  const own = await api.another({
    currency: 'EUR',
    plans: [plan],
    file: without('electronicAddress'),
  });
  const id = await billed(own, 'C1', '');
  const answer = await own.get(`/invoice/${id}?format=ubl`);
  refused(
    t,
    answer,
    400,
    'invoice.ubl tenant/electronicAddress',
    'invoice.ubl customer/electronicAddress',
  );
  const unknown = await own.get('/invoice?invoiceNumber=1999&format=ubl');
  refused(t, unknown, 404, 'invoice.unknown');
});

test('what an invoice lacks comes from today once, and stays as the first electronic one had it', async (t) => {
  const own = await api.another({ currency: 'EUR', plans: [plan], file: seller });
  const id = await billed(own, 'C1', '<taxId>ATU12345675</taxId>');
  const path = `/invoice/${id}?format=ubl`;
  const put = (fields: string) =>
    own.put('/customer?extCustomerRef=C1', `<customer>${fields}</customer>`);
  t.is((await own.get(path)).status, 400);
  await put('<name>New name</name><electronicAddress>9915:first</electronicAddress>');
  const first = await own.get(path);
  t.regex(first.body, /9915">first</);
  t.regex(first.body, /Käufer &amp; Co/);
  t.deepEqual(textsOf(first.body, 'BuyerReference'), ['C1']);
  await put(
    '<electronicAddress>9915:second</electronicAddress><buyerReference>Later</buyerReference>',
  );
  t.is((await own.get(path)).body, first.body);
});

test('an electronic address has a scheme of the list and an identifier', async (t) => {
  const make = (value: string) =>
    api.post(
      '/customers',
      `<customer><name>A</name><electronicAddress>${value}</electronicAddress><billingContact><firstName>A</firstName></billingContact></customer>`,
    );
  for (const value of ['9999:1', 'DE123456789', '9930:', '9930:a b']) {
    refused(t, await make(value), 400, 'field.invalid customer/electronicAddress');
  }
});
