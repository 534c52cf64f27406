/** Change orders through the interface: what they answer, and what they write when they take effect. */
import test, { type ExecutionContext } from 'ava';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { demoPlan } from '../../support/tenants.ts';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';
import {
  advance,
  eventsAfter,
  goldFor,
  idIn,
  newCustomer,
  newOrder,
  orderOf,
  rowsOf,
  strangers,
} from './change-calls.ts';

const rates = [
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
];
const options = {
  plans: [
    demoPlan('GOLD'),
    demoPlan('METERED'),
    recurring('GONE', 1, prepaid, { endDate: '2027-01-10' }),
  ],
  file: {
    tax: { type: 'table', rates },
    coupons: [{ code: 'WELCOME10', percent: 10, periods: 3 }],
  },
};
const january = { ...options, testClock: '2027-01-15T12:00:00Z' };
const api = await startTenantApi(january);

const gold = '<contractCode>GOLD</contractCode>';
const two = orderOf(goldFor(2));

interface Changing {
  readonly own: TenantApi;
  readonly customerId: string;
  /** The order 1001, GOLD. */
  readonly current: string;
}

/** A tenant on 2027-01-15, whose customer C1 has an order from that day, billed. */
async function withOrder(more = ''): Promise<Changing> {
  const own = await api.another(january);
  const customerId = await newCustomer(own, 'C1');
  return { own, customerId, current: await newOrder(own, gold + more) };
}

interface Refusal {
  readonly query: string;
  readonly inner: string;
  readonly value: string;
}

/** It is refused without and with generateInvoice and as a preview. */
async function refuses(
  t: ExecutionContext,
  own: TenantApi,
  { query, inner, value }: Refusal,
): Promise<void> {
  const before = await rowsOf(own);
  for (const more of ['', '&generateInvoice=true', '&preview=true']) {
    const { status, body } = await own.post(`/changeOrder?${query}${more}`, orderOf(inner));
    t.true(status >= 400 && status < 500, body);
    t.deepEqual(
      [...body.matchAll(/<error [^>]*?value="([^"]*)"/g)].map(([, each]) => each),
      [value],
      body,
    );
  }
  t.deepEqual(await rowsOf(own), before);
}

/** What an order says of itself, beside its lines. */
function shown(body: string): Readonly<Record<string, string | undefined>> {
  const names = ['orderNumber', 'orderStatus', 'startDate', 'endDate', 'totalLifetimeValue'];
  const dates = ['lastUpdated', 'dateCreated'];
  const head = body.replace(/<orderLineItems>.*<\/orderLineItems>/s, '');
  return {
    ...Object.fromEntries([...names, ...dates].map((name) => [name, valueOf(head, name)])),
    previousOrder: valueOf(head, 'previousOrder@id'),
    nextOrder: valueOf(head, 'nextOrder@id'),
  };
}

test('a refusal shows the value at fault, and writes nothing', async (t) => {
  const { own, current } = await withOrder();
  const other = await newCustomer(own, 'C2');
  const here = `currentOrderId=${current}`;
  const hash = '0'.repeat(64);
  for (const [query, inner, value] of [
    [`${here}&currentOrderNumber=1001`, gold, '1001'],
    ['currentOrderId=999999', gold, '999999'],
    ['currentOrderNumber=A1', gold, 'A1'],
    [`${here}&effectiveDate=2027-01-14`, gold, '2027-01-14'],
    [`${here}&deleteCurrentOrder=true`, gold, 'true'],
    [here, `<customer id="${other}"/>${gold}`, other],
    [here, `${gold}<currency id="EUR"/>`, 'EUR'],
    [here, `${gold}<startDate>2027-01-16</startDate>`, '2027-01-16'],
    [here, `${gold}<orderStatus>Draft</orderStatus>`, 'Draft'],
    [here, '<contractCode>NO</contractCode>', 'NO'],
    [here, '<contractCode>GONE</contractCode>', 'GONE'],
    [here, `${gold}<couponCode>NO</couponCode>`, 'NO'],
    [here, `${gold}<quoteHash>${hash}</quoteHash>`, `${hash.slice(0, 60)}...`],
  ] as const) {
    await refuses(t, own, { query, inner, value });
  }
  await own.asOwner(`update customer set status = 'InActive1' where tenant_id = ${own.tenantId}`);
  await refuses(t, own, { query: here, inner: gold, value: current });
});

test('what the order already is may be sent, and the hash of a quote that still holds', async (t) => {
  const { own, current } = await withOrder();
  const quote = valueOf((await own.get('/quote?contractCode=METERED')).body, 'hash');
  const same = await own.post(
    `/changeOrder?currentOrderId=${current}`,
    orderOf(
      '<orderStatus>Active</orderStatus><startDate>2027-01-15</startDate><currency id="USD"/>' +
        `<contractCode>METERED</contractCode><quoteHash>${quote}</quoteHash>`,
    ),
  );
  t.is(same.status, 201, same.body);
});

test('the example: the preview and the change show the same invoice, the preview stores nothing', async (t) => {
  const { own, current } = await withOrder('<couponCode>WELCOME10</couponCode>');
  await advance(own, '2027-01-15', '2027-02-01');
  const before = await rowsOf(own);
  const path = '/changeOrder?currentOrderNumber=1001';
  const preview = await own.post(`${path}&preview=true`, two);
  t.is(preview.status, 200, preview.body);
  t.deepEqual(await rowsOf(own), before);
  const events = (await eventsAfter(own, 0)).length;
  const made = await own.post(`${path}&generateInvoice=true`, two);
  const next = idIn(made);
  const invoice = await own.get('/invoice?invoiceNumber=1002');
  for (const { body } of [preview, invoice]) {
    t.deepEqual(valuesOf(body, 'amount'), ['-13.53', '1.36', '-1.08', '27.05', '2.40']);
    t.is(valueOf(body, 'previousBalance'), '73.44');
    t.is(valueOf(body, 'currentAmountDue'), '16.20');
  }
  t.deepEqual(await strangers(own, preview.body), []);
  t.true(preview.body.includes(`<subscriptionOrder id="${current}"/>`));
  t.is(made.body, (await own.get(`/order/${next}`)).body);
  const after = await own.get('/order?orderNumber=1001');
  t.like(shown(made.body), { orderNumber: '1002', orderStatus: 'Active', previousOrder: current });
  t.like(shown(made.body), { startDate: '2027-02-01', lastUpdated: '2027-02-01' });
  t.like(shown(after.body), { orderStatus: 'Superseded', endDate: '2027-01-31', nextOrder: next });
  t.like(shown(after.body), { dateCreated: '2027-01-15', lastUpdated: '2027-02-01' });
  // 27.05 and its tax; 73.44 without the credit of 13.25.
  t.is(shown(made.body)['totalLifetimeValue'], '29.45');
  t.is(shown(after.body)['totalLifetimeValue'], '60.19');
  t.deepEqual(await eventsAfter(own, events), [
    `order.created ${next}`,
    `order.updated ${current}`,
    `order.updated ${next}`,
    `invoice.created ${valueOf(invoice.body, 'invoice@id')}`,
  ]);
});

test('a pending change may be edited but for its day, on which both orders are updated', async (t) => {
  const { own, current } = await withOrder();
  const events = (await eventsAfter(own, 0)).length;
  const path = `/changeOrder?currentOrderId=${current}&effectiveDate=2027-02-01`;
  const made = await own.post(`${path}&generateInvoice=true`, two);
  const next = idIn(made);
  t.like(shown(made.body), { orderStatus: 'Provisioning', startDate: '2027-02-01' });
  t.is(shown(made.body)['totalLifetimeValue'], '0.00');
  t.deepEqual(await eventsAfter(own, events), [`order.created ${next}`]);
  const line = valueOf(made.body, 'orderLineItem@id');
  const three = `<orderLineItems><orderLineItem id="${line}"><quantity>3</quantity></orderLineItem></orderLineItems>`;
  const put = await own.put(`/order/${next}`, orderOf(three));
  t.is(put.status, 200, put.body);
  t.is(valueOf(put.body, 'quantity'), '3');
  t.like(shown(put.body), { orderStatus: 'Provisioning', previousOrder: current });
  refused(
    t,
    await own.put(`/order/${next}`, orderOf('<startDate>2027-02-02</startDate>')),
    400,
    'field.notEditable subscriptionOrder/startDate',
  );
  const editable = async (id: string) =>
    valueOf((await own.get(`/order/${id}/canEdit`)).body, 'editable');
  t.deepEqual([await editable(current), await editable(next)], ['true', 'true']);
  const edited = events + 2;
  await advance(own, '2027-01-15', '2027-02-01');
  t.deepEqual([await editable(current), await editable(next)], ['false', 'true']);
  // 89.85 x 14/31 and its tax; 29.95 - 16.42 and the tax of it.
  const invoice = await own.get('/invoice?invoiceNumber=1002');
  t.deepEqual(valuesOf(invoice.body, 'amount'), ['-13.53', '-1.20', '40.58', '3.60']);
  t.is(valueOf(invoice.body, 'currentAmountDue'), '29.45');
  t.deepEqual(await eventsAfter(own, edited), [
    `order.updated ${current}`,
    `order.updated ${next}`,
    `invoice.created ${valueOf(invoice.body, 'invoice@id')}`,
  ]);
});

test('a change of a held customer takes effect by the run after the release, on its effectiveDate', async (t) => {
  const { own, customerId, current } = await withOrder();
  await advance(own, '2027-01-15', '2027-01-20');
  await own.asOwner(`update customer set billing_held_at = now() where id = ${customerId}`);
  const path = `/changeOrder?currentOrderId=${current}`;
  const made = await own.post(path, two);
  const next = idIn(made);
  t.like(shown(made.body), { orderStatus: 'Provisioning', startDate: '2027-01-20' });
  await advance(own, '2027-01-20', '2027-01-22');
  t.is(shown((await own.get(`/order/${next}`)).body)['orderStatus'], 'Provisioning');
  t.is(shown((await own.get(`/order/${current}`)).body)['orderStatus'], 'Active');
  const released = await own.post(`/customer/${customerId}?actionName=activate`);
  t.is(released.status, 200, released.body);
  await advance(own, '2027-01-22', '2027-01-23');
  const both = [(await own.get(`/order/${current}`)).body, (await own.get(`/order/${next}`)).body];
  t.like(shown(both[0] ?? ''), { orderStatus: 'Superseded', endDate: '2027-01-19' });
  t.like(shown(both[1] ?? ''), { orderStatus: 'Active', startDate: '2027-01-20' });
  // 5 of 31 days are used, 4.83 and 0.43; 59.90 x 26/31 and its tax.
  const invoice = await own.get('/invoice?invoiceNumber=1002');
  t.deepEqual(valuesOf(invoice.body, 'amount'), ['-25.12', '-2.23', '50.24', '4.46']);
});

test('a suspended customer is changed, and only its billing waits', async (t) => {
  const { own, customerId, current } = await withOrder();
  await own.post(`/customer/${customerId}?actionName=suspend`);
  const path = `/changeOrder?currentOrderId=${current}`;
  const made = await own.post(path, two);
  t.is(shown(made.body)['orderStatus'], 'Active', made.body);
  t.is(shown((await own.get(`/order/${current}`)).body)['orderStatus'], 'Superseded');
  await advance(own, '2027-01-15', '2027-01-18');
  t.deepEqual(valuesOf((await own.get('/invoices')).body, 'invoiceNumber'), ['1001']);
  await own.post(`/customer/${customerId}?actionName=activate`);
  await advance(own, '2027-01-18', '2027-01-19');
  const numbers = valuesOf((await own.get('/invoices')).body, 'invoiceNumber');
  t.deepEqual(numbers.toSorted(), ['1001', '1002']);
});

test('deleteCurrentOrder inherits the end of an order, which its new one cannot begin after', async (t) => {
  const own = await api.another(january);
  await newCustomer(own, 'C1');
  const term = `${gold}<endDate>2027-06-30</endDate>`;
  const ending = await newOrder(own, `${term}<isAutoRenew>false</isAutoRenew>`, '');
  const renewing = await newOrder(own, term, '');
  const query = (id: string) =>
    `currentOrderId=${id}&deleteCurrentOrder=true&effectiveDate=2027-07-01`;
  const late = await own.post(`/changeOrder?${query(ending)}`, two);
  refused(t, late, 400, 'field.invalid subscriptionOrder/endDate');
  const made = await own.post(`/changeOrder?${query(renewing)}`, two);
  // The term began on 2027-01-15: its first renewal, of 167 days.
  t.like(shown(made.body), { startDate: '2027-07-01', endDate: '2027-12-14' });
});
