/** Links of orders to agents: which are refused, naming the element, and what the file changes. */
import test from 'ava';
import { stringify } from 'yaml';
import { applyTenantFile } from '../../../operations/tenants/apply.ts';
import { createVault } from '../../../providers/vault.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { sharedDatabase } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';
import { commissionPlan, openAgentShop, shopFile, tenPercent, type AgentShop } from './shop.ts';

const db = await sharedDatabase();

const plans = [recurring('GOLD', 29.95, prorated), recurring('SILVER', 10, prorated)];
const commissionPlans = [
  commissionPlan(),
  commissionPlan([], { commissionCode: 'OFF', activate: false }),
  commissionPlan([], { commissionCode: 'SILVER', plans: ['SILVER'] }),
];

async function open() {
  const shop = await openAgentShop(db, { plans, commissionPlans });
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  const [std, off, silver] = (await shop.plans()).map((plan) => plan.id);
  const ids = await shop.agents();
  const [ada, eve] = [ids.get('ADA') ?? 0, ids.get('EVE') ?? 0];
  return { shop, id, std: std ?? 0, off: off ?? 0, silver: silver ?? 0, ada, eve };
}

const none = { billerId: null, commissionPlanId: null, joiningDate: null };

test("a link joins on the order's start by the agent's plan, unless it says otherwise", async (t) => {
  const { shop, id, std, ada, eve } = await open();
  await shop.add(id, [
    { ...none, billerId: ada },
    { billerId: eve, commissionPlanId: std, joiningDate: '2027-02-01' },
  ]);
  const links = await shop.links(id);
  t.deepEqual(
    links?.map(({ id: _id, ...link }) => link),
    [
      { joiningDate: '2027-01-15', commissionPlanId: std, salesAgentId: ada },
      { joiningDate: '2027-02-01', commissionPlanId: std, salesAgentId: eve },
    ],
  );
  t.deepEqual(await shop.faults(), []);
});

test('a link of an order with a trial joins on the day after it', async (t) => {
  const { shop, ada } = await open();
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD', trialDays: 14 });
  await shop.add(id, [{ ...none, billerId: ada }]);
  const dates = (await shop.links(id))?.map(({ joiningDate }) => joiningDate);
  t.deepEqual(dates, ['2027-01-29']);
});

test('a link that is refused names its element, and none of the call is added', async (t) => {
  const { shop, id, off, silver, ada, eve } = await open();
  const first = { ...none, billerId: ada };
  const at = (path: string) => `list/subscriptionOrderBiller[2]/${path}`;
  const cases = [
    [none, 'field.required', at('biller')],
    [{ ...none, billerId: eve }, 'field.required', at('commissionPlan')],
    [{ ...none, billerId: 1 }, 'orderAgent.reference', at('biller/@id')],
    [
      { ...none, billerId: eve, commissionPlanId: 1 },
      'orderAgent.reference',
      at('commissionPlan/@id'),
    ],
    [first, 'orderAgent.exists', at('biller/@id')],
    [
      { ...none, billerId: eve, commissionPlanId: off },
      'orderAgent.plan',
      at('commissionPlan/@id'),
    ],
    [
      { ...none, billerId: eve, commissionPlanId: silver },
      'orderAgent.plan',
      at('commissionPlan/@id'),
    ],
  ] as const;
  for (const [input, code, path] of cases) {
    await refused(t, shop.add(id, [first, input]), code, path);
  }
  t.deepEqual(await shop.links(id), []);
  await shop.add(id, [first]);
  await refused(
    t,
    shop.add(id, [first]),
    'orderAgent.exists',
    'list/subscriptionOrderBiller[1]/biller/@id',
  );
});

test('an order that has ended takes no agent, and no order takes more than 20', async (t) => {
  const { shop, id, ada } = await open();
  const link = { ...none, billerId: ada };
  await refused(
    t,
    shop.add(
      id,
      Array.from({ length: 21 }, () => link),
    ),
    'field.invalid',
    'list',
  );
  await shop.put(id, { orderStatus: 'Canceled' });
  await refused(t, shop.add(id, [link]), 'order.notEditable', null);
});

/** Applies the shop's file anew. */
async function reapply({ dependencies, label }: AgentShop, changes: object): Promise<void> {
  const file = {
    tenant: label,
    name: 'Test tenant',
    timezone: 'America/New_York',
    currency: 'USD',
    users: [{ username: 'api@test', password: 'test-secret', roles: ['ROLE_API'] }],
    plans,
    dunning: { thresholds: [] },
    ...shopFile({ commissionPlans }),
    ...changes,
  };
  const applied = await applyTenantFile(dependencies, {
    text: stringify(file),
    vault: createVault(SECRET_KEY),
    secretOf: () => undefined,
    isStrict: false,
    isDryRun: false,
    checkTemplates: () => Promise.resolve([]),
  });
  if (!applied.isValid) throw new Error(JSON.stringify(applied.mistakes));
}

test('what is gone from the file takes no new link, and its links go on earning', async (t) => {
  const { shop, id, std, ada, eve } = await open();
  await shop.add(id, [{ ...none, billerId: ada }]);
  await shop.generate(id);
  await reapply(shop, { commissionPlans: [], salesAgents: [{ code: 'EVE' }] });
  const customerId = await shop.customer();
  const other = await shop.order({ customerId, contractCode: 'GOLD' });
  await refused(t, shop.add(other, [{ ...none, billerId: ada }]), 'orderAgent.reference');
  const link = { ...none, billerId: eve, commissionPlanId: std };
  await refused(t, shop.add(other, [link]), 'orderAgent.plan');
  t.is((await shop.agents()).get('ADA'), ada);
  const [first] = await shop.plans();
  t.deepEqual([first?.id, first?.charges.length], [std, 1]);
  await shop.create({ customerId: await customerOf(shop, id), amount: '29.95' });
  t.deepEqual(await shop.earned(), ['2027-01-15 ADA 1001 REC 3.00 of 29.95 of 1001']);
  t.deepEqual(await shop.faults(), []);
});

const customerOf = async (shop: AgentShop, orderId: number): Promise<number> => {
  const [row] = await shop.read((tx) =>
    tx.query<{ id: number }>('select customer_id as id from subscription_order where id = $1', [
      orderId,
    ]),
  );
  return row?.id ?? 0;
};

const monthly = {
  code: 'MONTH',
  commissionAmount: 2,
  commissionType: 'Amount',
  chargeType: 'DateBasedCharge',
  dateToChargeValue: 1,
  dateToChargeUnits: 'Months',
};

test('new terms keep the ids, and hold for what is earned from then on', async (t) => {
  const { shop, id, ada } = await open();
  await shop.add(id, [{ ...none, billerId: ada }]);
  await shop.generate(id);
  const customerId = await customerOf(shop, id);
  await shop.create({ customerId, amount: '29.95' });
  const [before] = await shop.plans();
  const fifth = { ...tenPercent, commissionAmount: 20 };
  await shop.advance('2027-02-20');
  await reapply(shop, { commissionPlans: [commissionPlan([monthly, fifth])] });
  const [after] = await shop.plans();
  t.is(after?.id, before?.id);
  t.is(after?.charges.find(({ code }) => code === 'REC')?.id, before?.charges[0]?.id);
  await shop.create({ customerId, amount: '29.95' });
  await shop.advance('2027-03-20');
  const yearly = { ...monthly, dateToChargeUnits: 'Years' };
  await reapply(shop, { commissionPlans: [commissionPlan([yearly])] });
  await shop.advance('2027-05-01');
  await shop.create({ customerId, amount: '59.90' });
  t.deepEqual(await shop.earned(), [
    '2027-01-15 ADA 1001 REC 3.00 of 29.95 of 1001',
    '2027-02-20 ADA 1001 REC 5.99 of 29.95 of 1002',
    '2027-03-15 ADA 1001 MONTH 2.00',
  ]);
  t.deepEqual(await shop.faults(), []);
});
