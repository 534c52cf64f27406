/**
 * After random lives, what a rehearsal finds of a day's run is what the run then makes, to the cent; and
 * the rehearsal changes no row.
 */
import test, { type ExecutionContext } from 'ava';
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Compared, RunFigures } from '../../domain/billing/rehearsed.ts';
import { addAmounts, type Amounts } from '../../domain/money/amounts.ts';
import { withTaxes } from '../../operations/billing/asking.ts';
import { keepRehearsal } from '../../operations/rehearsals/keep.ts';
import { DAYS_AHEAD_MAX, rehearse } from '../../operations/rehearsals/rehearse.ts';
import { openSpool } from '../../providers/spool.ts';
import { ownDatabase, type Books } from '../operations/support/books.ts';
import {
  newWorld,
  perform,
  step,
  type Step,
  type World,
} from '../operations/support/order-lives.ts';
import { costly, fc, runs } from '../support/random.ts';
import { seeRows } from '../system/fuzz/seen-rows.ts';

const db = await ownDatabase();
const seen = await seeRows(async (sql) => (await db.owner.query(sql)).rows);
const limits = { ratio: '3', amount: '100', amounts: {} };

async function rehearsed(books: Books, day: IsoDate) {
  const compared: Compared[] = [];
  const { dependencies, tenantId } = books;
  const onCompared = async (some: readonly Compared[]) => compared.push(...some);
  return { ...(await rehearse(dependencies, tenantId, { day, limits, onCompared })), compared };
}

async function dayOf(books: Books, when: 'today' | 'tomorrow' | 'next'): Promise<IsoDate> {
  const today = books.today();
  if (when === 'today') return today;
  const tomorrow = addDays(today, 1);
  if (when === 'tomorrow') return tomorrow;
  const [row] = await books.read((tx) =>
    tx.query<{ on: IsoDate | null }>(
      'select min(bill_on) as on from subscription_order where bill_on between $1 and $2',
      [tomorrow, addDays(today, DAYS_AHEAD_MAX)],
    ),
  );
  return row?.on ?? tomorrow;
}

const lastNumber = async (books: Books): Promise<number> => {
  const [row] = await books.read((tx) =>
    tx.query<{ last: number }>('select coalesce(max(number_value), 0) as last from invoice'),
  );
  return row?.last ?? 0;
};

interface MadeCharges {
  readonly customerId: number;
  readonly currency: string;
  readonly kind: string;
  readonly count: number;
  readonly amount: string;
}

/** The charges of the invoices of a day that were made since, by customer and kind. */
const chargesMade = (books: Books, day: IsoDate, last: number): Promise<MadeCharges[]> =>
  books.read((tx) =>
    tx.query<MadeCharges & Record<string, unknown>>(
      `select i.customer_id, i.currency, c.kind, count(*) as count,
         trim_scale(sum(c.amount))::text as amount
       from invoice i
       join invoice_line l on l.tenant_id = i.tenant_id and l.invoice_id = i.id
       join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id
       where i.invoice_date = $1 and i.number_value > $2
       group by i.customer_id, i.currency, c.kind order by 1, 2, 3`,
      [day, last],
    ),
  );

/** What the batches of the day's run came to. */
function made(books: Books, day: IsoDate): Pick<RunFigures, 'customers' | 'orders' | 'invoices'> {
  const batches = books.batches.filter(({ on }) => on === day);
  const sum = (of: 'customers' | 'orders' | 'invoices') =>
    batches.reduce((count, each) => count + each[of], 0);
  return { customers: sum('customers'), orders: sum('orders'), invoices: sum('invoices') };
}

const amountsMade = (books: Books, day: IsoDate): Amounts =>
  books.batches
    .filter(({ on }) => on === day)
    .reduce<Amounts>((sums, { amounts }) => addAmounts(sums, amounts), {});

/** `USD period: 3 of 88.5`, of all customers, taxes apart. */
function kindsOf(
  charges: readonly Omit<MadeCharges, 'customerId'>[],
  { taxes }: { readonly taxes: boolean },
): readonly string[] {
  const sums = new Map<string, { count: number; amounts: Amounts }>();
  for (const { currency, kind, count, amount } of charges) {
    if (kind === 'tax' && !taxes) continue;
    const key = `${currency} ${kind}`;
    const before = sums.get(key) ?? { count: 0, amounts: {} };
    sums.set(key, {
      count: before.count + count,
      amounts: addAmounts(before.amounts, { [currency]: amount }),
    });
  }
  return [...sums]
    .map(([key, { count, amounts }]) => `${key}: ${count} of ${Number(Object.values(amounts)[0])}`)
    .toSorted();
}

/** `7 USD: 88.5`, without taxes. */
function untaxedOf(charges: readonly MadeCharges[]): readonly string[] {
  const sums = new Map<string, Amounts>();
  for (const { customerId, currency, kind, amount } of charges) {
    const key = `${customerId} ${currency}`;
    const counted = kind === 'tax' || kind === 'usageSubTotal' ? '0' : amount;
    sums.set(key, addAmounts(sums.get(key) ?? {}, { [currency]: counted }));
  }
  return [...sums]
    .map(([key, amounts]) => `${key}: ${Number(Object.values(amounts)[0])}`)
    .toSorted();
}

const lives = fc.record({
  isProvided: fc.boolean(),
  steps: fc.array(step, { minLength: 4, maxLength: 15 }),
  /** Today's run has not come yet; `next` is the next day on which an order bills. */
  days: fc
    .constantFrom('today', 'tomorrow', 'next')
    .map((first) => [first, 'next', 'next', 'next'] as const),
});

test.serial(
  'what a rehearsal of a day finds is what the run of the day makes, to the cent',
  async (t) => {
    let compared = 0;
    const property = fc.asyncProperty(lives, async ({ steps, days, isProvided }) => {
      const { books } = await lived(steps, isProvided);
      for (const each of days) compared += await comparedWithRun(t, books, each);
    });
    await fc.assert(property, { ...costly, numRuns: runs(3) });
    t.true(compared > 6, `only ${compared} invoices were compared`);
  },
);

/** Returns how many invoices the run has made. */
async function comparedWithRun(
  t: ExecutionContext,
  books: Books,
  when: 'today' | 'tomorrow' | 'next',
): Promise<number> {
  if (when === 'today') books.tomorrow();
  else await books.run();
  const day = await dayOf(books, when);
  const last = await lastNumber(books);
  await seen.taken();
  const found = await rehearsed(books, day);
  t.deepEqual(await seen.taken(), []);
  if (when === 'today') await books.run();
  else await books.advance(day);
  const { run, passedOver } = found.figures;
  const charges = await chargesMade(books, day, last);
  t.deepEqual(passedOver, { held: 0, suspects: 0, tooLarge: 0, failing: {} });
  const { customers, orders, invoices } = run;
  t.deepEqual({ customers, orders, invoices }, made(books, day));
  const taxes = run.untaxed === 0;
  t.deepEqual(kindsOf(run.charges, { taxes }), kindsOf(charges, { taxes }));
  if (taxes) t.deepEqual(numbers(run.amounts), numbers(amountsMade(books, day)));
  const totals = found.compared.map(
    ({ customerId, currency, amount }) => `${customerId} ${currency}: ${Number(amount)}`,
  );
  t.deepEqual(totals.toSorted(), untaxedOf(charges));
  return invoices;
}

test.serial('a rehearsal that is stored changes the rows of rehearsals alone', async (t) => {
  const { books } = await lived([], false);
  books.tomorrow();
  await seen.taken();
  const outliers = await openSpool<Compared>();
  const keeping = { day: books.today(), limits, operator: 'Anna', outliers };
  await keepRehearsal(books.dependencies, books.tenantId, keeping);
  await outliers.close();
  t.deepEqual(await seen.taken(), ['rehearsal']);
});

const numbers = (amounts: Amounts): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]) => [currency, Number(amount)]),
  );

async function lived(steps: readonly Step[], isProvided: boolean): Promise<World> {
  const world = await newWorld(db, { isProvided });
  for (const each of steps) await performed(world.books, () => perform(world, each));
  return world;
}

/** Random steps may be refused. */
async function performed(books: Books, work: () => Promise<unknown>): Promise<void> {
  try {
    await withTaxes(books.dependencies, books.tenantId, work);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
