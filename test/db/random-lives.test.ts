/**
 * Random lives: whatever callers do to orders, invoices and customers, in whatever order, on
 * whatever day, the audit is clean after every step; also when they do it all at once.
 */

import test from 'ava';
import fc from 'fast-check';
import { addDays } from '../../domain/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { demoPlan } from '../support/tenants.ts';
import { openBooks, sharedDatabase } from './books.ts';
import type { Books } from './books.ts';
import { prepaid, prorated, recurring } from './plans.ts';

const db = await sharedDatabase();
const plans = [
  demoPlan('GOLD'),
  demoPlan('METERED'),
  demoPlan('SEATS'),
  recurring('PRE', 31, prepaid),
  recurring('RATA', 31, prorated),
  recurring('LATER', 31, { isProrated: true }),
  recurring('WEEK', 7, prorated, { billingPeriod: 'Weekly' }),
];
const CUSTOMERS_MADE = 2;

const pick = fc.nat({ max: 1_000 });
const days = fc.integer({ min: -20, max: 60 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('advance'), days: fc.integer({ min: 1, max: 25 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('order'),
      plan: fc.constantFrom(...plans.map((plan) => plan.contractCode)),
      which: pick,
      starts: days,
      term: fc.constantFrom(0, 0, 10, 28, 31, 60),
      renews: fc.boolean(),
      draft: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      bill: fc.constantFrom('no', 'no', 'generate', 'force'),
      separateInvoice: fc.constantFrom(0, 0, 1),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('suspend', 'activate', 'cancel', 'generate', 'start'),
      which: pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end'),
      which: pick,
      ends: fc.option(fc.integer({ min: 0, max: 50 })),
      renews: fc.option(fc.boolean(), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('cancelInvoice'),
      which: pick,
      flag: fc.constantFrom('none', 'suspendOrders', 'cancelOrders', 'rollbackBillingPeriod'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('rest', 'wake', 'manual'), which: pick }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly books: Books;
  readonly customers: readonly number[];
  readonly orders: number[];
}

const at = <T>(list: readonly T[], which: number): T | undefined => list[which % list.length];

/** Does a step; what it refuses in words is no fault. */
async function take({ books, customers, orders }: World, it: Step): Promise<void> {
  try {
    await act(it);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }

  async function act(todo: Step): Promise<void> {
    if ('days' in todo) return books.advance(addDays(books.today(), todo.days));
    if ('plan' in todo) {
      const startDate = addDays(books.today(), todo.starts);
      const order = {
        customerId: at(customers, todo.which) ?? 0,
        contractCode: todo.plan,
        startDate,
        endDate: todo.term === 0 ? null : addDays(startDate, todo.term),
        isAutoRenew: todo.renews,
        separateInvoice: todo.separateInvoice,
        orderStatus: todo.draft ? ('Draft' as const) : ('Active' as const),
      };
      const generateInvoice = todo.bill === 'generate';
      const forceInvoiceGeneration = todo.bill === 'force';
      orders.push(await books.order(order, { generateInvoice, forceInvoiceGeneration }));
      return;
    }
    if ('flag' in todo) {
      const next = (await books.counters())['invoice'] ?? 1001;
      if (next === 1001) return;
      const flags = todo.flag === 'none' ? {} : { [todo.flag]: true };
      return books.cancelInvoice(1001 + (todo.which % (next - 1001)), flags);
    }
    const customerId = at(customers, todo.which) ?? 0;
    if (todo.do === 'rest') return books.customerAction(customerId, 'suspend');
    if (todo.do === 'wake') return books.customerAction(customerId, 'activate');
    if (todo.do === 'manual') {
      const charge = { priceCode: 'WORK', amount: '7.50' };
      await books.manualInvoice(customerId, {
        invoiceLineItems: [{ invoiceLineItemCharges: [charge] }],
      });
      return;
    }
    const id = at(orders, todo.which);
    if (id === undefined) return;
    await changeOrder(id, todo);
  }

  async function changeOrder(id: number, todo: Step): Promise<unknown> {
    if ('ends' in todo) {
      const endDate = todo.ends === null ? null : addDays(books.today(), todo.ends);
      return books.put(id, { endDate, isAutoRenew: todo.renews });
    }
    switch (todo.do) {
      case 'suspend':
        return books.suspend(id);
      case 'activate':
        return books.activate(id);
      case 'generate':
        return books.generate(id);
      case 'start':
        return books.put(id, { orderStatus: 'Active' });
      default:
        return books.put(id, { orderStatus: 'Canceled' });
    }
  }
}

async function newWorld(): Promise<World> {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customers: number[] = [];
  for (let made = 0; made < CUSTOMERS_MADE; made += 1) customers.push(await books.customer());
  return { books, customers, orders: [] };
}

test('whatever is done day by day, the audit is clean after every step', async (t) => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 8, maxLength: 25 }),
    async (steps) => {
      const world = await newWorld();
      for (const each of steps) {
        await take(world, each);
        const { faults, held } = await world.books.audit();
        if (faults.length > 0 || held.length > 0) throw new Error(JSON.stringify({ faults, held }));
      }
    },
  );
  await fc.assert(property, { numRuns: 25, endOnFailure: true });
  t.pass();
});

test('whatever is done at once, nothing fails but in words, and the audit is clean', async (t) => {
  const notAdvance = step.filter((each) => !('days' in each));
  const rounds = fc.array(fc.array(notAdvance, { minLength: 6, maxLength: 12 }), {
    minLength: 3,
    maxLength: 5,
  });
  const property = fc.asyncProperty(rounds, async (groups) => {
    const world = await newWorld();
    for (const group of groups) {
      const lanes = group.map((each) => take(world, each));
      await Promise.all([...lanes, world.books.run()]);
      await world.books.advance(addDays(world.books.today(), 9));
      const { faults, held } = await world.books.audit();
      if (faults.length > 0 || held.length > 0) throw new Error(JSON.stringify({ faults, held }));
    }
  });
  await fc.assert(property, { numRuns: 10, endOnFailure: true });
  t.pass();
});
