/** The sequencer: numbers without holes, a customer's in the order of its transactions, hooks once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { numberEvents, tenantsWithNewEvents } from '../../../db/queries/events/number.ts';
import { raise } from '../../../operations/events/raise.ts';
import {
  EVENTS_AT_ONCE_MAX,
  sequencerPass,
  startSequencer,
  type SequencerOptions,
} from '../../../operations/events/sequencer.ts';
import { lockCustomer } from '../../../operations/context/locks.ts';
import { administer } from '../../support/template.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { rowsReadOf } from '../support/plan-reading.ts';
import { recordedTable, recordingHook } from './recording-hook.ts';

const db = await ownDatabase();
await administer(db.ownerUrl, recordedTable);

/** A tenant without events. */
async function openEmpty(): Promise<Books> {
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  await administer(db.ownerUrl, `delete from event where tenant_id = ${books.tenantId}`);
  return books;
}

function optionsOf(books: Books, errors: unknown[] = []): SequencerOptions {
  return {
    dependencies: books.dependencies,
    relayDb: db.relay,
    dispatch: () => undefined,
    onError: (error) => void errors.push(error),
    hooks: [recordingHook],
  };
}

const changed = (customerId: number, objectId = customerId) =>
  ({ type: 'customer.updated', customerId, objectId }) as const;

/** One transaction of a customer, as every operation has it: lock, then raise. */
const change = (books: Books, customerId: number, count = 1) =>
  books.work(async (context) => {
    await lockCustomer(context.tx, { id: customerId });
    raise(
      context,
      Array.from({ length: count }, () => changed(customerId)),
    );
  });

interface Row {
  readonly id: number;
  readonly customer: number | null;
  readonly sequence: number | null;
  readonly own: number | null;
}

const rowsOf = (books: Books): Promise<Row[]> =>
  books.read((tx) =>
    tx.query<Row & Record<string, unknown>>(
      `select id, customer_id as customer, sequence, customer_sequence as own
       from event order by sequence, id`,
    ),
  );

const recordedOf = (books: Books, what: string): Promise<number[]> =>
  books
    .read((tx) =>
      tx.query<{ id: number }>(
        'select event_id as id from recorded where tenant_id = $1 and what = $2',
        [tx.tenantId, what],
      ),
    )
    .then((rows) => rows.map(({ id }) => id));

/** What is wrong with the numbers; nothing if each event has its own, without holes. */
function wrongIn(rows: readonly Row[]): string[] {
  const wrong = rows.flatMap(({ id, sequence }, index) =>
    sequence === index + 1 ? [] : [`event ${id} has ${sequence}, not ${index + 1}`],
  );
  for (const [customer, own] of Map.groupBy(rows, (row) => row.customer)) {
    if (customer === null) {
      wrong.push(...own.filter((row) => row.own !== null).map(({ id }) => `event ${id} counts`));
      continue;
    }
    const byId = own.toSorted((a, b) => a.id - b.id);
    const bySequence = own.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    for (const [index, row] of byId.entries()) {
      if (row.own !== index + 1) wrong.push(`customer ${customer}: ${row.own}, not ${index + 1}`);
      if (bySequence[index] !== row) wrong.push(`customer ${customer}: event ${row.id} overtook`);
    }
  }
  return wrong;
}

test.serial('a transaction that commits late leaves no hole', async (t) => {
  const books = await openEmpty();
  const [one, two] = [await books.customer(), await books.customer()];
  await administer(db.ownerUrl, `delete from event where tenant_id = ${books.tenantId}`);
  const raised = Promise.withResolvers<void>();
  const commits = Promise.withResolvers<void>();
  const late = books.work(async (context) => {
    raise(context, [changed(one)]);
    await context.tx.query('select 1');
    raised.resolve();
    await commits.promise;
  });
  await raised.promise;
  await change(books, two);
  await sequencerPass(optionsOf(books));
  commits.resolve();
  await late;
  await sequencerPass(optionsOf(books));
  const rows = await rowsOf(books);
  t.deepEqual(
    rows.map(({ customer, sequence, own }) => ({ customer, sequence, own })),
    [
      { customer: two, sequence: 1, own: 1 },
      { customer: one, sequence: 2, own: 1 },
    ],
  );
  t.true((rows[1]?.id ?? 0) < (rows[0]?.id ?? 0), 'the late one had taken its id first');
});

test.serial('an event without a customer counts for the tenant alone', async (t) => {
  const books = await openEmpty();
  await books.work(async (context) =>
    raise(context, [{ type: 'batch.finished', customerId: null, objectId: 1 }]),
  );
  await sequencerPass(optionsOf(books));
  t.deepEqual(wrongIn(await rowsOf(books)), []);
});

test.serial('an event is rolled back with its transaction', async (t) => {
  const books = await openEmpty();
  const customerId = await books.customer();
  const before = await rowsOf(books);
  const failing = books.work(async (context) => {
    raise(context, [changed(customerId)]);
    await context.tx.query('select 1');
    throw new Error('refused');
  });
  await t.throwsAsync(failing, { message: 'refused' });
  t.deepEqual(await rowsOf(books), before);
});

test.serial(
  'two sequencers beside concurrent writers number each event once, in order',
  async (t) => {
    const books = await openEmpty();
    const customers = await Promise.all(Array.from({ length: 5 }, () => books.customer()));
    const errors: unknown[] = [];
    const options = optionsOf(books, errors);
    const sequencers = [startSequencer(options), startSequencer(options)];
    await Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let turn = 0; turn < 25; turn += 1) {
          const customerId = customers[(writer * 7 + turn * 3) % customers.length] ?? 0;
          if (turn % 5 === 4) {
            const lost = books.work(async (context) => {
              await lockCustomer(context.tx, { id: customerId });
              raise(context, [changed(customerId)]);
              throw new Error('rolled back');
            });
            await t.throwsAsync(lost);
          } else await change(books, customerId, 1 + (turn % 3));
        }
      }),
    );
    await Promise.all(sequencers.map((each) => each.stop()));
    while (await sequencerPass(options));
    const rows = await rowsOf(books);
    t.deepEqual(errors, []);
    t.true(rows.length > 100, `${rows.length} events`);
    t.deepEqual(wrongIn(rows), []);
    t.deepEqual(
      (await recordedOf(books, 'numbered')).toSorted((a, b) => a - b),
      rows.map(({ id }) => id).toSorted((a, b) => a - b),
      'the hook saw each event once',
    );
  },
);

test.serial('a killed sequencer leaves no hole, and its hook counts once', async (t) => {
  const books = await openEmpty();
  const customers = await Promise.all(Array.from({ length: 4 }, () => books.customer()));
  let total = 0;
  for (let kill = 0; kill < 4; kill += 1) {
    const child = spawn(process.execPath, [
      join(import.meta.dirname, 'sequencer-child.ts'),
      db.ownerUrl,
    ]);
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    const writers = customers.map(async (customerId) => {
      for (let turn = 0; turn < 20; turn += 1) await change(books, customerId, 5);
    });
    // Killed at another moment each time, in the middle of its work.
    await sleep(20 + kill * 25);
    child.kill('SIGKILL');
    await Promise.all([...writers, ended]);
    total += customers.length * 20 * 5;
  }
  // The server notices a killed client at its next statement, and then frees its lock.
  while ((await rowsOf(books)).some((row) => row.sequence === null)) {
    await sequencerPass(optionsOf(books));
  }
  const rows = await rowsOf(books);
  t.true(rows.length >= total);
  t.deepEqual(wrongIn(rows), []);
  t.deepEqual(
    (await recordedOf(books, 'numbered')).toSorted((a, b) => a - b),
    rows.map(({ id }) => id).toSorted((a, b) => a - b),
  );
});

test.serial('a tenant with many events delays no other, and each has its turn', async (t) => {
  const [flood, small] = [await openEmpty(), await openEmpty()];
  const [many, few] = [await flood.customer(), await small.customer()];
  await change(flood, many, EVENTS_AT_ONCE_MAX * 2 + 10);
  await change(small, few, 3);
  t.true(await sequencerPass(optionsOf(flood)));
  const numberedOf = async (books: Books) =>
    (await rowsOf(books)).filter(({ sequence }) => sequence !== null).length;
  t.is(await numberedOf(flood), EVENTS_AT_ONCE_MAX);
  t.is(await numberedOf(small), (await rowsOf(small)).length);
  while (await sequencerPass(optionsOf(flood)));
  t.deepEqual(wrongIn(await rowsOf(flood)), []);
});

test.serial('a failing hook stops its own tenant only, and loses nothing', async (t) => {
  const [broken, fine] = [await openEmpty(), await openEmpty()];
  for (const books of [broken, fine]) await change(books, await books.customer(), 2);
  const errors: unknown[] = [];
  const failing = {
    ...optionsOf(broken, errors),
    hooks: [
      recordingHook,
      {
        name: 'failing',
        numbered: ({ tx }: { readonly tx: { readonly tenantId: number } }) => {
          if (tx.tenantId === broken.tenantId) throw new Error('broken');
        },
      },
    ],
  };
  await sequencerPass(failing);
  t.deepEqual(errors.map(String), ['Error: the hook failing failed']);
  t.true((await rowsOf(broken)).every(({ sequence }) => sequence === null));
  t.deepEqual(await recordedOf(broken, 'numbered'), []);
  t.deepEqual(wrongIn(await rowsOf(fine)), []);
  await sequencerPass(optionsOf(broken));
  t.deepEqual(wrongIn(await rowsOf(broken)), []);
  t.deepEqual(
    await recordedOf(broken, 'numbered'),
    (await rowsOf(broken)).map(({ id }) => id),
  );
});

test.serial('finding and numbering new events reads few rows of many', async (t) => {
  const books = await openEmpty();
  const customerId = await books.customer();
  for (let count = 0; count < 8; count += 1) await change(books, customerId, EVENTS_AT_ONCE_MAX);
  while (await sequencerPass(optionsOf(books)));
  await change(books, customerId, 3);
  await administer(db.ownerUrl, 'vacuum analyze event');
  const said: { text: string; values: readonly unknown[] }[] = [];
  const overhear = (text: string, values: readonly unknown[] = []) => {
    said.push({ text, values });
    return Promise.resolve([]);
  };
  await tenantsWithNewEvents({ ask: ({ text }: { text: string }) => overhear(text) } as never);
  const found = await rowsReadOf(
    async (text, values) => (await db.relay.pool.query(text, [...values])).rows,
    said.splice(0),
  );
  t.true((found['event'] ?? Infinity) < 50, `${found['event']} rows to find the tenants`);
  const read = await books.work(async ({ tx }) => {
    const query = (text: string, values: readonly unknown[] = []) => {
      said.push({ text, values });
      return tx.query(text, values);
    };
    // The statement that numbers does so when it is explained.
    const send = (text: string, values: readonly unknown[]) => void said.push({ text, values });
    await numberEvents({ tenantId: books.tenantId, query, send } as never, 500);
    return rowsReadOf((text, values) => tx.query(text, values), said);
  });
  t.true((read['event'] ?? Infinity) < 50, `${read['event']} rows to number three`);
  t.deepEqual(wrongIn(await rowsOf(books)), []);
});
