/** What a sign-up costs, and what of it is due today: the worked examples of the rules. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import { demoFile, openSignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();

test('GOLD with WELCOME10 in New York costs 44.10 and 29.34, all due today', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link();
  // 49.00 - 4.90; 29.95 - 3.00 + 2.39, which are 8.875 percent of 26.95.
  t.is(await books.price(id), '44.10 + 29.34 = 73.44, due today 73.44');
});

test('from a later day nothing is due today', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link({ startDate: '2027-02-01' });
  t.is(await books.price(id), '44.10 + 29.34 = 73.44, due today 0.00');
});

test('the quantity multiplies recurring charges, and no address is taxed', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link({ couponCode: null, quantity: '2', state: null, country: null });
  t.is(await books.price(id), '49.00 + 59.90 = 108.90, due today 108.90');
});

test('what is billed in arrears is in the quote, and not due today', async (t) => {
  const books = await openSignupBooks(db);
  const id = await books.link({ contractCode: 'SEATS', couponCode: null });
  t.regex(await books.price(id), /^0\.00 \+ (?!0\.00)\S+ = \S+, due today 0\.00$/);
});

test('it is priced as its customer is billed where the link says who that is', async (t) => {
  const books = await openSignupBooks(db);
  await books.work(async ({ tx }) => {
    const id = await books.customer({ ref: 'ADA-1', address: { countryCode: 'US', state: 'CA' } });
    await tx.query(`update contact set email_primary = 'ADA@example.org' where customer_id = $1`, [
      id,
    ]);
  });
  const entered = await books.link();
  t.is(await books.price(entered), '44.10 + 29.34 = 73.44, due today 73.44');
  const reused = await books.link({ hideCustomerFields: true });
  t.is(await books.price(reused), '44.10 + 26.95 = 71.05, due today 71.05');
});

test('a further card is priced by the coupon of the order that was made, whatever it is now', async (t) => {
  const books = await openSignupBooks(db);
  books.gateway.onCharge('bad', 'decline');
  const id = await books.link();
  await books.submit(id, { token: 'bad' });
  await books.carry(id);
  const twenty = { code: 'WELCOME10', percent: 20, periods: 3, plans: ['GOLD'] };
  const { coupons } = demoFile;
  await books.reapply({ coupons: [twenty, ...coupons.slice(1)] });
  t.is(await books.price(id), '44.10 + 29.34 = 73.44, due today 73.44');
  const other = await books.link({ email: 'b@example.org', phone: null });
  t.not(await books.price(other), '44.10 + 29.34 = 73.44, due today 73.44');
});

test('a fault names the field of the form', async (t) => {
  const books = await openSignupBooks(db);
  const cases = [
    [{ contractCode: 'NOPE' }, 'plan.unknown', 'contractCode'],
    [{ contractCode: 'ANNUAL', couponCode: null }, 'order.unitPriceMissing', 'contractCode'],
    [{ contractCode: 'GOLD', sku: 'VOICE' }, 'plan.unknown', 'contractCode'],
    [{ couponCode: 'NOPE' }, 'coupon.unknown', 'couponCode'],
    [{ quantity: '101' }, 'quantity.outOfRange', 'quantity'],
    [{ contractCode: 'SEATS' }, 'coupon.plan', 'couponCode'],
  ] as const;
  for (const [given, code, path] of cases) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await refused(t, books.price(await books.link(given)), code, path);
  }
});
