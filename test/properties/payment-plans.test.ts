/**
 * Whatever a plan says, whatever its gateway answers and however its days are walked: installments
 * charge their sum, count as often as the plan says, and leave clean books.
 */
import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { add, compare } from '../../domain/money/money.ts';
import { installmentDay, type FrequencyUnit } from '../../domain/payment-plans/schedule.ts';
import { sharedDatabase } from '../operations/support/books.ts';
import { openCollectionBooks } from '../operations/support/collection-books.ts';
import { costly, fc, runs } from '../support/random.ts';

const db = await sharedDatabase();
const START = '2027-01-31';

interface Life {
  readonly chargeCents: number;
  readonly owedCents: number;
  readonly total: number;
  readonly frequencyValue: number;
  readonly units: FrequencyUnit;
  readonly onlyIfOwed: boolean;
  readonly answers: readonly ('approve' | 'decline' | 'loseAnswer' | 'loseDecline')[];
}

const lives: fc.Arbitrary<Life> = fc.record({
  chargeCents: fc.integer({ min: 1, max: 9_000 }),
  owedCents: fc.integer({ min: 0, max: 30_000 }),
  total: fc.integer({ min: 1, max: 4 }),
  frequencyValue: fc.integer({ min: 1, max: 5 }),
  units: fc.constantFrom('Days', 'Weeks'),
  onlyIfOwed: fc.boolean(),
  answers: fc.array(fc.constantFrom('approve', 'decline', 'loseAnswer', 'loseDecline'), {
    maxLength: 8,
  }),
});

const amountOf = (cents: number): string => (cents / 100).toFixed(2);

test('a plan charges each installment at most once, and never more than it may', async (t) => {
  const property = fc.asyncProperty(lives, async (life) => {
    const books = await openCollectionBooks(db, { today: START });
    const customerId = await books.customer();
    await books.file(customerId, 1, { token: 'tok_1' });
    if (life.owedCents > 0) await books.bill(customerId, amountOf(life.owedCents));
    books.gateway.onCharge('tok_1', ...life.answers);
    const schedule = {
      startDate: START,
      frequencyValue: life.frequencyValue,
      frequencyUnits: life.units,
    };
    await books.plan(customerId, {
      ...schedule,
      chargeAmount: amountOf(life.chargeCents),
      chargeOnlyIfBalanceOwed: life.onlyIfOwed,
      totalNumberOfInstallments: life.total,
    });
    await books.settle();
    // A week of retries after the last installment; the answers to its first and to its last charge
    // may come a day late.
    await books.live(addDays(installmentDay(schedule, life.total - 1), 10));
    t.is(await books.planNow(customerId), `ended, 0 of ${life.total} to come`);
    t.deepEqual(await books.faults(), []);
    const installments = await books.read((tx) =>
      tx.query<{ paid: string; counted: number }>(
        `select a.installment as counted,
                coalesce(sum(p.amount) filter (where p.status = 'Paid'), 0)::text as paid
         from collection_attempt a
         left join payment p on p.tenant_id = a.tenant_id and p.collection_attempt_id = a.id
         group by a.installment order by 1`,
      ),
    );
    t.deepEqual(
      installments.map(({ counted }) => counted),
      Array.from({ length: life.total }, (_, index) => index + 1),
    );
    for (const { paid } of installments) t.true(compare(paid, amountOf(life.chargeCents)) <= 0);
    const sum = installments.reduce((all, { paid }) => add(all, paid), '0');
    if (life.onlyIfOwed) t.true(compare(sum, amountOf(life.owedCents)) <= 0);
    // Whatever was not declined for good was charged whole.
    if (life.answers.every((answer) => answer === 'approve' || answer === 'loseAnswer')) {
      const whole = life.total * life.chargeCents;
      const expected = life.onlyIfOwed ? Math.min(whole, life.owedCents) : whole;
      t.is(compare(sum, amountOf(expected)), 0, JSON.stringify(life));
    }
  });
  await fc.assert(property, { ...costly, numRuns: runs(2) });
});
