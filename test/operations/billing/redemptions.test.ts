/** How often a coupon may be taken: which orders are one redemption, when it is free again, and at once. */
import test from 'ava';
import { rateOrder, quotePlan } from '../../../operations/orders/quote.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import { prorated, recurring } from '../support/plans.ts';
import { makeTenant } from '../../support/tenants.ts';

const db = await sharedDatabase();
const couponCode = 'FEW';
const path = 'subscriptionOrder/couponCode';
const now = { generateInvoice: true };
const plans = [recurring('FEE', 31, prorated), recurring('ARREARS', 31, { isProrated: true })];
const few = (terms: object) => ({ coupons: [{ code: couponCode, percent: 10, ...terms }] });
const one = few({ maxRedemptions: 1 });

const open = (file: object = one) =>
  openBooks(db, { today: '2027-01-15', plans, file: { ...file } });

async function buyer(books: Books) {
  const customerId = await books.customer();
  return {
    customerId,
    order: (more: object = {}, how: object = {}) =>
      books.order({ customerId, contractCode: 'FEE', couponCode, ...more }, how),
  };
}

const faultless = async (books: Books) => (await books.audit()).faults;

test('of ten orders at once for the last redemption one is made', async (t) => {
  const books = await open(few({ maxRedemptions: 3 }));
  for (const _ of [1, 2]) await (await buyer(books)).order();
  const buyers = await Promise.all(Array.from({ length: 10 }, () => buyer(books)));
  const made = await Promise.allSettled(buyers.map(({ order }) => order({}, now)));
  const codes = made.map((each) =>
    each.status === 'rejected' ? (each.reason as { code: string }).code : 'made',
  );
  t.deepEqual(codes.toSorted(), [...Array.from({ length: 9 }, () => 'coupon.usedUp'), 'made']);
  t.deepEqual(await faultless(books), []);
});

test('of ten orders of one customer at once for a coupon for one order one is made', async (t) => {
  const books = await open(few({ oncePerCustomer: true }));
  const { order } = await buyer(books);
  const made = await Promise.allSettled(Array.from({ length: 10 }, () => order()));
  const codes = made.map((each) =>
    each.status === 'rejected' ? (each.reason as { code: string }).code : 'made',
  );
  t.deepEqual(codes.toSorted(), [
    ...Array.from({ length: 9 }, () => 'coupon.usedByCustomer'),
    'made',
  ]);
  await (await buyer(books)).order();
  t.deepEqual(await faultless(books), []);
});

test('a Draft is a redemption, and one that is cancelled gives it back', async (t) => {
  const books = await open();
  const { order } = await buyer(books);
  const draft = await order({ orderStatus: 'Draft' });
  await refused(t, order(), 'coupon.usedUp', path);
  await books.put(draft, { orderStatus: 'Canceled' });
  await order();
  await refused(t, order(), 'coupon.usedUp', path);
});

test('a change goes on with the redemption; one without the coupon ends it once no discount stands', async (t) => {
  const books = await open();
  const { order } = await buyer(books);
  const first = await order({}, now);
  books.jump('2027-01-20');
  const next = await books.change(first, { contractCode: 'FEE', couponCode }, { bills: true });
  await refused(t, order(), 'coupon.usedUp', path);
  books.jump('2027-01-25');
  await books.change(next, { contractCode: 'FEE' }, { bills: true });
  // Five days of each order were discounted.
  await refused(t, order(), 'coupon.usedUp', path);
  t.deepEqual(await faultless(books), []);
});

test('what a change of the first day gives back whole does not stand', async (t) => {
  const books = await open();
  const { order } = await buyer(books);
  const first = await order({}, now);
  await books.change(first, { contractCode: 'FEE' }, { bills: true });
  await order();
  t.deepEqual(await faultless(books), []);
});

test('an ended order keeps its redemption while a discount stands, and gives it back with the invoice', async (t) => {
  const books = await open();
  const { order } = await buyer(books);
  const id = await order({}, now);
  await books.put(id, { orderStatus: 'Canceled' });
  await refused(t, order(), 'coupon.usedUp', path);
  await books.cancelInvoice(1001);
  await order();
  t.deepEqual(await faultless(books), []);
});

test('a cancelled order that is still to be billed keeps its redemption', async (t) => {
  const books = await open();
  const { order } = await buyer(books);
  const id = await order({ contractCode: 'ARREARS' });
  await books.advance('2027-01-20');
  await books.put(id, { orderStatus: 'Canceled' });
  await refused(t, order(), 'coupon.usedUp', path);
  await books.advance('2027-01-21');
  t.regex((await books.invoices())[0] ?? '', /DISCOUNT/);
  await refused(t, order(), 'coupon.usedUp', path);
});

test('an order that is deleted leaves its redemption to the one in its place', async (t) => {
  const books = await open(few({ maxRedemptions: 1, oncePerCustomer: true }));
  const { order } = await buyer(books);
  const draft = await order({ orderStatus: 'Draft' });
  const deletes = { deletesCurrent: true };
  const same = await books.change(draft, { contractCode: 'ARREARS', couponCode }, deletes);
  await refused(t, order(), 'coupon.usedByCustomer', path);
  await books.change(same, { contractCode: 'ARREARS' }, deletes);
  await order();
});

test('a PUT takes and gives redemptions, and keeps one that the order has', async (t) => {
  const books = await open();
  const { order } = await buyer(books);
  const [taking, other] = [await order(), await order({ couponCode: null })];
  await refused(t, books.put(other, { couponCode }), 'coupon.usedUp', path);
  await books.put(taking, { couponCode, notes: 'the same' });
  await books.put(taking, { couponCode: null });
  await books.put(other, { couponCode });
  await refused(t, books.put(taking, { couponCode }), 'coupon.usedUp', path);
  t.deepEqual(await faultless(books), []);
});

test('orders from before the limit count, and a raised limit admits more', async (t) => {
  const books = await open(few({}));
  const { order, customerId } = await buyer(books);
  await order();
  await order();
  const apply = (terms: object) =>
    makeTenant(books.dependencies, {
      label: books.label,
      plans,
      file: few(terms),
    });
  await apply({ maxRedemptions: 2 });
  await refused(t, order(), 'coupon.usedUp', path);
  await apply({ maxRedemptions: 3 });
  await order();
  await apply({ oncePerCustomer: true });
  await refused(t, order(), 'coupon.usedByCustomer', path);
  t.truthy(customerId);
  t.deepEqual(await faultless(books), []);
});

test('quotes and previews refuse what an order would, and lock nobody', async (t) => {
  const books = await open(few({ maxRedemptions: 1, oncePerCustomer: true }));
  const { order, customerId } = await buyer(books);
  const id = await order();
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const none = () => undefined;
  const quote = { contractCode: 'FEE', quantity: '1', promo: couponCode, startDate: null };
  await refused(
    t,
    quotePlan(books.dependencies, tenant, { ...quote, address: null }, none),
    'coupon.usedUp',
    'promo',
  );
  const rate = (input: object) =>
    rateOrder(
      books.dependencies,
      tenant,
      { input: { contractCode: 'FEE', couponCode, ...input } },
      none,
    );
  await refused(t, rate({}), 'coupon.usedUp', path);
  await refused(t, rate({ customerId }), 'coupon.usedByCustomer', path);
  const other = await order({ couponCode: null });
  const change = { contractCode: 'FEE', couponCode };
  await refused(t, books.previewChange(other, change), 'coupon.usedByCustomer', path);
  t.is((await books.previewChange(id, change)).length, 1);
});
