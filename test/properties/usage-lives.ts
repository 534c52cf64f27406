/** Random steps on orders with usage, and what the books then say about their windows. */
import { addDays } from '../../domain/calendar/calendar.ts';
import { DomainError, DomainErrors } from '../../domain/errors.ts';
import { openBooks, type Books, type SharedDatabase } from '../operations/support/books.ts';
import { activitiesOf, remove, upload } from '../operations/support/uploads.ts';
import { fc } from '../support/random.ts';
import { draftAll, sent, type Kept, type Sent } from './usage-drafts.ts';
import { AGREED_PRICE, charges, plan } from './usage-model.ts';
import { cancelledInvoices, readLines, readWindows } from './usage-stored.ts';

export const GRACE_DAYS = 2;

export interface World {
  readonly books: Books;
  readonly customerId: number;
  readonly orders: number[];
  readonly kept: Map<number, Kept>;
  readonly nextRef: () => string;
  /** How often each step had an effect. */
  readonly done: Record<string, number>;
}

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('upload'),
      order: fc.constantFrom(0, 0, 0, 1, 2),
      records: fc.array(sent, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('advance'), days: fc.integer({ min: 1, max: 24 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove'), nth: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cancelInvoice'),
      nth: fc.nat(),
      rollsBack: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change'),
      on: fc.integer({ min: -2, max: 4 }),
      bills: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('suspend', 'activate', 'activate') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel', 'duplicate') }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
export const lives = fc.array(step, { minLength: 8, maxLength: 20 });

const lineItems = charges.map(({ priceCode, form }) =>
  form === 'UserEntered' ? { priceCode, unitPrice: AGREED_PRICE } : { priceCode },
);

export async function newWorld(db: SharedDatabase): Promise<World> {
  const own = { country: 'US', state: 'NY', taxCode: 'STANDARD' };
  const rates = [
    { ...own, percent: 8.875, name: 'Sales tax' },
    { ...own, percent: 3, name: 'Levy' },
  ];
  const file = {
    settings: { usageGraceDays: GRACE_DAYS },
    tax: { type: 'table', rates },
    coupons: [{ code: 'THIRD', percent: 33 }],
  };
  const books = await openBooks(db, { today: '2027-01-10', plans: [plan], file });
  const customerId = await books.customer({
    ref: 'C',
    address: { countryCode: 'US', state: 'NY' },
  });
  const orders = [await newOrder(books, customerId)];
  let refs = 0;
  const nextRef = () => `R-${(refs += 1)}`;
  return { books, customerId, orders, kept: new Map(), nextRef, done: {} };
}

export const newOrder = (books: Books, customerId: number): Promise<number> =>
  books.order({
    customerId,
    contractCode: plan.contractCode,
    orderLineItems: lineItems,
    couponCode: 'THIRD',
  });

/** A step that is refused has no effect. */
export async function perform(world: World, it: Step): Promise<void> {
  try {
    await act(world, it);
    world.done[it.do] = (world.done[it.do] ?? 0) + 1;
  } catch (error) {
    if (error instanceof DomainErrors) {
      for (const { code, message } of error.errors) assertExpected(code, message);
    } else if (!(error instanceof DomainError)) throw error;
  }
}

const expected = ['activity.notTaken', 'activity.correction', 'activity.outsideTerm'];

function assertExpected(code: string, message: string): void {
  if (!expected.includes(code)) throw new Error(`an upload is refused by ${code}: ${message}`);
}

async function act(world: World, it: Step): Promise<unknown> {
  const { books, customerId, orders, kept } = world;
  const newest = orders.at(-1) ?? 0;
  switch (it.do) {
    case 'upload':
      return send(world, orders.at(-1 - it.order) ?? newest, it.records);
    case 'duplicate':
      return sendAgain(world);
    case 'advance':
      return passDays(books, it.days);
    case 'remove': {
      const record = [...kept.values()][it.nth % Math.max(1, kept.size)];
      if (record === undefined) return null;
      await remove(books, record.ref === null ? { id: record.id } : { extRefId: record.ref });
      return kept.delete(record.id);
    }
    case 'cancelInvoice':
      await cancelOne(books, it);
      return joinOpen(world);
    case 'change': {
      const how = { effectiveDate: addDays(books.today(), it.on), bills: it.bills };
      const input = { contractCode: plan.contractCode, orderLineItems: lineItems };
      return orders.push(await books.change(newest, input, how));
    }
    case 'suspend':
      return books.suspend(newest);
    case 'activate':
      return books.activate(newest);
    case 'cancel':
      await books.put(newest, { orderStatus: 'Canceled' });
      return orders.push(await newOrder(books, customerId));
  }
}

/** Every second time, no run comes before the last day. */
export async function passDays(books: Books, days: number): Promise<void> {
  const to = addDays(books.today(), days);
  if (days % 2 === 1 && days < 10) return books.advance(to);
  books.jump(to);
  await books.run();
}

async function cancelOne(
  books: Books,
  { nth, rollsBack }: { readonly nth: number; readonly rollsBack: boolean },
): Promise<void> {
  const all = await books.read((tx) =>
    tx.query<{ number: number }>(
      `select number_value as number from invoice where status = 'Outstanding' order by 1`,
    ),
  );
  const one = all[nth % Math.max(1, all.length)];
  if (one) await books.cancelInvoice(one.number, { rollbackBillingPeriod: rollsBack });
}

/** Corrections of a record that is Unbilled again are in its window, by quantity if they share it. */
async function joinOpen({ books, kept }: World): Promise<void> {
  const windows = await readWindows(books);
  const isOpen = (id: number | null): boolean =>
    windows.some((window) => !window.isClosed && window.records.includes(id ?? 0));
  for (const record of kept.values()) {
    const { id, corrects, correctsBilledAt, amount, isShare } = record;
    if (correctsBilledAt === null || !isOpen(id) || !isOpen(corrects)) continue;
    const hasAmount = !isShare || kept.get(corrects ?? 0)?.amount !== null;
    kept.set(id, {
      ...record,
      correctsBilledAt: null,
      amount: hasAmount ? amount : null,
      isShare: isShare && hasAmount,
    });
  }
}

async function send(world: World, orderId: number, records: readonly Sent[]): Promise<void> {
  const { books, kept, nextRef } = world;
  const lines = (await readLines(books)).filter((line) => line.orderId === orderId);
  const windows = await readWindows(books);
  const amounts = new Map(
    (await activitiesOf(books)).map(({ id, amount }) => [
      id,
      amount === null ? null : inCents(amount),
    ]),
  );
  const cancelled = new Set(await cancelledInvoices(books));
  const drafts = draftAll(
    { kept, lines, windows, amounts, cancelled, today: books.today(), nextRef },
    records,
  );
  const answer = await upload(
    books,
    drafts.map(({ record }) => record),
  );
  const after = new Map((await readWindows(books)).flatMap((w) => w.records.map((id) => [id, w])));
  const idAt = (place: number): number => answer[place]?.id ?? 0;
  for (const [place, { kept: record, period, corrects: at }] of drafts.entries()) {
    const id = idAt(place);
    const corrects = at === null ? null : 'id' in at ? at.id : idAt(at.place);
    kept.set(id, { ...record, id, corrects });
    const window = after.get(id);
    const wanted = period ?? after.get(corrects ?? 0)?.period;
    if (window?.period !== wanted || window?.isClosed === true) {
      throw new Error(`record ${id} of ${record.day} is in ${window?.period}, not in ${wanted}`);
    }
  }
}

const inCents = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** The same references once more: nothing is stored. */
async function sendAgain({ books, kept }: World): Promise<void> {
  const again = [...kept.values()].flatMap(({ ref, lineId }) =>
    ref === null ? [] : [{ ref, lineId }],
  );
  if (again.length === 0) return;
  const answer = await upload(
    books,
    again.map(({ ref, lineId }) => ({ lineId, extRefId: ref, quantity: '7' })),
    { skipsDuplicates: true },
  );
  if (!answer.every(({ isDuplicate, id }) => isDuplicate && kept.has(id))) {
    throw new Error('a duplicate is stored');
  }
}
