/** What the Temporal Web UI says of an order's coupon: used periods stand billed, none is counted. */
import test from 'ava';
import { readWokenOrder } from '../../../db/queries/orders/wake.ts';
import { couponFact } from '../../../operations/orders/story.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const setup = { priceCode: 'SETUP', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };
const fee = recurring('FEE', 31, prorated);
const plan = { ...fee, charges: [...fee.charges, { ...setup, price: 49 }] };
const aligned = recurring('ALIGNED', 31, prorated, {
  billingAlignment: 'DayOfMonth',
  alignmentDay: 1,
});
const coupons = [
  { code: 'THREE', percent: 10, periods: 3 },
  { code: 'FIVE', amount: 5 },
  { code: 'ONCE', percent: 50, once: true },
];
const january = { today: '2027-01-15', plans: [plan, aligned], file: { coupons } };

async function factOf({ read }: Books, id: number): Promise<string | null> {
  const order = await read((tx) => readWokenOrder(tx, id));
  return order?.coupon ? couponFact(order.coupon) : null;
}

test('the fact of a coupon says how many of its periods stand discounted, and its last day', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const orderOf = (contractCode: string, couponCode: string | null) =>
    books.order({ customerId, contractCode, couponCode });
  const [three, five, once, none, stub] = [
    await orderOf('FEE', 'THREE'),
    await orderOf('FEE', 'FIVE'),
    await orderOf('FEE', 'ONCE'),
    await orderOf('FEE', null),
    await orderOf('ALIGNED', 'THREE'),
  ];
  const facts = () => Promise.all([three, five, once, none, stub].map((id) => factOf(books, id)));
  t.deepEqual(await facts(), [
    'coupon THREE: 0 of 3 periods, to 2027-04-14',
    'coupon FIVE: for ever',
    'coupon ONCE: once, not used yet',
    null,
    // The stub from 01-15 to 01-31 is the first period.
    'coupon THREE: 0 of 3 periods, to 2027-03-31',
  ]);
  await books.advance('2027-02-15');
  t.deepEqual(await facts(), [
    'coupon THREE: 2 of 3 periods, to 2027-04-14',
    'coupon FIVE: for ever',
    'coupon ONCE: once, used',
    null,
    'coupon THREE: 2 of 3 periods, to 2027-03-31',
  ]);
});

test('a rollback gives periods and the use of a coupon for once back', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'FEE', separateInvoice: 1 };
  const three = await books.order({ ...order, couponCode: 'THREE' }, { generateInvoice: true });
  const once = await books.order({ ...order, couponCode: 'ONCE' }, { generateInvoice: true });
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  await books.cancelInvoice(1002);
  t.is(await factOf(books, three), 'coupon THREE: 0 of 3 periods, to 2027-04-14');
  t.is(await factOf(books, once), 'coupon ONCE: once, used');
});
