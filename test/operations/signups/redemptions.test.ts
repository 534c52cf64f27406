/** Coupons that are used up, or that a customer has used: when a sign-up redeems, and what it tells. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import { demoFile, openSignupBooks, type SignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();
const couponCode = 'FEW';

/** 10 percent off GOLD, without tax: 44.10 once and 26.95 a month. */
const open = (terms: object, isMailing = true) =>
  openSignupBooks(db, {
    file: {
      tax: { type: 'none' },
      coupons: [{ code: couponCode, percent: 10, plans: ['GOLD'], ...terms }],
      notifications: isMailing ? demoFile.notifications : undefined,
    },
  });

let people = 0;
const bad = { token: 'bad' };
const declines = Array.from({ length: 9 }, () => 'decline' as const);

/** A sign-up of somebody else each time, up to its card. */
async function submitted(books: SignupBooks, given: object = {}, form: object = {}) {
  people += 1;
  const email = `visitor${people}@example.org`;
  const id = await books.link({ couponCode, email, phone: null, ...given });
  const { dueToday } = await books.due(id);
  await books.submit(id, { shownAmount: dueToday, ...form, ...(await books.terms(id)) });
  return id;
}

const holder = async (books: SignupBooks, email: string): Promise<number> => {
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  await books.work(({ tx }) =>
    tx.query('update contact set email_primary = $2 where customer_id = $1', [customerId, email]),
  );
  await books.order({ customerId, contractCode: 'GOLD', couponCode });
  return customerId;
};

test('a sign-up redeems when its order is made, and one that fails gives it back', async (t) => {
  const books = await open({ maxRedemptions: 1 });
  books.gateway.onCharge('bad', ...declines);
  const [first, second] = [await submitted(books, {}, bad), await submitted(books)];
  t.is((await books.carry(first)).phase, 'Open');
  t.is(await books.state(first), 'DRAFT: 1 declined card_declined');
  // The order of the first holds it while another card may pay.
  await books.advance(second);
  t.is(await books.state(second), 'DRAFT: 1 returned coupon.usedUp couponCode');
  await refused(t, books.price(second), 'coupon.usedUp', 'couponCode');
  for (const _ of [2, 3]) {
    await books.submit(first, { shownAmount: (await books.due(first)).dueToday, ...bad });
    await books.carry(first);
  }
  t.regex(await books.state(first), /^FAILED declined/);
  await books.submit(second, { shownAmount: (await books.due(second)).dueToday });
  t.is((await books.carry(second)).phase, 'Processed');
  t.deepEqual(await books.faults(), []);
});

test('three open sign-ups of one network hold a redemption, a fourth none', async (t) => {
  const books = await open({ maxRedemptions: 10 });
  books.gateway.onCharge('bad', ...declines);
  for (const _ of [1, 2, 3]) {
    const id = await submitted(books, {}, bad);
    await books.carry(id);
    t.is(await books.state(id), 'DRAFT: 1 declined card_declined');
  }
  const fourth = await submitted(books);
  await books.carry(fourth);
  t.is(await books.state(fourth), 'DRAFT: 1 returned coupon.usedUp couponCode');
  const elsewhere = await submitted(books, {}, { ...bad, network: '198.51.100.7' });
  await books.carry(elsewhere);
  t.is(await books.state(elsewhere), 'DRAFT: 1 declined card_declined');
  t.deepEqual(await books.faults(), []);
});

test('a coupon for one order of a customer is confirmed by mail, whoever comes', async (t) => {
  const books = await open({ oncePerCustomer: true });
  const used = 'used@example.org';
  const customerId = await holder(books, used);
  const stories: string[] = [];
  const ids: number[] = [];
  for (const email of [used, 'new@example.org']) {
    const id = await submitted(books, { email });
    const price = await books.price(id);
    const { phase, told, happened } = await books.advance(id);
    stories.push(JSON.stringify([price, phase, told, happened, await books.state(id)]));
    ids.push(id);
  }
  t.is(new Set(stories).size, 1, 'nothing differs before');
  t.true(stories[0]?.includes('Confirming'));
  const [again = 0, fresh = 0] = ids;
  // Behind the link: without the coupon for the one, 49.00 and 29.95; with it for the other.
  t.is(await books.price(again), '49.00 + 29.95 = 78.95, due today 78.95');
  t.is(await books.price(fresh), '44.10 + 26.95 = 71.05, due today 71.05');
  for (const id of ids) {
    t.true(await books.confirm(id));
    t.is((await books.carry(id)).phase, 'Processed');
  }
  t.like(await books.row(again), { customerId, couponCode: null });
  t.like(await books.row(fresh), { isNewCustomer: true, couponCode });
  t.deepEqual(await books.faults(), []);
});

test('a customer that the tenant’s site names is refused, and no mail is needed', async (t) => {
  const books = await open({ oncePerCustomer: true });
  await holder(books, 'used@example.org');
  const hidden = { hideCustomerFields: true };
  const used = await books.link({ couponCode, email: 'used@example.org', ...hidden });
  await refused(t, books.price(used), 'coupon.usedByCustomer', 'couponCode');
  const other = await submitted(books, hidden);
  t.is((await books.carry(other)).phase, 'Processed');
  t.deepEqual(await books.faults(), []);
});

test('a tenant that sends no mails asks nobody', async (t) => {
  const books = await open({ oncePerCustomer: true }, false);
  await holder(books, 'used@example.org');
  const id = await submitted(books, { email: 'used@example.org' });
  t.is((await books.carry(id)).phase, 'Processed');
  t.deepEqual(await books.faults(), []);
});
