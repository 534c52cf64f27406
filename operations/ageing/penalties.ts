/** Marks the penalty charges of orders whose customer gets to their status, or leaves it. */
import { customerStatuses, type CustomerStatus } from '../../domain/customers/status.ts';
import { clearPenalties, penalize } from '../../db/queries/ageing/penalties.ts';
import type { OperationContext } from '../context/context.ts';

/** Where the steps of a customer lead. */
export interface Move {
  readonly customerId: number;
  readonly from: CustomerStatus;
  readonly to: CustomerStatus;
  /** The first status from which the steps, without quiet ones, go upwards; null without any. */
  readonly penalizedFrom: CustomerStatus | null;
}

/** Returns the customers with an order whose charges are now due on other days. */
export async function markPenalties(
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
