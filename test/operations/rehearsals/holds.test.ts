/** Outliers of a rehearsal: they are held, the run passes over them, and a release bills them. */
import test from 'ava';
import type { Compared } from '../../../domain/billing/rehearsed.ts';
import { addDays, addMonths, type IsoDate } from '../../../domain/calendar/calendar.ts';
import {
  holdOutliers,
  keepRehearsal,
  shownRehearsals,
} from '../../../operations/rehearsals/keep.ts';
import { openSpool } from '../../../providers/spool.ts';
import { commandsOf } from '../../support/tenant-command.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const limits = { ratio: '3', amount: '100', amounts: {} };
const operator = 'Anna';
const DAY = '2027-02-15';

async function rehearsed({ dependencies, tenantId }: Books, day = DAY) {
  const outliers = await openSpool<Compared>();
  try {
    return await keepRehearsal(dependencies, tenantId, { day, limits, operator, outliers });
  } finally {
    await outliers.close();
  }
}

/** As the command does it; returns how many customers it has held. */
async function rehearsedAndHeld(books: Books, day = DAY): Promise<number> {
  const kept = await rehearsed(books, day);
  return holdOutliers(books.dependencies, books.tenantId, kept, operator);
}

/** For 500.00, for a month. */
const orderLarge = (books: Books, customerId: number, startDate: IsoDate) =>
  books.order({
    customerId,
    contractCode: 'LARGE',
    startDate,
    endDate: addDays(addMonths(startDate, 1), -1),
    isAutoRenew: false,
  });

/** On the eve of 2027-02-15: one customer is about to be billed 510.00 after 10.00, the other as before. */
async function eve() {
  const plans = [recurring('P', 10, prepaid), recurring('LARGE', 500, prepaid)];
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const [outlier, other] = [await books.customer(), await books.customer()];
  for (const customerId of [outlier, other]) await books.order({ customerId, contractCode: 'P' });
  await books.run();
  await books.advance('2027-02-14');
  const large = await orderLarge(books, outlier, DAY);
  return { books, outlier, other, large };
}

const heldOf = async (books: Books) =>
  (await books.audit()).held.map(({ customerId, code, text }) => ({ customerId, code, text }));

const billed = (books: Books, customerId: number) => books.invoices(customerId);

test('an outlier is held with its sums, and the run passes over it and bills the others', async (t) => {
  const { books, outlier, other } = await eve();
  t.is(await rehearsedAndHeld(books), 1);
  const text = 'run of 2027-02-15: 510.00 USD, last period 10.00 USD';
  t.deepEqual(await heldOf(books), [{ customerId: outlier, code: 'billing.outlier', text }]);
  t.deepEqual(await commandsOf(books), ['Anna: rehearse --hold: 1 customers']);
  books.tomorrow();
  await books.run();
  t.is((await billed(books, outlier)).length, 1);
  t.is((await billed(books, other)).length, 2);
  t.deepEqual((await books.audit()).faults, []);
});

test('a released outlier is billed on the day of its run, with that date', async (t) => {
  const { books, outlier } = await eve();
  await rehearsedAndHeld(books);
  books.tomorrow();
  await books.run();
  books.later(9 * 3_600_000);
  await books.customerAction(outlier, 'activate');
  // The workflows of its orders are woken, and bill what is due.
  await books.run();
  const [, made = ''] = await billed(books, outlier);
  t.regex(
    made,
    /^\d+ on 2027-02-15 due .* 510\.00: P 2027-02-15 2027-03-14 10\.00, LARGE 2027-02-15 2027-03-14 500\.00$/,
  );
  t.deepEqual(await books.audit().then(({ faults, held }) => [faults, held]), [[], []]);
});

test('a call that would bill a held outlier is refused', async (t) => {
  const { books, outlier, large } = await eve();
  await rehearsedAndHeld(books);
  books.tomorrow();
  await refused(t, books.generate(large), 'customer.held');
  await books.customerAction(outlier, 'activate');
  t.is(await books.generate(large), 1);
});

test('what somebody has released is not held again with the same sums, and with more it is', async (t) => {
  const { books, outlier } = await eve();
  t.is(await rehearsedAndHeld(books), 1);
  t.is(await rehearsedAndHeld(books), 0, 'it is held already');
  await books.customerAction(outlier, 'activate');
  t.is(await rehearsedAndHeld(books), 0, 'it was released');
  t.deepEqual(await heldOf(books), []);
  await orderLarge(books, outlier, DAY);
  t.is(await rehearsedAndHeld(books), 1, '1,010.00 is more');
});

test('a release is for one bill: the same amount is held again months later', async (t) => {
  const { books, outlier } = await eve();
  await rehearsedAndHeld(books);
  await books.customerAction(outlier, 'activate');
  await books.advance('2027-04-14');
  await orderLarge(books, outlier, '2027-04-15');
  t.is(await rehearsedAndHeld(books, '2027-04-15'), 1);
  const text = 'run of 2027-04-15: 510.00 USD, last period 10.00 USD';
  t.deepEqual(await heldOf(books), [{ customerId: outlier, code: 'billing.outlier', text }]);
});

test('a customer that is billed before it could be held is not held', async (t) => {
  const { books } = await eve();
  const { dependencies, tenantId } = books;
  books.tomorrow();
  const kept = await rehearsed(books);
  await books.run();
  t.is(kept.figures.outliers, 1);
  t.is(await holdOutliers(dependencies, tenantId, kept, operator), 0);
  t.deepEqual(await heldOf(books), []);
});

test('what rehearsals found is shown with who asked, and what became of the outliers', async (t) => {
  const { books, outlier } = await eve();
  const shown = () =>
    shownRehearsals(books.dependencies, books.tenantId, { rehearsals: 5, outliers: 5 });
  await rehearsedAndHeld(books);
  const held = await shown();
  t.like(held.rehearsals[0], {
    runOn: DAY,
    operator,
    limits,
    figures: { outliers: 1, run: { invoices: 2 } },
  });
  const row = { customerId: outlier, currency: 'USD', amount: '510.0000', lastAmount: '10.0000' };
  t.like(held.outliers[0], { ...row, isHeld: true, isReleased: false });
  await books.customerAction(outlier, 'activate');
  const released = await shown();
  t.like(released.outliers[0], { ...row, isHeld: false, isReleased: true });
});

test('the newest 60 rehearsals of a tenant are kept', async (t) => {
  const { books } = await eve();
  const ids: number[] = [];
  for (let made = 0; made < 62; made += 1) ids.push((await rehearsed(books)).id);
  const kept = await books.read((tx) =>
    tx.query<{ id: number }>(
      `select r.id from rehearsal r join rehearsal_outlier o
         on o.tenant_id = r.tenant_id and o.rehearsal_id = r.id order by r.id`,
    ),
  );
  t.deepEqual(
    kept.map(({ id }) => id),
    ids.slice(2),
  );
});
