/** Commission plans, sales agents, the agents of an order and commissions over HTTP. */
import test from 'ava';
import { schemaOfAnswer, violations } from '../../support/xsd.ts';
import { makeCustomer } from '../payments/bodies.ts';
import { golden, refused, startTenantApi, valueOf, valuesOf } from '../tenant-api.ts';

const charge = { commissionType: 'Percent', chargeType: 'RecurringCharge', commissionAmount: '10' };
const bonus = {
  code: 'STD-SIGN',
  commissionAmount: '25.00',
  commissionType: 'Amount',
  chargeType: 'DateBasedChargeOneTime',
  dateToChargeValue: '1',
  dateToChargeUnits: 'Months',
};
const file = {
  commissionPlans: [
    {
      planName: 'Standard resale',
      commissionCode: 'STD',
      accountingCode: '6010',
      plans: ['GOLD'],
      charges: [{ ...charge, code: 'STD-REC', customOptions: 'MULTIPLIER=2' }, bonus],
    },
    { planName: 'Nothing', commissionCode: 'OFF', activate: 'false', plans: [], charges: [] },
  ],
  salesAgents: [
    {
      code: 'AGENT-1',
      firstName: 'Ada',
      lastName: 'Field',
      email: 'ada@resale.example',
      commissionPlan: 'STD',
      achRoutingNumber: '110000000',
      achAccountNumber: '123456789',
      disbursementToken: 'tok_of_ada',
      accountType: 'Checking',
      address: { street1: '1 Main St', city: 'Albany', countryCode: 'US' },
    },
    { code: 'AGENT-2' },
  ],
};

const api = await startTenantApi({ ownDatabase: true, file });
const { get } = api;

const orderOf = (customerId: string | undefined): string =>
  `<subscriptionOrder><customer id="${customerId}"/><contractCode>GOLD</contractCode></subscriptionOrder>`;

/** An order of GOLD from 1 January 2027, of a tenant of its own. */
async function ordered() {
  const own = await api.another({ file });
  const customerId = await makeCustomer(own);
  const order = await own.post('/orders', orderOf(customerId));
  const id = valueOf(order.body, 'subscriptionOrder@id');
  const agent = valueOf((await own.get('/salesAgents?agentCode=AGENT-1')).body, 'biller@id');
  const number = valueOf(order.body, 'orderNumber');
  return { own, id, number, agent, customerId };
}

const links = (...items: readonly string[]): string =>
  `<list>${items.map((item) => `<subscriptionOrderBiller>${item}</subscriptionOrderBiller>`).join('')}</list>`;
const billed = (id: string | undefined): string => `<biller id="${id}"/>`;

test('a commission plan is read by id and by code, and all are listed', async (t) => {
  const all = await get('/commissionPlans');
  t.is(all.status, 200);
  t.deepEqual(violations(schemaOfAnswer(all.body), all.body), []);
  t.deepEqual(valuesOf(all.body, 'planName'), ['Standard resale', 'Nothing']);
  const byCode = await get('/commissionPlans?commissionCode=STD');
  golden(t, 'commission-plan', byCode);
  const id = valueOf(byCode.body, 'commissionPlan@id');
  t.is((await get(`/commissionPlans/${id}`)).body, byCode.body);
  t.deepEqual(valuesOf((await get('/commissionPlans?offset=1&max=1')).body, 'planName'), [
    'Nothing',
  ]);
  refused(t, await get('/commissionPlans/999999'), 404, 'commissionPlan.unknown');
  refused(t, await get('/commissionPlans?commissionCode=X'), 404, 'commissionPlan.unknown');
});

test('a sales agent shows the last four characters of its secrets', async (t) => {
  const byCode = await get('/salesAgents?agentCode=AGENT-1');
  golden(t, 'biller', byCode);
  t.is(valueOf(byCode.body, 'achAccountNumber'), '*****6789');
  t.is(valueOf(byCode.body, 'disbursementToken'), '*****_ada');
  const id = valueOf(byCode.body, 'biller@id');
  t.is((await get(`/salesAgents/${id}`)).body, byCode.body);
  const all = await get('/salesAgents');
  t.deepEqual(violations(schemaOfAnswer(all.body), all.body), []);
  t.deepEqual(valuesOf(all.body, 'code'), ['AGENT-1', 'AGENT-2']);
  refused(t, await get('/salesAgents/999999'), 404, 'salesAgent.unknown');
  refused(t, await get('/salesAgents?agentCode=X'), 404, 'salesAgent.unknown');
});

test('no row of the database has a clear secret of an agent', async (t) => {
  const tables = ['sales_agent', 'tenant'];
  for (const table of tables) {
    const rows = await api.asOwner<{ text: string }>(`select x::text as text from ${table} x`);
    for (const { text } of rows) t.notRegex(text, /123456789|tok_of_ada/);
  }
});

test('agents are linked to an order by its id and by its number', async (t) => {
  const { own, id, number, agent, customerId } = await ordered();
  const { get, post } = own;
  t.is((await get(`/order/${id}/salesAgent`)).body.includes('subscriptionOrderBiller'), false);
  const made = await post(`/order/${id}/salesAgent`, links(billed(agent)));
  t.is(made.status, 201, made.body);
  t.is(valueOf(made.body, 'joiningDate'), '2027-01-01');
  t.deepEqual(violations(schemaOfAnswer(made.body), made.body), []);
  t.is((await get(`/order/${id}/salesAgent`)).body, made.body);
  t.is((await get(`/order/salesAgent?orderNumber=${number}`)).body, made.body);
  const next = valueOf((await post('/orders', orderOf(customerId))).body, 'orderNumber');
  const byNumber = await post(`/order/salesAgent?orderNumber=${next}`, links(billed(agent)));
  t.is(byNumber.status, 201);
  refused(t, await get('/order/999999/salesAgent'), 404, 'order.unknown');
  refused(t, await get('/order/salesAgent?orderNumber=999999'), 404, 'order.unknown');
});

test('a wrong link names its element, and adds nothing', async (t) => {
  const { own, id, agent } = await ordered();
  const { get, post } = own;
  const path = `/order/${id}/salesAgent`;
  const plan = (await get('/commissionPlans?commissionCode=OFF')).body;
  const off = valueOf(plan, 'commissionPlan@id');
  const at = (element: string) => `list/subscriptionOrderBiller[1]/${element}`;
  const cases = [
    ['<joiningDate>2027-01-01</joiningDate>', `field.required ${at('biller')}`],
    [billed('999999'), `orderAgent.reference ${at('biller/@id')}`],
    [
      `${billed(agent)}<commissionPlan id="999999"/>`,
      `orderAgent.reference ${at('commissionPlan/@id')}`,
    ],
    [
      `${billed(agent)}<commissionPlan id="${off}"/>`,
      `orderAgent.plan ${at('commissionPlan/@id')}`,
    ],
    [`${billed(agent)}<joiningDate>soon</joiningDate>`, `field.invalid ${at('joiningDate')}`],
  ] as const;
  for (const [item, expected] of cases) refused(t, await post(path, links(item)), 400, expected);
  const twice = await post(path, links(billed(agent), billed(agent)));
  refused(t, twice, 400, 'orderAgent.exists list/subscriptionOrderBiller[2]/biller/@id');
  t.false((await get(path)).body.includes('subscriptionOrderBiller'));
});

test("another tenant's agent is unknown, and counts as an attempt", async (t) => {
  const other = await api.another({ file });
  const foreign = valueOf((await other.get('/salesAgents?agentCode=AGENT-1')).body, 'biller@id');
  const { own, id } = await ordered();
  refused(t, await own.get(`/salesAgents/${foreign}`), 404, 'salesAgent.unknown');
  const link = await own.post(`/order/${id}/salesAgent`, links(billed(foreign)));
  refused(t, link, 400, 'orderAgent.reference list/subscriptionOrderBiller[1]/biller/@id');
  const [row] = await own.asOwner<{ count: number }>(
    `select count(*)::int as count from audit_log where tenant_id = ${own.tenantId}
       and action = 'foreignId'`,
  );
  t.is(row?.count, 2);
});

test('what the file alone may change, and what stays, is 405', async (t) => {
  const { own, id, agent } = await ordered();
  for (const path of [
    '/commissionPlans',
    '/commissionPlans/1',
    '/salesAgents',
    `/salesAgents/${agent}`,
    '/commissions',
  ]) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      refused(
        t,
        await own.call(method, path, method === 'DELETE' ? {} : { body: '<biller/>' }),
        405,
        'path.method',
      );
    }
  }
  for (const method of ['PUT', 'DELETE']) {
    const body = method === 'PUT' ? { body: links() } : {};
    refused(t, await own.call(method, `/order/${id}/salesAgent`, body), 405, 'path.method');
  }
});

test('commissions are listed by the day, of one agent, and between days', async (t) => {
  const { own, id, agent, customerId } = await ordered();
  await own.post(`/order/${id}/salesAgent`, links(billed(agent)));
  await own.post(`/order/${id}?action=generateInvoice`);
  const body = `<processPayment><customer id="${customerId}"/><amount>200.00</amount>
    <paymentMethodDTO type="Cash"><cashPaymentMethod/></paymentMethodDTO></processPayment>`;
  t.is((await own.post('/payments', body)).status, 201);
  const all = await own.get('/commissions');
  golden(t, 'commissions', all);
  t.deepEqual(violations(schemaOfAnswer(all.body), all.body), []);
  t.is(
    (await own.get('/commissions?agentCode=AGENT-1&from=2027-01-01&to=2027-01-01')).body,
    all.body,
  );
  for (const none of [
    'agentCode=AGENT-2',
    'agentCode=X',
    'from=2027-01-02',
    'to=2026-12-31',
    'max=0',
  ]) {
    t.false((await own.get(`/commissions?${none}`)).body.includes('<commission '), none);
  }
  const wrong = await own.get('/commissions?from=2027-01-02&to=2027-01-01');
  refused(t, wrong, 400, 'query.invalid from');
});
