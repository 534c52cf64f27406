/** Trials that a PUT or a change order moves. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';
import { activitiesOf, remove, upload } from '../support/uploads.ts';
import { metered } from '../support/usage.ts';

const db = await sharedDatabase();
const trial = { value: 14, units: 'Days' };
const { alignmentDay: _first, ...unaligned } = metered;
const METER = { ...unaligned, trial, billingAlignment: 'StartDate' };
const plans = [
  recurring('M31', 31, prorated, { trial }),
  recurring('A31', 31, { isProrated: true }, { trial }),
  recurring('W62', 62, prorated, { trial: { value: 2, units: 'Weeks' } }),
  recurring('P62', 62, prorated),
  recurring('WHOLE62', 62, { isPrepaid: true }),
  METER,
];
const path = 'subscriptionOrder/trialDays';

async function booksWith(fields: object = {}, how: object = {}) {
  const books = await openBooks(db, { today: '2027-01-18', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'M31', ...fields }, how);
  return { books, customerId, id };
}

async function daysOf(books: Books, id: number): Promise<string> {
  const [row] = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', status, start_date, 'free to', coalesce(trial_end_date::text, '-'),
         'term', term_start, 'anchor', anchor) as text
       from subscription_order where id = $1`,
      [id],
    ),
  );
  return row?.text ?? '';
}

const billed = async (books: Books) =>
  (await books.invoices()).map((text) => text.replace(/^(\d+ on \S+) due \S+ \S+/, '$1'));

async function isClean(books: Books): Promise<readonly unknown[]> {
  return [...(await books.audit()).faults, ...books.bugs];
}

test('a PUT makes a trial longer, and ends it today', async (t) => {
  const { books, id } = await booksWith();
  await books.advance('2027-01-25');
  await books.put(id, { trialDays: 21 });
  t.is(
    await daysOf(books, id),
    'Active 2027-01-18 free to 2027-02-07 term 2027-02-08 anchor 2027-02-08',
  );
  await refused(t, books.put(id, { trialDays: 6 }), 'field.invalid', path);
  await books.put(id, { trialDays: 7 });
  t.is(
    await daysOf(books, id),
    'Active 2027-01-18 free to 2027-01-24 term 2027-01-25 anchor 2027-01-25',
  );
  await books.generate(id);
  t.deepEqual(await billed(books), ['1001 on 2027-01-25 31.00: M31 2027-01-25 2027-02-24 31.00']);
  await refused(t, books.put(id, { trialDays: 21 }), 'field.notEditable', path);
  t.deepEqual(await isClean(books), []);
});

test('after the trial, or once billed, a PUT moves none', async (t) => {
  const { books, id, customerId } = await booksWith({ contractCode: 'A31' });
  const never = await books.order({ customerId, contractCode: 'A31', trialDays: 0 });
  await books.advance('2027-01-31');
  await refused(t, books.put(never, { trialDays: 30 }), 'field.notEditable', path);
  await books.put(id, { trialDays: 14 });
  await books.advance('2027-02-01');
  await refused(t, books.put(id, { trialDays: 30 }), 'field.notEditable', path);
  // What changes nothing is no change.
  await books.put(id, { trialDays: 14 });
  const forced = await booksWith({}, { forceInvoiceGeneration: true });
  await refused(t, forced.books.put(forced.id, { trialDays: 30 }), 'field.notEditable', path);
});

test('a Draft and an order to come get any trial, and a PUT of the startDate moves it along', async (t) => {
  const { books, customerId, id } = await booksWith({ orderStatus: 'Draft' });
  await books.put(id, { trialDays: 0 });
  t.is(await daysOf(books, id), 'Draft 2027-01-18 free to - term 2027-01-18 anchor 2027-01-18');
  const later = await books.order({ customerId, contractCode: 'M31', startDate: '2027-02-10' });
  await books.put(later, { startDate: '2027-02-15' });
  t.is(
    await daysOf(books, later),
    'Provisioning 2027-02-15 free to 2027-02-28 term 2027-03-01 anchor 2027-03-01',
  );
  await books.put(later, { trialDays: 3, startDate: '2027-01-25' });
  t.is(
    await daysOf(books, later),
    'Provisioning 2027-01-25 free to 2027-01-27 term 2027-01-28 anchor 2027-01-28',
  );
  await books.advance('2027-01-26');
  t.is(await books.orderNow(later), 'Active next 2027-01-28 bills 2027-01-28');
  await books.put(later, { startDate: '2027-01-26' });
  t.regex(await daysOf(books, later), /free to 2027-01-28/);
  t.deepEqual(await isClean(books), []);
});

test('a pending change keeps a trial where it is', async (t) => {
  const { books, id } = await booksWith();
  await books.change(id, { contractCode: 'P62' }, { effectiveDate: '2027-01-25' });
  await refused(t, books.put(id, { trialDays: 30 }), 'order.changePending', path);
});

test('a change in a trial credits nothing; a plan with a trial goes on with it', async (t) => {
  const { books, id } = await booksWith();
  await books.advance('2027-01-25');
  const next = await books.change(id, { contractCode: 'W62' });
  t.is(
    await daysOf(books, next),
    'Active 2027-01-25 free to 2027-01-31 term 2027-02-01 anchor 2027-02-01',
  );
  await books.advance('2027-03-01');
  t.deepEqual(await billed(books), [
    '1001 on 2027-02-01 62.00: W62 2027-02-01 2027-02-28 62.00',
    '1002 on 2027-03-01 62.00: W62 2027-03-01 2027-03-31 62.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a plan without a trial begins its periods on the day of the change, prorated or not', async (t) => {
  for (const contractCode of ['P62', 'WHOLE62']) {
    const { books, id } = await booksWith();
    await books.advance('2027-01-25');
    const next = await books.change(id, { contractCode }, { bills: true });
    t.regex(await daysOf(books, next), /^Active 2027-01-25 free to - .* anchor 2027-01-25$/);
    await books.advance('2027-03-01');
    t.deepEqual(await billed(books), [
      `1001 on 2027-01-25 62.00: ${contractCode} 2027-01-25 2027-02-24 62.00`,
      `1002 on 2027-02-25 62.00: ${contractCode} 2027-02-25 2027-03-24 62.00`,
    ]);
    t.deepEqual(await isClean(books), []);
  }
});

test('trialDays of a change count from its day, in a trial and after it', async (t) => {
  const { books, id } = await booksWith();
  await books.advance('2027-01-25');
  const next = await books.change(id, { contractCode: 'P62', trialDays: 10 });
  t.is(
    await daysOf(books, next),
    'Active 2027-01-25 free to 2027-02-03 term 2027-02-01 anchor 2027-02-04',
  );
  await books.advance('2027-02-10');
  t.deepEqual(await billed(books), ['1001 on 2027-02-04 62.00: P62 2027-02-04 2027-03-03 62.00']);
  // 22 unused days of 28: 48.71; no trial of the plan, and 5 agreed days to 02-14.
  const none = await books.previewChange(next, { contractCode: 'W62' }, { bills: true });
  t.is(none.length, 1);
  const last = await books.change(next, { contractCode: 'W62', trialDays: 5 }, { bills: true });
  t.is(
    await daysOf(books, last),
    'Active 2027-02-10 free to 2027-02-14 term 2027-02-01 anchor 2027-02-04',
  );
  await books.advance('2027-02-15');
  // 17 of the 28 days: 37.64.
  t.deepEqual((await billed(books)).slice(1), [
    '1002 on 2027-02-10 -48.71: P62 2027-02-10 2027-03-03 -48.71',
    '1003 on 2027-02-15 37.64: W62 2027-02-15 2027-03-03 37.64',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a change that waits has the trial that its day gives it', async (t) => {
  const { books, id } = await booksWith();
  const next = await books.change(id, { contractCode: 'W62' }, { effectiveDate: '2027-01-25' });
  t.is(
    await daysOf(books, next),
    'Provisioning 2027-01-25 free to 2027-01-31 term 2027-02-01 anchor 2027-02-01',
  );
  await books.suspend(id);
  await books.advance('2027-02-03');
  await books.activate(id);
  t.regex(await daysOf(books, next), /^Active 2027-02-03 free to - .* anchor 2027-02-01$/);
  t.deepEqual(await isClean(books), []);
});

test('a change on the day after the trial replaces an order that billed nothing', async (t) => {
  const { books, id } = await booksWith();
  const next = await books.change(id, { contractCode: 'P62' }, { effectiveDate: '2027-02-01' });
  await books.advance('2027-02-01');
  t.regex(await daysOf(books, next), /^Active 2027-02-01 free to -/);
  t.deepEqual(await billed(books), ['1001 on 2027-02-01 62.00: P62 2027-02-01 2027-02-28 62.00']);
  t.deepEqual(await isClean(books), []);
});

test('what a forced bill took in a trial goes back whole with a change in it', async (t) => {
  const { books, id } = await booksWith({}, { forceInvoiceGeneration: true });
  await books.advance('2027-01-25');
  await books.change(id, { contractCode: 'P62' }, { bills: true });
  t.deepEqual((await billed(books)).slice(1), [
    '1002 on 2027-01-25 31.00: M31 2027-02-01 2027-02-28 -31.00, P62 2027-01-25 2027-02-24 62.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

const usageOf = async (books: Books) =>
  (await activitiesOf(books)).map(({ chargeDate, status, amount, invoiceNumber }) =>
    [chargeDate, status, amount ?? '-', invoiceNumber ?? '-'].join(' '),
  );
const minutes = (chargeDate: string, more: object = {}) => ({
  chargeDate,
  quantity: '100',
  priceCode: 'MINUTES',
  ...more,
});

test('usage of free days is Processed at 0.00 after the trial, without an invoice', async (t) => {
  const { books, id } = await booksWith({ contractCode: 'METERED' });
  await books.advance('2027-01-20');
  await upload(
    books,
    [minutes('2027-01-19', { extRefId: 'a' }), minutes('2027-01-20', { amount: '5' })],
    {
      orderId: id,
    },
  );
  t.deepEqual(await usageOf(books), ['2027-01-19 Unbilled - -', '2027-01-20 Unbilled 5.00 -']);
  await books.advance('2027-01-31');
  t.is((await usageOf(books))[0], '2027-01-19 Unbilled - -');
  await books.advance('2027-02-01');
  t.deepEqual(await usageOf(books), ['2027-01-19 Processed 0.00 -', '2027-01-20 Processed 5.00 -']);
  await refused(t, remove(books, { extRefId: 'a' }), 'activity.billed');
  // A late record is Processed at the next 00:00, and so is a correction.
  await upload(books, [minutes('2027-01-30'), minutes('2027-02-01')], { orderId: id });
  t.deepEqual((await usageOf(books)).slice(2), [
    '2027-01-30 Unbilled - -',
    '2027-02-01 Unbilled - -',
  ]);
  await books.advance('2027-02-02');
  t.is((await usageOf(books))[2], '2027-01-30 Processed 0.00 -');
  await books.advance('2027-03-01');
  t.deepEqual((await usageOf(books)).at(-1), '2027-02-01 Processed 10.00 1001');
  t.deepEqual(await isClean(books), []);
});

test('usage of an order that ended in its trial is Processed on the day after its end', async (t) => {
  const { books, id } = await booksWith({ contractCode: 'METERED' });
  await upload(books, [minutes('2027-01-18')], { orderId: id });
  await books.advance('2027-01-20');
  await books.end(id, { when: 'now' });
  t.deepEqual(await usageOf(books), ['2027-01-18 Unbilled - -']);
  await books.advance('2027-01-21');
  t.deepEqual(await usageOf(books), ['2027-01-18 Processed 0.00 -']);
  t.deepEqual(await books.invoices(), []);
  t.deepEqual(await isClean(books), []);
});

test('usage follows a trial that a PUT ends today, or makes longer', async (t) => {
  const { books, id } = await booksWith({ contractCode: 'METERED' });
  await books.advance('2027-01-25');
  await upload(books, [minutes('2027-01-24'), minutes('2027-01-25'), minutes('2027-02-03')], {
    orderId: id,
  });
  await books.put(id, { trialDays: 21 });
  await refused(
    t,
    books.put(id, { startDate: '2027-01-26' }),
    'field.notEditable',
    'subscriptionOrder/startDate',
  );
  await books.put(id, { trialDays: 7 });
  await books.advance('2027-02-25');
  t.deepEqual(await usageOf(books), [
    '2027-01-24 Processed 0.00 -',
    '2027-01-25 Processed 9.00 1001',
    '2027-02-03 Processed 9.00 1001',
  ]);
  t.deepEqual(await isClean(books), []);
});
