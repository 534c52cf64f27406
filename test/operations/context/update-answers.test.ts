/** An Update that comes again has the answer of the first time, for thirty days. */
import test from 'ava';
import { answeredOnce, type UpdateRequest } from '../../../operations/context/update-answers.ts';
import { administer } from '../../support/template.ts';
import { openBooks, ownDatabase } from '../support/books.ts';

const db = await ownDatabase();

async function opened() {
  const books = await openBooks(db, { today: '2027-01-15' });
  let done = 0;
  return {
    ask: (requestId: string, more: Partial<UpdateRequest> = {}) =>
      books.work(({ tx }) => {
        const request = { kind: 'dunning', objectId: 7, requestId, ...more } as const;
        return answeredOnce(tx, request, () => Promise.resolve({ did: `work ${(done += 1)}` }));
      }),
    refuse: (requestId: string) =>
      books.work(({ tx }) =>
        answeredOnce(tx, { kind: 'dunning', objectId: 7, requestId }, () =>
          Promise.reject(new Error('not now')),
        ),
      ),
    kept: () =>
      books
        .read((tx) =>
          tx.query<{ id: string }>('select request_id as id from update_answer order by 1'),
        )
        .then((rows) => rows.map(({ id }) => id)),
    age: (days: number) =>
      administer(
        db.ownerUrl,
        `alter table update_answer no force row level security;
         update update_answer set answered_at = answered_at - interval '${days} days'
         where tenant_id = ${books.tenantId};
         alter table update_answer force row level security`,
      ),
  };
}

test.serial('a request that comes again has the first answer, and does nothing', async (t) => {
  const { ask } = await opened();
  t.deepEqual(await ask('A'), { did: 'work 1' });
  t.deepEqual(await ask('A'), { did: 'work 1' });
  t.deepEqual(await ask('B'), { did: 'work 2' });
  // The same id of another sender, for another object.
  t.deepEqual(await ask('A', { objectId: 8 }), { did: 'work 3' });
  t.deepEqual(await ask('A', { kind: 'payment' }), { did: 'work 4' });
});

test.serial('a refused request is decided anew', async (t) => {
  const { ask, refuse, kept } = await opened();
  await t.throwsAsync(refuse('A'), { message: 'not now' });
  t.deepEqual(await kept(), []);
  t.deepEqual(await ask('A'), { did: 'work 1' });
});

test.serial('of two attempts at one moment one works', async (t) => {
  const { ask, kept } = await opened();
  const answers = await Promise.allSettled([ask('A'), ask('A'), ask('A')]);
  t.deepEqual(await kept(), ['A']);
  const again = await ask('A');
  for (const each of answers) if (each.status === 'fulfilled') t.deepEqual(each.value, again);
});

test.serial('answers are kept for 30 days; a later request deletes the older ones', async (t) => {
  const { ask, age, kept } = await opened();
  await ask('A');
  await age(2);
  await ask('B');
  await age(29);
  await ask('C');
  t.deepEqual(await kept(), ['B', 'C']);
});
