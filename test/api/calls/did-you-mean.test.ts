/** Misspelled values, codes and paths are refused with the known one that they resemble. */
import test from 'ava';
import { errorsOf, send } from '../support.ts';
import { startTenantApi } from '../tenant-api.ts';

const price = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', isPrepaid: true };
const plan = (contractCode: string) => ({
  contractCode,
  name: contractCode,
  billingPeriod: 'Monthly',
  charges: [{ ...price, priceCode: `${contractCode}-FEE`, price: 10 }],
});
const api = await startTenantApi({
  plans: [plan('GOLD'), plan('PLATINUM')],
  file: { coupons: [{ code: 'WELCOME10', percent: 10 }] },
});
const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
await api.post('/customers', `<customer><extCustomerRef>ADA</extCustomerRef>${contact}</customer>`);
const order = (elements: string) => `<subscriptionOrder>${elements}</subscriptionOrder>`;
const start = 'successURL=https://a.example/&failURL=https://a.example/&cssURL=https://a.example/';

for (const [what, path, error, message, body] of [
  [
    'orderStatus in a document',
    '/orders?extCustomerRef=ADA',
    'field.invalid subscriptionOrder/orderStatus',
    'not "Cancelled"; did you mean Canceled?',
    order('<contractCode>GOLD</contractCode><orderStatus>Cancelled</orderStatus>'),
  ],
  [
    'a status in a parameter',
    '/orders?status=active',
    'query.invalid status',
    'did you mean Active?',
  ],
  [
    'the plan of an order',
    '/orders?extCustomerRef=ADA',
    'plan.unknown subscriptionOrder/contractCode',
    'there is no plan GLOD; did you mean GOLD?',
    order('<contractCode>GLOD</contractCode>'),
  ],
  [
    'the plan of a read',
    '/plan?contractCode=gold',
    'plan.unknown',
    'there is no plan with contractCode gold; did you mean GOLD?',
  ],
  [
    'the plan of a quote',
    '/quote?contractCode=PLATINIUM',
    'plan.unknown',
    'there is no plan with contractCode PLATINIUM; did you mean PLATINUM?',
  ],
  [
    'the coupon of a quote',
    '/quote?contractCode=GOLD&promo=WELCOM10',
    'coupon.unknown promo',
    'there is no coupon WELCOM10; did you mean WELCOME10?',
  ],
  [
    'the coupon of an order',
    '/orders?extCustomerRef=ADA',
    'coupon.unknown subscriptionOrder/couponCode',
    'there is no coupon WELCOME1; did you mean WELCOME10?',
    order('<contractCode>GOLD</contractCode><couponCode>WELCOME1</couponCode>'),
  ],
  [
    'the plan of a sign-up',
    `/signup/start?${start}&contractCode=GLOD`,
    'plan.unknown contractCode',
    'there is no plan GLOD; did you mean GOLD?',
  ],
  [
    'the coupon of a sign-up',
    `/signup/start?${start}&couponCode=welcome1`,
    'coupon.unknown couponCode',
    'there is no coupon welcome1; did you mean WELCOME10?',
  ],
  [
    'an action',
    '/order/1?action=suspnd',
    'query.invalid action',
    'did you mean suspend?',
    order(''),
  ],
  ['a path', '/costumers', 'path.unknown', 'did you mean /rest/customers?'],
  ['a path in other capitals', '/Orders', 'path.unknown', 'did you mean /rest/orders?'],
  [
    'a path with an id',
    '/order/12/activites',
    'path.unknown',
    'did you mean /rest/order/{id}/activities?',
  ],
] as const) {
  test(`${what}: the refusal names what was meant`, async (t) => {
    const answer = await (body === undefined ? api.get(path) : api.post(path, body));
    t.true(errorsOf(answer).includes(error), answer.body);
    t.true(answer.body.replaceAll('&quot;', '"').includes(message), answer.body);
  });
}

test('a path without its prefix, and a page of the documentation', async (t) => {
  const paths = [
    ['/customers', '/rest/customers'],
    ['/docs/guides/payment', '/docs/guides/payments'],
  ] as const;
  for (const [path, meant] of paths) {
    const answer = await send(api.port, { path, auth: null });
    t.deepEqual(errorsOf(answer), ['path.unknown']);
    t.true(answer.body.includes(`There is no such address; did you mean ${meant}?`), answer.body);
  }
});

test('what resembles nothing gets no hint', async (t) => {
  const answers = [
    await api.get('/quote?contractCode=NONE'),
    await api.get('/nothing'),
    await api.get('/orders?status=Whatever'),
  ];
  for (const { body } of answers) t.notRegex(body, /did you mean/);
});
