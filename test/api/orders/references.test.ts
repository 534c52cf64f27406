/** What an order says of the order before it and the order after it. */
import test from 'ava';
import { eventXml } from '../../../api/resources/callbacks/documents.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { readOrder } from '../../../operations/orders/read.ts';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { changedPair, pendingPair } from './pairs.ts';

const api = await startTenantApi();

/** `previousOrder nextOrder` of each order of a document. */
const pairsIn = (body: string): string[] =>
  body
    .split('<subscriptionOrder ')
    .slice(1)
    .map((order) =>
      ['previousOrder@id', 'nextOrder@id'].map((name) => valueOf(order, name) ?? '-').join(' '),
    );

const viewOf = async (own: TenantApi, id: string) => {
  const tenant = await tenantInfo({ db: own.db }, own.tenantId);
  return inTenant(own.db, own.tenantId, (tx) => readOrder(tx, tenant, { id: Number(id) }));
};

test('the two orders of a pending change name each other, in each answer', async (t) => {
  const own = await api.another();
  const { current, next } = await pendingPair(own);
  t.deepEqual(pairsIn((await own.get(`/order/${current}`)).body), [`- ${next}`]);
  t.deepEqual(pairsIn((await own.get('/order?orderNumber=1002')).body), [`${current} -`]);
  t.deepEqual(pairsIn((await own.get('/orders')).body), [`${current} -`, `- ${next}`]);
  const notes = '<subscriptionOrder><notes>x</notes></subscriptionOrder>';
  t.deepEqual(pairsIn((await own.put(`/order/${current}`, notes)).body), [`- ${next}`]);
  const document = eventXml('subscriptionOrder', await viewOf(own, current));
  t.deepEqual(pairsIn(document), [`- ${next}`]);
});

test('the references stand before the lines, and a client may send them back', async (t) => {
  const own = await api.another();
  const { next } = await pendingPair(own);
  const { body } = await own.get(`/order/${next}`);
  t.regex(
    body,
    /<dateCreated>[^<]*<\/dateCreated><previousOrder id="\d+"\/><nextOrder\/><invoices/,
  );
  const sent =
    '<subscriptionOrder><previousOrder/><nextOrder id="5"/><notes>x</notes></subscriptionOrder>';
  const answer = await own.put(`/order/${next}`, sent);
  t.is(answer.status, 200, answer.body);
  t.deepEqual(pairsIn(answer.body), pairsIn(body));
});

test('a document that was kept before orders replaced each other has empty references', async (t) => {
  const own = await api.another();
  const { current } = await pendingPair(own);
  const { previousOrderId, nextOrderId, ...kept } = (await viewOf(own, current)) ?? {};
  t.is(previousOrderId, null);
  t.not(nextOrderId, null);
  t.regex(eventXml('subscriptionOrder', kept), /<previousOrder\/><nextOrder\/>/);
});

test('both orders of a pending change may be edited, a Superseded order may not', async (t) => {
  const own = await api.another();
  const pending = await pendingPair(own);
  for (const id of [pending.current, pending.next]) {
    const { body } = await own.get(`/order/${id}/canEdit`);
    t.is(valueOf(body, 'editable'), 'true');
    t.regex(body, /<reason\/>/);
  }
  const other = await api.another();
  const { current, next } = await changedPair(other);
  const edit = await other.get(`/order/${current}/canEdit`);
  t.is(valueOf(edit.body, 'editable'), 'false');
  t.is(valueOf(edit.body, 'reason'), 'a Superseded order can no longer change');
  const notes = '<subscriptionOrder><notes>x</notes></subscriptionOrder>';
  refused(
    t,
    await other.put(`/order/${current}`, notes),
    400,
    'order.notEditable subscriptionOrder',
  );
  t.is(valueOf((await other.get(`/order/${next}/canEdit`)).body, 'editable'), 'true');
});
