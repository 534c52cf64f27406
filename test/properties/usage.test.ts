/**
 * Usage, for any uploads and deletions of records and any runs, changes, pauses, rollbacks and
 * cancellations among them: each record is billed once, for what a model in memory computes.
 */
import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { sharedDatabase } from '../operations/support/books.ts';
import { activitiesOf, upload } from '../operations/support/uploads.ts';
import { fc, runs } from '../support/random.ts';
import { draftAll, sent, type Kept } from './usage-drafts.ts';
import {
  GRACE_DAYS,
  lives,
  newOrder,
  newWorld,
  passDays,
  perform,
  type World,
} from './usage-lives.ts';
import { charges, percentOf, priced } from './usage-model.ts';
import { endOf, readLines, readWindows, type StoredWindow } from './usage-stored.ts';

const db = await sharedDatabase();

const inCents = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** Every record is in one window, and every billed window costs what the model says. */
async function check({ books, kept }: World): Promise<number> {
  const views = await activitiesOf(books);
  const windows = await readWindows(books);
  const lines = new Map((await readLines(books)).map((line) => [line.id, line]));
  const billed = new Map<number, bigint>();
  const back = new Map<number, bigint>();
  const holds = (what: unknown, equals: unknown, name: string): void => {
    const [is, wanted] = [what, equals].map((each) => JSON.stringify(each, asText));
    if (is !== wanted) throw new Error(`${name}: ${is}, not ${wanted}`);
  };
  for (const window of windows) {
    const records = window.records.map((id) => kept.get(id)).filter((each) => each !== undefined);
    holds(records.length, window.records.length, `unknown records in window ${window.id}`);
    if (window.invoiceId === null) {
      if (window.isClosed) holds(records.length, 0, `records of the closed window ${window.id}`);
      continue;
    }
    const charge = charges.find(({ priceCode }) => priceCode === lines.get(window.lineId)?.code);
    if (charge === undefined) throw new Error('a window of no charge');
    const model = priced(charge, records);
    const name = `window ${window.id} of ${charge.priceCode}`;
    holds(window.charges.map(String), model.charges, name);
    const subTotal = model.subTotal + BigInt(window.given);
    holds(window.subTotals.map(String), [subTotal], `subtotal of ${name}`);
    back.set(window.lineId, (back.get(window.lineId) ?? 0n) + BigInt(window.given));
    holds(window.quantity, model.quantity, `quantity of ${name}`);
    holds(window.percent, model.percent, `percent of ${name}`);
    const sum = [...model.amounts.values()].reduce((all, each) => all + each, 0n);
    const isWhole = model.percent === null && records.every((each) => !each.correctsBilledAt);
    if (isWhole) holds(sum, model.subTotal, `sum of the records of ${name}`);
    for (const [id, amount] of model.amounts) billed.set(id, amount);
  }
  for (const [lineId, given] of back) {
    holds(given, givenBackOf(lineId, windows, kept), `what is given back of line ${lineId}`);
  }
  const stored = new Set(views.map(({ id }) => id));
  holds(stored.symmetricDifference(new Set(kept.keys())).size, 0, 'records too many or too few');
  for (const { id, amount, status } of views) {
    const record = kept.get(id);
    holds(status, billed.has(id) ? 'Processed' : 'Unbilled', `status of ${id}`);
    const wanted = billed.get(id) ?? record?.amount ?? null;
    holds(amount && inCents(amount), wanted, `amount of ${id}`);
  }
  for (const { id, quantity } of kept.values()) {
    const corrections = [...kept.values()].filter(({ corrects }) => corrects === id);
    const left = corrections.reduce((sum, each) => sum + each.quantity, quantity);
    if (corrections.length > 0 && left < 0n) throw new Error(`more than ${id} is taken away`);
  }
  return billed.size;
}

/** What corrections that are billed leave less of the percentages of a line, in cents below zero. */
function givenBackOf(
  lineId: number,
  windows: readonly StoredWindow[],
  kept: ReadonlyMap<number, Kept>,
): bigint {
  const isBilled = (id: number): boolean =>
    windows.some((window) => window.invoiceId !== null && window.records.includes(id));
  const corrections = [...kept.values()].filter(
    (each) => each.correctsBilledAt && isBilled(each.id),
  );
  const amountOf = (records: readonly Kept[]): bigint =>
    records.reduce((sum, each) => sum + (each.amount ?? 0n), 0n);
  return windows
    .filter((window) => window.lineId === lineId && window.percent !== null)
    .reduce((sum, window) => {
      const percent = BigInt(window.percent ?? 0);
      const own = window.records.flatMap((id) => kept.get(id) ?? []);
      const billed = amountOf(own.filter((each) => each.correctsBilledAt === null));
      const taken = corrections.filter(({ corrects }) => window.records.includes(corrects ?? 0));
      return sum + percentOf(percent, billed + amountOf(taken)) - percentOf(percent, billed);
    }, 0n);
}

const asText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** After a run no window with records is past its day, unless its order is suspended. */
async function nothingIsOverdue({ books }: World): Promise<void> {
  const lines = new Map((await readLines(books)).map((line) => [line.id, line]));
  for (const { lineId, period, isClosed, records } of await readWindows(books)) {
    const line = lines.get(lineId);
    if (line === undefined || isClosed || records.length === 0) continue;
    if (line.status === 'Suspended') continue;
    const next = endOf(period, line);
    const end = line.end !== null && line.end < next ? line.end : addDays(next, -1);
    if (line.end !== null && line.end < line.start) continue;
    const dueOn = addDays(end, 1 + GRACE_DAYS);
    if (dueOn <= books.today()) {
      throw new Error(`window ${period} of line ${lineId}, due on ${dueOn}, is open`);
    }
  }
}

const invoiceCount = async ({ books }: World) => (await books.invoices()).length;

test('each record is billed once, at the amounts of the model, whatever comes between', async (t) => {
  const done: Record<string, number> = {};
  let billed = 0;
  const property = fc.asyncProperty(lives, async (steps) => {
    const world = await newWorld(db);
    for (const it of steps) {
      await perform(world, it);
      await check(world);
      if (it.do !== 'advance') continue;
      await nothingIsOverdue(world);
      const before = await invoiceCount(world);
      await world.books.run();
      t.is(await invoiceCount(world), before, 'a second run bills nothing');
    }
    for (const days of [3, 20, 14]) await passDays(world.books, days);
    billed += await check(world);
    t.deepEqual((await world.books.audit()).faults, []);
    for (const [step, count] of Object.entries(world.done)) done[step] = (done[step] ?? 0) + count;
  });
  await fc.assert(property, { numRuns: runs(4, 10), includeErrorInReport: true });
  t.log(done, { billed });
  t.true(billed > 10, `${billed} records are billed`);
});

/** An upload of an order's records, and how they come to another order. */
const mixed = fc.record({
  records: fc.array(sent, { minLength: 2, maxLength: 25 }),
  keys: fc.array(fc.nat({ max: 1_000 }), { minLength: 25, maxLength: 25 }),
  sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 25, maxLength: 25 }),
});

test('the charges of a window depend on no order and on no batches of its records', async (t) => {
  let compared = 0;
  const property = fc.asyncProperty(mixed, async ({ records, keys, sizes }) => {
    const world = await newWorld(db);
    const { books, customerId, nextRef } = world;
    books.jump('2027-01-25');
    const second = await newOrder(books, customerId);
    const lines = await readLines(books);
    const [own, others] = [world.orders[0], second].map((orderId) =>
      lines.filter((line) => line.orderId === orderId),
    );
    const [kept, windows, amounts] = [new Map(), [], new Map()] as const;
    // Both orders have the days from the 25th on.
    const from = '2027-01-25';
    const sameDays = (own ?? []).map((line) => ({ ...line, start: from }));
    const whole = records.map((each) =>
      each.corrects?.quarters === 5 ? { ...each, corrects: null } : each,
    );
    const drafts = draftAll(
      { kept, windows, amounts, cancelled: new Set(), lines: sameDays, today: from, nextRef },
      whole,
    );
    await upload(
      books,
      drafts.map(({ record }) => record),
    );
    const places: number[] = [];
    for (const [place, { corrects }] of drafts.entries()) {
      const after =
        corrects !== null && 'place' in corrects ? (places[corrects.place] ?? 0) + 1 : 0;
      places.push(after + (keys[place] ?? 0));
    }
    const lineOf = (code: string) => others?.find((line) => line.code === code)?.id ?? 0;
    const again = (ref: string | null | undefined) => (ref ? `${ref} again` : null);
    const shuffled = drafts
      .map(({ record, kept: { code } }, place) => ({
        key: places[place] ?? 0,
        record: {
          ...record,
          lineId: lineOf(code),
          extRefId: again(record.extRefId),
          correctsExtRefId: again(record.correctsExtRefId),
        },
      }))
      .toSorted((one, other) => one.key - other.key)
      .map(({ record }) => record);
    for (let start = 0, batch = 0; start < shuffled.length; batch += 1) {
      const size = sizes[batch] ?? 1;
      await upload(books, shuffled.slice(start, start + size));
      start += size;
    }
    books.jump('2027-03-10');
    await books.run();
    const costs = (await readWindows(books)).map(({ lineId, period, charges: all, quantity }) => {
      const line = lines.find((each) => each.id === lineId);
      return { of: line?.orderId, text: `${line?.code} ${period} ${quantity}: ${all.join(' ')}` };
    });
    const [one, other] = [world.orders[0], second].map((orderId) =>
      costs.filter(({ of }) => of === orderId).map(({ text }) => text),
    );
    t.deepEqual(one, other);
    compared += one?.filter((text) => !text.endsWith(': ')).length ?? 0;
  });
  await fc.assert(property, { numRuns: runs(3, 6), includeErrorInReport: true });
  t.true(compared > 5, `${compared} windows are compared`);
});
