/** Opens, follows and closes the dunning of customers whose open invoices change. */
import {
  type AgeingRules,
  type AgeingStep,
  type Standing,
  ageingSteps,
  isOverdue,
  nextStep,
  statusAtOnce,
  stepOn,
} from '../../domain/dunning/ageing.ts';
import { type IsoDate, addDays, minDate } from '../../domain/calendar/calendar.ts';
import {
  type CustomerStatus,
  customerStatuses,
  isSuspending,
} from '../../domain/customers/status.ts';
import {
  type DunningWrite,
  type RulesRow,
  type StandingRow,
  forgive,
  pauseService,
  readIndebted,
  readRules,
  resumeService,
  writeDunnings,
  writeStatuses,
  writeTransitions,
} from '../../db/queries/ageing/standings.ts';
import { clearPenalties, penalize } from '../../db/queries/ageing/penalties.ts';
import type { OperationContext } from '../context/context.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { raise } from '../events/raise.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';

/**
 * Follows a change of these customers' open invoices or of their status: the status goes down at
 * once, and a dunning opens, closes, or gets another next step. Steps upwards wait for the next
 * run. This transaction must have locked the customers.
 */
export async function reviewDebts(
  context: OperationContext,
  customerIds: readonly number[],
  { hasNewRetries = false, isMovedIn = false }: Review = {},
): Promise<void> {
  const { tx, time } = context;
  if (customerIds.length === 0) return;
  const [rules, rows] = await Promise.all([
    readRules(tx),
    readIndebted(tx, customerIds, time.today),
  ]);
  if (rows.length === 0) return;
  const { today } = time;
  const steps = rows.map((row): CustomerSteps => {
    const to = statusAtOnce(standingOf(row), rules, today);
    const step = { from: row.status, isMailed: false, isPenalized: false };
    return { customerId: row.id, steps: to === null ? [] : [{ ...step, to }] };
  });
  await takeSteps(context, steps);
  // The run of the day has passed, or is still to come.
  const earliest = rules.agedOn >= today ? addDays(today, 1) : today;
  keepDunnings(context, changesOf(rows, steps), { rules, earliest, hasNewRetries, isMovedIn });
}

export interface Review {
  /** Their retries have changed as well. */
  readonly hasNewRetries?: boolean;
  /** An import moves the invoices in: a dunning that it opens begins with the next run. */
  readonly isMovedIn?: boolean;
}

/**
 * Follows a change of these customers' retries: a dunning is open while one remains, and its
 * workflow looks at those to come.
 */
export function reviewRetries(
  context: OperationContext,
  customerIds: readonly number[],
): Promise<void> {
  return reviewDebts(context, customerIds, { hasNewRetries: true });
}

/**
 * Somebody suspended or activated the customer: no penalty is due any more, and what comes next
 * depends on the new status. Activating forgives the thresholds reached so far.
 */
export async function leaveAgeing(
  context: OperationContext,
  customerId: number,
  { isForgiven = false }: { readonly isForgiven?: boolean } = {},
): Promise<void> {
  const { tx, time } = context;
  await clearPenalties(tx, [{ customerId, passed: [], standsAt: ['Active'] }]);
  // Opens a dunning that the next run would open: forgiveness is a fact of it.
  await reviewDebts(context, [customerId]);
  if (!isForgiven) return;
  forgive(tx, customerId, time);
  await reviewDebts(context, [customerId]);
}

/** What a payment in processing would pay takes no step upwards. */
export interface AgedCustomer {
  readonly row: StandingRow;
  /** As oldest_due_on, without the invoices that payments in processing would pay. */
  readonly oldestUnaidedOn: IsoDate | null;
  /** The day on which an import moved that invoice in; null if it was made here. */
  readonly movedInOn: IsoDate | null;
}

/** The day's run for these customers: every threshold that they have reached. */
export async function ageStandings(
  context: OperationContext,
  aged: readonly AgedCustomer[],
  rules: RulesRow,
): Promise<readonly CustomerSteps[]> {
  const { today } = context.time;
  const steps = aged.map(({ row, oldestUnaidedOn, movedInOn }): CustomerSteps => {
    const standing = { ...standingOf(row), oldestUnaidedOn, movedInOn };
    const taken = row.isHeld ? [] : ageingSteps(standing, rules, today);
    return { customerId: row.id, steps: taken };
  });
  await takeSteps(context, steps);
  const changes = changesOf(
    aged.map(({ row }) => row),
    steps,
  );
  const aided = new Set(aged.filter(isAided).map(({ row }) => row.id));
  keepDunnings(context, changes, { rules, earliest: addDays(today, 1), isRun: true, aided });
  return steps;
}

const isAided = ({ row, oldestUnaidedOn }: AgedCustomer): boolean =>
  oldestUnaidedOn !== row.oldestDueOn;

/** Opens a dunning for customers who newly owe something overdue, before the run's steps. */
export function openOverdue(
  context: OperationContext,
  rows: readonly StandingRow[],
  rules: RulesRow,
): void {
  const changes = rows.map((row) => ({ row, status: row.status }));
  keepDunnings(context, changes, { rules, earliest: context.time.today });
}

export function standingOf(row: StandingRow): Standing {
  return {
    status: row.status,
    isByHand: row.isByHand,
    oldestDueOn: row.oldestDueOn,
    oldestUnaidedOn: row.oldestDueOn,
    movedInOn: row.oldestMovedInOn,
    forgivenOn: row.forgivenOn,
  };
}

interface Change {
  readonly row: StandingRow;
  /** After the steps. */
  readonly status: CustomerStatus;
}

function changesOf(rows: readonly StandingRow[], steps: readonly CustomerSteps[]): Change[] {
  return rows.map((row, index) => {
    return { row, status: steps[index]?.steps.at(-1)?.to ?? row.status };
  });
}

interface Keeping {
  readonly rules: AgeingRules;
  /** The first day whose run may still take a step. */
  readonly earliest: IsoDate;
  /**
   * The run has decided what was due. Its own step wakes no workflow: each wakes by itself on that
   * day.
   */
  readonly isRun?: boolean;
  /** The customers whose debts the run has counted without what money in processing will pay. */
  readonly aided?: ReadonlySet<number>;
  /** Retries have changed, so the workflow looks again even if the row stays as it is. */
  readonly hasNewRetries?: boolean;
  readonly isMovedIn?: boolean;
}

function keepDunnings(
  context: OperationContext,
  changes: readonly Change[],
  keeping: Keeping,
): void {
  const { tx, time } = context;
  const writes: DunningWrite[] = [];
  const woken: number[] = [];
  for (const { row, status } of changes) {
    const isOpen = isOverdue(row.oldestDueOn, time.today) || row.hasRetry;
    if (!isOpen && !row.isOpen) continue;
    const isBegun = row.isOpen && !row.awaitsRun;
    const awaitsRun = isOpen && !isBegun && keeping.isMovedIn === true;
    const step = isOpen ? nextStepOn(row, status, keeping, time.today) : null;
    const next = awaitsRun ? keeping.earliest : step;
    const isSame =
      isOpen === row.isOpen &&
      next === row.nextStepOn &&
      status === row.status &&
      awaitsRun === row.awaitsRun;
    if (isSame && !keeping.hasNewRetries) continue;
    writes.push({
      customerId: row.id,
      closedOn: isOpen ? null : time.today,
      nextStepOn: next,
      awaitsRun,
      aidedOn: keeping.aided?.has(row.id) ? time.today : null,
    });
    const isByRun = keeping.isRun === true && isOpen === row.isOpen && isBegun;
    if (!awaitsRun && !isByRun) woken.push(row.id);
  }
  writeDunnings(tx, writes, time);
  enqueue(
    context,
    woken.map((objectId) => ({ kind: 'dunning', objectId })),
  );
}

/** Null while somebody holds it, or while the customer is suspended by hand. */
function nextStepOn(
  row: StandingRow,
  status: CustomerStatus,
  { rules, earliest, isRun = false }: Keeping,
  today: IsoDate,
): IsoDate | null {
  if (row.isHeld || row.isByHand) return null;
  const next = nextStep({ ...standingOf(row), status }, rules);
  const on = stepOn(isRun ? null : row.nextStepOn, { next, today, earliest });
  // The first run of changed thresholds looks at every dunning.
  return rules.inForceOn > today ? minDate(rules.inForceOn, on ?? rules.inForceOn) : on;
}

/* Takes the steps of customers' statuses: transitions, pauses of service, penalties, orders. */

/** The steps of one customer, in order. */
interface CustomerSteps {
  readonly customerId: number;
  readonly steps: readonly AgeingStep[];
}

/** This transaction must have locked the customers. */
async function takeSteps(
  context: OperationContext,
  customers: readonly CustomerSteps[],
): Promise<void> {
  const { tx, time } = context;
  const moves = customers.flatMap(moveOf);
  if (moves.length === 0) return;
  const transitions = customers.flatMap(({ customerId, steps }) =>
    steps.map((step) => ({ ...step, customerId })),
  );
  const ids = await takeIds(tx, transitions.length);
  const rows = transitions.map(({ customerId, from, to }, index) => ({
    id: ids[index] ?? 0,
    customerId,
    previousStatus: from,
    newStatus: to,
  }));
  writeTransitions(tx, rows, time);
  writeStatuses(
    tx,
    moves.map(({ customerId, to }) => ({ id: customerId, status: to })),
    time.now,
  );
  raise(context, [
    ...transitions.map(({ customerId, isMailed }, index) => ({
      type: 'customer.transition' as const,
      customerId,
      objectId: ids[index] ?? 0,
      detail: { by: 'ageing', ...(isMailed ? { mail: true } : {}) },
    })),
    ...moves.map(({ customerId }) => ({
      type: 'customer.updated' as const,
      customerId,
      objectId: customerId,
    })),
  ]);
  const pausing = moves.filter(({ from, to }) => !isSuspending(from) && isSuspending(to));
  const resuming = moves.filter(({ from, to }) => isSuspending(from) && !isSuspending(to));
  pauseService(tx, idsOf(pausing), time.today);
  resumeService(tx, idsOf(resuming), time.today);
  const penalized = await markPenalties(context, moves);
  const customerIds = [...new Set([...idsOf(pausing), ...idsOf(resuming), ...penalized])];
  if (customerIds.length > 0) {
    await rescheduleOrders(context, { customerIds, resumed: idsOf(resuming) });
  }
}

function moveOf({ customerId, steps }: CustomerSteps): Move[] {
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last) return [];
  const penalized = steps.find(({ isPenalized }) => isPenalized);
  return [{ customerId, from: first.from, to: last.to, penalizedFrom: penalized?.from ?? null }];
}

function idsOf(moves: readonly Move[]): number[] {
  return moves.map(({ customerId }) => customerId);
}

/* Marks the penalty charges of orders whose customer gets to their status, or leaves it. */

/** Where the steps of a customer lead. */
interface Move {
  readonly customerId: number;
  readonly from: CustomerStatus;
  readonly to: CustomerStatus;
  /** The first status from which the steps, without quiet ones, go upwards; null without any. */
  readonly penalizedFrom: CustomerStatus | null;
}

/** Returns the customers with an order whose charges are now due on other days. */
async function markPenalties(
  { tx, time }: OperationContext,
  moves: readonly Move[],
): Promise<readonly number[]> {
  const rows = moves.map(({ customerId, to, penalizedFrom }) => ({
    customerId,
    passed: penalizedFrom === null ? [] : statusesBetween(penalizedFrom, to),
    standsAt: statusesUpTo(to),
  }));
  const cleared = await clearPenalties(tx, rows);
  const reached = rows.filter(({ passed }) => passed.length > 0);
  const marked = reached.length === 0 ? [] : await penalize(tx, reached, time);
  return [...new Set([...cleared, ...marked])];
}

/** The statuses after the first up to the second, by severity. */
function statusesBetween(from: CustomerStatus, to: CustomerStatus): readonly CustomerStatus[] {
  return customerStatuses.slice(
    customerStatuses.indexOf(from) + 1,
    customerStatuses.indexOf(to) + 1,
  );
}

function statusesUpTo(status: CustomerStatus): readonly CustomerStatus[] {
  return customerStatuses.slice(0, customerStatuses.indexOf(status) + 1);
}
