/** Commissions that fall due on dates: of amounts, and of what was paid since the date before. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { commissionPlan, openAgentShop, tenPercent, type AgentShop } from './shop.ts';

const db = await sharedDatabase();

const bonus = {
  code: 'SIGN',
  commissionAmount: 25,
  commissionType: 'Amount',
  chargeType: 'DateBasedChargeOneTime',
  dateToChargeValue: 1,
  dateToChargeUnits: 'Months',
};
const quarterly = {
  code: 'QUARTER',
  commissionAmount: 5,
  commissionType: 'Percent',
  chargeType: 'DateBasedCharge',
  dateToChargeValue: 3,
  dateToChargeUnits: 'Months',
};
const monthly = {
  ...quarterly,
  code: 'MONTH',
  commissionAmount: 2,
  commissionType: 'Amount',
  dateToChargeValue: 1,
};
const fifth = {
  ...bonus,
  code: 'FIFTH',
  commissionType: 'Percent',
  commissionAmount: 20,
  dateToChargeValue: 2,
};

async function ordered(shop: AgentShop, ...agents: readonly string[]) {
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  await shop.link(id, ...agents);
  await shop.generate(id);
  return { customerId, id, pay: (amount = '29.95') => shop.pay({ customerId, amount }) };
}

test('an amount falls due once, at 00:00 of its day', async (t) => {
  const shop = await openAgentShop(db, { charges: [bonus] });
  await ordered(shop);
  await shop.advance('2027-02-14');
  t.deepEqual(await shop.earned(), []);
  shop.tomorrow();
  t.deepEqual(
    (await shop.faults()).filter(({ check }) => check.startsWith('commission')),
    [
      {
        check: 'commission.due',
        object: 'order 1001',
        detail: 'sales agent ADA should have earned a commission on 2027-02-15',
      },
    ],
  );
  await shop.run();
  await shop.advance('2027-05-01');
  t.deepEqual(await shop.earned(), ['2027-02-15 ADA 1001 SIGN 25.00']);
  t.deepEqual(await shop.faults(), []);
});

test('a percentage of every 3 months is one row for each invoice paid in them', async (t) => {
  const shop = await openAgentShop(db, { today: '2027-01-31', charges: [quarterly] });
  const { pay } = await ordered(shop);
  await pay();
  await shop.advance('2027-02-28');
  await pay();
  await shop.advance('2027-03-31');
  await pay();
  await shop.advance('2027-04-30');
  // Paid on the day itself, it counts on the next date.
  await pay();
  const first = [
    '2027-04-30 ADA 1001 QUARTER 1.50 of 29.95 of 1001',
    '2027-04-30 ADA 1001 QUARTER 1.50 of 29.95 of 1002',
    '2027-04-30 ADA 1001 QUARTER 1.50 of 29.95 of 1003',
  ];
  t.deepEqual(await shop.earned(), first);
  await shop.advance('2027-07-31');
  t.deepEqual(await shop.earned(), [...first, '2027-07-31 ADA 1001 QUARTER 1.50 of 29.95 of 1004']);
  t.deepEqual(await shop.faults(), []);
});

test('what fell due is taken back with its invoice, and stands again with it', async (t) => {
  const shop = await openAgentShop(db, { charges: [fifth] });
  const { pay } = await ordered(shop);
  const paymentId = await pay();
  await shop.advance('2027-03-15');
  await shop.unpay(paymentId);
  t.deepEqual(await shop.faults(), []);
  await shop.advance('2027-04-01');
  await pay();
  t.deepEqual(await shop.earned(), [
    '2027-03-15 ADA 1001 FIFTH 5.99 of 29.95 of 1001',
    '2027-03-15 ADA 1001 FIFTH -5.99 of -29.95 of 1001 back #1',
    '2027-04-01 ADA 1001 FIFTH 5.99 of 29.95 of 1001',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('an invoice that stands again is not counted on the next date', async (t) => {
  const every = { ...quarterly, dateToChargeValue: 1 };
  const shop = await openAgentShop(db, { charges: [every] });
  const { pay } = await ordered(shop);
  const paymentId = await pay();
  await shop.advance('2027-02-20');
  await shop.unpay(paymentId);
  await pay();
  await shop.advance('2027-03-20');
  t.deepEqual(await shop.earned(), [
    '2027-02-15 ADA 1001 QUARTER 1.50 of 29.95 of 1001',
    '2027-02-20 ADA 1001 QUARTER -1.50 of -29.95 of 1001 back #1',
    '2027-02-20 ADA 1001 QUARTER 1.50 of 29.95 of 1001',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('dates that are over when the agent is linked are earned at once, but no invoice paid before', async (t) => {
  const shop = await openAgentShop(db, {
    charges: [
      bonus,
      monthly,
      { ...fifth, dateToChargeValue: undefined, dateToChargeUnits: undefined },
    ],
  });
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  await shop.generate(id);
  await shop.pay({ customerId, amount: '29.95' });
  await shop.advance('2027-03-20');
  await shop.link(id);
  t.deepEqual(await shop.earned(), [
    '2027-03-20 ADA 1001 SIGN 25.00',
    '2027-03-20 ADA 1001 MONTH 2.00',
    '2027-03-20 ADA 1001 MONTH 2.00',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('an order that has ended, or has not begun, earns no date; a Suspended one does', async (t) => {
  const shop = await openAgentShop(db, { charges: [monthly] });
  const { id } = await ordered(shop);
  const customerId = await shop.customer();
  const order = { customerId, contractCode: 'GOLD', startDate: '2027-03-01' };
  const later = await shop.order({ ...order, endDate: '2027-04-15', isAutoRenew: false });
  await shop.link(later, 'BOB since 2027-01-20');
  await shop.advance('2027-02-01');
  await shop.suspend(id);
  await shop.advance('2027-03-01');
  await shop.put(id, { orderStatus: 'Canceled' });
  await shop.advance('2027-07-01');
  t.deepEqual(await shop.earned(), [
    '2027-02-15 ADA 1001 MONTH 2.00',
    '2027-03-20 BOB 1002 MONTH 2.00',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('runs that never came are made up for', async (t) => {
  const shop = await openAgentShop(db, { charges: [monthly] });
  await ordered(shop);
  shop.jump('2027-04-20');
  await shop.run();
  t.is((await shop.earned()).length, 3);
  t.deepEqual(await shop.faults(), []);
});

const two = [
  recurring('GOLD', 30, prorated),
  recurring('SILVER', 15, prorated),
  recurring('TIN', 3, prorated),
];
const change = { bills: true };

test('a change order takes the agents along where their plan names the new one', async (t) => {
  const plans = [
    commissionPlan([tenPercent, bonus, monthly], { plans: ['GOLD', 'SILVER'] }),
    commissionPlan([tenPercent], { commissionCode: 'GOLD', plans: ['GOLD'] }),
  ];
  const shop = await openAgentShop(db, { plans: two, commissionPlans: plans, today: '2027-01-01' });
  const { id, pay } = await ordered(shop);
  const ids = await shop.agents();
  const [, gold] = await shop.plans();
  await shop.add(id, [
    { billerId: ids.get('EVE') ?? 0, commissionPlanId: gold?.id ?? 0, joiningDate: null },
  ]);
  await pay('30');
  await shop.advance('2027-01-16');
  const next = await shop.change(id, { contractCode: 'SILVER' }, change);
  t.deepEqual(
    (await shop.links(next))?.map(({ joiningDate, salesAgentId }) => [joiningDate, salesAgentId]),
    [['2027-01-01', ids.get('ADA')]],
  );
  // 16 of 31 days: 15.48 go back and 7.74 are billed, so the invoice is paid at once.
  t.deepEqual(await shop.open(), ['1001 Paid 0.00 of 30.00', '1002 Paid 0.00 of -7.74']);
  const sofar = [
    '2027-01-01 ADA 1001 REC 3.00 of 30.00 of 1001',
    '2027-01-01 EVE 1001 REC 3.00 of 30.00 of 1001',
    '2027-01-16 ADA 1001 REC -1.55 of -15.48 of 1002',
    '2027-01-16 EVE 1001 REC -1.55 of -15.48 of 1002',
    '2027-01-16 ADA 1002 REC 0.77 of 7.74 of 1002',
  ];
  t.deepEqual(await shop.earned(), sofar);
  await shop.advance('2027-02-01');
  t.deepEqual((await shop.earned()).slice(sofar.length), [
    '2027-02-01 ADA 1002 SIGN 25.00',
    '2027-02-01 ADA 1002 MONTH 2.00',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('a chain of change orders counts as one order for percentages on dates', async (t) => {
  const charges = [fifth, { ...quarterly, dateToChargeValue: 1 }];
  const plans = [commissionPlan(charges, { plans: ['GOLD', 'SILVER'] })];
  const shop = await openAgentShop(db, { plans: two, commissionPlans: plans, today: '2027-01-01' });
  const { id, pay } = await ordered(shop);
  await pay('30');
  await shop.advance('2027-01-16');
  await shop.change(id, { contractCode: 'SILVER' }, change);
  await shop.advance('2027-02-01');
  await shop.advance('2027-03-02');
  t.deepEqual(await shop.earned(), [
    // Invoice 1002 gives back 15.48 of one order, and bills 7.74 of the other.
    '2027-02-01 ADA 1002 QUARTER 1.50 of 30.00 of 1001',
    '2027-02-01 ADA 1002 QUARTER -0.39 of -7.74 of 1002',
    '2027-03-01 ADA 1002 FIFTH 6.00 of 30.00 of 1001',
    '2027-03-01 ADA 1002 FIFTH -1.55 of -7.74 of 1002',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('what was earned once for an order is not earned again for the order that replaces it', async (t) => {
  const plans = [commissionPlan([bonus], { plans: ['GOLD', 'SILVER'] })];
  const shop = await openAgentShop(db, { plans: two, commissionPlans: plans, today: '2027-01-01' });
  const { id } = await ordered(shop);
  await shop.advance('2027-02-10');
  const next = await shop.change(id, { contractCode: 'SILVER' }, change);
  await shop.advance('2027-03-10');
  await shop.change(next, { contractCode: 'GOLD' }, change);
  await shop.advance('2027-06-10');
  t.deepEqual(await shop.earned(), ['2027-02-01 ADA 1001 SIGN 25.00']);
  t.deepEqual(await shop.faults(), []);
});

test('a pending change takes along the agents that join meanwhile, and begins to earn on its day', async (t) => {
  const plans = [commissionPlan([monthly], { plans: ['GOLD', 'SILVER'] })];
  const shop = await openAgentShop(db, { plans: two, commissionPlans: plans, today: '2027-01-01' });
  const { id } = await ordered(shop);
  const next = await shop.change(id, { contractCode: 'SILVER' }, { effectiveDate: '2027-02-15' });
  await shop.link(id, 'BOB since 2027-01-10');
  t.is((await shop.links(next))?.length, 2);
  await shop.advance('2027-03-15');
  t.deepEqual(await shop.earned(), [
    '2027-02-01 ADA 1001 MONTH 2.00',
    '2027-02-10 BOB 1001 MONTH 2.00',
    '2027-03-01 ADA 1002 MONTH 2.00',
    '2027-03-10 BOB 1002 MONTH 2.00',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('an order that is deleted for one whose plan pays no commission leaves its agents, and what they earned, behind', async (t) => {
  const plans = [
    commissionPlan([{ ...bonus, dateToChargeValue: undefined, dateToChargeUnits: undefined }], {
      plans: ['GOLD', 'SILVER'],
    }),
  ];
  const shop = await openAgentShop(db, { plans: two, commissionPlans: plans, today: '2027-01-01' });
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  await shop.link(id);
  const next = await shop.change(id, { contractCode: 'SILVER' }, { deletesCurrent: true });
  const gone = await shop.change(next, { contractCode: 'TIN' }, { deletesCurrent: true });
  t.deepEqual(await shop.links(gone), []);
  await shop.advance('2027-02-01');
  t.deepEqual(await shop.earned(), ['2027-01-01 ADA 1001 SIGN 25.00']);
  t.deepEqual(await shop.faults(), []);
});
