/**
 * Random lives of orders whose plans become dearer meanwhile: the audit stays clean, and so each
 * period costs what the version of its first day says.
 */
import test from 'ava';
import { type World, newWorld, perform, step } from '../operations/support/order-lives.ts';
import { plans } from '../operations/support/life-plans.ts';
import { assertClean, sharedDatabase } from '../operations/support/books.ts';
import { applyTo } from '../operations/support/new-prices.ts';
import { DomainError, DomainErrors } from '../../domain/errors.ts';
import type { PlanFile } from '../support/tenants.ts';
import { costly, fc, isAuditedAfter, runs } from '../support/random.ts';

const db = await sharedDatabase();

const reprice = fc.record({
  do: fc.constant('reprice'),
  existingOrders: fc.constantFrom('keep', 'nextPeriod', 'nextPeriod', 'nextPeriod', 'nextTerm'),
  /** The plans that it makes dearer; the others have another key only. */
  every: fc.integer({ min: 1, max: 3 }),
  noticeDays: fc.integer({ min: 0, max: 10 }),
  prorates: fc.boolean(),
});

/** Orders move with their next period, which takes some days. */
const advance = fc.record({
  do: fc.constant('advance' as const),
  days: fc.integer({ min: 5, max: 25 }),
});

/** Prices differ from version to version, and now and then what a part of a period costs. */
function repriced(plan: PlanFile, count: number, prorates: boolean): PlanFile {
  const charges = plan.charges.map((charge) => {
    const price = Number(charge.price ?? NaN);
    return Number.isNaN(price)
      ? charge
      : {
          ...charge,
          price: Number((price + count).toFixed(2)),
          isProrated: prorates || charge.isProrated === true,
        };
  });
  return { ...plan, charges };
}

test('after the steps of lives with new prices the audit is clean', async (t) => {
  const steps = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: step },
      { weight: 2, arbitrary: reprice },
      { weight: 3, arbitrary: advance },
    ),
    { minLength: 10, maxLength: 25 },
  );
  let moved = 0;
  const property = fc.asyncProperty(steps, async (all) => {
    const world = await newWorld(db);
    let file: readonly PlanFile[] = plans;
    for (const [count, each] of all.entries()) {
      if ('every' in each) {
        const { every, existingOrders, prorates } = each;
        file = file.map((plan, index) => ({
          ...(index % every === 0 ? repriced(plan, count, prorates) : plan),
          existingOrders,
        }));
        await applyTo(world.books, file, each.noticeDays);
      } else await refusable(perform(world, each));
      if (isAuditedAfter(count)) await assertClean(world.books);
    }
    await assertClean(world.books);
    moved += await movedIn(world);
  });
  await fc.assert(property, { ...costly, numRuns: runs(2) });
  t.log(`${moved} orders have moved`);
  t.true(moved > 0, 'some orders have taken other prices');
});

async function refusable(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DomainError) && !(error instanceof DomainErrors)) throw error;
  }
}

async function movedIn({ books }: World): Promise<number> {
  const rows = await books.read((tx) =>
    tx.query('select from subscription_order where tenant_id = $1 and earlier_prices is not null', [
      tx.tenantId,
    ]),
  );
  return rows.length;
}
