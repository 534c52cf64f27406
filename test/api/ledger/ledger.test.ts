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

test('a report of recurring revenue compares a day with another, a month before by default', async (t) => {
  const { own } = await withGold();
  const { body } = await own.get('/report/mrr');
  t.regex(body, /<name>mrr<\/name><from>2026-12-15<\/from><to\/><asOf>2027-01-15<\/asOf>/);
  t.is(
    partOf(body, 'row'),
    '<row><contractCode>GOLD</contractCode><currency id="USD"/><orders>1</orders>' +
      '<mrrStart>0.00</mrrStart><new>29.95</new><expansion>0.00</expansion>' +
      '<contraction>0.00</contraction><churn>0.00</churn><moved>0.00</moved>' +
      '<mrrEnd>29.95</mrrEnd></row>',
  );
  const file = await own.get('/report/mrr?format=csv&from=2027-01-15');
  t.is(
    file.body,
    '\uFEFFcontractCode,currency,orders,mrrStart,new,expansion,contraction,churn,moved,mrrEnd\r\n' +
      'GOLD,USD,1,29.95,0.00,0.00,0.00,0.00,0.00,29.95\r\n',
  );
  refused(t, await own.get('/report/mrr?to=2027-01-15'), 400, 'query.unknown to');
  refused(t, await own.get('/report/mrr?from=2027-01-16'), 400, 'query.invalid asOf');
});

test('the ledger as a file has every row, and customers by their references', async (t) => {
  const { own, customerId } = await withGold();
  const { headers, body } = await own.get('/ledger?format=csv&account=receivables');
  t.is(headers['content-disposition'], 'attachment; filename="ledger.csv"');
  const invoice = valueOf((await own.get('/invoice?invoiceNumber=1001')).body, 'invoice@id');
  const entry = valueOf((await own.get('/ledger')).body, 'entry@id');
  t.is(
    body,
    '\uFEFFentryId,date,entryType,documentNumber,invoiceId,paymentId,customerId,extCustomerRef,' +
      'account,accountingCode,taxName,taxPercent,jurisdiction,taxCategory,taxBase,gateway,' +
      'paymentMethodType,debit,credit,currency\r\n' +
      `${entry},2027-01-15,Invoice,1001,${invoice},,${customerId},ADA,receivables,1200,,,,,,,,` +
      '73.44,0.00,USD\r\n',
  );
  refused(t, await own.get('/ledger?format=csv&max=10'), 400, 'query.invalid max');
});

test('a report that is written to a file is a job', async (t) => {
  const { own } = await withGold();
  const asked = '/report/revenue?from=2027-01-01&to=2027-01-15';
  const { status, body } = await own.post(asked, '');
  t.is(status, 202, body);
  const id = valueOf(body, 'id');
  t.is(
    body.replace(/^<\?xml.*\?>\n/, ''),
    `<batchProcess><id>${id}</id><jobId>report-${id}</jobId><status>Queued</status>` +
      '<operation>Report</operation><subOperation>revenue</subOperation><inputType/>' +
      '<inputFilename/><parentBatchProcess/><parentBatchProcessJobId/>' +
      '<successCount>0</successCount><failCount>0</failCount><successMessage/><errorMessage/>' +
      '<uploadUrl/><downloadUrl/><progress><rowsDone>0</rowsDone>' +
      '<rowsPerSecond>0</rowsPerSecond><secondsRemaining/></progress><child/></batchProcess>',
  );
  t.is(valueOf((await own.get(`/batchProcess?id=${id}`)).body, 'subOperation'), 'revenue');
  refused(t, await own.post('/report/profit', ''), 404, 'report.unknown name');
  refused(t, await own.post('/report/tax?from=2027-01-01', ''), 400, 'query.required to');
  const after = '/report/tax?from=2027-01-01&to=2027-01-16';
  refused(t, await own.post(after, ''), 400, 'query.invalid to');
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
