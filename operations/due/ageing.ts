/** Opens dunnings and moves statuses by age, in batches, after the day's payments. */
import { dueSteps, newDebtors, type DuePage } from '../../db/queries/ageing/due.ts';
import { noteAged } from '../../db/queries/ageing/rules.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { retried } from '../billing/customers.ts';
import { holdCodeOf } from '../billing/faults.ts';
import { inLanes } from '../context/lanes.ts';
import { inOperation, type OperationContext } from '../context/context.ts';
import { AGED_AT_ONCE_MAX, ageCustomers, openDebts } from '../dunning/age.ts';
import type { AgedBatch, AgeOptions } from '../dunning/age.ts';
import { holdFailed } from '../dunning/change.ts';
import type { Emptied, RunSlice } from './slice.ts';

/** How many customers are read at once. */
const PAGE_MAX = 10_000;
const BATCH_STATEMENT_TIMEOUT_MS = 30_000;

type Ageing = Pick<
  RunSlice,
  'dependencies' | 'tenant' | 'today' | 'lanes' | 'mayGoOn' | 'dispatch'
>;

/** Opens a dunning for each customer that owes something overdue and has none. */
export function emptyDebts(slice: Ageing): Emptied {
  return inBatches(slice, newDebtors, openDebts);
}

export function runDebts(slice: Ageing): Emptied {
  return inBatches(slice, newDebtors, openDebts);
}

/** On a test clock no payment waits any more at this stage. */
export function emptyAgeing(slice: Ageing): Emptied {
  return age(slice);
}

/**
 * Customers that wait for a payment are left to their own workflow, which looks again an hour after
 * 00:00 at the latest.
 */
export function runAgeing(slice: Ageing): Emptied {
  return age(slice);
}

async function age(slice: Ageing): Emptied {
  if (!(await inBatches(slice, dueSteps, ageCustomers))) return false;
  const { dependencies, tenant, today } = slice;
  await inTenant(dependencies.db, tenant.id, (tx) => noteAged(tx, today));
  return true;
}

type ReadPage = (tx: Tx, page: DuePage) => Promise<number[]>;
type Work = (
  context: OperationContext,
  customerIds: readonly number[],
  options: AgeOptions,
) => Promise<AgedBatch>;

/** Pages by customer, so that those that wait for a payment are looked at once. */
async function inBatches(slice: Ageing, read: ReadPage, work: Work): Emptied {
  const { dependencies, tenant, today } = slice;
  for (let after = 0; ;) {
    const page = { today, after, limit: PAGE_MAX };
    const ids = await inTenant(dependencies.db, tenant.id, (tx) => read(tx, page), {
      readOnly: true,
    });
    // Locked customers come last, and then the batch waits for them.
    const skipped: number[] = [];
    for (const [wait, chosen] of [
      [false, ids],
      [true, skipped],
    ] as const) {
      const process = async (batch: readonly number[]): Promise<void> => {
        skipped.push(...(await inHalves(slice, { work, wait }, batch)));
      };
      if (!(await inLanes(batchesOf(chosen), process, slice))) return false;
    }
    if (ids.length < PAGE_MAX) return true;
    after = ids.at(-1) ?? after;
  }
}

function batchesOf(ids: readonly number[]): readonly (readonly number[])[] {
  const batches: (readonly number[])[] = [];
  for (let from = 0; from < ids.length; from += AGED_AT_ONCE_MAX) {
    batches.push(ids.slice(from, from + AGED_AT_ONCE_MAX));
  }
  return batches;
}

interface Job extends AgeOptions {
  readonly work: Work;
}

/**
 * Halves a failing batch down to the customer at fault, and holds its dunning; others go on.
 * Returns the customers that others had locked.
 */
async function inHalves(
  slice: Ageing,
  job: Job,
  batch: readonly number[],
): Promise<readonly number[]> {
  const { dependencies, tenant, dispatch } = slice;
  try {
    const { nudges, skipped } = await retried(() => inOneOperation(slice, job, batch));
    dispatch(tenant.id, nudges);
    return skipped;
  } catch (error) {
    const code = holdCodeOf(error);
    if (code === null) throw error;
    const [only = 0, ...others] = batch;
    if (others.length === 0) {
      dependencies.onBug?.(new Error(`the dunning of customer ${only} is held`, { cause: error }));
      await holdFailed(dependencies, tenant.id, { customerId: only, code });
      return [];
    }
    const middle = Math.ceil(batch.length / 2);
    const first = await inHalves(slice, job, batch.slice(0, middle));
    return [...first, ...(await inHalves(slice, job, batch.slice(middle)))];
  }
}

function inOneOperation(
  { dependencies, tenant }: Ageing,
  { work, wait }: Job,
  batch: readonly number[],
): Promise<AgedBatch & Pick<OperationContext, 'nudges'>> {
  return inOperation(
    dependencies,
    tenant.id,
    async (context) => {
      const aged = await work(context, batch, { wait });
      return { ...aged, nudges: context.nudges };
    },
    { statementTimeoutMs: BATCH_STATEMENT_TIMEOUT_MS },
  );
}
