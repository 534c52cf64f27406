/** Ends by request: when they come, what is billed until then, and how they are taken back. */
import test from 'ava';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { DomainError } from '../../../domain/errors.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const plans = [
  recurring('M31', 31, prorated),
  recurring('A31', 31, { isProrated: true }),
  recurring('WHOLE', 31, prepaid),
  recurring('L62', 62, prorated),
];
const yearly = { endDate: '2028-01-14', isAutoRenew: true };

async function booksWith(fields: object = {}) {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'M31', ...fields });
  await books.advance('2027-01-20');
  return { books, customerId, id };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, error.path].filter(Boolean).join(' ');
  }
}

/** Its terms, and what keep restores. */
async function termsOf(books: Books, id: number): Promise<string> {
  const [row] = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', status, start_date, coalesce(end_date::text, '-'),
         case when is_auto_renew then 'renews' end, 'term', term_start, term_first_end,
         cancel_reason) as text
       from subscription_order where id = $1`,
      [id],
    ),
  );
  return row?.text ?? '';
}

test('M31 without endDate ends with its period, asked for either end, and bills nothing more', async (t) => {
  for (const when of ['periodEnd', 'termEnd'] as const) {
    const { books, id } = await booksWith();
    await books.end(id, { when, reason: 'too dear' });
    t.is(await books.orderNow(id), 'Active ends 2027-02-14');
    await books.advance('2027-02-14');
    t.is(await books.orderNow(id), 'Active ends 2027-02-14');
    await books.advance('2027-04-01');
    t.is(await books.orderNow(id), 'Complete ends 2027-02-14');
    t.deepEqual(await books.invoices(), [
      '1001 on 2027-01-16 due 2027-02-15 Outstanding 31.00: M31 2027-01-15 2027-02-14 31.00',
    ]);
    t.deepEqual((await books.audit()).faults, []);
  }
});

test('with a term the end of the period comes before it, and the end of the term leaves it', async (t) => {
  const { books, id } = await booksWith(yearly);
  await books.end(id, { when: 'termEnd' });
  t.is(await termsOf(books, id), 'Active 2027-01-15 2028-01-14 term 2027-01-15 2028-01-14');
  // As if the first request were not there.
  await books.end(id, { when: 'periodEnd', reason: 'moved' });
  t.is(await termsOf(books, id), 'Active 2027-01-15 2027-02-14 term 2027-01-15 2028-01-14 moved');
  await books.end(id, { when: 'termEnd' });
  t.is(await termsOf(books, id), 'Active 2027-01-15 2028-01-14 term 2027-01-15 2028-01-14');
  await books.keep(id);
  t.is(await termsOf(books, id), 'Active 2027-01-15 2028-01-14 renews term 2027-01-15 2028-01-14');
});

test('arrears are billed on the day after the end: A31 its last 31.00 on 02-15', async (t) => {
  const { books, id } = await booksWith({ contractCode: 'A31' });
  await books.end(id);
  await books.advance('2027-03-20');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-02-15 due 2027-03-17 Outstanding 31.00: A31 2027-01-15 2027-02-14 31.00',
  ]);
  t.is(await books.orderNow(id), 'Complete ends 2027-02-14');
  t.deepEqual((await books.audit()).faults, []);
});

test('a period that was billed in advance is served to its end', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'M31', startDate: '2027-02-15' };
  const id = await books.order(order, { forceInvoiceGeneration: true });
  await books.end(id, { when: 'periodEnd' });
  t.is(await books.orderNow(id), 'Provisioning ends 2027-03-14');
  await books.advance('2027-03-20');
  t.is(await books.orderNow(id), 'Complete ends 2027-03-14');
  t.is((await books.invoices()).length, 1);
});

test('an end within a period cuts it, and nothing of what was billed is credited', async (t) => {
  const { books, id } = await booksWith({ endDate: '2027-03-01', isAutoRenew: true });
  await books.end(id, { when: 'termEnd' });
  await books.advance('2027-03-20');
  // 15 of the 28 days from 02-15 to 03-14.
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-16 due 2027-02-15 Outstanding 31.00: M31 2027-01-15 2027-02-14 31.00',
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 16.61: M31 2027-02-15 2027-03-01 16.61',
  ]);
  t.is(await books.orderNow(id), 'Complete ends 2027-03-01');
});

test('an earlier end without renewal stays', async (t) => {
  const { books, id } = await booksWith({ endDate: '2027-02-10', isAutoRenew: false });
  await books.end(id, { when: 'periodEnd', reason: 'moved' });
  t.is(await termsOf(books, id), 'Active 2027-01-15 2027-02-10 term 2027-01-15 2027-02-10 moved');
  await books.keep(id);
  t.is(await termsOf(books, id), 'Active 2027-01-15 2027-02-10 term 2027-01-15 2027-02-10');
});

test('now is a cancellation with its reason, whatever end was asked for before', async (t) => {
  const { books, id } = await booksWith(yearly);
  await books.end(id, { when: 'periodEnd', reason: 'too dear' });
  await books.end(id, { when: 'now', reason: 'at once' });
  t.is(
    await termsOf(books, id),
    'Canceled 2027-01-15 2027-01-20 renews term 2027-01-15 2028-01-14 at once',
  );
  t.is(await codeOf(books.keep(id)), 'order.notEnding action');
});

test('keep restores the end with the renewals that have passed meanwhile, and bills on', async (t) => {
  // A term of a month less five days, renewed on 02-10, 03-08 ..
  const { books, id } = await booksWith({ endDate: '2027-02-09', isAutoRenew: true });
  await books.end(id, { when: 'periodEnd' });
  t.is(await books.orderNow(id), 'Active ends 2027-02-14');
  await books.advance('2027-02-12');
  await books.keep(id);
  // 26 days from 02-10.
  t.is(await termsOf(books, id), 'Active 2027-01-15 2027-03-07 renews term 2027-01-15 2027-02-09');
  await books.advance('2027-02-20');
  t.deepEqual((await books.invoices()).slice(1), [
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 31.00: M31 2027-02-15 2027-03-14 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a kept order bills the days that its end had cut off', async (t) => {
  const { books, id } = await booksWith({ endDate: '2027-03-01', isAutoRenew: true });
  await books.end(id, { when: 'termEnd' });
  await books.advance('2027-02-20');
  await books.keep(id);
  await books.advance('2027-03-20');
  const amounts = (await books.invoices()).map((text) => text.replace(/.*: /, ''));
  t.deepEqual(amounts, [
    'M31 2027-01-15 2027-02-14 31.00',
    'M31 2027-02-15 2027-03-01 16.61',
    'M31 2027-03-02 2027-03-14 14.39',
    'M31 2027-03-15 2027-04-14 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a PUT that changes the end or renewal ends the request; one that changes neither does not', async (t) => {
  const { books, id } = await booksWith();
  const sent = [
    { isAutoRenew: false },
    { endDate: '2027-02-14', isAutoRenew: false },
    { isAutoRenew: true },
    { endDate: '2027-06-30' },
    { endDate: null },
  ];
  const after: string[] = [];
  for (const input of sent) {
    await books.end(id);
    await books.put(id, input);
    after.push(await termsOf(books, id), await codeOf(books.keep(id)));
    await books.put(id, { endDate: null, isAutoRenew: true });
  }
  t.deepEqual(after, [
    'Active 2027-01-15 2027-02-14 term 2027-01-15',
    'done',
    'Active 2027-01-15 2027-02-14 term 2027-01-15',
    'done',
    // It renews as if a PUT had set its end.
    'Active 2027-01-15 2027-02-14 renews term 2027-01-15 2027-02-14',
    'order.notEnding action',
    'Active 2027-01-15 2027-06-30 term 2027-01-15 2027-06-30',
    'order.notEnding action',
    'Active 2027-01-15 - term 2027-01-15',
    'order.notEnding action',
  ]);
});

test('the term after a PUT is the present one, not that of a requested end beyond it', async (t) => {
  const { books, id } = await booksWith({ endDate: '2027-02-09', isAutoRenew: true });
  await books.end(id, { when: 'periodEnd' });
  await books.put(id, { endDate: '2027-05-31' });
  t.is(await termsOf(books, id), 'Active 2027-01-15 2027-05-31 term 2027-01-15 2027-05-31');
});

test('a new startDate before the first bill leaves what keep restores', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'M31', startDate: '2027-03-01', ...yearly };
  const id = await books.order(order);
  await books.end(id, { when: 'periodEnd' });
  await books.put(id, { startDate: '2027-03-15' });
  t.is(await termsOf(books, id), 'Provisioning 2027-03-15 2027-03-31 term 2027-03-15 2028-01-14');
  await books.keep(id);
  t.is(
    await termsOf(books, id),
    'Provisioning 2027-03-15 2028-01-14 renews term 2027-03-15 2028-01-14',
  );
});

test('a Draft and an order that has ended are not ended, and without a request none is kept', async (t) => {
  const { books, customerId, id } = await booksWith();
  const draft = await books.order({ customerId, contractCode: 'M31', orderStatus: 'Draft' });
  for (const when of ['now', 'periodEnd', 'termEnd'] as const) {
    t.is(await codeOf(books.end(draft, { when })), 'order.transition action');
  }
  t.is(await codeOf(books.keep(id)), 'order.notEnding action');
  await books.end(id);
  // The run of the day after is still to come.
  books.jump('2027-02-15');
  t.is(await codeOf(books.end(id)), 'order.transition action');
  t.is(await codeOf(books.keep(id)), 'order.notEnding action');
  await books.run();
  t.is(await codeOf(books.end(id, { when: 'now' })), 'order.transition action');
  t.is(await codeOf(books.keep(id)), 'order.notEnding action');
  t.deepEqual((await books.audit()).faults, []);
});

test('a pending change after the end is canceled with it for good, one before it refuses the end', async (t) => {
  const { books, id } = await booksWith(yearly);
  const next = await books.change(id, { contractCode: 'L62' }, { effectiveDate: '2027-02-15' });
  t.is(await codeOf(books.end(id, { when: 'termEnd' })), 'order.changePending when');
  t.is(await books.orderNow(next), 'Provisioning ends 2028-01-14 next 2027-02-15');
  await books.end(id, { when: 'periodEnd' });
  t.is(await books.orderNow(next), 'Canceled');
  await books.keep(id);
  await books.advance('2027-03-01');
  t.is(await books.orderNow(id), 'Active ends 2028-01-14 next 2027-03-15 bills 2027-03-15');
  t.is(await books.orderNow(next), 'Canceled');
  t.deepEqual((await books.audit()).faults, []);
});

test('a change takes the requested end along, which is taken back there', async (t) => {
  const { books, id } = await booksWith(yearly);
  await books.end(id, { when: 'periodEnd', reason: 'too dear' });
  const next = await books.change(id, { contractCode: 'L62' });
  t.is(
    await termsOf(books, next),
    'Active 2027-01-20 2027-02-14 term 2027-01-15 2028-01-14 too dear',
  );
  await books.keep(next);
  t.is(
    await termsOf(books, next),
    'Active 2027-01-20 2028-01-14 renews term 2027-01-15 2028-01-14',
  );
  // With a renewal, or an end, of its own the new order has no requested end.
  await books.end(next, { when: 'periodEnd', reason: 'too dear' });
  const again = await books.change(next, { contractCode: 'M31', isAutoRenew: true });
  t.is(
    await termsOf(books, again),
    'Active 2027-01-20 2027-02-14 renews term 2027-01-15 2027-02-14',
  );
  t.is(await codeOf(books.keep(again)), 'order.notEnding action');
  t.deepEqual((await books.audit()).faults, []);
});

test('a Suspended order ends by request like an Active one', async (t) => {
  const { books, id } = await booksWith();
  await books.suspend(id);
  await books.end(id);
  await books.advance('2027-02-15');
  t.is(await books.orderNow(id), 'Complete ends 2027-02-14');
  t.deepEqual((await books.audit()).faults, []);
});

test('of an end and its taking back at once each is done after the other', async (t) => {
  const { books, id } = await booksWith(yearly);
  await books.end(id, { when: 'periodEnd' });
  const [ended, kept] = await Promise.all([
    codeOf(books.end(id, { when: 'periodEnd', reason: 'second' })),
    codeOf(books.keep(id)),
  ]);
  t.deepEqual([ended, kept], ['done', 'done']);
  // Whichever came last: nothing of both.
  t.true(
    [
      'Active 2027-01-15 2028-01-14 renews term 2027-01-15 2028-01-14',
      'Active 2027-01-15 2027-02-14 term 2027-01-15 2028-01-14 second',
    ].includes(await termsOf(books, id)),
  );
});

test('an end beside a change and a billing run leaves books that add up', async (t) => {
  const { books, id } = await booksWith();
  await books.advance('2027-02-14');
  books.tomorrow();
  const done = await Promise.all([
    codeOf(books.end(id)),
    codeOf(books.change(id, { contractCode: 'L62' })),
    codeOf(books.run()),
  ]);
  t.is(done[2], 'done');
  t.true(done[0] === 'done' || done[0] === 'order.transition action', done[0]);
  t.true(done[1] === 'done' || done[1] === 'order.notChangeable currentOrderId', done[1]);
  await books.advance(addDays(books.today(), 40));
  t.deepEqual((await books.audit()).faults, []);
});
