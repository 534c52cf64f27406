/** Processes the customers of whom something is due, page by page, each batch in one transaction. */
import type { DuePage } from '../../db/queries/ageing/due.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { inHalves, retried } from '../billing/batch.ts';
import { batchesOf, inLanes } from '../context/lanes.ts';
import { type OperationContext, inOperation } from '../context/context.ts';
import type { Emptied, RunSlice } from './slice.ts';

/** How many customers are read at once. */
const PAGE_MAX = 10_000;
const BATCH_STATEMENT_TIMEOUT_MS = 30_000;

export type BatchSlice = Pick<
  RunSlice,
  'dependencies' | 'tenant' | 'today' | 'lanes' | 'mayContinue' | 'dispatch'
>;

interface WorkOptions {
  /** Whether to wait for locked customers, or to skip them. */
  readonly wait: boolean;
}

interface WorkedBatch {
  /** Customers that another transaction had locked. */
  readonly skipped: readonly number[];
}

type ReadPage = (tx: Tx, page: DuePage) => Promise<number[]>;
export type Work = (
  context: OperationContext,
  customerIds: readonly number[],
  options: WorkOptions,
) => Promise<WorkedBatch>;
/** What becomes of a customer for whom the work fails each time. */
export type Alone = (customerId: number, cause: unknown, code: string) => Promise<void>;

interface Part {
  /** Customers in one transaction. */
  readonly batchMax: number;
  readonly work: Work;
  readonly alone: Alone;
}

/** Pages by customer, so that those that stay due are looked at once; false if it had to stop. */
export async function inBatches(slice: BatchSlice, read: ReadPage, part: Part): Emptied {
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
        skipped.push(...(await inHalvesOf(slice, { ...part, wait }, batch)));
      };
      if (!(await inLanes(batchesOf(chosen, part.batchMax), process, slice))) return false;
    }
    if (ids.length < PAGE_MAX) return true;
    after = ids.at(-1) ?? after;
  }
}

type Job = Part & WorkOptions;

/** Returns the customers that others had locked. */
async function inHalvesOf(
  slice: BatchSlice,
  job: Job,
  batch: readonly number[],
): Promise<readonly number[]> {
  const { tenant, dispatch } = slice;
  const skipped = await inHalves(batch, {
    work: async (ids) => {
      const worked = await retried(() => inOneOperation(slice, job, ids));
      dispatch(tenant.id, worked.nudges);
      return worked.skipped;
    },
    alone: async (...fault) => {
      await job.alone(...fault);
      return [];
    },
  });
  return skipped.flat();
}

function inOneOperation(
  { dependencies, tenant }: BatchSlice,
  { work, wait }: Job,
  batch: readonly number[],
): Promise<WorkedBatch & Pick<OperationContext, 'nudges'>> {
  return inOperation(
    dependencies,
    tenant.id,
    async (context) => {
      const worked = await work(context, batch, { wait });
      return { ...worked, nudges: context.nudges };
    },
    { statementTimeoutMs: BATCH_STATEMENT_TIMEOUT_MS },
  );
}
