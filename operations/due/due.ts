/**
 * Everything that can be due, in the order of processing at an instant. The test clock and the
 * billing run walk this list, the audit uses it to find overdue things, and a test compares the
 * agenda's branches with it.
 */
import type { AgendaBranch } from '../../db/queries/due/agenda.ts';
import { countPending } from '../../db/queries/clock/test-clock.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { awaitedKinds, type AwaitedKind, type ObjectWorkflowKind } from '../context/kinds.ts';
import { ageAll, openAllDebts } from './ageing.ts';
import { earnAllCommissions } from './commissions.ts';
import { emptyOrders, runOrders } from './orders.ts';
import { awaitPayments, emptyAttempts, emptyAutopay, runAttempts, runAutopay } from './payments.ts';
import { emptySettlement, runSettlement } from './settlement.ts';
import type { DueSlice, Emptied, RunSlice } from './slice.ts';

/** The stages of an instant in order: each may depend on earlier ones. */
export const dueStages = [
  'settlement',
  'changes',
  'billing',
  'collection',
  'ageing',
  'notices',
] as const;

export interface DueKind {
  readonly name: string;
  readonly stage: (typeof dueStages)[number];
  /** The branch of the agenda with its dates; null for a kind that is under way instead of due. */
  readonly agenda: AgendaBranch | null;
  /** The batched operation that processes all of the kind at an instant of a test clock. */
  readonly empty: (slice: DueSlice) => Emptied;
  /** Its part of the day's run in real time; null if only workflows process the kind. */
  readonly run: ((slice: RunSlice) => Emptied) | null;
  /** The number of things under way, which have no date; the clock is not Ready before they end. */
  readonly underWay: ((tx: Tx) => Promise<number>) | null;
  /**
   * The kind whose workflow processes it in real time, and must have seen it; null if only the run
   * does.
   */
  readonly workflow: ObjectWorkflowKind | null;
}

export const dueKinds = [
  {
    name: 'settlement',
    stage: 'settlement',
    agenda: 'settlement',
    empty: emptySettlement,
    run: runSettlement,
    underWay: null,
    workflow: 'payment',
  },
  {
    name: 'order',
    stage: 'billing',
    agenda: 'order',
    empty: emptyOrders,
    run: runOrders,
    underWay: null,
    workflow: 'order',
  },
  {
    name: 'autopay',
    stage: 'collection',
    agenda: 'autopay',
    empty: emptyAutopay,
    run: runAutopay,
    underWay: null,
    workflow: 'order',
  },
  {
    name: 'retry',
    stage: 'collection',
    agenda: 'retry',
    empty: (slice) => emptyAttempts(slice, 'retry'),
    run: (slice) => runAttempts(slice, 'retry'),
    underWay: null,
    workflow: 'dunning',
  },
  {
    name: 'installment',
    stage: 'collection',
    agenda: 'installment',
    empty: (slice) => emptyAttempts(slice, 'installment'),
    run: (slice) => runAttempts(slice, 'installment'),
    underWay: null,
    workflow: 'paymentPlan',
  },
  {
    name: 'payment',
    stage: 'collection',
    agenda: null,
    empty: awaitPayments,
    run: null,
    underWay: countPending,
    workflow: 'payment',
  },
  {
    name: 'debt',
    stage: 'ageing',
    agenda: 'debt',
    empty: openAllDebts,
    run: openAllDebts,
    underWay: null,
    workflow: 'dunning',
  },
  {
    name: 'ageing',
    stage: 'ageing',
    agenda: 'ageing',
    empty: ageAll,
    run: ageAll,
    underWay: null,
    workflow: 'dunning',
  },
  {
    name: 'commission',
    stage: 'notices',
    agenda: 'commission',
    empty: earnAllCommissions,
    run: earnAllCommissions,
    underWay: null,
    workflow: null,
  },
] as const satisfies readonly DueKind[];

export type DueName = (typeof dueKinds)[number]['name'];

const all: readonly DueKind[] = dueKinds;

/** The kinds whose workflows must have seen what was due before the clock moves on. */
export const awaitedWorkflows: readonly AwaitedKind[] = awaitedKinds.filter(({ name }) =>
  all.some(({ workflow }) => workflow === name),
);

/** Processes each kind in order; false if one of them had to stop. */
export async function emptyDue(slice: DueSlice): Emptied {
  for (const kind of all) if (!(await kind.empty(slice))) return false;
  return true;
}

/** The same in real time; false if a kind had to stop: the next slice begins with the first kind. */
export async function runDue(slice: RunSlice): Emptied {
  for (const { run } of all) if (run !== null && !(await run(slice))) return false;
  return true;
}

/** Pending things, for which the clock waits. */
export async function countUnderWay(tx: Tx): Promise<number> {
  let count = 0;
  for (const { underWay } of all) count += (await underWay?.(tx)) ?? 0;
  return count;
}
