/** Upgrades and downgrades by a customer: the choices, the price, and what is then charged. */
import test from 'ava';
import { submit, valueIn } from '../signups/page-calls.ts';
import { startTenantApi, valueOf } from '../tenant-api.ts';
import { pageOf, visit } from './calls.ts';
import { boxesIn, chosenIn } from './pay-calls.ts';
import {
  customerIn,
  dueIn,
  goTo,
  order,
  orderOf,
  ordersIn,
  ownKey,
  preview,
  pricedAt,
  textOf,
  totalsOf,
  withGold,
  withOrders,
} from './orders-calls.ts';

const api = await startTenantApi(withOrders);
const shared = await withGold(await api.another(withOrders));
const platinum = { contractCode: 'PLATINUM', quantity: '1' } as const;

test('an upgrade costs what its preview says: 22.56 + 2.00 - 13.53 - 1.20 = 9.83', async (t) => {
  // 14 of 31 days are left: 49.95 x 14/31 = 22.56 and 8.875% of it 2.00; of GOLD stands 16.42 of
  // 29.95, and 1.46 of its tax of 2.66.
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  t.deepEqual(await totalsOf(own), ['81.61']);
  const path = `${home}/orders/${orderId}/upgrade`;
  const review = await preview(own, path, platinum);
  t.is(review.status, 200, review.body);
  const text = textOf(review);
  for (const part of ['$22.56', '$2.00', '-$13.53', '-$1.20', '$49.95 a month']) {
    t.true(text.includes(part), `${part} in ${text}`);
  }
  t.is(dueIn(review), '$9.83');
  t.deepEqual(await totalsOf(own), ['81.61'], 'a preview makes nothing');
  const answer = await submit(own, path, { formKey: ownKey(review), ...platinum });
  t.is(answer.status, 303, textOf(answer));
  t.regex(String(answer.headers.location), /\/pay\?currency=USD&done=upgrade&invoice=\d+$/);
  t.deepEqual(await totalsOf(own), ['81.61', '9.83']);
  t.is(await ordersIn(own), 'GOLD Superseded, PLATINUM Active');
});

test('a review says until when the coupon holds, what goes on, and what is taxed', async (t) => {
  const elements = '<contractCode>GOLD</contractCode><couponCode>WELCOME10</couponCode>';
  const { own, home, orderId, customerId } = await withGold(await api.another(withOrders), {
    elements,
  });
  const two = { contractCode: 'GOLD', quantity: '2' };
  const one = { contractCode: 'SILVER', quantity: '1' };
  for (const [kind, choice, price] of [
    ['upgrade', two, '$59.90 a month'],
    ['downgrade', one, '$19.95 a month'],
  ] as const) {
    const text = textOf(await preview(own, `${home}/orders/${orderId}/${kind}`, choice));
    for (const says of [
      `From then on: ${price}, before discounts and taxes, and without usage.`,
      'the subscription is renewed after each billing period, until it is cancelled.',
      'You can cancel it in your account, under “Subscriptions”.',
    ]) {
      t.true(text.includes(says), `${kind}: ${says} in ${text}`);
    }
    // SILVER does not take the coupon, which is for GOLD.
    t.is(text.includes('Coupon WELCOME10 holds until April 14, 2027.'), kind === 'upgrade', text);
    t.false(text.includes('Without tax'));
  }
  await own.asOwner(`update contact set state = 'NJ' where customer_id = ${customerId}`);
  const path = `${home}/orders/${orderId}/upgrade`;
  t.true(textOf(await preview(own, path, two)).includes('Without tax'));
});

test('the choices of an upgrade are dearer plans of the product, in force, and other quantities', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const page = await visit(own, `${home}/orders/${orderId}/upgrade`);
  t.is(page.status, 200);
  const choices = [...page.body.matchAll(/type="radio"[^>]*? value="(\w+)"/g)].map(([, it]) => it);
  t.deepEqual(choices, ['GOLD', 'PLATINUM', 'PLUS']);
  const down = await visit(own, `${home}/orders/${orderId}/downgrade`);
  const fewer = [...down.body.matchAll(/type="radio"[^>]*? value="(\w+)"/g)].map(([, it]) => it);
  t.deepEqual(fewer, ['GOLD', 'SILVER', 'YEAR']);
  t.true(textOf(down).includes('on February 15, 2027'), textOf(down));
});

test('a plan of which nothing follows a quantity is not offered in another one', async (t) => {
  const elements = '<contractCode>FLAT</contractCode>';
  const { own, home, orderId } = await withGold(await api.another(withOrders), { elements });
  const path = `${home}/orders/${orderId}/upgrade`;
  const page = textOf(await visit(own, path));
  t.true(page.includes('There is no upgrade for this subscription'), page);
  // It costs 89.00 in any quantity.
  const review = await preview(own, path, { contractCode: 'FLAT', quantity: '2' });
  t.true(textOf(review).includes('There is no upgrade for this subscription'));
});

const refusedChoices: readonly (readonly [
  rule: string,
  choice: Record<string, string>,
  says: RegExp,
])[] = [
  ['a plan of the same price', { contractCode: 'TWIN', quantity: '1' }, /no more per day/],
  ['its own plan as it is', { contractCode: 'GOLD', quantity: '1' }, /no more per day/],
  ['a cheaper one', { contractCode: 'YEAR', quantity: '1' }, /no more per day/],
  ['a retired one', { contractCode: 'OLD', quantity: '1' }, /no longer available/],
  ['one of another product', { contractCode: 'PHONE', quantity: '1' }, /no longer available/],
  ['one with agreed prices', { contractCode: 'ASKED', quantity: '1' }, /no longer available/],
  ['an unknown one', { contractCode: 'NONE', quantity: '1' }, /no longer available/],
  ['no plan', { quantity: '1' }, /choose one/],
  ['a quantity of 0', { contractCode: 'GOLD', quantity: '0' }, /enter a number/],
  ['a part', { contractCode: 'PLUS', quantity: '0.9' }, /not available in this quantity/],
  ['no quantity', { contractCode: 'GOLD', quantity: '' }, /fill in this field/],
  [
    'more than the plan has',
    { contractCode: 'GOLD', quantity: '101' },
    /not available in this quantity/,
  ],
];

for (const [rule, choice, says] of refusedChoices) {
  test(`an upgrade is not to ${rule}`, async (t) => {
    const page = await preview(
      shared.own,
      `${shared.home}/orders/${shared.orderId}/upgrade`,
      choice,
    );
    t.true(page.status === 400 || page.status === 409, String(page.status));
    t.regex(textOf(page), says);
    t.regex(page.body, /type="radio"/);
  });
}

test('another quantity is an upgrade without the setup that was billed once', async (t) => {
  // 59.90 x 14/31 = 27.05 and tax 2.40, less 13.53 and 1.20.
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/upgrade`;
  const two = { contractCode: 'GOLD', quantity: '2' };
  t.is(dueIn(await preview(own, path, two)), '$14.72');
  t.is((await order(own, path, two)).status, 303);
  t.deepEqual(await totalsOf(own), ['81.61', '14.72']);
  const takes = await own.asOwner(
    `select takes_penalties from subscription_order where tenant_id = ${own.tenantId}`,
  );
  t.deepEqual(takes, [{ takes_penalties: true }, { takes_penalties: true }], 'as a whole plan');
});

test('another quantity keeps the price that the order has, dearer or retired as its plan may be', async (t) => {
  for (const dearer of [true, false]) {
    const { own, home, orderId } = await withGold(await api.another(withOrders));
    const others = pricedAt(39.95).filter(({ contractCode }) => dearer || contractCode !== 'GOLD');
    const agents = { commissionPlans: [], salesAgents: [], coupons: [] };
    const file = { ...withOrders.file, ...agents, plans: others };
    await api.another({ ...withOrders, label: own.label, file });
    const path = `${home}/orders/${orderId}/upgrade`;
    const page = await visit(own, path);
    t.true(textOf(page).includes('|$29.95 a month'), textOf(page));
    const two = { contractCode: 'GOLD', quantity: '2' };
    t.is(dueIn(await preview(own, path, two)), '$14.72');
    t.is((await order(own, path, two)).status, 303);
    t.deepEqual(await totalsOf(own), ['81.61', '14.72']);
  }
});

test('a downgrade begins with the next period, and bills nothing today', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/downgrade`;
  const silver = { contractCode: 'SILVER', quantity: '1' };
  const review = await preview(own, path, silver);
  t.is(dueIn(review), '$0.00');
  // 19.95 and 8.875% of it, 1.77.
  t.true(textOf(review).includes('$21.72'), textOf(review));
  const answer = await order(own, path, silver);
  t.is(answer.headers.location, `${home}/orders?done=downgrade`);
  t.deepEqual(await totalsOf(own), ['81.61']);
  t.is(await ordersIn(own), 'GOLD Active, SILVER Provisioning');
  const list = textOf(await visit(own, `${home}/orders?done=downgrade`));
  t.true(list.includes('|Your downgrade is planned.|'), list);
  t.true(list.includes('|SILVER internet from February 15, 2027|'), list);
  t.true(list.includes('|Replaces subscription 1001|'), list);
  const again = await visit(own, `${home}/orders/${orderId}/upgrade`);
  t.is(again.status, 409);
  t.true(textOf(again).includes('is planned already'));
});

test('a thousandth of a plan is no downgrade, but the quantity that an order has may stay', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders), {
    elements: `<contractCode>GOLD</contractCode><orderLineItems><orderLineItem>
      <priceCode>GOLD-FEE</priceCode><quantity>2.5</quantity></orderLineItem></orderLineItems>`,
  });
  const path = `${home}/orders/${orderId}/downgrade`;
  for (const quantity of ['0.001', '0.000001', '2.4', '1.5']) {
    const refused = await preview(own, path, { contractCode: 'GOLD', quantity });
    t.is(refused.status, 409, quantity);
    t.regex(textOf(refused), /not available in this quantity/);
    t.is(valueIn(refused, 'quantity'), quantity);
  }
  const page = await visit(own, path);
  t.is(valueIn(page, 'quantity'), '2.5');
  const silver = { contractCode: 'SILVER', quantity: '2.5' };
  t.is((await order(own, path, silver)).status, 303);
  t.is(await ordersIn(own), 'GOLD Active, SILVER Provisioning');
});

test('a form that comes twice changes once, and leads to the same invoice', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/upgrade`;
  const formKey = ownKey(await preview(own, path, platinum));
  const answers = await Promise.all([1, 2].map(() => submit(own, path, { formKey, ...platinum })));
  const late = await submit(own, path, { formKey, ...platinum });
  const [first, ...others] = [...answers, late].map(({ headers }) => headers.location);
  t.regex(String(first), /\/pay\?currency=USD&done=upgrade&invoice=\d+$/);
  t.deepEqual(others, [first, first]);
  t.deepEqual(await totalsOf(own), ['81.61', '9.83']);
});

test('of two pages of the same order the second finds it changed', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/upgrade`;
  const reviews = [await preview(own, path, platinum), await preview(own, path, platinum)];
  const answers = await Promise.all(
    reviews.map((review) => submit(own, path, { formKey: ownKey(review), ...platinum })),
  );
  t.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['303', '409']);
  t.deepEqual(await totalsOf(own), ['81.61', '9.83']);
});

test('a price that has moved is shown again, and nothing is stored', async (t) => {
  const { own, customerId, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/upgrade`;
  const formKey = ownKey(await preview(own, path, platinum));
  // Something else becomes due of the customer, which the change bills, too.
  await own.post(
    '/orders',
    `<subscriptionOrder><customer id="${customerId}"/><contractCode>PHONE</contractCode>
     <separateInvoice>1</separateInvoice></subscriptionOrder>`,
  );
  const answer = await submit(own, path, { formKey, ...platinum });
  t.is(answer.status, 409);
  t.regex(textOf(answer), /The price or the terms have changed/);
  // 79.00 and its tax of 7.01 are billed at once, too.
  t.is(dueIn(answer), '$95.84');
  t.deepEqual(await totalsOf(own), ['81.61']);
  const second = await submit(own, path, { formKey: ownKey(answer), ...platinum });
  t.is(second.status, 303);
  const [, ...made] = await totalsOf(own);
  t.is(made.reduce((total, each) => total + Number(each) * 100, 0).toFixed(0), '9584');
  const again = await submit(own, path, { formKey: ownKey(answer), ...platinum });
  t.is(again.headers.location, second.headers.location, 'also to what was billed beside it');
});

/** Of an order that is not billed yet: what its PUT sets on its fee between review and post. */
const putTerms: readonly (readonly [
  contractCode: string,
  element: 'quantity' | 'unitPrice',
  shown: string,
  dearer: readonly [value: string, due: string],
  tooDear: string,
  says: RegExp,
])[] = [
  // 49.00 + 16.42 + 1.46 so far, and 22.56 + 2.00; then 24.64 + 2.19 so far. Two cost 59.90 a month.
  ['GOLD', 'quantity', '$91.44', ['1.5', '$100.39'], '2', /no more per day/],
  // 10.00 and then 20.00 for its month, which is not prorated, beside 22.56 + 2.00.
  [
    'ASKED',
    'unitPrice',
    '$34.56',
    ['20', '$44.56'],
    '60',
    /There is no upgrade for this subscription/,
  ],
];

for (const [contractCode, element, shown, [value, due], tooDear, says] of putTerms) {
  test(`a ${element} that a call puts after the review is shown at its price, or refused`, async (t) => {
    const own = await api.another(withOrders);
    const customerId = await customerIn(own, 'Ada');
    const code = `${contractCode}-FEE`;
    const lines = (text: string) =>
      `<orderLineItems><orderLineItem><priceCode>${code}</priceCode><${element}>${text}</${element}></orderLineItem>
       </orderLineItems>`;
    const first = element === 'unitPrice' ? lines('10') : '';
    const posted = await own.post(
      '/orders',
      `<subscriptionOrder><customer id="${customerId}"/><contractCode>${contractCode}</contractCode>
       ${first}</subscriptionOrder>`,
    );
    const orderId = valueOf(posted.body, 'subscriptionOrder@id') ?? posted.body;
    await goTo(own, '2027-02-01');
    const home = await pageOf(own, { customerId, editOrderOptions: 'Upgrade' });
    const path = `${home}/orders/${orderId}/upgrade`;
    const [fee] = await own.asOwner<{ id: string }>(
      `select l.id from order_line l
       join plan_charge c on c.tenant_id = l.tenant_id and c.id = l.charge_id
       where l.tenant_id = ${own.tenantId} and c.price_code = '${code}'`,
    );
    const put = async (text: string) => {
      const body = lines(text).replace('<orderLineItem>', `<orderLineItem id="${fee?.id}">`);
      const answer = await own.put(
        `/order/${orderId}`,
        `<subscriptionOrder>${body}</subscriptionOrder>`,
      );
      t.is(answer.status, 200, answer.body);
    };
    const review = await preview(own, path, platinum);
    t.is(dueIn(review), shown);
    await put(value);
    const moved = await submit(own, path, { formKey: ownKey(review), ...platinum });
    t.is(moved.status, 409);
    t.regex(textOf(moved), /The price or the terms have changed/);
    t.is(dueIn(moved), due);
    await put(tooDear);
    const refused = await submit(own, path, { formKey: ownKey(moved), ...platinum });
    t.is(refused.status, 400);
    t.regex(textOf(refused), says);
    t.deepEqual(await totalsOf(own), []);
    await put(value);
    const answer = await submit(own, path, { formKey: ownKey(moved), ...platinum });
    t.is(answer.status, 303, textOf(answer));
    t.deepEqual(await totalsOf(own), [due.slice(1)]);
  });
}

test('an order that a call cancels after the review is not changed', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/upgrade`;
  const review = await preview(own, path, platinum);
  await own.put(
    `/order/${orderId}`,
    '<subscriptionOrder><orderStatus>Canceled</orderStatus></subscriptionOrder>',
  );
  const refused = await submit(own, path, { formKey: ownKey(review), ...platinum });
  t.is(refused.status, 409);
  t.regex(textOf(refused), /Only an active subscription/);
  t.deepEqual(await totalsOf(own), ['81.61']);
  t.is(await ordersIn(own), 'GOLD Canceled');
});

test('its payment begins with exactly the invoices that the upgrade has made', async (t) => {
  // Two invoices: what the change costs, and PHONE by itself; of GOLD 81.61 are open since January.
  const { own, customerId, home, orderId } = await withGold(await api.another(withOrders));
  await own.post(
    '/orders',
    `<subscriptionOrder><customer id="${customerId}"/><contractCode>PHONE</contractCode>
     <separateInvoice>1</separateInvoice></subscriptionOrder>`,
  );
  const answer = await order(own, `${home}/orders/${orderId}/upgrade`, platinum);
  t.is(answer.status, 303, textOf(answer));
  const made = await own.asOwner<{ id: string }>(
    `select id from invoice where tenant_id = ${own.tenantId} order by id`,
  );
  const all = made.map(({ id }) => Number(id));
  const others = all.slice(1);
  const address = String(answer.headers.location);
  t.deepEqual(new URLSearchParams(address.split('?')[1]).getAll('invoice').map(Number), others);
  const page = await visit(own, address);
  t.is(page.status, 200);
  const boxes = Object.keys(boxesIn(page, 'all')).map((name) => Number(name.replace(/\D+/, '')));
  t.deepEqual(
    boxes.toSorted((one, other) => one - other),
    all,
  );
  t.deepEqual(chosenIn(page).map(Number), others);
  // 9.83 + 79.00 and its tax of 7.01.
  t.true(textOf(page).includes('$95.84'), textOf(page));
});

test('a form of another choice, another order or another day is shown again', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/upgrade`;
  const formKey = ownKey(await preview(own, path, platinum));
  const other = await submit(own, path, { formKey, ...platinum, quantity: '2' });
  t.is(other.status, 409);
  await goTo(own, '2027-02-02');
  t.is((await submit(own, path, { formKey, ...platinum })).status, 409);
  t.is(await ordersIn(own), 'GOLD Active');
});

test('a plan that retires before the order is made is said, and nothing is made', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/upgrade`;
  const formKey = ownKey(await preview(own, path, platinum));
  await own.asOwner(
    `update plan set end_date = '2027-01-31'
     where tenant_id = ${own.tenantId} and contract_code = 'PLATINUM'`,
  );
  const answer = await submit(own, path, { formKey, ...platinum });
  t.is(answer.status, 409);
  t.regex(textOf(answer), /This plan is no longer available/);
  t.is(await ordersIn(own), 'GOLD Active');
});

test('an order that was suspended meanwhile is not changed', async (t) => {
  const { own, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/upgrade`;
  const formKey = ownKey(await preview(own, path, platinum));
  await own.post(`/order/${orderId}?action=suspend`);
  const answer = await submit(own, path, { formKey, ...platinum });
  t.is(answer.status, 409);
  t.regex(textOf(answer), /Only an active subscription/);
  t.is(await ordersIn(own), 'GOLD Suspended');
});

test('an order that ends before its next period is not downgraded', async (t) => {
  const own = await api.another(withOrders);
  const { home, orderId } = await withGold(own, {
    elements: `<contractCode>GOLD</contractCode><endDate>2027-02-10</endDate>
      <isAutoRenew>false</isAutoRenew>`,
  });
  const path = `${home}/orders/${orderId}/downgrade`;
  const page = await preview(own, path, { contractCode: 'SILVER', quantity: '1' });
  t.is(page.status, 409);
  t.regex(textOf(page), /ends before its next billing period/);
});

test('a downgrade whose taxes have changed since its review is shown again', async (t) => {
  const { own, customerId, home, orderId } = await withGold(await api.another(withOrders));
  const path = `${home}/orders/${orderId}/downgrade`;
  const silver = { contractCode: 'SILVER', quantity: '1' };
  const formKey = ownKey(await preview(own, path, silver));
  const moves = await own.put(
    `/customer/${customerId}`,
    `<customer><billingContact><address><state>CA</state></address></billingContact></customer>`,
  );
  t.is(moves.status, 200, moves.body);
  const answer = await submit(own, path, { formKey, ...silver });
  t.is(answer.status, 409);
  t.regex(textOf(answer), /The price or the terms have changed/);
  // 19.95 and 7.25% of it.
  t.true(textOf(answer).includes('$21.40'), textOf(answer));
  t.is(await ordersIn(own), 'GOLD Active');
  t.is((await submit(own, path, { formKey: ownKey(answer), ...silver })).status, 303);
});

test('the coupon of the order goes on with what is left of it', async (t) => {
  // 27.05 - 2.71 + 2.16 - 13.25 = 13.25, as a change with its couponCode.
  const own = await api.another(withOrders);
  const { home, orderId } = await withGold(own, {
    elements: '<contractCode>GOLD</contractCode><couponCode>WELCOME10</couponCode>',
  });
  const path = `${home}/orders/${orderId}/upgrade`;
  const two = { contractCode: 'GOLD', quantity: '2' };
  const review = await preview(own, path, two);
  t.is(dueIn(review), '$13.25');
  t.true(textOf(review).includes('|Coupon|WELCOME10|'));
  // PLATINUM is not among its plans.
  const without = await preview(own, path, platinum);
  t.is(without.status, 200);
  t.false(textOf(without).includes('WELCOME10|'));
  t.is((await order(own, path, two)).status, 303);
  t.deepEqual((await totalsOf(own)).slice(1), ['13.25']);
});

/** Every due today is what is charged then. */
const cases: readonly (readonly [day: string, contractCode: string, quantity: string])[] = [
  ['2027-01-15', 'PLATINUM', '1'],
  ['2027-01-16', 'PLATINUM', '2'],
  ['2027-01-31', 'PLUS', '1'],
  ['2027-02-01', 'PLUS', '3'],
  ['2027-02-13', 'GOLD', '3'],
  ['2027-02-14', 'GOLD', '4'],
  ['2027-02-15', 'PLATINUM', '1'],
  ['2027-02-28', 'YEAR', '2'],
  ['2027-03-01', 'YEAR', '3'],
  ['2027-03-14', 'TWIN', '2'],
  ['2027-04-30', 'PLATINUM', '10'],
];

for (const [day, contractCode, quantity] of cases) {
  test(`charged is what is shown: ${quantity} ${contractCode} on ${day}`, async (t) => {
    const own = await api.another(withOrders);
    const customerId = await customerIn(own, 'Ada');
    const orderId = await orderOf(own, customerId);
    await goTo(own, day);
    const home = await pageOf(own, { customerId, editOrderOptions: 'Upgrade' });
    const path = `${home}/orders/${orderId}/upgrade`;
    const review = await preview(own, path, { contractCode, quantity });
    const answer = await order(own, path, { contractCode, quantity });
    t.is(answer.status, 303, textOf(answer));
    const [, ...made] = await totalsOf(own);
    const cents = made.reduce((total, each) => total + Math.round(Number(each) * 100), 0);
    t.is(dueIn(review).replaceAll(/[$,.]/g, ''), String(cents).padStart(3, '0'));
  });
}
