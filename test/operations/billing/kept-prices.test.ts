/** Change orders that keep the price that a customer has: by the id of the version, or by keepPrices. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import { prorated, recurring } from '../support/plans.ts';
import { makeTenant } from '../../support/tenants.ts';

const db = await sharedDatabase();
const now = { generateInvoice: true };
const other = recurring('OTHER', 20, prorated);
const two = { orderLineItems: [{ priceCode: 'P', quantity: '2' }] };
const bills = { bills: true };
const keeps = { bills: true, keepsPrices: true };

/** M31 from 2027-01-15, on 2027-02-01: its plan costs 40.00 by now. */
async function dearer(plans = [recurring('P', 40, prorated), other]) {
  const first = [recurring('P', 31, prorated), other];
  const books = await openBooks(db, { today: '2027-01-15', plans: first });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'P' }, now);
  await makeTenant(books.dependencies, { label: books.label, plans });
  books.jump('2027-02-01');
  const versions = await books.read((tx) =>
    tx.query<{ id: number }>(`select id from plan where contract_code = 'P' order by version`),
  );
  const [old, newest] = versions.map((each) => each.id);
  return { books, id, old: old ?? 0, newest: newest ?? 0 };
}

const billed = async (books: Books) => (await books.invoices()).at(-1)?.replace(/^.*: /, '');

/** 14 of 31 days are left: 14.00 of 31.00 goes back, two at 31.00 are 28.00, two at 40.00 are 36.13. */
const atOld = 'P 2027-02-01 2027-02-14 -14.00, P 2027-02-01 2027-02-14 28.00';
const atNew = 'P 2027-02-01 2027-02-14 -14.00, P 2027-02-01 2027-02-14 36.13';

test('a seat is added at the old price by the id of the version, and bills at it from then on', async (t) => {
  const { books, id, old } = await dearer();
  const change = { contractOfferingId: old, ...two };
  const preview = await books.previewChange(id, change, bills);
  await books.change(id, change, bills);
  t.is(await billed(books), atOld);
  t.true(preview[0]?.endsWith(atOld), preview.join());
  await books.advance('2027-02-15');
  t.is(await billed(books), 'P 2027-02-15 2027-03-14 62.00');
  t.deepEqual((await books.audit()).faults, []);
});

test('keepPrices needs no plan in the body, and takes its code', async (t) => {
  for (const named of [{}, { contractCode: 'P' }]) {
    const { books, id } = await dearer();
    await books.change(id, { ...named, ...two }, keeps);
    t.is(await billed(books), atOld);
    t.deepEqual((await books.audit()).faults, []);
  }
});

test('a code alone is the newest version, and beside a code the id says the version', async (t) => {
  for (const [named, expected] of [
    [() => ({ contractCode: 'P' }), atNew],
    [(ids: { newest: number }) => ({ contractCode: 'P', contractOfferingId: ids.newest }), atNew],
    [(ids: { old: number }) => ({ contractCode: 'P', contractOfferingId: ids.old }), atOld],
  ] as const) {
    const { books, id, ...ids } = await dearer();
    await books.change(id, { ...named(ids), ...two }, bills);
    t.is(await billed(books), expected);
  }
});

test('a retired plan is kept, too, as often as its order changes', async (t) => {
  const { books, id, old } = await dearer([other]);
  await refused(t, books.change(id, { contractCode: 'P' }), 'plan.retired');
  const next = await books.change(id, { contractOfferingId: old, ...two }, bills);
  t.is(await billed(books), atOld);
  books.jump('2027-02-08');
  await books.change(next, two, keeps);
  t.deepEqual((await books.audit()).faults, []);
});

test('what contradicts is refused', async (t) => {
  const { books, id, old, newest } = await dearer();
  const offering = 'subscriptionOrder/contractOffering/@id';
  for (const [input, how, path] of [
    [{ contractCode: 'OTHER' }, keeps, 'keepPrices'],
    [{ contractOfferingId: newest }, keeps, 'keepPrices'],
    [{ contractCode: 'OTHER', contractOfferingId: old }, bills, offering],
    [{ contractCode: 'OTHER', contractOfferingId: newest }, bills, offering],
  ] as const) {
    await refused(t, books.change(id, input, how), 'field.invalid', path);
  }
  await refused(
    t,
    books.change(id, two, bills),
    'field.required',
    'subscriptionOrder/contractCode',
  );
  await refused(t, books.change(id, { contractOfferingId: 1 }, bills), 'plan.unknown', offering);
  // A version that the order does not have takes nobody any more.
  const moved = await books.change(id, { contractCode: 'P' }, bills);
  await refused(t, books.change(moved, { contractOfferingId: old }), 'plan.retired');
});

test('an order is made of the newest version: both names must be of it', async (t) => {
  const { books, old } = await dearer();
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P', contractOfferingId: old };
  await refused(t, books.order(order), 'plan.unknown');
  await refused(t, books.order({ customerId, contractOfferingId: old }), 'plan.retired');
});

test('an unbilled order that is replaced and removed keeps its version as well', async (t) => {
  const { books } = await dearer();
  const customerId = await books.customer();
  const draft = await books.order({ customerId, contractCode: 'OTHER', orderStatus: 'Draft' });
  const deletes = { deletesCurrent: true, keepsPrices: true };
  const next = await books.change(draft, {}, deletes);
  t.regex(await books.orderNow(next), /^Active/);
});
