/**
 * Everything that can be due, in the order of processing at an instant. The test clock and the
 * billing run walk this list, the audit uses it to find overdue things, and a test compares the
 * agenda's branches with it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { dueSteps, newDebtors, noteDebtsOpened } from '../../db/queries/ageing/due.ts';
import { noteAged } from '../../db/queries/ageing/standings.ts';
import { countPending } from '../../db/queries/clock/test-clock.ts';
import { markPayersBehind } from '../../db/queries/clock/workflows-seen.ts';
import { dueCommissionCustomers } from '../../db/queries/commissions/due.ts';
import { type AgendaBranch, isOnAgenda } from '../../db/queries/due/agenda.ts';
import type { NoticeKind } from '../../domain/events/notices.ts';
import { claimAutopay, type ClaimedAutopay } from '../collection/autopay.ts';
import { claimAttempts, type AttemptKind } from '../collection/claim-attempts.ts';
import { earnDueCommissions } from '../commissions/due.ts';
import { type OperationContext, inOperation } from '../context/context.ts';
import { awaitedKinds, type AwaitedKind, type ObjectWorkflowKind } from '../context/kinds.ts';
import { lockCustomers } from '../context/locks.ts';
import { AGED_AT_ONCE_MAX, ageCustomers, openDebts } from '../dunning/age.ts';
import { holdFailed } from '../dunning/change.ts';
import { payAtOnce } from '../gateway-calls/pay-at-once.ts';
import { settleDue } from '../gateway-calls/settle-due.ts';
import { inBatches, type Alone, type BatchSlice, type Work } from './in-batches.ts';
import { announceAllDebits, giveNotices } from './notices.ts';
import { emptyOrders, runOrders } from './orders.ts';
import { endAllPauses } from './pauses.ts';
import { dateAllMoves } from './prices.ts';
import type { DueSlice, Emptied, RunSlice } from './slice.ts';

/* Pays what is due; on a test clock, waits for all pending payments. */

/** A batch is one transaction, and is paid before its outbox rows start workflows. */
const CLAIMED_AT_ONCE_MAX = 100;
/** Each uses a connection for most of its time. */
const PAYMENTS_AT_ONCE_MAX = 6;
/** In real time a batch is one transaction, whose payments their workflows process. */
const RUN_CLAIMED_AT_ONCE_MAX = 200;
const LOOK_MS_MIN = 20;
const LOOK_MS_MAX = 500;

/** Pays the invoices whose autopay day has come. */
async function emptyAutopay(slice: DueSlice): Emptied {
  const { dependencies, tenant, today } = slice;
  if (!(await isDue(slice, 'autopay'))) return true;
  // A separate transaction: no other transaction with locked customers locks rows of workflows.
  await inTenant(dependencies.db, tenant.id, (tx) => markPayersBehind(tx, today));
  return payAll(slice, (work) => claimAutopay(work, { limit: CLAIMED_AT_ONCE_MAX }));
}

/** Pays the attempts whose day has come. */
async function emptyAttempts(slice: DueSlice, kind: AttemptKind): Emptied {
  if (!(await isDue(slice, kind))) return true;
  return payAll(slice, (work) => claimAttempts(work, { kind, limit: CLAIMED_AT_ONCE_MAX }));
}

/** Claims invoices made by hand, and those whose workflow missed its day. */
function runAutopay(slice: RunSlice): Emptied {
  const choice = { limit: RUN_CLAIMED_AT_ONCE_MAX, before: slice.today };
  return claimAll(slice, (work) => claimAutopay(work, choice));
}

/** Claims the attempts of the day. */
function runAttempts(slice: RunSlice, kind: AttemptKind): Emptied {
  return claimAll(slice, (work) => claimAttempts(work, { kind, limit: RUN_CLAIMED_AT_ONCE_MAX }));
}

function isDue({ dependencies, tenant, today }: DueSlice, branch: AgendaBranch): Promise<boolean> {
  return inTenant(dependencies.db, tenant.id, (tx) => isOnAgenda(tx, branch, today), {
    readOnly: true,
  });
}

type Claim = (work: OperationContext) => Promise<ClaimedAutopay>;

async function payAll(slice: DueSlice, claim: Claim): Emptied {
  const { dependencies, gateways, tenant, dispatch, mayContinue } = slice;
  const options = { dispatch, lanes: PAYMENTS_AT_ONCE_MAX, mayContinue };
  for (let more = true; more;) {
    if (!mayContinue()) return false;
    const claimed = await inOperation(dependencies, tenant.id, claim);
    await payAtOnce(dependencies, gateways, tenant.id, claimed.payments, options);
    ({ more } = claimed);
  }
  return true;
}

/** The workflows of the payments process them. */
async function claimAll(
  { dependencies, tenant, dispatch, mayContinue }: RunSlice,
  claim: Claim,
): Emptied {
  for (let more = true; more;) {
    if (!mayContinue()) return false;
    const claimed = await inOperation(dependencies, tenant.id, async (work) => ({
      ...(await claim(work)),
      nudges: work.nudges,
    }));
    if (claimed.nudges.length > 0) dispatch(tenant.id, claimed.nudges);
    ({ more } = claimed);
  }
  return true;
}

/** Waits until no payment is pending. Their workflows, once started, finish them. */
async function awaitPayments({ dependencies, tenant, mayContinue }: DueSlice): Emptied {
  const look = () => inTenant(dependencies.db, tenant.id, countPending, { readOnly: true });
  let lookMs = LOOK_MS_MIN;
  for (let pending = await look(); pending > 0; pending = await look()) {
    if (!mayContinue()) return false;
    await sleep(lookMs);
    lookMs = Math.min(lookMs * 1.5, LOOK_MS_MAX);
  }
  return true;
}

/* Opens dunnings and moves statuses by age, in batches, after the day's payments. */

const aging = { batchMax: AGED_AT_ONCE_MAX };

/**
 * Opens a dunning for each customer that owes something overdue and has none. One that cannot be
 * opened delays no other, and the next run tries it again; a test clock does not move without it.
 */
export async function openAllDebts(slice: BatchSlice): Emptied {
  const { dependencies, tenant, today } = slice;
  const alone: Alone = (customerId, cause) => {
    if (tenant.hasTestClock) return Promise.reject(cause);
    const message = `the dunning of customer ${customerId} cannot be opened`;
    dependencies.onBug?.(new Error(message, { cause }));
    return Promise.resolve();
  };
  if (!(await inBatches(slice, newDebtors, { ...aging, work: openDebts, alone }))) return false;
  await inTenant(dependencies.db, tenant.id, (tx) => noteDebtsOpened(tx, today));
  return true;
}

/**
 * Takes all steps that are due. Customers that wait for a payment, which on a test clock none does
 * at this stage, are left to their own workflow: it looks again an hour after 00:00 at the latest.
 */
export async function ageAll(slice: BatchSlice): Emptied {
  const { dependencies, tenant, today } = slice;
  const alone: Alone = (customerId, cause, code) => {
    dependencies.onBug?.(new Error(`the dunning of customer ${customerId} is held`, { cause }));
    return holdFailed(dependencies, tenant.id, { customerId, code });
  };
  if (!(await inBatches(slice, dueSteps, { ...aging, work: ageCustomers, alone }))) return false;
  await inTenant(dependencies.db, tenant.id, (tx) => noteAged(tx, today));
  return true;
}

/* Earns the date-based commissions of the day, in batches of customers. */

const BATCH_CUSTOMERS_MAX = 200;

/**
 * A customer whose commissions cannot be earned delays no other, and the next run tries it again; a
 * test clock does not move without it.
 */
export async function earnAllCommissions(slice: BatchSlice): Emptied {
  const { dependencies, tenant } = slice;
  const alone: Alone = (customerId, cause) => {
    if (tenant.hasTestClock) return Promise.reject(cause);
    const message = `the commissions of customer ${customerId} cannot be earned`;
    dependencies.onBug?.(new Error(message, { cause }));
    return Promise.resolve();
  };
  for (let isMore = true; isMore;) {
    isMore = false;
    const work: Work = async (context, customerIds, options) => {
      const { skipped, staysDue } = await earnCommissions(context, customerIds, options);
      isMore ||= staysDue;
      return { skipped };
    };
    const part = { batchMax: BATCH_CUSTOMERS_MAX, work, alone };
    if (!(await inBatches(slice, dueCommissionCustomers, part))) return false;
  }
  return true;
}

async function earnCommissions(
  context: OperationContext,
  customerIds: readonly number[],
  options: { readonly wait: boolean },
): Promise<{ readonly skipped: readonly number[]; readonly staysDue: boolean }> {
  const locked = (await lockCustomers(context.tx, customerIds, options)).map(({ id }) => id);
  const mine = new Set(locked);
  const staysDue = locked.length > 0 && (await earnDueCommissions(context, locked));
  return { skipped: customerIds.filter((id) => !mine.has(id)), staysDue };
}

/* Asks the gateways about payments that are due, before all else. */

/** The pause before the next slice asks a gateway again that did not answer. */
const UNSETTLED_PAUSE_MS = 1_000;

async function emptySettlement(slice: DueSlice): Emptied {
  const { dependencies, gateways, tenant } = slice;
  const isEmpty = await settleDue(dependencies, gateways, tenant.id, slice);
  if (!isEmpty && slice.mayContinue()) await sleep(UNSETTLED_PAUSE_MS);
  return isEmpty;
}

/** If a gateway does not answer now, the next slice and the payment's workflow ask again. */
async function runSettlement(slice: RunSlice): Emptied {
  await settleDue(slice.dependencies, slice.gateways, slice.tenant.id, slice);
  return true;
}

/** The stages of an instant in order: each may depend on earlier ones. */
export const dueStages = [
  'settlement',
  'pauses',
  'prices',
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

const noticesOf = <const Kind extends NoticeKind>(kind: Kind) => ({
  name: kind,
  stage: 'notices' as const,
  agenda: kind,
  empty: (slice: DueSlice) => giveNotices(kind, slice),
  run: (slice: RunSlice) => giveNotices(kind, slice),
  underWay: null,
  workflow: null,
});

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
    name: 'pause',
    stage: 'pauses',
    agenda: 'pause',
    empty: endAllPauses,
    run: endAllPauses,
    underWay: null,
    workflow: null,
  },
  {
    name: 'prices',
    stage: 'prices',
    agenda: 'prices',
    empty: dateAllMoves,
    run: dateAllMoves,
    underWay: null,
    workflow: null,
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
  noticesOf('trialEnding'),
  noticesOf('renewalNotice'),
  noticesOf('priceChange'),
  noticesOf('cardExpiring'),
  {
    name: 'debitNotice',
    stage: 'notices',
    agenda: 'debitNotice',
    empty: announceAllDebits,
    run: announceAllDebits,
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
