/** Takes the steps of customers' statuses: transitions, pauses of service, penalties, orders. */
import {
  isSuspending,
  customerStatuses,
  type CustomerStatus,
} from '../../domain/customers/status.ts';
import type { AgeingStep } from '../../domain/dunning/ageing.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import {
  pauseService,
  resumeService,
  writeStatuses,
  writeTransitions,
} from '../../db/queries/ageing/standings.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import { clearPenalties, penalize } from '../../db/queries/ageing/penalties.ts';

/** The steps of one customer, in order. */
export interface CustomerSteps {
  readonly customerId: number;
  readonly steps: readonly AgeingStep[];
}

/** This transaction must have locked the customers. */
export async function takeSteps(
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
