/** Opens dunnings and moves statuses by age, in batches, after the day's payments. */
import {
  dueSteps,
  newDebtors,
  noteDebtsOpened,
  type DuePage,
} from '../../db/queries/ageing/due.ts';
import { noteAged } from '../../db/queries/ageing/rules.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { inHalves, retried } from '../billing/halves.ts';
import { batchesOf, inLanes } from '../context/lanes.ts';
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
  'dependencies' | 'tenant' | 'today' | 'lanes' | 'mayContinue' | 'dispatch'
>;

/**
 * Opens a dunning for each customer that owes something overdue and has none. One that cannot be
 * opened delays no other, and the next run tries it again; a test clock does not move without it.
 */
export async function openAllDebts(slice: Ageing): Emptied {
  const { dependencies, tenant, today } = slice;
  const alone: Alone = (customerId, cause) => {
    if (tenant.hasTestClock) return Promise.reject(cause);
    const message = `the dunning of customer ${customerId} cannot be opened`;
    dependencies.onBug?.(new Error(message, { cause }));
    return Promise.resolve();
  };
  if (!(await inBatches(slice, newDebtors, { work: openDebts, alone }))) return false;
  await inTenant(dependencies.db, tenant.id, (tx) => noteDebtsOpened(tx, today));
  return true;
}

/**
 * Takes all steps that are due. Customers that wait for a payment, which on a test clock none does
 * at this stage, are left to their own workflow: it looks again an hour after 00:00 at the latest.
 */
export async function ageAll(slice: Ageing): Emptied {
  const { dependencies, tenant, today } = slice;
  const alone: Alone = (customerId, cause, code) => {
    dependencies.onBug?.(new Error(`the dunning of customer ${customerId} is held`, { cause }));
    return holdFailed(dependencies, tenant.id, { customerId, code });
  };
  if (!(await inBatches(slice, dueSteps, { work: ageCustomers, alone }))) return false;
  await inTenant(dependencies.db, tenant.id, (tx) => noteAged(tx, today));
  return true;
}

type ReadPage = (tx: Tx, page: DuePage) => Promise<number[]>;
type Work = (
  context: OperationContext,
  customerIds: readonly number[],
  options: AgeOptions,
) => Promise<AgedBatch>;
/** What becomes of a customer for whom the work fails each time. */
type Alone = (customerId: number, cause: unknown, code: string) => Promise<void>;

interface Part {
  readonly work: Work;
  readonly alone: Alone;
}

/** Pages by customer, so that those that wait for a payment are looked at once. */
async function inBatches(slice: Ageing, read: ReadPage, part: Part): Emptied {
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
        skipped.push(...(await ageHalving(slice, { ...part, wait }, batch)));
      };
      if (!(await inLanes(batchesOf(chosen, AGED_AT_ONCE_MAX), process, slice))) return false;
    }
    if (ids.length < PAGE_MAX) return true;
    after = ids.at(-1) ?? after;
  }
}

type Job = Part & AgeOptions;

/** Returns the customers that others had locked. */
async function ageHalving(
  slice: Ageing,
  job: Job,
  batch: readonly number[],
): Promise<readonly number[]> {
  const { tenant, dispatch } = slice;
  const skipped = await inHalves(batch, {
    work: async (ids) => {
      const aged = await retried(() => inOneOperation(slice, job, ids));
      dispatch(tenant.id, aged.nudges);
      return aged.skipped;
    },
    alone: async (...fault) => {
      await job.alone(...fault);
      return [];
    },
  });
  return skipped.flat();
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
