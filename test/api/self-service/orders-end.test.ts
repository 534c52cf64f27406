/** How a customer ends an order with its term on a page, and keeps it. */
import test from 'ava';
import { submit } from '../signups/page-calls.ts';
import { startTenantApi, type TenantApi } from '../tenant-api.ts';
import { pageOf, visit } from './calls.ts';
import { goTo, ownKey, textOf, withGold, withOrders } from './orders-calls.ts';

const api = await startTenantApi(withOrders);
const gold = (elements = '') => ({ elements: `<contractCode>GOLD</contractCode>${elements}` });
const term = '<endDate>2028-01-14</endDate>';

async function ended(own: TenantApi): Promise<string> {
  const rows = await own.asOwner<{ text: string }>(
    `select concat_ws(' ', status, coalesce(end_date::text, '-'),
       case when is_auto_renew then 'renews' end, cancel_reason) as text
     from subscription_order where tenant_id = ${own.tenantId} order by id`,
  );
  return rows.map(({ text }) => text).join(', ');
}

test('with CancelAtEnd an order ends with its term, says why, and is kept again', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders), {
    options: 'CancelAtEnd',
    ...gold(term),
  });
  const path = `${home}/orders/${orderId}`;
  const page = await visit(own, `${path}/cancel`);
  t.is(page.status, 200);
  const text = textOf(page);
  t.true(
    text.includes('|Your subscription goes on as it is until January 14, 2028, and then ends.'),
    text,
  );
  t.false(text.includes('today'), text);
  t.true(text.includes('|Why do you cancel? (optional)|'), text);
  const form = { formKey: ownKey(page), reason: ' too dear ' };
  const answer = await submit(own, `${path}/cancel`, form);
  t.is(answer.headers.location, `${home}/orders?done=end`);
  t.is(await ended(own), 'Active 2028-01-14 too dear');
  // The same form once more.
  t.is((await submit(own, `${path}/cancel`, form)).status, 303);
  const list = await visit(own, `${home}/orders?done=end`);
  t.true(textOf(list).includes('|Your subscription is cancelled. It goes on until its last day.|'));
  t.true(textOf(list).includes('|Ends on|January 14, 2028|'), textOf(list));
  t.true(list.body.includes(`href="${path}/keep"`));
  t.false(list.body.includes(`href="${path}/cancel"`));
  const keep = await visit(own, `${path}/keep`);
  t.is(keep.status, 200);
  t.true(textOf(keep).includes('ends on January 14, 2028'), textOf(keep));
  const kept = { formKey: ownKey(keep) };
  t.is((await submit(own, `${path}/keep`, kept)).headers.location, `${home}/orders?done=keep`);
  t.is(await ended(own), 'Active 2028-01-14 renews');
  t.is((await submit(own, `${path}/keep`, kept)).status, 303);
  const again = await visit(own, `${path}/keep`);
  t.is(again.status, 409);
  t.true(textOf(again).includes('there is nothing to take back'), textOf(again));
});

test('with Cancel too both ends are offered, that of the term first and chosen', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders), {
    options: 'Cancel,CancelAtEnd',
    ...gold(),
  });
  const path = `${home}/orders/${orderId}/cancel`;
  const page = await visit(own, path);
  const text = textOf(page);
  const [atEnd, now] = ['On February 14, 2027, at the end of the billing period', 'Today'];
  t.true(text.indexOf(`|${atEnd}|`) < text.indexOf(`|${now}|`), text);
  t.regex(page.body, /value="termEnd" checked/);
  t.notRegex(page.body, /value="now" checked/);
  // What is shown again after a fault is what was chosen.
  const long = { formKey: ownKey(page), when: 'now', reason: 'x'.repeat(256) };
  const faulty = await submit(own, path, long);
  t.is(faulty.status, 400);
  t.regex(faulty.body, /value="now" checked/);
  t.is(await ended(own), 'Active - renews');
  // A form without a choice takes the first one.
  const answer = await submit(own, path, { formKey: ownKey(await visit(own, path)) });
  t.is(answer.headers.location, `${home}/orders?done=end`);
  t.is(await ended(own), 'Active 2027-02-14');
  // Until then it can still end today.
  const form = { formKey: ownKey(await visit(own, path)), when: 'now', reason: 'moved' };
  t.is((await submit(own, path, form)).headers.location, `${home}/orders?done=cancel`);
  t.is(await ended(own), 'Canceled 2027-02-01 renews moved');
});

test('an end that another day has moved is shown anew', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders), {
    options: 'CancelAtEnd',
    ...gold(),
  });
  const path = `${home}/orders/${orderId}/cancel`;
  const formKey = ownKey(await visit(own, path));
  await goTo(own, '2027-02-15');
  const answer = await submit(own, path, { formKey, reason: 'too dear' });
  t.is(answer.status, 409);
  t.true(textOf(answer).includes('March 14, 2027'), textOf(answer));
  t.true(answer.body.includes('value="too dear"'));
  t.is(await ended(own), 'Active - renews');
});

test('each end is allowed by its own option alone', async (t) => {
  const { own, home, orderId, customerId } = await withGold(await api.another(withOrders), {
    options: 'Cancel',
    ...gold(term),
  });
  const path = `${home}/orders/${orderId}`;
  const today = await visit(own, `${path}/cancel`);
  t.false(textOf(today).includes('Why do you cancel'), textOf(today));
  t.false(today.body.includes('name="when"'));
  t.is((await visit(own, `${path}/keep`)).status, 403);
  const other = await pageOf(own, { customerId, editOrderOptions: 'CancelAtEnd' });
  const cancel = `${other}/orders/${orderId}/cancel`;
  const form = { formKey: ownKey(await visit(own, cancel)), when: 'now' };
  // An end that is not offered counts as none.
  t.is((await submit(own, cancel, form)).headers.location, `${other}/orders?done=end`);
  t.is(await ended(own), 'Active 2028-01-14');
  // This session takes nothing back.
  const list = await visit(own, `${home}/orders`);
  t.false(list.body.includes('/keep"'));
  t.true(list.body.includes(`href="${path}/cancel"`));
});

test('a planned change before the end leaves the end of today, or none', async (t) => {
  const { own, home, orderId, customerId } = await withGold(await api.another(withOrders), {
    options: 'Cancel,CancelAtEnd',
    ...gold(term),
  });
  await own.post(
    `/changeOrder?currentOrderId=${orderId}&effectiveDate=2027-03-15`,
    '<subscriptionOrder><contractCode>SILVER</contractCode></subscriptionOrder>',
  );
  const both = textOf(await visit(own, `${home}/orders/${orderId}/cancel`));
  t.true(both.includes('ends today'), both);
  t.false(both.includes('until January 14, 2028'), both);
  const other = await pageOf(own, { customerId, editOrderOptions: 'CancelAtEnd' });
  const none = await visit(own, `${other}/orders/${orderId}/cancel`);
  t.is(none.status, 409);
  t.true(textOf(none).includes('A change of this subscription is planned already'), textOf(none));
});
