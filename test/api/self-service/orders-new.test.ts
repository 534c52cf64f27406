/** New orders of a customer: the price that is shown, and what is then charged. */
import test from 'ava';
import { autopay, token } from '../payments/bodies.ts';
import { submit } from '../signups/page-calls.ts';
import { startTenantApi, type TenantApi } from '../tenant-api.ts';
import { pageOf, visit } from './calls.ts';
import {
  customerIn,
  dueIn,
  order,
  orderOf,
  ordersIn,
  ownKey,
  preview,
  textOf,
  totalsOf,
  withOrders,
} from './orders-calls.ts';

const api = await startTenantApi(withOrders);
const gold = { contractCode: 'GOLD', quantity: '1', couponCode: 'WELCOME10' } as const;

/** A customer in New York without orders, on 2027-01-15. */
async function newcomer(more = '', session: Record<string, string> = {}) {
  const own = await api.another(withOrders);
  const customerId = await customerIn(own, 'Ada', more);
  const home = await pageOf(own, { customerId, editOrderOptions: 'New', ...session });
  return { own, customerId, path: `${home}/orders/new`, home };
}

/** As preference 1. */
const saveCard = (own: TenantApi, customerId: string) =>
  own.put(`/customer/${customerId}/autopay`, autopay(token('tok_ok')));

test('GOLD with WELCOME10 costs 44.10 and 29.34, is billed alone, and leads to its payment', async (t) => {
  const { own, customerId, path, home } = await newcomer();
  // Something else that is due is not billed along.
  await own.post(
    '/orders',
    `<subscriptionOrder><customer id="${customerId}"/><contractCode>PHONE</contractCode>
     </subscriptionOrder>`,
  );
  const review = await preview(own, path, gold);
  t.is(review.status, 200);
  const text = textOf(review);
  for (const part of ['$49.00', '-$4.90', '$44.10', '$29.95', '-$3.00', '$2.39', '$29.34']) {
    t.true(text.includes(`|${part}|`), `${part} in ${text}`);
  }
  t.is(dueIn(review), '$73.44');
  // WELCOME10 is for three periods.
  for (const says of [
    'From then on: $29.95 a month, before discounts and taxes, and without usage.',
    'Coupon WELCOME10 holds until April 14, 2027.',
    'the subscription is renewed after each billing period, until it is cancelled.',
    'To cancel it, contact Test tenant.',
  ]) {
    t.true(text.includes(says), `${says} in ${text}`);
  }
  t.deepEqual(await totalsOf(own), []);
  const answer = await submit(own, path, { formKey: ownKey(review), ...gold });
  t.is(answer.status, 303, textOf(answer));
  t.regex(
    String(answer.headers.location),
    new RegExp(`^${home}/pay\\?currency=USD&done=new&invoice=\\d+$`),
  );
  t.deepEqual(await totalsOf(own), ['73.44']);
  t.is(await ordersIn(own), 'PHONE Active, GOLD Active');
  const done = await visit(own, String(answer.headers.location));
  t.true(textOf(done).includes('|Thank you for your order.|'), textOf(done));
});

test('a form that comes twice orders once', async (t) => {
  const { own, path } = await newcomer();
  const formKey = ownKey(await preview(own, path, gold));
  const answers = await Promise.all([1, 2].map(() => submit(own, path, { formKey, ...gold })));
  answers.push(await submit(own, path, { formKey, ...gold }));
  t.is(new Set(answers.map(({ headers }) => headers.location)).size, 1);
  t.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
  t.deepEqual(await totalsOf(own), ['73.44']);
});

test('a form that comes again after another order leads where the first one led', async (t) => {
  const { own, customerId, path } = await newcomer();
  const formKey = ownKey(await preview(own, path, gold));
  const first = await submit(own, path, { formKey, ...gold });
  t.regex(String(first.headers.location), /\/pay\?currency=USD&done=new&invoice=\d+$/);
  await orderOf(own, customerId, '<contractCode>PHONE</contractCode>');
  const again = await submit(own, path, { formKey, ...gold });
  t.is(again.status, 303);
  t.is(again.headers.location, first.headers.location);
  t.is(await ordersIn(own), 'GOLD Active, PHONE Active');
});

test('the choices are the offered plans with a price in the customer’s currency', async (t) => {
  const { own, path } = await newcomer();
  const page = await visit(own, path);
  const choices = [...page.body.matchAll(/type="radio"[^>]*? value="(\w+)"/g)].map(([, it]) => it);
  const all = 'GOLD METERED SEATS SILVER TWIN PLATINUM YEAR PLUS FLAT PHONE'.split(' ');
  t.is(choices.join(), all.join());
  t.false(page.body.includes('isAutoPay'));
  const euro = await newcomer('<currency id="EUR"/>');
  const none = await visit(euro.own, euro.path);
  t.is(none.status, 200);
  t.true(textOf(none).includes('|Nothing can be ordered at the moment.|'), textOf(none));
});

test('without payments it leads to the list, with a message', async (t) => {
  const { own, path, home } = await newcomer('', { allowPayments: 'false' });
  const answer = await order(own, path, gold);
  t.is(answer.headers.location, `${home}/orders?done=new`);
  const list = textOf(await visit(own, String(answer.headers.location)));
  t.true(list.includes('|Thank you for your order.|'), list);
});

test('with a method on file a box lets it pay by itself, and nothing is left to be paid', async (t) => {
  const { own, customerId, path, home } = await newcomer();
  const saved = await saveCard(own, customerId);
  t.is(saved.status, 200, saved.body);
  const page = await visit(own, path);
  t.regex(page.body, /<input id="isAutoPay" name="isAutoPay" type="checkbox" value="true"[^>]*>/);
  t.notRegex(page.body, /id="isAutoPay"[^>]* checked/);
  const review = await preview(own, path, { ...gold, isAutoPay: 'true' });
  t.true(textOf(review).includes('|Payment|Automatic|'));
  const answer = await order(own, path, { ...gold, isAutoPay: 'true' });
  t.is(answer.headers.location, `${home}/orders?done=new`);
  const [made] = await own.asOwner(
    `select o.is_auto_pay, i.autopay_on is not null as pays from subscription_order o
     join invoice i on i.tenant_id = o.tenant_id where o.tenant_id = ${own.tenantId}`,
  );
  t.deepEqual(made, { is_auto_pay: true, pays: true });
});

test('without a method on file no order pays by itself', async (t) => {
  const { own, path } = await newcomer();
  const review = await preview(own, path, { ...gold, isAutoPay: 'true' });
  t.false(textOf(review).includes('|Automatic|'));
  const answer = await order(own, path, { ...gold, isAutoPay: 'true' });
  t.regex(String(answer.headers.location), /\/pay\?/);
  const [made] = await own.asOwner(
    `select is_auto_pay from subscription_order where tenant_id = ${own.tenantId}`,
  );
  t.deepEqual(made, { is_auto_pay: false });
});

const refusedChoices: readonly (readonly [
  rule: string,
  choice: Readonly<Record<string, string>>,
  fault: string,
])[] = [
  ['an unknown coupon', { ...gold, couponCode: 'NONE' }, 'couponCode'],
  ['a coupon of another plan', { ...gold, contractCode: 'SILVER' }, 'couponCode'],
  ['an unknown plan', { contractCode: 'NONE', quantity: '1' }, 'contractCode'],
  ['a retired plan', { contractCode: 'OLD', quantity: '1' }, 'contractCode'],
  ['a plan with agreed prices', { contractCode: 'ANNUAL', quantity: '1' }, 'contractCode'],
  ['too many', { contractCode: 'GOLD', quantity: '101' }, 'quantity'],
  ['no number', { contractCode: 'GOLD', quantity: 'two' }, 'quantity'],
  ['a part', { contractCode: 'GOLD', quantity: '1.5' }, 'quantity'],
  ['less than one', { contractCode: 'GOLD', quantity: '0.001' }, 'quantity'],
];

for (const [rule, choice, fault] of refusedChoices) {
  test(`not ordered: ${rule}`, async (t) => {
    const { own, path } = await newcomer();
    const page = await preview(own, path, choice);
    t.true([400, 409].includes(page.status), String(page.status));
    t.regex(page.body, new RegExp(`id="${fault}-error"`));
    t.regex(page.body, /id="problems"/);
  });
}

test('a customer that is held, suspended or inactive orders nothing, and reads so', async (t) => {
  for (const assignment of [
    `billing_held_at = now(), billing_held_code = 'order.priceMissing'`,
    `status = 'Suspended1'`,
    `status = 'InActive1'`,
  ]) {
    const { own, path } = await newcomer();
    const formKey = ownKey(await preview(own, path, gold));
    await own.asOwner(`update customer set ${assignment} where tenant_id = ${own.tenantId}`);
    for (const page of [
      await preview(own, path, gold),
      await submit(own, path, { formKey, ...gold }),
    ]) {
      t.is(page.status, 409, assignment);
      t.true(textOf(page).includes('|Your account cannot order at the moment.'), textOf(page));
    }
    t.is(await ordersIn(own), '');
  }
});

test('a coupon that has ended meanwhile is said, and nothing is made', async (t) => {
  const { own, path } = await newcomer();
  const formKey = ownKey(await preview(own, path, gold));
  await own.asOwner(
    `update coupon set end_date = '2027-01-14' where tenant_id = ${own.tenantId}
     and code = 'WELCOME10'`,
  );
  const answer = await submit(own, path, { formKey, ...gold });
  t.is(answer.status, 409);
  t.regex(textOf(answer), /This coupon is not valid today/);
  t.is(await ordersIn(own), '');
});

test('an address that costs other taxes meanwhile is shown at its new price', async (t) => {
  const { own, customerId, path } = await newcomer();
  const formKey = ownKey(await preview(own, path, gold));
  await own.put(
    `/customer/${customerId}`,
    `<customer><billingContact><firstName>Ada</firstName><address><city>Los Angeles</city>
     <state>CA</state><countryCode>US</countryCode></address></billingContact></customer>`,
  );
  const answer = await submit(own, path, { formKey, ...gold });
  t.is(answer.status, 409, textOf(answer));
  // 7.25% of 26.95 is 1.95 in place of 2.39.
  t.is(dueIn(answer), '$73.00');
  t.deepEqual(await totalsOf(own), []);
  t.is((await submit(own, path, { formKey: ownKey(answer), ...gold })).status, 303);
  t.deepEqual(await totalsOf(own), ['73.00']);
});

test('a first invoice of nothing leads to the list', async (t) => {
  const { own, path, home } = await newcomer();
  const seats = { contractCode: 'SEATS', quantity: '2' };
  const review = await preview(own, path, seats);
  t.is(dueIn(review), '$0.00');
  t.is((await order(own, path, seats)).headers.location, `${home}/orders?done=new`);
  t.deepEqual(await totalsOf(own), []);
});

test('an order beside others is made and billed by itself', async (t) => {
  const { own, customerId, path } = await newcomer();
  await orderOf(own, customerId);
  const plus = { contractCode: 'PLUS', quantity: '2' };
  const review = await preview(own, path, plus);
  // 20.00 + 119.90 and 8.875% of it, 10.64.
  t.is(dueIn(review), '$150.54');
  t.is((await order(own, path, plus)).status, 303);
  t.deepEqual((await totalsOf(own)).slice(1), ['150.54']);
});
