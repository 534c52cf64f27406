/** Deprecated calls say so in each answer, and those of the specification never end. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { z } from 'zod';
import { type Deprecation, checkedDeprecation } from '../../../api/calls/deprecation.ts';
import { route } from '../../../api/calls/route.ts';
import { routeKey, xmlRoutesOf } from '../../../api/calls/route-types.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { compile } from '../../../api/xml/codec.ts';
import { root, text } from '../../../api/xml/types.ts';
import { makeTenant, openTestDatabase, quiet, startApi } from '../support.ts';
import { refused, startTenantApi } from '../tenant-api.ts';

const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
const plan = {
  contractCode: 'GOLD',
  name: 'Gold',
  billingPeriod: 'Monthly',
  charges: [
    {
      priceCode: 'GOLD-FEE',
      chargeType: 'RecurringCharge',
      pricingType: 'FixedPricing',
      isPrepaid: true,
      price: 10,
    },
  ],
};
const api = await startTenantApi({ plans: [plan] });
const routes = xmlRoutesOf(allRoutes(quiet({ db: api.db, realNow: Date.now })));

/** The calls of the specification, whatever the table says. */
const specified = [
  'GET /customer/:id',
  'GET /customer',
  'GET /customer/:id/salesContact',
  'GET /customer/:id/billingContact',
  'GET /customer/salesContact',
  'GET /customer/billingContact',
  'GET /customers',
  'POST /customers  saveCustomerRest',
  'POST /customer/:id updateCustomerRest',
  'PUT /customer/:id',
  'PUT /customer',
  'PUT /customer/:id/salesContact',
  'PUT /customer/:id/billingContact',
  'PUT /customer/salesContact',
  'PUT /customer/billingContact',
  'POST /customer/:id/salesContact',
  'POST /customer/salesContact',
  'DELETE /customer/:id/salesContact',
  'DELETE /customer/salesContact',
  'DELETE /customer/:id',
  'DELETE /customer',
  'PUT /customer/:id/autopay',
  'PUT /customer/autopay',
  'GET /customer/:id/autopay',
  'POST /customer/:id suspend',
  'POST /customer/:id activate',
  'POST /customer suspend',
  'POST /customer activate',
  'POST /customers addCustomerAndOrder',
  'GET /customers/transitions',
  'POST /customers/paymentPlan',
  'GET /customers/:id/paymentPlan',
  'GET /customers/paymentPlan',
  'PUT /customers/paymentPlan',
  'DELETE /customers/paymentPlan',
  'POST /customers/notification',
  'GET /order/:id',
  'GET /order',
  'GET /orders',
  'POST /orders',
  'POST /orders rateOrder',
  'PUT /order/:id',
  'PUT /order',
  'GET /order/:id/canEdit',
  'POST /order/:id suspend',
  'POST /order/:id generateInvoice',
  'POST /changeOrder',
  'GET /quote',
  'GET /invoice/:id',
  'GET /invoice',
  'GET /invoices',
  'DELETE /invoice/:id',
  'DELETE /invoice',
  'POST /invoices',
  'GET /payment/:id',
  'GET /credit/:id',
  'GET /refund/:id',
  'GET /payments',
  'GET /credits',
  'GET /refunds',
  'POST /payments',
  'POST /refunds',
  'POST /credits',
  'POST /payments/autopay',
  'POST /refunds/autopay',
  'DELETE /payment/:id',
  'GET /activities',
  'POST /activities',
  'POST /order/:id/activities',
  'DELETE /activity/:id',
  'DELETE /activity',
  'GET /plan/:id',
  'GET /plan',
  'GET /plans',
  'GET /commissionPlans',
  'GET /commissionPlans/:id',
  'POST /order/:id/salesAgent',
  'POST /order/salesAgent',
  'GET /order/:id/salesAgent',
  'GET /order/salesAgent',
  'GET /salesAgents',
  'GET /salesAgents/:id',
  'POST /batchProcess BatchInit',
  'POST /batchProcess StorageFileUpload',
  'PUT /batchProcess BatchFinalize',
  'GET /batchProcess',
  'GET /signup/start',
  'GET /signup/verify/:tracking',
  'GET /widget/start',
];

test('each call of the specification is in the table, and none of them ends', (t) => {
  const byKey = new Map(routes.map((each) => [routeKey(each).trim(), each]));
  for (const key of specified) {
    const found = byKey.get(key);
    t.truthy(found, key);
    t.is(found?.deprecation?.endsOn, undefined, key);
  }
  // What says that it is of the specification is.
  const marked = routes.filter(({ deprecation }) => deprecation?.of === 'specification');
  t.deepEqual(marked.map(routeKey), ['POST /customers addCustomerAndOrder']);
  t.true(specified.includes('POST /customers addCustomerAndOrder'));
});

test('an end of a call of the specification is refused by the types, and when a process starts', (t) => {
  const since = '2026-11-28';
  const instead = 'do otherwise';
  // @ts-expect-error -- only calls that Sundial alone has may end.
  const ending: Deprecation = { of: 'specification', since, instead, endsOn: '2036-11-28' };
  t.throws(() => checkedDeprecation(ending), { message: /specification never ends/ });
  const own = { of: 'sundial', since, instead } as const;
  t.throws(() => checkedDeprecation({ ...own, endsOn: '2027-11-27' }), { message: /1 year/ });
  t.throws(() => checkedDeprecation({ ...own, since: '2026-02-30' }), { message: /no day/ });
  t.is(checkedDeprecation({ ...own, endsOn: '2027-11-28' }).endsOn, '2027-11-28');
});

const deprecated = {
  deprecation: '@1795824000',
  link: '</docs/calls/post-customers-add-customer-and-order>; rel="deprecation"; type="text/html"',
  sunset: undefined,
};

test('a deprecated call says since when and where it is written, also when it is refused', async (t) => {
  t.is(Date.parse('2026-11-28T00:00:00Z') / 1_000, 1_795_824_000);
  const path = '/customers?actionName=addCustomerAndOrder';
  const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  const send = (orders: string) =>
    api.post(
      path,
      `<addCustomerAndOrder><customer>${contact}</customer><subscriptionOrders>${orders}</subscriptionOrders></addCustomerAndOrder>`,
    );
  const made = await send(order);
  t.is(made.status, 201, made.body);
  t.like(made.headers, deprecated);
  const empty = await send('');
  refused(t, empty, 400, 'field.required addCustomerAndOrder/subscriptionOrders');
  t.like(empty.headers, deprecated);
});

test('the page that promises it shows these very headers', (t) => {
  const { deprecation, link } = deprecated;
  t.true(
    readFileSync('docs/support.md', 'utf8').includes(
      `Deprecation: ${deprecation}\nLink: ${link}\n`,
    ),
  );
});

test('other calls say nothing of it', async (t) => {
  const made = await api.post('/customers', `<customer>${contact}</customer>`);
  t.is(made.status, 201);
  const listed = await api.get('/customers?max=1');
  for (const { headers } of [made, listed]) {
    t.deepEqual([headers['deprecation'], headers['sunset']], [undefined, undefined]);
    t.notRegex(String(headers.link), /deprecation/);
  }
});

test('a call that only Sundial has may end: its answers say when, beside their own links', async (t) => {
  const db = await openTestDatabase();
  await makeTenant(db, 'demo');
  const old = route({
    method: 'GET',
    path: '/olds',
    summary: 'List what is old',
    right: 'read',
    deprecation: {
      of: 'sundial',
      since: '2026-11-28',
      instead: 'list what is new',
      endsOn: '2028-03-01',
    },
    response: compile(root('old', z.strictObject({ name: text(9) }))),
    handler: () => Promise.resolve({ name: 'a' }),
    formats: {
      linked: () =>
        Promise.resolve({
          status: 200,
          type: 'text/plain',
          headers: { Link: '</rest/olds?after=1>; rel="next"' },
          body: 'a',
        }),
    },
  });
  const own = await startApi(db, () => [old]);
  const about = '</docs/calls/get-olds>; rel="deprecation"; type="text/html"';
  const plain = await own.send({ path: '/rest/olds' });
  t.is(plain.status, 200, plain.body);
  t.is(plain.headers['sunset'], 'Wed, 01 Mar 2028 00:00:00 GMT');
  t.is(plain.headers.link, about);
  const linked = await own.send({ path: '/rest/olds?format=linked' });
  t.is(linked.headers.link, `${about}, </rest/olds?after=1>; rel="next"`);
  await own.stop();
});
