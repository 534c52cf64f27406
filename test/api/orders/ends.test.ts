/** Ends of orders by request, as calls see them. */
import test from 'ava';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { eventsAfter } from './change-calls.ts';
import { pendingPair } from './pairs.ts';

const api = await startTenantApi();

/** GOLD from 2027-01-01 on, monthly, with what the body says; its number is 1001. */
async function ordered(body = ''): Promise<{ readonly own: TenantApi; readonly id: string }> {
  const own = await api.another();
  await own.post(
    '/customers',
    '<customer><extCustomerRef>C1</extCustomerRef><billingContact><firstName>Ada</firstName>' +
      '</billingContact></customer>',
  );
  const order = `<subscriptionOrder><contractCode>GOLD</contractCode>${body}</subscriptionOrder>`;
  const made = await own.post('/orders?extCustomerRef=C1', order);
  return { own, id: valueOf(made.body, 'subscriptionOrder@id') ?? '' };
}

const shown = (body: string): string =>
  ['orderStatus', 'endDate', 'isAutoRenew', 'renews', 'cancelReason']
    .map((name) => valueOf(body, name) || '-')
    .join(' ');

test('an order ends with its period or term, and goes on once the end is taken back', async (t) => {
  const { own, id } = await ordered('<endDate>2027-12-31</endDate>');
  const before = (await eventsAfter(own, 0)).length;
  const byId = await own.post(`/order/${id}?action=cancel&when=periodEnd&reason=too+dear`);
  t.is(byId.status, 200, byId.body);
  t.is(shown(byId.body), 'Active 2027-01-31 false No too dear');
  const byNumber = await own.post('/order?orderNumber=1001&action=cancel&when=termEnd&reason=');
  t.is(shown(byNumber.body), 'Active 2027-12-31 false No -');
  const kept = await own.post('/order?orderNumber=1001&action=keep');
  t.is(kept.status, 200, kept.body);
  t.is(shown(kept.body), 'Active 2027-12-31 true Term -');
  refused(t, await own.post(`/order/${id}?action=keep`), 400, 'order.notEnding action');
  const now = await own.post(`/order/${id}?action=cancel&reason=moved`);
  t.is(shown(now.body), 'Canceled 2027-01-01 true No moved');
  t.is(shown((await own.get(`/order/${id}`)).body), shown(now.body));
  t.deepEqual(await eventsAfter(own, before), Array(4).fill(`order.updated ${id}`));
});

test('renews says how an order goes on; isAutoRenew alone ends nothing', async (t) => {
  const { own, id } = await ordered();
  t.is(shown((await own.get(`/order/${id}`)).body), 'Active - true Period -');
  const put = (body: string) =>
    own.put(`/order/${id}`, `<subscriptionOrder>${body}</subscriptionOrder>`);
  const off = await put('<isAutoRenew>false</isAutoRenew>');
  t.is(off.status, 200);
  t.is(shown(off.body), 'Active - false Period -');
  t.is(shown((await put('<endDate>2027-12-31</endDate>')).body), 'Active 2027-12-31 false No -');
  const on = await put('<isAutoRenew>true</isAutoRenew>');
  t.is(shown(on.body), 'Active 2027-12-31 true Term -');
  // What only answers say is no change when it is sent back.
  const back = await put('<renews>No</renews><cancelReason>none</cancelReason>');
  t.is(shown(back.body), shown(on.body));
});

test('wrong calls name what is wrong', async (t) => {
  const { own, id } = await ordered('<orderStatus>Draft</orderStatus>');
  const cancel = `/order/${id}?action=cancel`;
  refused(t, await own.post(`${cancel}&when=later`), 400, 'query.invalid when');
  refused(t, await own.post(`${cancel}&reason=${'x'.repeat(256)}`), 400, 'query.tooLong reason');
  refused(t, await own.post(cancel), 400, 'order.transition action');
  refused(t, await own.post(`${cancel}&when=periodEnd`), 400, 'order.transition action');
  refused(t, await own.post('/order/1?action=cancel'), 404, 'order.unknown');
  refused(t, await own.post('/order?orderNumber=99&action=keep'), 404, 'order.unknown');
});

test('a change before the end refuses it, one after it is canceled', async (t) => {
  const own = await api.another();
  const { current, next } = await pendingPair(own);
  const cancel = `/order/${current}?action=cancel&when=periodEnd`;
  refused(t, await own.post(cancel), 400, 'order.changePending when');
  await own.put(
    `/order/${current}`,
    '<subscriptionOrder><endDate>2027-01-20</endDate></subscriptionOrder>',
  );
  refused(
    t,
    await own.post(`/order/${current}?action=cancel&when=termEnd`),
    400,
    'order.changePending when',
  );
  t.is(shown((await own.post(`/order/${next}?action=cancel`)).body), 'Canceled - true No -');
  t.is(shown((await own.post(cancel)).body), 'Active 2027-01-31 false No -');
});

test('the timeline says when and why an order ends, and what becomes of it', async (t) => {
  const { own, id } = await ordered();
  await own.post(`/order/${id}?action=cancel&when=periodEnd&reason=too+dear`);
  const { body } = await own.get(`/order/${id}/timeline`);
  t.true(
    body.includes(
      '<entry><date>2027-02-01</date><state>next</state><text>ends by request: too dear</text></entry>',
    ),
    body,
  );
  t.false(body.includes('completes'));
});
