/** The ledger and its reports over HTTP. */
import test from 'ava';
import { demoPlan } from '../../support/tenants.ts';
import { goldFile } from '../../operations/ledger/gold.ts';
import { amount, cash, pay } from '../payments/bodies.ts';
import {
  partOf,
  refused,
  startTenantApi,
  valueOf,
  valuesOf,
  type TenantApi,
} from '../tenant-api.ts';

const api = await startTenantApi({ plans: [demoPlan('GOLD')], file: goldFile });

const ADA = `<customer><extCustomerRef>ADA</extCustomerRef><billingContact><firstName>Ada</firstName>
  <address><state>NY</state><countryCode>US</countryCode></address></billingContact></customer>`;

/** ADA has GOLD with WELCOME10 from 2027-01-15: invoice 1001 over 73.44. */
async function withGold(): Promise<{ own: TenantApi; customerId: string }> {
  const own = await api.another({
    testClock: '2027-01-15T12:00:00Z',
    plans: [demoPlan('GOLD')],
    file: goldFile,
  });
  const customerId = String(valueOf((await own.post('/customers', ADA)).body, 'customer@id'));
  const order = await own.post(
    '/orders?generateInvoice=true',
    `<subscriptionOrder><customer id="${customerId}"/><contractCode>GOLD</contractCode>
     <couponCode>WELCOME10</couponCode></subscriptionOrder>`,
  );
  if (order.status !== 201) throw new Error(order.body);
  return { own, customerId };
}

test('the rows of an invoice are those of the example', async (t) => {
  const { own, customerId } = await withGold();
  const { status, body } = await own.get('/ledger');
  t.is(status, 200, body);
  t.regex(body, /<list closedTo="2027-01-14"><ledgerEntry><cursor>/);
  t.deepEqual(valuesOf(body, 'account'), ['receivables', 'revenue', 'revenue', 'tax']);
  t.deepEqual(valuesOf(body, 'accountingCode'), ['1200', '4010', '4020', '2200']);
  t.deepEqual(valuesOf(body, 'debit'), ['73.44', '0.00', '0.00', '0.00']);
  t.deepEqual(valuesOf(body, 'credit'), ['0.00', '44.10', '26.95', '2.39']);
  const invoice = valueOf((await own.get('/invoice?invoiceNumber=1001')).body, 'invoice@id');
  const last = await own.get('/ledger?account=tax');
  const entry = valueOf(last.body, 'entry@id');
  t.is(
    partOf(last.body, 'ledgerEntry').replace(/<cursor>[\w-]+<\/cursor>/, '<cursor>C</cursor>'),
    `<ledgerEntry><cursor>C</cursor><entry id="${entry}"/><date>2027-01-15</date>` +
      '<entryType>Invoice</entryType><documentNumber>1001</documentNumber>' +
      `<invoice id="${invoice}"/><payment/><customer id="${customerId}"/>` +
      '<extCustomerRef>ADA</extCustomerRef><account>tax</account>' +
      '<accountingCode>2200</accountingCode><taxName>NY sales tax</taxName>' +
      '<taxPercent>8.875</taxPercent><jurisdiction>US/NY</jurisdiction>' +
      '<taxCategory>S</taxCategory><taxBase>26.95</taxBase><gateway/><paymentMethodType/>' +
      '<debit>0.00</debit><credit>2.39</credit><currency id="USD"/></ledgerEntry>',
  );
});

test('a reader goes on from the cursor of its last row', async (t) => {
  const { own } = await withGold();
  const first = await own.get('/ledger?max=3');
  const cursor = valuesOf(first.body, 'cursor').at(-1);
  await own.post('/payments?extCustomerRef=ADA', pay(amount('100.00') + cash()));
  const rest = await own.get(`/ledger?after=${cursor}`);
  t.deepEqual(valuesOf(rest.body, 'account'), [
    'tax',
    'cash',
    'unapplied',
    'unapplied',
    'receivables',
  ]);
  t.deepEqual(valuesOf(rest.body, 'debit'), ['0.00', '100.00', '0.00', '73.44', '0.00']);
  const end = valuesOf(rest.body, 'cursor').at(-1);
  t.regex((await own.get(`/ledger?after=${end}`)).body, /<list closedTo="2027-01-14"\/>/);
});

test('a place that is none, reversed days and unknown filters are refused', async (t) => {
  refused(t, await api.get('/ledger?after=k3x9'), 400, 'query.invalid after');
  refused(t, await api.get('/ledger?from=2027-01-02&to=2027-01-01'), 400, 'query.invalid to');
  refused(t, await api.get('/ledger?entryType=Bill'), 400, 'query.invalid entryType');
  refused(t, await api.get('/ledger?max=1001'), 400, 'query.range max');
  t.regex((await api.get('/ledger')).body, /<list closedTo="2026-12-31"\/>/);
});

test('a report is a document or a file, with the same columns', async (t) => {
  const { own, customerId } = await withGold();
  const asked = '/report/revenue?from=2027-01-01&to=2027-01-15';
  const { body } = await own.get(asked);
  t.is(
    body.replace(/^<\?xml.*\?>\n/, ''),
    '<report><name>revenue</name><from>2027-01-01</from><to>2027-01-15</to><asOf/>' +
      '<closedTo>2027-01-14</closedTo><rows>' +
      '<row><month>2027-01</month><accountingCode>4010</accountingCode><currency id="USD"/>' +
      '<invoiced>44.10</invoiced><cancelled>0.00</cancelled><credited>0.00</credited>' +
      '<revenue>44.10</revenue></row>' +
      '<row><month>2027-01</month><accountingCode>4020</accountingCode><currency id="USD"/>' +
      '<invoiced>26.95</invoiced><cancelled>0.00</cancelled><credited>0.00</credited>' +
      '<revenue>26.95</revenue></row></rows></report>',
  );
  const file = await own.get('/report/agedReceivables?format=csv');
  t.is(file.headers['content-type'], 'text/csv; charset=utf-8');
  t.is(
    file.body,
    '\uFEFFcustomerId,extCustomerRef,currency,notDue,days1To30,days31To60,days61To90,daysOver90,' +
      'withoutDueDate,receivables,unapplied,carriedOver,balance\r\n' +
      `${customerId},ADA,USD,73.44,0.00,0.00,0.00,0.00,0.00,73.44,0.00,0.00,73.44\r\n`,
  );
  const taxes = await own.get('/report/tax?from=2027-01-01&to=2027-01-15');
  t.regex(taxes.body, /<taxBase>26.95<\/taxBase><tax>2.39<\/tax>/);
  t.regex(taxes.body, /<currency id="USD"\/><taxBase>44.10<\/taxBase><tax\/><\/row>/);
});

test('an unknown report, days of another kind, and days that are none are refused', async (t) => {
  refused(
    t,
    await api.get('/report/profit?from=2027-01-01&to=2027-01-01'),
    404,
    'report.unknown name',
  );
  refused(t, await api.get('/report/revenue?asOf=2027-01-01'), 400, 'query.unknown asOf');
  refused(t, await api.get('/report/agedReceivables?from=2027-01-01'), 400, 'query.unknown from');
  refused(t, await api.get('/report/revenue?from=2027-01-01'), 400, 'query.required to');
  refused(t, await api.get('/report/tax?from=2027-01-01&to=2027-01-02'), 400, 'query.invalid to');
  refused(t, await api.get('/report/agedReceivables?asOf=2027-01-02'), 400, 'query.invalid asOf');
});
