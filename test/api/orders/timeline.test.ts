/** The timeline of an order through the interface. */
import test from 'ava';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';
import { changedPair, pendingPair } from './pairs.ts';

const coupons = [{ code: 'WELCOME10', percent: 10, periods: 3 }];
const api = await startTenantApi({ file: { coupons } });

/** `2027-01-01 happened created` of each entry. */
async function timeline(own: TenantApi, path: string): Promise<string[]> {
  const { status, body } = await own.get(path);
  if (status !== 200) throw new Error(body);
  return body
    .split('<entry>')
    .slice(1)
    .map((entry) => ['date', 'state', 'text'].map((name) => valueOf(entry, name)).join(' '));
}

test('the two orders of a pending change tell it, by id and by number', async (t) => {
  const own = await api.another();
  const { current, next } = await pendingPair(own);
  const changes = '2027-01-10 next changes to order 1002';
  t.true((await timeline(own, `/order/${current}/timeline`)).includes(changes));
  t.true((await timeline(own, '/order/timeline?orderNumber=1001')).includes(changes));
  t.deepEqual(await timeline(own, `/order/${next}/timeline`), [
    '2027-01-01 happened created',
    '2027-01-10 next replaces order 1001',
  ]);
});

test('a replaced order says by which, and the new one which it replaced', async (t) => {
  const own = await api.another();
  const { current, next } = await changedPair(own);
  t.deepEqual(await timeline(own, `/order/${current}/timeline`), [
    '2027-01-01 happened created',
    '2027-01-01 happened is Active',
    '2027-01-01 happened replaced by order 1002',
    // Nothing was billed of it, which the run of the next day finds.
    '2027-01-02 next bills',
  ]);
  t.deepEqual(await timeline(own, `/order/${next}/timeline`), [
    '2027-01-01 happened created',
    '2027-01-01 happened is Active',
    '2027-01-01 happened replaces order 1001',
    '2027-01-02 next bills',
  ]);
});

test('the document is a list of entries', async (t) => {
  const own = await api.another();
  const { next } = await pendingPair(own);
  const { body } = await own.get(`/order/${next}/timeline`);
  t.is(
    body.split('\n').at(-1),
    '<list><entry><date>2027-01-01</date><state>happened</state><text>created</text></entry>' +
      '<entry><date>2027-01-10</date><state>next</state><text>replaces order 1001</text></entry></list>',
  );
});

test('unknown orders and those of other tenants are 404, a call without number is 400', async (t) => {
  const [own, other] = [await api.another(), await api.another()];
  const { current } = await pendingPair(other);
  refused(t, await own.get(`/order/${current}/timeline`), 404, 'order.unknown');
  refused(t, await own.get('/order/999999/timeline'), 404, 'order.unknown');
  refused(t, await own.get('/order/timeline?orderNumber=1001'), 404, 'order.unknown');
  refused(t, await own.get('/order/timeline'), 400, 'query.required orderNumber');
});
