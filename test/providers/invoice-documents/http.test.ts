/** An invoice as HTML and PDF through the interface, by both of its addresses. */
import { request } from 'node:http';
import test from 'ava';
import { refused, startTenantApi, valueOf, type TenantApi } from '../../api/tenant-api.ts';
import { PASSWORD } from '../../support/tenants.ts';
import { pngOf, uriOf } from './pictures.ts';
import { readPdf } from './pdf-text.ts';

const tiers = [
  { unitsFrom: 0, unitsTo: 10, price: 5 },
  { unitsFrom: 10, price: 4 },
];
const charge = { priceCode: 'SEAT', invoiceText: 'Seats', chargeType: 'RecurringCharge' };
const seats = {
  contractCode: 'SEATS',
  name: 'Seats',
  billingPeriod: 'Monthly',
  charges: [{ ...charge, pricingType: 'TieredPricing', isPrepaid: true, tiers }],
};
const logo = uriOf(pngOf(8, 8));
const address = { street1: 'Am Markt 1', zip: '10115', city: 'Berlin', countryCode: 'DE' };
const api = await startTenantApi({ plans: [seats], file: { address, logo, taxId: 'DE123456789' } });

/** Invoice 1001 of 12 seats: 10 at 5.00 and 2 at 4.00. */
const made = await makeInvoice();

async function makeInvoice(): Promise<{ readonly id: string }> {
  const place = '<address><city>Lyon</city><zip>69001</zip><countryCode>FR</countryCode></address>';
  const contact = `<billingContact><firstName>Zoé</firstName>${place}</billingContact>`;
  await api.post(
    '/customers',
    `<customer><name>Café &lt;Élysée&gt;</name><extCustomerRef>C1</extCustomerRef>
     <locale>fr_FR</locale><currency id="EUR"/>${contact}</customer>`,
  );
  const line = '<orderLineItem><priceCode>SEAT</priceCode><quantity>12</quantity></orderLineItem>';
  const order = await api.post(
    '/orders?extCustomerRef=C1&generateInvoice=true',
    `<subscriptionOrder><contractCode>SEATS</contractCode><currency id="USD"/>
     <invoiceNotes>Merci !</invoiceNotes><orderLineItems>${line}</orderLineItems>
     </subscriptionOrder>`,
  );
  const invoice = await api.get('/invoice?invoiceNumber=1001');
  const id = valueOf(invoice.body, 'invoice@id');
  if (id === undefined) throw new Error(order.body + invoice.body);
  return { id };
}

const forms = (format: string) => [
  `/invoice/${made.id}?format=${format}`,
  `/invoice?invoiceNumber=1001&format=${format}`,
];

test('format=html is the same page by id and by number, with its own policy', async (t) => {
  const [byId, byNumber] = await Promise.all(forms('html').map((path) => api.get(path)));
  t.is(byId?.status, 200, byId?.body);
  t.is(byId?.headers['content-type'], 'text/html; charset=utf-8');
  t.regex(
    String(byId?.headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256/,
  );
  t.is(byId?.headers['x-content-type-options'], 'nosniff');
  t.is(byNumber?.body, byId?.body);
  const html = String(byId?.body).replaceAll(/[\u00a0\u202f]/g, ' ');
  for (const expected of [
    '<h1>Facture 1001</h1>',
    'Test tenant',
    'Am Markt 1',
    '10115 Berlin',
    'Allemagne',
    'N° de TVA : DE123456789',
    'Sous 30 jours',
    `<img src="${logo}"`,
    'Café &lt;Élysée&gt;',
    'Zoé',
    '69001 Lyon',
    '1 janvier 2027',
    '31 janvier 2027',
    'Unités jusqu’à 10',
    'Unités au-delà de 10',
    '58,00 $US',
    'Merci !',
  ]) {
    t.true(html.includes(expected), `${expected} is missing in\n${html}`);
  }
});

test('format=pdf is the same file by id and by number', async (t) => {
  const [byId, byNumber] = await Promise.all(forms('pdf').map((path) => bytesOf(api, path)));
  t.is(byId?.type, 'application/pdf');
  t.true(byId?.body.equals(byNumber?.body ?? Buffer.alloc(0)));
  const { pages } = await readPdf(byId?.body ?? Buffer.alloc(0));
  t.is(pages.length, 1);
  const text = pages
    .flat()
    .join('\n')
    .replaceAll(/[\u00a0\u202f]/g, ' ');
  t.regex(text, /^Café <Élysée> Date de facture 1 janvier 2027$/m);
  t.regex(text, /^Seats 1–31 janv\. 2027 10 5,00 \$US 50,00 \$US$/m);
  t.regex(text, /^Unités au-delà de 10 1–31 janv\. 2027 2 4,00 \$US 8,00 \$US$/m);
  t.regex(text, /^Total à payer 58,00 \$US$/m);
  t.regex(text, /^Test tenant Page 1 sur 1$/m);
});

test('HEAD returns type and length as GET does, and no body', async (t) => {
  for (const path of [...forms('html'), ...forms('pdf')]) {
    const [head, get] = await Promise.all([bytesOf(api, path, 'HEAD'), bytesOf(api, path)]);
    t.is(head.status, 200);
    t.is(head.type, get.type);
    t.is(head.length, String(get.body.length));
    t.is(head.body.length, 0);
  }
});

test('a cancelled invoice is marked as cancelled in both formats', async (t) => {
  const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
  await api.post(
    '/customers',
    `<customer><extCustomerRef>C2</extCustomerRef>${contact}</customer>`,
  );
  const item = '<invoiceLineItemCharge><amount>5</amount></invoiceLineItemCharge>';
  const body = `<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges>${item}
    </invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>`;
  const invoice = await api.post('/invoices?extCustomerRef=C2', body);
  const id = valueOf(invoice.body, 'invoice@id');
  t.is((await api.remove(`/invoice/${id}`)).status, 200);
  t.true((await api.get(`/invoice/${id}?format=html`)).body.includes('class="stamp"'));
  const { pages } = await readPdf((await bytesOf(api, `/invoice/${id}?format=pdf`)).body);
  t.true(
    pages.flat().includes('STORNIERT'),
    'in the language of the tenant, the customer has none',
  );
});

test('a negative invoice is a credit note by name, of its file as well', async (t) => {
  const item = '<invoiceLineItemCharge><amount>-5</amount></invoiceLineItemCharge>';
  const body = `<invoice><invoiceLineItems><invoiceLineItem><invoiceLineItemCharges>${item}
    </invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>`;
  const own = await api.another();
  await own.post(
    '/customers',
    `<customer><extCustomerRef>C3</extCustomerRef><locale>es_ES</locale>
     <billingContact><firstName>Ada</firstName></billingContact></customer>`,
  );
  const invoice = await own.post('/invoices?extCustomerRef=C3', body);
  const path = `/invoice/${valueOf(invoice.body, 'invoice@id')}`;
  const html = (await own.get(`${path}?format=html`)).body;
  t.true(html.includes('<title>Nota de crédito 1001 · Test tenant</title>'), html);
  t.true(html.includes('<p class="stamp">Acreditada</p>'));
  t.false(/factura/i.test(html));
  const pdf = await own.get(`${path}?format=pdf`);
  t.is(pdf.headers['content-disposition'], 'inline; filename="credit-note-1001.pdf"');
});

test('an unknown invoice, or another tenant’s, is 404 as XML; an unknown format is 400', async (t) => {
  const other = await api.another();
  for (const format of ['html', 'pdf']) {
    refused(t, await api.get(`/invoice/7?format=${format}`), 404, 'invoice.unknown');
    const unknown = await api.get(`/invoice?invoiceNumber=7777&format=${format}`);
    refused(t, unknown, 404, 'invoice.unknown');
    t.is(unknown.headers['content-type'], 'application/xml; charset=utf-8');
    refused(t, await other.get(`/invoice/${made.id}?format=${format}`), 404, 'invoice.unknown');
    refused(t, await api.get(`/invoice?format=${format}`), 400, 'query.required invoiceNumber');
    refused(t, await api.get(`/invoices?format=${format}`), 400, 'query.format format');
  }
  for (const path of [...forms('doc'), ...forms('HTML'), ...forms('toString')]) {
    refused(t, await api.get(path), 400, 'query.format format');
  }
});

interface Bytes {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly length: string | undefined;
  readonly body: Buffer;
}

/** The other calls of the tests read text, but a PDF is binary. */
function bytesOf(of: TenantApi, path: string, method = 'GET'): Promise<Bytes> {
  const { promise, resolve, reject } = Promise.withResolvers<Bytes>();
  const { port, label } = of;
  const auth = `api@test:${PASSWORD}`;
  const headers = { host: `${label}.localhost` };
  const outgoing = request(
    { host: '127.0.0.1', port, method, path: `/rest${path}`, auth, headers, agent: false },
    (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { 'content-type': type, 'content-length': length } = incoming.headers;
        resolve({ status: incoming.statusCode, type, length, body: Buffer.concat(chunks) });
      });
    },
  );
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}
