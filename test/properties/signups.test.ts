/**
 * Random lives of sign-ups, of new and older customers, with declines, price moves, deadlines,
 * cancels and other payments: each ends as a whole, and the audit is clean.
 */
import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { compare } from '../../domain/money/money.ts';
import { cancelSignup } from '../../operations/signups/cancel.ts';
import { tenantInfo } from '../../operations/context/context.ts';
import { priceSignup } from '../../operations/signups/price.ts';
import { sharedDatabase } from '../operations/support/books.ts';
import { check } from '../operations/support/payment-books.ts';
import { openSignupBooks, type SignupBooks } from '../operations/support/signups.ts';
import { costly, fc, runs } from '../support/random.ts';

const db = await sharedDatabase();
/** A fixed seed, so that the ends can be counted. */
const SEED = 20_270_115;
const RUNS = runs(3, 8);
const MINUTE_MS = 60_000;

const which = fc.nat({ max: 1_000 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('link' as const),
      customer: fc.nat({ max: 2 }),
      quantity: fc.constantFrom('1', '3'),
      couponCode: fc.constantFrom(null, 'WELCOME10'),
      startsIn: fc.constantFrom(0, 0, 0, 20),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      which,
      act: fc.constantFrom('approve', 'approve', 'decline', 'loseAnswer'),
      savePaymentMethod: fc.boolean(),
      /** It shows what is no longer the price. */
      isMoved: fc.constantFrom(false, false, false, true),
      isCarried: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['carry', 'carry', 'cancel', 'confirm', 'confirm', 'pay'] as const),
        ...(['cancelInvoice', 'later', 'advance'] as const),
      ),
      which,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface World {
  readonly books: SignupBooks;
  readonly links: number[];
  /** The most that a page of it has shown. */
  readonly shown: Map<number, string>;
}

async function perform(world: World, it: Step): Promise<unknown> {
  const { books, links } = world;
  if (it.do === 'link') {
    const { quantity, couponCode } = it;
    const startDate = it.startsIn === 0 ? null : addDays(books.today(), it.startsIn);
    const own = { email: `ada${it.customer}@example.org`, phone: null };
    return links.push(await books.link({ ...own, quantity, couponCode, startDate }));
  }
  const id = links[it.which % Math.max(links.length, 1)];
  if (id === undefined) return undefined;
  if (it.do === 'submit') return submit(world, id, it);
  const { customerId, invoiceIds } = await books.row(id);
  switch (it.do) {
    case 'carry':
      return books.carry(id);
    case 'cancel':
      return cancelSignup(books.dependencies, books.tenantId, {
        signupId: id,
        reason: 'a test',
        requestId: `${id} ${it.which}`,
      });
    case 'confirm':
      return confirm(world, id);
    case 'pay':
      if (customerId === null) return undefined;
      return books.pay({ customerId, amount: '20', invoiceIds: [...invoiceIds], method: check });
    case 'cancelInvoice':
      return cancelFirst(world, invoiceIds);
    case 'later':
      return books.later(12 * MINUTE_MS);
    default:
      return books.advanceTo(addDays(books.today(), 1 + (it.which % 20)));
  }
}

/** Presses the button of the mailed page, which may show more than the first page. */
async function confirm({ books, shown }: World, id: number): Promise<void> {
  const { lastTry } = await books.row(id);
  if (lastTry?.status !== 'confirming') return;
  const { dependencies, tenantId } = books;
  const tenant = await tenantInfo(dependencies, tenantId);
  const { dueToday } = await priceSignup(dependencies, tenant, await books.row(id));
  if (!(await books.confirm(id))) return;
  if (compare(dueToday, shown.get(id) ?? '0') > 0) shown.set(id, dueToday);
}

async function cancelFirst({ books }: World, ids: readonly number[]): Promise<unknown> {
  const [invoice] = await books.read((tx) =>
    tx.query<{ number: number }>(
      `select number_value as number from invoice where id = any($1) order by 1`,
      [ids],
    ),
  );
  return invoice && books.cancelInvoice(invoice.number);
}

async function submit(
  { books, shown }: World,
  id: number,
  { act, savePaymentMethod, isMoved, isCarried }: Extract<Step, { readonly do: 'submit' }>,
): Promise<void> {
  const { dependencies, tenantId } = books;
  const tenant = await tenantInfo(dependencies, tenantId);
  const { dueToday } = await priceSignup(dependencies, tenant, await books.row(id));
  const shownAmount = isMoved ? '1.00' : dueToday;
  const token = `tok ${id} ${act}`;
  const hasCard = savePaymentMethod || compare(shownAmount, '0') > 0;
  const taken = await books.take(id, { shownAmount, savePaymentMethod, hasCard });
  if (taken.kind !== 'taken') return;
  if (compare(shownAmount, shown.get(id) ?? '0') > 0) shown.set(id, shownAmount);
  if (act !== 'approve') books.gateway.onCharge(token, act);
  if (hasCard) await books.store(taken.tryId, token);
  if (isCarried) await books.carry(id);
}

interface Ended {
  readonly id: number;
  readonly status: string;
  readonly isMade: boolean;
  readonly charged: string;
  readonly owed: string;
  readonly events: number;
}

/** `charged` by the gateway; `owed` is what is left of its invoices in the ledger. */
const readEnds = ({ books }: World): Promise<Ended[]> =>
  books.read((tx) =>
    tx.query<Ended & Record<string, unknown>>(
      `select s.id, s.status, s.order_id is not null as "isMade",
         (select coalesce(sum(g.amount), 0)::text from sandbox_transaction g
          join payment p on p.id::text = split_part(g.idempotency_key, '/', 2)
          join signup_try t on t.payment_id = p.id
          where t.signup_id = s.id and g.operation = 'charge' and g.status = 'Approved')
           as charged,
         (select coalesce(sum(e.amount), 0)::text from ledger_entry e
          where e.invoice_id = any(s.invoice_ids)) as owed,
         (select count(*)::int from event e
          where e.type = 'signup.processed' and e.object_id = s.id) as events
       from signup s order by s.id`,
    ),
  );

function assertEnd({ shown }: World, end: Ended): void {
  const { id, status, charged, owed, isMade, events } = end;
  const isProcessed = status === 'PROCESSED';
  const isWhole =
    status !== 'DRAFT' &&
    (!isProcessed || isMade) &&
    (status !== 'EXPIRED' || !isMade) &&
    (isProcessed || (compare(charged, '0') === 0 && compare(owed, '0') === 0)) &&
    compare(charged, shown.get(id) ?? '0') <= 0 &&
    events === (status === 'EXPIRED' ? 0 : 1);
  if (!isWhole) throw new Error(JSON.stringify({ ...end, shown: shown.get(id) ?? null }));
}

async function assertClean({ books }: World): Promise<void> {
  const faults = await books.faults();
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
}

async function live(steps: readonly Step[]): Promise<Ended[]> {
  const books = await openSignupBooks(db);
  const world: World = { books, links: [], shown: new Map() };
  for (const each of steps) await perform(world, each).catch(refusedOnly);
  await assertClean(world);
  books.later(31 * MINUTE_MS);
  for (const id of world.links) await books.carry(id);
  // The last of them wait for their buttons.
  books.later(61 * MINUTE_MS);
  for (const id of world.links) {
    for (let look = await books.carry(id); !look.ended;) look = await books.carry(id);
  }
  const ends = await readEnds(world);
  for (const end of ends) assertEnd(world, end);
  const orders = await books.read((tx) => tx.query('select from subscription_order'));
  const made = ends.filter(({ isMade }) => isMade);
  if (ends.length !== world.links.length || orders.length !== made.length) {
    throw new Error(`${orders.length} orders of ${made.length} sign-ups`);
  }
  await assertClean(world);
  return ends;
}

function refusedOnly(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'DomainError') throw error;
}

test('whatever happens to sign-ups, each ends as a whole and the audit is clean', async (t) => {
  const counts = new Map<string, number>();
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 12, maxLength: 30 }),
    async (steps) => {
      for (const { status } of await live(steps)) {
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    },
  );
  await fc.assert(property, { ...costly, numRuns: RUNS, seed: SEED });
  for (const status of ['PROCESSED', 'FAILED', 'EXPIRED']) {
    t.log(`${status} ${counts.get(status)}`);
    t.true((counts.get(status) ?? 0) > 0, status);
  }
});
