/** What agents earn when invoices are paid, and what is taken back, to the cent. */
import test from 'ava';
import { listCommissions } from '../../../operations/commissions/statement.ts';
import { demoPlan } from '../../support/tenants.ts';
import { sharedDatabase } from '../support/books.ts';
import { commissionPlan, fee, openAgentShop, tenPercent } from './shop.ts';

const db = await sharedDatabase();
const now = { generateInvoice: true };

const setup = { priceCode: 'SETUP', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };
const gold = demoPlan('GOLD');
const file = {
  coupons: [{ code: 'WELCOME10', percent: 10, periods: 3, plans: ['GOLD'] }],
  tax: {
    type: 'table',
    rates: [
      {
        country: 'US',
        state: 'NY',
        percent: 8.875,
        taxCode: 'STANDARD',
        name: 'New York sales tax',
      },
    ],
  },
};

async function openGold() {
  const shop = await openAgentShop(db, { plans: [gold], file });
  const address = { countryCode: 'US', state: 'NY' };
  const customerId = await shop.customer({ address });
  const order = { customerId, contractCode: 'GOLD', couponCode: 'WELCOME10' };
  const id = await shop.order(order);
  await shop.link(id);
  await shop.generate(id);
  return { ...shop, customerId, id };
}

test('an invoice earns once it is paid in full: of recurring charges, net of discounts and tax', async (t) => {
  const shop = await openGold();
  const { customerId } = shop;
  // 49.00 - 4.90 + 29.95 - 3.00, and 2.39 of tax.
  t.deepEqual(await shop.open(), ['1001 Outstanding 73.44 of 73.44']);
  await shop.advance('2027-01-20');
  await shop.pay({ customerId, amount: '23.44' });
  t.deepEqual(await shop.earned(), []);
  await shop.advance('2027-02-01');
  await shop.pay({ customerId, amount: '50' });
  t.deepEqual(await shop.earned(), ['2027-02-01 ADA 1001 REC 2.70 of 26.95 of 1001']);
  const [row] = await shop.read((tx) =>
    listCommissions(tx, { agentCode: 'ADA', from: null, to: null }, { offset: 0, max: 9 }),
  );
  t.is(row?.priceCode, 'GOLD-FEE');
  t.deepEqual(await shop.faults(), []);
});

test('a refund takes it back, and a payment earns it again', async (t) => {
  const shop = await openGold();
  const { customerId } = shop;
  await shop.pay({ customerId, amount: '73.44' });
  await shop.advance('2027-02-10');
  await shop.refunded({ customerId, amount: '20' });
  t.deepEqual(await shop.faults(), []);
  await shop.advance('2027-02-12');
  await shop.pay({ customerId, amount: '20' });
  t.deepEqual(await shop.earned(), [
    '2027-01-15 ADA 1001 REC 2.70 of 26.95 of 1001',
    '2027-02-10 ADA 1001 REC -2.70 of -26.95 of 1001 back #1',
    '2027-02-12 ADA 1001 REC 2.70 of 26.95 of 1001',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('a cancelled payment takes it back, and cancelling the invoice adds nothing', async (t) => {
  const shop = await openGold();
  const paymentId = await shop.pay({ customerId: shop.customerId, amount: '73.44' });
  await shop.unpay(paymentId);
  await shop.cancelInvoice(1001);
  t.deepEqual(await shop.earned(), [
    '2027-01-15 ADA 1001 REC 2.70 of 26.95 of 1001',
    '2027-01-15 ADA 1001 REC -2.70 of -26.95 of 1001 back #1',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('money that pays the invoice again in the same transaction earns it again', async (t) => {
  const shop = await openGold();
  const { customerId } = shop;
  const paymentId = await shop.pay({ customerId, amount: '73.44' });
  await shop.credit({ customerId, amount: '80' });
  await shop.unpay(paymentId);
  t.deepEqual((await shop.earned()).length, 3);
  t.deepEqual(await shop.faults(), []);
});

test('a credit counts as payment', async (t) => {
  const shop = await openGold();
  await shop.credit({ customerId: shop.customerId, amount: '73.44' });
  t.deepEqual(await shop.earned(), ['2027-01-15 ADA 1001 REC 2.70 of 26.95 of 1001']);
});

test('each agent of each order earns its own part of an invoice', async (t) => {
  const shop = await openAgentShop(db);
  const customerId = await shop.customer();
  const order = { customerId, contractCode: 'GOLD' };
  const [one, two, three] = [
    await shop.order(order),
    await shop.order({ ...order, orderLineItems: [{ priceCode: 'GOLD', quantity: '2' }] }),
    await shop.order(order),
  ];
  await shop.link(one, 'ADA', 'BOB');
  await shop.link(two, 'BOB');
  await shop.generate(three);
  await shop.pay({ customerId, amount: '119.80' });
  t.deepEqual(await shop.earned(), [
    '2027-01-15 ADA 1001 REC 3.00 of 29.95 of 1001',
    '2027-01-15 BOB 1001 REC 3.00 of 29.95 of 1001',
    '2027-01-15 BOB 1002 REC 5.99 of 59.90 of 1001',
  ]);
  t.deepEqual((await shop.earned({ agentCode: 'BOB' })).length, 2);
  t.deepEqual(await shop.earned({ agentCode: 'NOBODY' }), []);
  t.deepEqual(await shop.earned({ from: '2027-01-16' }), []);
  t.deepEqual((await shop.earned({ to: '2027-01-15' })).length, 3);
  t.deepEqual(await shop.faults(), []);
});

test('an agent that joins after the invoice date, or is linked after the payment, earns nothing of it', async (t) => {
  const shop = await openAgentShop(db);
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' }, now);
  await shop.link(id, 'ADA since 2027-01-16');
  await shop.pay({ customerId, amount: '29.95' });
  await shop.link(id, 'BOB');
  t.deepEqual(await shop.earned(), []);
  await shop.advance('2027-02-15');
  await shop.pay({ customerId, amount: '29.95' });
  t.deepEqual(await shop.earned(), [
    '2027-02-15 ADA 1001 REC 3.00 of 29.95 of 1002',
    '2027-02-15 BOB 1001 REC 3.00 of 29.95 of 1002',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test("an amount is earned once for an invoice with a base above 0, in the tenant's currency", async (t) => {
  const amount = { ...tenPercent, commissionAmount: 5, commissionType: 'Amount' };
  const plans = [
    {
      ...gold,
      charges: [
        { ...setup, price: 49 },
        { ...fee, priceCode: 'FEE', price: 10 },
      ],
    },
  ];
  const coupons = [{ code: 'FREE', percent: 100, once: true }];
  const shop = await openAgentShop(db, { charges: [amount], plans, file: { coupons } });
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD', couponCode: 'FREE' });
  await shop.link(id);
  await shop.generate(id);
  t.deepEqual(await shop.open(), ['1001 Paid 0.00 of 0.00']);
  t.deepEqual(await shop.earned(), []);
  await shop.advance('2027-02-15');
  const paymentId = await shop.pay({ customerId, amount: '10' });
  t.deepEqual(await shop.earned(), ['2027-02-15 ADA 1001 REC 5.00 of 10.00 of 1002']);
  await shop.unpay(paymentId);
  t.deepEqual((await shop.earned()).slice(1), [
    '2027-02-15 ADA 1001 REC -5.00 of -10.00 of 1002 back #1',
  ]);
  t.deepEqual(await shop.faults(), []);
});

test('invoices made by hand, one-time charges and penalties are no base', async (t) => {
  const shop = await openAgentShop(db);
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD', startDate: '2027-03-01' });
  await shop.link(id);
  await shop.manualInvoice(customerId, {
    invoiceLineItems: [
      { enterpriseSubscription: '1001', invoiceLineItemCharges: [{ amount: '50' }] },
    ],
  });
  await shop.pay({ customerId, amount: '50' });
  t.deepEqual(await shop.open(), ['1001 Paid 0.00 of 50.00']);
  t.deepEqual(await shop.earned(), []);
  t.deepEqual(await shop.faults(), []);
});

const credits = { settings: { creditUnusedOnCancel: true } };

test('a credit for unused days takes back what the rest does not earn', async (t) => {
  const shop = await openAgentShop(db, { file: credits });
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  await shop.link(id);
  await shop.generate(id);
  const paymentId = await shop.pay({ customerId, amount: '29.95' });
  await shop.advance('2027-01-31');
  await shop.put(id, { orderStatus: 'Canceled' });
  const once = [
    '2027-01-15 ADA 1001 REC 3.00 of 29.95 of 1001',
    '2027-01-31 ADA 1001 REC -1.36 of -13.53 of 1001 back #1',
  ];
  t.deepEqual(await shop.earned(), once);
  t.deepEqual(await shop.faults(), []);
  // The payment is gone; the credit pays its part of the invoice.
  await shop.unpay(paymentId);
  t.deepEqual((await shop.earned()).slice(2), [
    '2027-01-31 ADA 1001 REC -1.64 of -16.42 of 1001 back #1',
  ]);
  t.deepEqual(await shop.faults(), []);
  await shop.pay({ customerId, amount: '16.42' });
  t.deepEqual((await shop.earned()).slice(3), ['2027-01-31 ADA 1001 REC 1.64 of 16.42 of 1001']);
  t.deepEqual(await shop.faults(), []);
});

test('an invoice that is paid after the credit earns of what is left', async (t) => {
  const shop = await openAgentShop(db, { file: credits });
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  await shop.link(id);
  await shop.generate(id);
  await shop.advance('2027-01-31');
  await shop.put(id, { orderStatus: 'Canceled' });
  await shop.pay({ customerId, amount: '16.42' });
  t.deepEqual(await shop.earned(), ['2027-01-31 ADA 1001 REC 1.64 of 16.42 of 1001']);
  t.deepEqual(await shop.faults(), []);
});

test('an inactive plan earns nothing, and takes back what it earned before', async (t) => {
  const shop = await openAgentShop(db, {
    commissionPlans: [commissionPlan()],
  });
  const customerId = await shop.customer();
  const id = await shop.order({ customerId, contractCode: 'GOLD' });
  await shop.link(id);
  await shop.generate(id);
  await shop.pay({ customerId, amount: '29.95' });
  await shop.work(({ tx }) =>
    tx.query('update commission_plan set is_active = false, updated_at = $1', [
      new Date('2027-01-16T05:00:00Z'),
    ]),
  );
  await shop.advance('2027-02-15');
  await shop.pay({ customerId, amount: '29.95' });
  await shop.refunded({ customerId, amount: '59.90' });
  t.deepEqual(await shop.earned(), [
    '2027-01-15 ADA 1001 REC 3.00 of 29.95 of 1001',
    '2027-02-15 ADA 1001 REC -3.00 of -29.95 of 1001 back #1',
  ]);
  t.deepEqual(await shop.faults(), []);
});
