/** The list of a customer's orders, and how one of them is cancelled. */
import test from 'ava';
import { submit } from '../signups/page-calls.ts';
import { startTenantApi, type ApiTenantOptions } from '../tenant-api.ts';
import { pageOf, setTimes, SITE, visit } from './calls.ts';
import {
  allOptions,
  customerIn,
  goTo,
  orderOf,
  ordersIn,
  ownKey,
  textOf,
  totalsOf,
  withGold,
  withOrders,
} from './orders-calls.ts';
import { onFile } from './pay-calls.ts';

const api = await startTenantApi(withOrders);
const crediting: ApiTenantOptions = {
  ...withOrders,
  file: { ...withOrders.file, settings: { creditUnusedOnCancel: true } },
};

test('an order is listed with its price, its dates and its status, and with what may be done', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const page = await visit(own, `${home}/orders`);
  t.is(page.status, 200);
  const text = textOf(page);
  t.true(text.includes('|Gold internet|Active|$29.95 a month|Number|1001|'), text);
  t.true(text.includes('|Since|January 15, 2027|Next invoice|February 15, 2027|'), text);
  // An order that is about to be cancelled has no next invoice.
  const cancel = textOf(await visit(own, `${home}/orders/${orderId}/cancel`));
  t.true(cancel.includes('|Since|January 15, 2027|'), cancel);
  t.false(cancel.includes('Next invoice'), cancel);
  t.true(text.includes('|Order a new subscription|'), text);
  for (const action of ['upgrade', 'downgrade', 'cancel']) {
    t.true(page.body.includes(`href="${home}/orders/${orderId}/${action}"`), action);
  }
});

test('the first page has the subscription, the next invoice, and the card that will pay it', async (t) => {
  const own = await api.another(withOrders);
  const customerId = await customerIn(own, 'Ada');
  await onFile({ own, id: customerId }, 1);
  await orderOf(
    own,
    customerId,
    '<contractCode>GOLD</contractCode><couponCode>WELCOME10</couponCode><isAutoPay>true</isAutoPay>',
  );
  const shown = async (switches = {}) =>
    textOf(await visit(own, await pageOf(own, { customerId, ...switches })));
  const text = await shown();
  t.true(text.includes('|Gold internet|Active|$26.95 a month|'), text);
  t.true(text.includes('|WELCOME10 until April 14, 2027, then $29.95 a month|'), text);
  // 29.95 - 3.00 and 8.875 percent of 26.95.
  const next = '|Next invoice|Date|February 15, 2027|Expected amount|$29.34|';
  t.true(text.includes(`${next}Paid by|Visa ending in 1111|expires 12/2029|`), text);
  const hidden = await shown({ allowPayments: 'false' });
  t.true(hidden.includes(`${next}Paid by|Paid automatically|`), hidden);
  await own.asOwner(`delete from payment_method where tenant_id = ${own.tenantId}`);
  t.true((await shown()).includes(`${next}Paid by|You pay it yourself|`), await shown());
});

test('without an order the page says so; a draft is the tenant’s own', async (t) => {
  const own = await api.another(withOrders);
  const customerId = await customerIn(own, 'Ada');
  const home = await pageOf(own, { customerId, editOrderOptions: 'Cancel' });
  const draft = '<contractCode>GOLD</contractCode><orderStatus>Draft</orderStatus>';
  const { status } = await own.post(
    '/orders',
    `<subscriptionOrder><customer id="${customerId}"/>${draft}</subscriptionOrder>`,
  );
  t.is(status, 201);
  const page = await visit(own, `${home}/orders`);
  t.true(textOf(page).includes('|You have no subscription.|'), textOf(page));
  t.false(page.body.includes('/orders/new'));
});

test('what goes on comes before what has ended; more than 100 are not listed', async (t) => {
  const { own, home, customerId } = await withGold(await api.another(withOrders));
  const list = async () => textOf(await visit(own, `${home}/orders`));
  const [{ id } = { id: '' }] = await own.asOwner<{ id: string }>(
    `select id from subscription_order where tenant_id = ${own.tenantId}`,
  );
  await own.put(
    `/order/${id}`,
    '<subscriptionOrder><orderStatus>Canceled</orderStatus></subscriptionOrder>',
  );
  await orderOf(own, customerId, '<contractCode>SILVER</contractCode>');
  const text = await list();
  t.true(text.indexOf('|SILVER internet|') < text.indexOf('|Ended subscriptions|'), text);
  t.regex(
    text,
    /\|Ended subscriptions\|.*\|Gold internet\|1001\|Jan 15 – Feb 1, 2027\|Cancelled\|/,
  );
  t.false(text.includes('not listed here'));
  const [{ names } = { names: '' }] = await own.asOwner<{ names: string }>(
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = 'subscription_order' and table_schema = 'public'
       and is_generated = 'NEVER'`,
  );
  await own.asOwner(
    `insert into subscription_order (${names})
     select ${names} from (
       select (jsonb_populate_record(o, jsonb_build_object('id', o.id + n * 1000000,
         'order_number', o.order_number + n * 1000))).*
       from subscription_order o, generate_series(1, 100) n
       where o.tenant_id = ${own.tenantId} and o.id = ${id}) copies`,
  );
  t.true((await list()).includes('|Older subscriptions are not listed here.|'));
});

test('cancelling gives back what the preview says', async (t) => {
  // GOLD is used up to today, so 13 of 31 days are left: 29.95 - 17.39 = 12.56, and 2.66 - 1.54 = 1.12.
  const { own, home, orderId } = await withGold(await api.another(crediting));
  const path = `${home}/orders/${orderId}/cancel`;
  const page = await visit(own, path);
  t.is(page.status, 200);
  t.true(textOf(page).includes('|Credit for unused days|$13.68|'), textOf(page));
  t.true(textOf(page).includes('ends today, on February 1, 2027'), textOf(page));
  const formKey = ownKey(page);
  const answers = await Promise.all([1, 2].map(() => submit(own, path, { formKey })));
  answers.push(await submit(own, path, { formKey }));
  t.deepEqual(
    answers.map(({ status, headers }) => [status, headers.location]),
    answers.map(() => [303, `${home}/orders?done=cancel`]),
  );
  const credits = await own.asOwner(
    `select amount::numeric(20, 2)::text as amount from payment
     where tenant_id = ${own.tenantId} and is_system_payment`,
  );
  t.deepEqual(credits, [{ amount: '13.68' }]);
  t.is(await ordersIn(own), 'GOLD Canceled');
  const list = textOf(await visit(own, `${home}/orders?done=cancel`));
  t.true(list.includes('|Your subscription is cancelled.|'), list);
  const again = await visit(own, path);
  t.is(again.status, 409);
  t.true(textOf(again).includes('|This subscription has ended already.|'), textOf(again));
});

test('a credit that has become another one is shown again', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(crediting));
  const path = `${home}/orders/${orderId}/cancel`;
  const formKey = ownKey(await visit(own, path));
  await goTo(own, '2027-02-02');
  const answer = await submit(own, path, { formKey });
  t.is(answer.status, 409);
  t.regex(textOf(answer), /terms have changed/);
  t.is(await ordersIn(own), 'GOLD Active');
});

test('without the setting nothing is given back; what was used is billed later', async (t) => {
  const own = await api.another(withOrders);
  const { home, orderId } = await withGold(own, {
    elements: '<contractCode>METERED</contractCode>',
  });
  const text = textOf(await visit(own, `${home}/orders/${orderId}/cancel`));
  t.true(text.includes('|Nothing that you have paid is given back.|'), text);
  t.true(text.includes('comes on a last invoice'), text);
  t.is((await totalsOf(own)).length, 1);
});

test('a suspended order and one that waits may be cancelled, and a change is taken back', async (t) => {
  const { own, home, orderId, customerId } = await withGold(await api.another(withOrders));
  const later = await own.post(
    `/changeOrder?currentOrderId=${orderId}&effectiveDate=2027-02-15`,
    '<subscriptionOrder><contractCode>SILVER</contractCode></subscriptionOrder>',
  );
  const waiting = /<subscriptionOrder id="(\d+)"/.exec(later.body)?.[1] ?? '';
  const both = textOf(await visit(own, `${home}/orders/${orderId}/cancel`));
  t.true(both.includes('|The planned change to SILVER internet is taken back, too.|'), both);
  const path = `${home}/orders/${waiting}/cancel`;
  const page = await visit(own, path);
  t.true(textOf(page).includes('and subscription 1001 stays as it is'), textOf(page));
  t.is((await submit(own, path, { formKey: ownKey(page) })).status, 303);
  t.is(await ordersIn(own), 'GOLD Active, SILVER Canceled');
  await own.post(`/order/${orderId}?action=suspend`);
  const list = textOf(await visit(own, `${home}/orders`));
  t.true(list.includes('|Gold internet|Paused|'), list);
  const suspended = `${home}/orders/${orderId}/cancel`;
  const formKey = ownKey(await visit(own, suspended));
  t.is((await submit(own, suspended, { formKey })).status, 303);
  t.is(await ordersIn(own), 'GOLD Canceled, SILVER Canceled');
  t.truthy(customerId);
});

const pages = ['cancel', 'upgrade', 'downgrade', 'new'] as const;
const optionOf = { cancel: 'Cancel', upgrade: 'Upgrade', downgrade: 'Downgrade', new: 'New' };

for (const allowed of [...pages, null]) {
  test(`switches: ${allowed ?? 'none'} alone allows its own pages`, async (t) => {
    const own = await api.another(withOrders);
    const customerId = await customerIn(own, 'Ada');
    const orderId = await orderOf(own, customerId);
    const editOrderOptions = allowed === null ? undefined : optionOf[allowed];
    const home = await pageOf(own, { customerId, editOrderOptions });
    const list = await visit(own, `${home}/orders`);
    t.is(list.status, allowed === null ? 403 : 200);
    for (const page of pages) {
      const path = page === 'new' ? `${home}/orders/new` : `${home}/orders/${orderId}/${page}`;
      t.is((await visit(own, path)).status, page === allowed ? 200 : 403, page);
      t.is((await submit(own, path, { formKey: 'x' })).status, 403, page);
      t.is(list.body.includes(path), page === allowed, page);
    }
    t.is(await ordersIn(own), 'GOLD Active');
  });
}

test('another customer’s order is 404, and a form of another page is 403', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const bea = await customerIn(own, 'Bea');
  const other = await pageOf(own, { customerId: bea, editOrderOptions: allOptions });
  const choice = { contractCode: 'PLATINUM', quantity: '1' };
  for (const page of ['cancel', 'upgrade', 'downgrade']) {
    const query = page === 'cancel' ? '' : `?${new URLSearchParams(choice).toString()}`;
    const own404 = await visit(own, `${other}/orders/${orderId}/${page}${query}`);
    t.is(own404.status, 404, page);
    const formKey = ownKey(await visit(own, `${home}/orders/${orderId}/${page}${query}`));
    const foreign = await submit(own, `${other}/orders/${orderId}/${page}`, { formKey, ...choice });
    t.true([403, 404].includes(foreign.status), `${page} ${foreign.status}`);
    const wrong = page === 'cancel' ? 'upgrade' : 'cancel';
    const misplaced = await submit(own, `${home}/orders/${orderId}/${wrong}`, {
      formKey,
      ...choice,
    });
    t.is(misplaced.status, 403, page);
    t.is((await visit(own, `${home}/orders/999999/${page}`)).status, 404, page);
  }
  t.is(await ordersIn(own), 'GOLD Active');
});

test('the form of one order cancels no other', async (t) => {
  const { own, home, orderId, customerId } = await withGold(await api.another(withOrders));
  const second = await orderOf(own, customerId, '<contractCode>SILVER</contractCode>');
  const formKey = ownKey(await visit(own, `${home}/orders/${orderId}/cancel`));
  const answer = await submit(own, `${home}/orders/${second}/cancel`, { formKey });
  t.is(answer.status, 200);
  t.is(await ordersIn(own), 'GOLD Active, SILVER Active');
});

test('once the session has ended, each page leads to the login, and nothing is done', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const choice = { contractCode: 'PLATINUM', quantity: '1' };
  const query = `?${new URLSearchParams(choice).toString()}`;
  const paths = [
    [`${home}/orders/${orderId}/cancel`, ''],
    [`${home}/orders/${orderId}/upgrade`, query],
    [`${home}/orders/${orderId}/downgrade`, '?contractCode=SILVER&quantity=1'],
    [`${home}/orders/new`, query],
  ] as const;
  const keys: string[] = [];
  for (const [path, shown] of paths) keys.push(ownKey(await visit(own, path + shown)));
  await setTimes(own, 'ended_at = now()');
  for (const [index, [path]] of paths.entries()) {
    const answer = await submit(own, path, { formKey: keys[index] ?? '', ...choice });
    t.is(answer.status, 303, path);
    t.is(answer.headers.location, `${SITE}/login`);
    t.is((await visit(own, path)).headers.location, `${SITE}/login`);
  }
  t.is(await ordersIn(own), 'GOLD Active');
  t.is((await totalsOf(own)).length, 1);
});

test('the end of a session amid a form is met in its transaction', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/cancel`;
  const formKey = ownKey(await visit(own, path));
  await own.asOwner(
    `update self_service_session set ended_at = now() where tenant_id = ${own.tenantId}`,
  );
  t.is((await submit(own, path, { formKey })).headers.location, `${SITE}/login`);
  t.is(await ordersIn(own), 'GOLD Active');
});
