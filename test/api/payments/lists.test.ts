/** Lists of payments, credits and refunds: their order, their filters, their pages. */
import test from 'ava';
import { amount, card, cash, idOf, makeCustomer, paid, pay } from './bodies.ts';
import { refused, startTenantApi, valuesOf } from '../tenant-api.ts';

const api = await startTenantApi();
const customer = await makeCustomer(api);
await makeCustomer(api, 'C2');

const cashOf = (value: string, day: string): string =>
  pay(`${amount(value)}<effectiveDate>${day}</effectiveDate>${cash()}`);

const december = idOf(await paid(api, cashOf('10.00', '2026-12-01')));
const first = idOf(await paid(api, cashOf('20.00', '2027-01-01')));
const second = idOf(await paid(api, cashOf('20.00', '2027-01-01')));
const november = idOf(await paid(api, cashOf('30.00', '2026-11-30')));
const others = idOf(await api.post('/payments?extCustomerRef=C2', cashOf('40.00', '2026-12-15')));
const declined = idOf(
  await api.post(
    '/payments?extCustomerRef=C2',
    pay(amount('5.00') + card({ number: '4000000000000002' })),
  ),
);
const credit = idOf(await paid(api, pay(amount('2.00')), '/credits'));
const debit = idOf(await paid(api, pay(amount('-1.00')), '/credits'));
const refund = idOf(await paid(api, pay(amount('30.00') + cash()), '/refunds'));

/** The ids of a list, in order. */
async function idsOf(path: string): Promise<string[]> {
  const { body } = await api.get(path);
  return [...body.matchAll(/<payment id="(\d+)"><isSystemPayment>/g)].map(([, id]) => String(id));
}

test('the latest effectiveDate comes first, and on one day the highest id', async (t) => {
  const all = [declined, second, first, others, december, november];
  t.deepEqual(await idsOf('/payments'), all);
  t.deepEqual(await idsOf('/payments?offset=1&max=2'), [second, first]);
  t.deepEqual(await idsOf('/credits'), [debit, credit]);
  t.deepEqual(await idsOf('/refunds'), [refund]);
});

for (const [rule, path, expected] of [
  ['by status', '/payments?status=Declined', [declined]],
  ['by amount, however it is written', '/payments?amount=20', [second, first]],
  ['by amount with decimals', '/payments?amount=020.00', [second, first]],
  ['a debit by its amount', '/credits?amount=-1.00', [debit]],
  ['a refund by its amount as shown', '/refunds?amount=-30', [refund]],
  ['a refund not by what was asked for', '/refunds?amount=30', []],
  ['by customer', `/payments?customerId=${customer}&max=1`, [second]],
  ['by the reference of the customer', '/payments?extCustomerRef=C2', [declined, others]],
  ['by an unknown customer', '/payments?customerId=77777777', []],
  ['by an unknown reference', '/payments?extCustomerRef=C9', []],
  ['together', '/payments?extCustomerRef=C2&status=Paid&amount=40', [others]],
  ['empty ones are absent', '/refunds?status=&amount=&customerId=', [refund]],
  ['made before', '/payments?createEndTime=202701010659', []],
  ['made since', '/refunds?createStartTime=202701010700', [refund]],
  ['changed before', '/refunds?updateEndTime=202701010659', []],
  ['changed since', '/credits?updateStartTime=202701010700&max=1', [debit]],
] as const) {
  test(`filtered ${rule}: ${path}`, async (t) => {
    t.deepEqual(await idsOf(path), [...expected]);
  });
}

for (const [query, error] of [
  ['status=Open', 'query.invalid status'],
  ['amount=ten', 'query.invalid amount'],
  ['amount=1e1', 'query.invalid amount'],
  ['customerId=x', 'query.invalid customerId'],
  ['max=1001', 'query.range max'],
  ['offset=-1', 'query.range offset'],
  ['createStartTime=2027', 'query.invalid createStartTime'],
  ['max=1&max=2', 'query.repeated max'],
] as const) {
  test(`refused in all three lists: ${query}`, async (t) => {
    for (const list of ['payments', 'credits', 'refunds']) {
      refused(t, await api.get(`/${list}?${query}`), 400, error);
    }
  });
}

test('a list shows a payment as its own call does', async (t) => {
  const one = await api.get(`/refund/${refund}`);
  const list = await api.get('/refunds');
  const [, shown] = /(<payment .*)$/s.exec(one.body) ?? [];
  t.true(list.body.includes(String(shown)));
  t.is(list.headers.etag, undefined);
  t.is(valuesOf(list.body, 'status')[0], 'Paid');
});

test('another tenant sees none of them', async (t) => {
  const other = await api.another();
  for (const list of ['payments', 'credits', 'refunds']) {
    t.regex((await other.get(`/${list}`)).body, /<list\/>$/);
  }
});
