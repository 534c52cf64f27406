/** Sign-ups of a tenant whose tax provider knows the taxes: it is asked beside the transaction. */
import test, { type ExecutionContext } from 'ava';
import { newYork, openAvatax } from '../../support/avatax.ts';
import { avataxFile, gold } from '../support/avatax-tenant.ts';
import { sharedDatabase } from '../support/books.ts';
import { openSignupBooks } from '../support/signups.ts';

const db = await sharedDatabase();

/** GOLD for 36.00 a month; with its taxes in New York 39.20. */
async function opened(t: ExecutionContext) {
  const { double, provider } = await openAvatax(t);
  const file = { ...avataxFile(), coupons: [], commissionPlans: [], salesAgents: [] };
  const books = await openSignupBooks(db, { file, plans: [gold], taxProvider: provider });
  const { street1: street, city, state, zip: zipcode } = newYork;
  const id = await books.link({ street, city, state, zipcode, couponCode: null });
  return { double, books, id };
}

test('the price and the invoice of a new customer have the taxes of the provider', async (t) => {
  const { books, id } = await opened(t);
  t.is(await books.price(id), '0.00 + 39.20 = 39.20, due today 39.20');
  await books.submit(id, { shownAmount: '39.20' });
  t.is((await books.carry(id)).phase, 'Processed');
  t.is(await books.state(id), 'PROCESSED: 1 paid');
  t.deepEqual(await books.faults(), []);
});

test('a provider that does not answer shows the form again, and nothing is stored', async (t) => {
  const { double, books, id } = await opened(t);
  await books.submit(id, { shownAmount: '39.20' });
  double.be('unavailable');
  t.is((await books.advance(id)).phase, 'Open');
  t.is(await books.state(id), 'DRAFT: 1 returned tax.unavailable');
  t.deepEqual(await books.invoices(), []);
  double.be('well');
  await books.submit(id, { shownAmount: '39.20' });
  t.is((await books.carry(id)).phase, 'Processed');
  t.deepEqual(await books.faults(), []);
});

test('an address that the provider refuses is mended by the visitor', async (t) => {
  const { books, id } = await opened(t);
  await books.work(({ tx }) => tx.query(`update signup set zipcode = '00000', state = 'ZZ'`));
  await books.submit(id, { shownAmount: '39.20' });
  await books.advance(id);
  t.is(await books.state(id), 'DRAFT: 1 returned tax.refused street');
});
