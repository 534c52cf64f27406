/** Documents of cancellations through the interface: their forms, their addresses, and what there is not. */
import test from 'ava';
import { faultsOfUbl } from '../../support/ubl/rules.ts';
import { demoPlan } from '../../support/tenants.ts';
import { advance } from '../orders/change-calls.ts';
import { audit } from '../../support/audit.ts';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';

const rates = [
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
];
const options = {
  plans: [demoPlan('GOLD')],
  file: {
    taxId: 'DE123456789',
    electronicAddress: '9930:DE123456789',
    address: { street1: '350 Fifth Avenue', city: 'New York', zip: '10118', countryCode: 'US' },
    tax: { type: 'table', rates },
    coupons: [{ code: 'WELCOME10', percent: 10, periods: 3 }],
    documents: { cancellation: 'document' },
  },
  testClock: '2027-01-15T12:00:00Z',
};
const api = await startTenantApi(options);

const customer = `<customer><name>Ada Ltd</name><extCustomerRef>C1</extCustomerRef>
  <electronicAddress>9930:DE987654321</electronicAddress>
  <billingContact><firstName>Ada</firstName><address><street1>1 Main St</street1><city>Albany</city>
  <state>NY</state><countryCode>US</countryCode></address></billingContact></customer>`;

/**
 * The id of 1001: 49.00 - 4.90 + 29.95 - 3.00 + tax 2.39 = 73.44, and notes. It is cancelled two days
 * later.
 */
async function cancelled(own: TenantApi): Promise<string> {
  await own.post('/customers', customer);
  await own.post(
    '/orders?extCustomerRef=C1&generateInvoice=true',
    `<subscriptionOrder><contractCode>GOLD</contractCode><couponCode>WELCOME10</couponCode>
     <invoiceNotes>Thank you</invoiceNotes></subscriptionOrder>`,
  );
  await advance(own, '2027-01-15', '2027-01-17');
  const gone = await own.remove('/invoice?invoiceNumber=1001');
  if (gone.status !== 200) throw new Error(gone.body);
  const { body } = await own.get('/invoice?invoiceNumber=1001');
  return valueOf(body, 'invoice@id') ?? '';
}

const textOf = (html: string): string =>
  html
    .replaceAll(/<style[^>]*>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('a cancelled invoice says its number and day, and its document names them', async (t) => {
  const own = await api.another(options);
  const id = await cancelled(own);
  const { body } = await own.get(`/invoice/${id}`);
  t.is(valueOf(body, 'status'), 'Cancelled');
  t.is(valueOf(body, 'cancellationNumber'), '1002');
  t.is(valueOf(body, 'dateCancelled'), '2027-01-17');
  const shown = textOf((await own.get(`/invoice/${id}?format=html`)).body);
  t.regex(shown, /Invoice 1001 .*Cancelled .*Cancelled by 1002 of January 17, 2027/);
  t.regex(shown, /Thank you/);
});

test('the document reverses lines and taxes of the invoice, and says no balance', async (t) => {
  const own = await api.another(options);
  const id = await cancelled(own);
  const given = await own.get(`/invoice/${id}?document=cancellation&format=html`);
  t.is(given.status, 200, given.body);
  const shown = textOf(given.body);
  t.regex(
    shown,
    /Cancellation note 1002 .*Cancellation number 1002 .*Cancellation date January 17, 2027 .*Cancels invoice 1001 of January 15, 2027 .*-\$49\.00 .*\$4\.90 .*-\$29\.95 .*\$3\.00 .*8\.875% of -\$26\.95 .*-\$2\.39 .*This cancellation -\$73\.44/,
  );
  t.notRegex(shown, /balance|due|Thank you/i);
  t.notRegex(shown, /Cancelled/);
  for (const path of [
    `/invoice?invoiceNumber=1001&document=cancellation`,
    `/invoice?invoiceNumber=1002&document=cancellation`,
    `/invoice?invoiceNumber=1002`,
  ]) {
    t.is((await own.get(`${path}&format=html`)).body, given.body, path);
  }
});

test('the PDF is named after the cancellation, and its UBL is a valid CreditNote', async (t) => {
  const own = await api.another(options);
  const id = await cancelled(own);
  const pdf = await own.get(`/invoice/${id}?document=cancellation&format=pdf`);
  t.is(pdf.headers['content-type'], 'application/pdf');
  t.is(pdf.headers['content-disposition'], 'inline; filename="cancellation-1002.pdf"');
  const ubl = await own.get(`/invoice/${id}?document=cancellation&format=ubl`);
  t.is(ubl.status, 200, ubl.body);
  t.deepEqual(faultsOfUbl(ubl.body), []);
  t.regex(
    ubl.body,
    /<CreditNote .*<cbc:ID>1002<.*<cbc:IssueDate>2027-01-17<.*<cbc:CreditNoteTypeCode[^>]*>381<.*<cac:InvoiceDocumentReference>\s*<cbc:ID>1001<\/cbc:ID>\s*<cbc:IssueDate>2027-01-15<.*PayableAmount[^>]*>73\.44</s,
  );
  t.is((await own.get('/invoice?invoiceNumber=1002&format=ubl')).body, ubl.body);
  t.not((await own.get(`/invoice/${id}?format=ubl`)).body, ubl.body);
});

test('its number finds the invoice by GET alone', async (t) => {
  const own = await api.another(options);
  const id = await cancelled(own);
  const found = await own.get('/invoice?invoiceNumber=1002');
  t.is(valueOf(found.body, 'invoice@id'), id);
  t.is(valueOf(found.body, 'invoiceNumber'), '1001');
  refused(t, await own.remove('/invoice?invoiceNumber=1002'), 404, 'invoice.unknown');
  const note = '<creditNote><reason>No</reason></creditNote>';
  const credit = await own.post('/invoice/creditNote?invoiceNumber=1002', note);
  refused(t, credit, 404, 'invoice.unknown');
  const mail = `<sendEmail><eventType>newCreditNote</eventType><objectRef>1002</objectRef>
    <customerRef>C1</customerRef></sendEmail>`;
  const sent = await own.post('/customers/notification', mail);
  refused(t, sent, 404, 'invoice.unknown sendEmail/objectRef');
});

test('xml is that of the invoice; what has no cancellation has no document', async (t) => {
  const own = await api.another(options);
  const id = await cancelled(own);
  const xml = await own.get(`/invoice/${id}?document=cancellation`);
  refused(t, xml, 400, 'query.invalid document');
  const written = await own.get(`/invoice/${id}?document=cancellation&format=xml`);
  refused(t, written, 400, 'query.invalid document');
  refused(
    t,
    await own.get(`/invoice/${id}?document=receipt&format=pdf`),
    400,
    'query.invalid document',
  );
  const made = await own.post(
    '/invoices?extCustomerRef=C1',
    `<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges><invoiceLineItemCharge>
     <invoiceText>Visit</invoiceText><amount>5.00</amount></invoiceLineItemCharge>
     </invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>`,
  );
  t.is(valueOf(made.body, 'invoiceNumber'), '1003');
  for (const format of ['html', 'pdf', 'ubl']) {
    const none = await own.get(
      `/invoice?invoiceNumber=1003&document=cancellation&format=${format}`,
    );
    refused(t, none, 404, 'invoice.unknown');
  }
  refused(t, await own.get('/invoice?invoiceNumber=1004&format=pdf'), 404, 'invoice.unknown');
  const { db, label } = own;
  const report = await audit({ db, realNow: Date.now }, { relayDb: db, engine: null, only: label });
  t.deepEqual(
    report.tenants.flatMap(({ faults }) => faults),
    [],
  );
});

test('a tenant that stamps has the day of the cancellation, and no document', async (t) => {
  const { documents: _documents, ...file } = options.file;
  const own = await api.another({ ...options, file });
  const id = await cancelled(own);
  const { body } = await own.get(`/invoice/${id}`);
  t.is(valueOf(body, 'cancellationNumber'), undefined);
  t.is(valueOf(body, 'dateCancelled'), '2027-01-17');
  const none = await own.get(`/invoice/${id}?document=cancellation&format=html`);
  refused(t, none, 404, 'invoice.unknown');
  t.notRegex((await own.get(`/invoice/${id}?format=html`)).body, /Cancelled by/);
});

test('a cancellation is sent again by its invoice', async (t) => {
  const notifications = { from: 'billing@demo.example', enabled: ['newCreditNote'] };
  const own = await api.another({ ...options, file: { ...options.file, notifications } });
  await cancelled(own);
  const mail = `<sendEmail><eventType>newCreditNote</eventType><objectRef>1001</objectRef>
    <customerRef>C1</customerRef></sendEmail>`;
  const sent = await own.post('/customers/notification', mail);
  t.is(sent.status, 200, sent.body);
});
