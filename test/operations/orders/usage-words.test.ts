/** What the timeline and the Web UI say of an order's usage: what is billed next, and what was. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { readWokenOrder } from '../../../db/queries/orders/wake.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { nextUsage, periodText } from '../../../operations/orders/next-usage.ts';
import { storyOf } from '../../../operations/orders/story.ts';
import { orderTimeline } from '../../../operations/orders/timeline.ts';
import { usageFact, usageText } from '../../../operations/orders/words.ts';
import { openBooks, sharedDatabase, type Books, type BooksOptions } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { metered, used } from '../support/usage.ts';

const db = await sharedDatabase();
const fee = recurring('FEE', 31, prepaid);
const plans = [metered, fee];

async function story(options: Partial<BooksOptions> = {}) {
  const books = await openBooks(db, { today: '2027-01-01', plans, ...options });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'METERED' });
  return { books, id, customerId };
}

const grace = (usageGraceDays: number) => ({ file: { settings: { usageGraceDays } } });

/** What the details say is billed next. */
async function next(books: Books, id: number): Promise<string | null> {
  const { settings } = await tenantInfo(books.dependencies, books.tenantId);
  return inTenant(db.app, books.tenantId, async (tx) => {
    const order = await readWokenOrder(tx, id);
    if (!order) return null;
    const day = { today: books.today(), usageGraceDays: settings.usageGraceDays };
    const step = await nextUsage(db.app, tx, { id, ...order }, day);
    return step && usageFact(step);
  });
}

/** `2027-01-15 happened created` */
async function timeline(books: Books, id: number): Promise<string[]> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const entries = await orderTimeline(books.dependencies, tenant, { id });
  return (entries ?? []).map(({ date, state, text }) => `${date} ${state} ${text}`);
}

const january = [
  { on: '2027-01-06', period: 0, quantity: '70' },
  { on: '2027-01-20', period: 0, quantity: '110' },
];

test('the details name the next window and its day, with the days of grace', async (t) => {
  const { books, id } = await story(grace(2));
  t.is(await next(books, id), 'bills usage of 2027-01 on 2027-02-03');
  await used(books, id, january);
  await books.advance('2027-02-02');
  t.is(await next(books, id), 'bills usage of 2027-01 on 2027-02-03');
  await books.advance('2027-02-03');
  t.is(await next(books, id), 'bills usage of 2027-02 on 2027-03-03');
});

test('an order of another plan, a suspended one and an ended one say nothing of usage', async (t) => {
  const { books, id, customerId } = await story();
  const other = await books.order({ customerId, contractCode: 'FEE' });
  t.is(await next(books, other), null);
  await books.suspend(id);
  t.is(await next(books, id), null);
  await books.activate(id);
  await books.put(id, { orderStatus: 'Canceled' });
  t.is(await next(books, id), 'bills usage of 2027-01 on 2027-01-02');
  await books.advance('2027-01-02');
  t.is(await next(books, id), null);
});

test('usage that was rolled back is billed again on the bill day of its order', async (t) => {
  const { books, id } = await story();
  await used(books, id, january);
  await books.advance('2027-02-05');
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  t.is(await next(books, id), 'bills usage of 2027-01 on 2027-02-06');
});

test('a period is named by its month, or by its days', (t) => {
  const months = { billingPeriod: 'Monthly', alignmentDay: 1 } as const;
  const calendar = { ...months, anchor: '2027-01-01' };
  t.is(periodText({ from: '2027-01-01', to: '2027-01-31' }, calendar), '2027-01');
  // The first period may begin later, and the last one end earlier.
  t.is(periodText({ from: '2027-02-10', to: '2027-02-16' }, calendar), '2027-02');
  const fromThe15th = { ...months, alignmentDay: 15, anchor: '2027-01-15' };
  const days = { from: '2027-01-15', to: '2027-02-14' };
  t.is(periodText(days, fromThe15th), '2027-01-15 to 2027-02-14');
});

test('a window says its quantity, its unit and its subtotal', (t) => {
  const usage = { quantity: '180', unitOfMeasure: 'minute', priceCode: 'MINUTES', amount: '16.4' };
  t.is(usageText('1007', usage, 'USD'), 'invoice 1007: 180 minute of MINUTES, 16.40');
  const none = { ...usage, unitOfMeasure: null };
  t.is(usageText('1007', none, 'JPY'), 'invoice 1007: 180 of MINUTES, 16');
});

test('the story and the timeline tell the usage of an invoice, then the invoice', async (t) => {
  const { books, id } = await story();
  await used(books, id, january);
  await books.advance('2027-02-01');
  const [order] = await books.read(async (tx) => [await readWokenOrder(tx, id)]);
  if (!order) return t.fail();
  const told = ['invoice 1001: 180 minute of MINUTES, 16.40', 'invoice 1001, 16.40 USD'];
  const { happened } = storyOf(order, { today: books.today(), next: null, before: undefined });
  t.deepEqual(
    happened.slice(-2),
    told.map((text) => `2027-02-01: ${text}`),
  );
  t.deepEqual(await timeline(books, id), [
    '2027-01-01 happened created',
    '2027-01-01 happened is Active',
    ...told.map((text) => `2027-02-01 happened ${text}`),
    '2027-03-01 next bills',
    '2027-03-01 next bills usage of 2027-02',
  ]);
  // Of an invoice that was rolled back the usage is told by the invoice that bills it again.
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  await books.advance('2027-02-02');
  t.deepEqual((await timeline(books, id)).slice(2, 6), [
    '2027-02-01 happened invoice 1001, 16.40 USD',
    '2027-02-01 happened invoice 1001 cancelled',
    '2027-02-02 happened invoice 1002: 180 minute of MINUTES, 16.40',
    '2027-02-02 happened invoice 1002, 16.40 USD',
  ]);
});
