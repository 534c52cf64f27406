/** A run looks at what became overdue since all dunnings were open, and misses nobody. */

import test from 'ava';
import { costly, fc } from '../../support/random.ts';
import { administer } from '../../support/template.ts';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { ownDatabase } from '../support/books.ts';
import { openDunningBooks, type DunningBooks } from '../support/dunning-books.ts';

const db = await ownDatabase();
const missing = (day: string) =>
  `dunning.missing: owes something that is overdue since ${day}, but has no open dunning`;

async function missed(books: DunningBooks): Promise<string[]> {
  const own = (await books.faults()).filter(({ check }) => check === 'dunning.missing');
  return own.map(({ check, detail }) => `${check}: ${detail}`);
}

const openedOn = async (books: DunningBooks): Promise<string> => {
  const [row] = await books.read((tx) =>
    tx.query<{ day: string }>('select debts_opened_on::text as day from dunning_rules'),
  );
  return row?.day ?? 'none';
};

test('each run keeps the day up to which all dunnings are open', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  t.is(await openedOn(books), '-infinity');
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-05');
  t.is(await books.standing(customerId), 'Active, no dunning');
  await books.advance('2027-01-06');
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-20');
  t.is(await openedOn(books), '2027-01-06');
});

test('what became overdue while no run came is found by the next one, however late', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.advance('2027-01-02');
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  books.jump('2027-06-01');
  t.deepEqual(await missed(books), [missing('2027-01-06')]);
  await books.age();
  t.deepEqual(await missed(books), []);
});

test('an invoice that was committed after the run of its first overdue day is found by the next one', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.advance('2027-01-10');
  await books.bill(customerId, '10', { dueDate: '2027-01-12' });
  // As if it had been made at 23:59 of the 9th, in a transaction that ended after the run.
  await books.work(({ tx }) => tx.query(`update invoice set due_date = '2027-01-09'`));
  t.deepEqual(await missed(books), [missing('2027-01-10')]);
  await books.advance('2027-01-11');
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-24');
});

test('a debtor whose dunning cannot be opened is tried by each run, until it can', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const [failing, other] = [await books.customer(), await books.customer()];
  await administer(
    db.ownerUrl,
    `create function fail_${failing}() returns trigger language plpgsql as $$
     begin raise exception 'as asked' using errcode = 'check_violation'; end $$`,
    `create trigger fail_${failing} before insert on dunning for each row
       when (new.customer_id = ${failing}) execute function fail_${failing}()`,
  );
  for (const id of [failing, other]) await books.bill(id, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-14');
  t.is(await books.standing(failing), 'Active, no dunning');
  t.is(await books.standing(other), 'Active, open, next 2027-01-20');
  t.is(await openedOn(books), '2027-01-05');
  t.is(books.bugs.at(-1)?.message, `the dunning of customer ${failing} cannot be opened`);
  t.deepEqual(await missed(books), [missing('2027-01-06')]);
  await administer(db.ownerUrl, `drop function fail_${failing} cascade`);
  await books.advance('2027-01-15');
  t.is(await books.standing(failing), 'Active, open, next 2027-01-20');
  t.is(await openedOn(books), '2027-01-15');
});

test('the audit sees a customer that was missed long ago, which no run looks at', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-02' });
  await books.advance('2027-01-12');
  await books.work(({ tx }) =>
    tx.query(`update dunning set closed_on = '2027-01-05', next_step_on = null`),
  );
  await books.advance('2027-01-13');
  t.deepEqual(await missed(books), [missing('2027-01-03')]);
});

test('any life: after the run of a day every debtor has an open dunning', async (t) => {
  const day = fc.integer({ min: 0, max: 12 });
  const step = fc.oneof(
    fc.record({ do: fc.constant('bill' as const), who: fc.nat(2), inDays: day }),
    fc.record({
      do: fc.constant('pay' as const),
      who: fc.nat(2),
      amount: fc.integer({ min: 1, max: 30 }),
    }),
    fc.record({ do: fc.constant('unpay' as const), which: fc.nat(5) }),
    fc.record({ do: fc.constant('advance' as const), days: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ do: fc.constant('sleep' as const), days: fc.integer({ min: 1, max: 9 }) }),
  );
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 5, maxLength: 25 }),
    async (steps) => {
      const books = await openDunningBooks(db, { today: '2027-01-01' });
      const customers = [await books.customer(), await books.customer(), await books.customer()];
      const paid: number[] = [];
      for (const each of steps) {
        if (each.do === 'bill') {
          const dueDate = addDays(books.today(), each.inDays);
          await books.bill(customers[each.who] ?? 0, '10', { dueDate });
        } else if (each.do === 'pay') {
          paid.push(
            await books.pay({ customerId: customers[each.who] ?? 0, amount: `${each.amount}` }),
          );
        } else if (each.do === 'unpay') {
          const [id] = paid.splice(each.which, 1);
          if (id !== undefined) await books.unpay(id);
        } else if (each.do === 'advance') {
          await books.advance(addDays(books.today(), each.days));
          t.deepEqual(await missed(books), []);
        } else {
          books.jump(addDays(books.today(), each.days));
        }
      }
      await books.advance(addDays(books.today(), 1));
      t.deepEqual(
        (await books.faults()).filter(({ check }) => check.startsWith('dunning.')),
        [],
      );
    },
  );
  await fc.assert(property, { numRuns: 10, ...costly });
});
