/** Lists of usage records: their order, their filters, their pages. */
import test from 'ava';
import { advance } from '../orders/change-calls.ts';
import { refused, startTenantApi, valuesOf } from '../tenant-api.ts';
import { customerOf, listOf, metered, order, withOrder } from './bodies.ts';

const api = await startTenantApi();
const { own, customer } = await withOrder(api);
await own.post('/customers', customerOf('C2'));
await order(own, metered, 'C2');
await order(own, '<contractCode>MIXED</contractCode>');

const record = (number: string, code: string, ref: string, day: string) =>
  `<orderNumber>${number}</orderNumber><priceCode>${code}</priceCode><extRefId>${ref}</extRefId>
   <quantity>1</quantity><chargeDate>${day}</chargeDate>`;
const uploaded = await own.post(
  '/activities',
  listOf(
    record('1001', 'MINUTES', 'A1', '2027-01-06'),
    record('1002', 'MINUTES', 'B1', '2027-01-05'),
    record('1003', 'CALLS', 'A2', '2027-01-05'),
    record('1003', 'DATA', 'A3', '2027-01-07'),
    record('1001', 'MINUTES', 'A4', '2027-02-01'),
    record('1003', 'DATA', 'A5', '2027-01-05'),
  ),
);
if (uploaded.status !== 201) throw new Error(uploaded.body);
await advance(own, '2027-01-01', '2027-02-01');
const invoiceOf = async (ref: string): Promise<string> => {
  const { body } = await own.get('/activities');
  const found = body.split('<activity ').find((each) => each.includes(`>${ref}<`)) ?? '';
  return valuesOf(found, 'invoiceNumber').join('');
};
const [first, second] = [await invoiceOf('A1'), await invoiceOf('B1')];

const all = ['B1', 'A2', 'A5', 'A1', 'A3', 'A4'];

async function refsOf(path: string): Promise<string[]> {
  const { body, status } = await own.get(path);
  return status === 200 ? valuesOf(body, 'extRefId') : [body];
}

const filters: readonly (readonly [query: string, refs: readonly string[]])[] = [
  ['', all],
  ['offset=1&max=2', ['A2', 'A5']],
  ['max=0', []],
  ['extCustomerRef=C1', ['A2', 'A5', 'A1', 'A3', 'A4']],
  [`customerId=${customer}`, ['A2', 'A5', 'A1', 'A3', 'A4']],
  [`customerId=${customer}&extCustomerRef=C2`, []],
  ['orderNumber=1003', ['A2', 'A5', 'A3']],
  ['orderNumber=1003&offset=1&max=1', ['A5']],
  ['orderNumber=1003&priceCode=DATA', ['A5', 'A3']],
  ['orderNumber=1003&extCustomerRef=C2', []],
  ['priceCode=MINUTES', ['B1', 'A1', 'A4']],
  ['priceCode=DATA&extCustomerRef=C1&beginDate=2027-01-06', ['A3']],
  ['beginDate=2027-01-06&endDate=2027-01-07', ['A1', 'A3']],
  ['endDate=2027-01-05', ['B1', 'A2', 'A5']],
  [`invoiceNumber=${first}`, ['A2', 'A5', 'A1', 'A3']],
  [`invoiceNumber=${second}`, ['B1']],
  [`invoiceNumber=${first}&orderNumber=1001`, ['A1']],
  [`invoiceNumber=${first}&priceCode=DATA&max=1`, ['A5']],
  [`invoiceNumber=${first}&extCustomerRef=C2`, []],
  [`invoiceNumber=${first}&endDate=2027-01-05`, ['A2', 'A5']],
  ['orderNumber=&priceCode=&invoiceNumber=', all],
  // What nobody has.
  ['extCustomerRef=C9', []],
  ['customerId=999999', []],
  ['orderNumber=9999', []],
  ['orderNumber=A', []],
  ['invoiceNumber=9999', []],
  ['invoiceNumber=A', []],
  ['priceCode=NONE', []],
];

test('filters are combined, and what nobody has gives an empty list', async (t) => {
  for (const [query, refs] of filters)
    t.deepEqual(await refsOf(`/activities?${query}`), [...refs], query);
});

test('parameters outside of their range are refused', async (t) => {
  refused(t, await own.get('/activities?max=101'), 400, 'query.range max');
  refused(t, await own.get('/activities?offset=-1'), 400, 'query.range offset');
  refused(t, await own.get('/activities?beginDate=2027-02-30'), 400, 'query.invalid beginDate');
  refused(t, await own.get('/activities?status=Unbilled'), 400, 'query.unknown status');
  const reversed = await own.get('/activities?beginDate=2027-01-06&endDate=2027-01-05');
  refused(t, reversed, 400, 'query.invalid endDate');
});

test('pages of 100 follow each other without repeats and omissions', async (t) => {
  const { own: other } = await withOrder(api);
  const refs = Array.from({ length: 250 }, (_, n) => `R${String(n).padStart(3, '0')}`);
  const records = refs.map(
    (ref) => `<orderNumber>1001</orderNumber><extRefId>${ref}</extRefId><quantity>1</quantity>`,
  );
  t.is((await other.post('/activities', listOf(...records))).status, 201);
  for (const filter of ['', '&orderNumber=1001', '&extCustomerRef=C1', '&priceCode=MINUTES']) {
    const seen: string[] = [];
    for (let offset = 0; offset < 300; offset += 100) {
      const page = await other.get(`/activities?max=100&offset=${offset}${filter}`);
      seen.push(...valuesOf(page.body, 'extRefId'));
    }
    t.deepEqual(seen, refs, filter);
  }
  t.is((await other.get('/activities')).body.match(/<activity /g)?.length, 50, 'by default');
});

test('another tenant’s customer in a filter counts as an attempt', async (t) => {
  const crossTenantAttempts = { max: 1, withinMinutes: 60 };
  const { own: other } = await withOrder(api, { file: { settings: { crossTenantAttempts } } });
  t.regex((await other.get(`/activities?customerId=${customer}`)).body, /<list\/>/);
  refused(t, await other.get('/plans'), 401, 'auth.invalid');
});
