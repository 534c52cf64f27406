/**
 * Writes what claims and payments make of payment plans, many in one statement. A plan that a
 * person changes is an entity (`operations/payment-plans`), and only its attempts are written here.
 */
import {
  type PlanAfter,
  type PlanTurn,
  type ScheduledPlan,
  planAfter,
} from '../../domain/payment-plans/schedule.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { insertInstallments } from '../../db/queries/collection/attempts.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';
import { resumeAutopay } from './installments.ts';
import { given } from '../../db/queries/context/insertion.ts';
import { PaymentPlan } from '../../db/entities/collection.ts';

/** A plan whose attempts were claimed or concluded. */
export interface PlanMark extends Pick<PlanTurn, 'countedOn'> {
  readonly planId: number;
}

const markedPlans = given(PaymentPlan, ['id', 'countedInstallments', 'isEnabled', 'endedOn']);

/**
 * Counts the installments that have had their turn, and ends the plans that are over. This
 * transaction must have locked the customers.
 */
export async function markPlans(
  context: OperationContext,
  marks: readonly PlanMark[],
): Promise<void> {
  if (marks.length === 0) return;
  const { tx, time } = context;
  const countedOn = countedDays(marks);
  const plans = await plansOf(tx, [...countedOn.keys()]);
  const marked = plans.map(({ id, customerId, hasOpenAttempts, ...plan }): MarkedPlan => {
    const turn = { countedOn: countedOn.get(id) ?? null, hasOpenAttempts, today: time.today };
    return { id, customerId, after: planAfter(plan, turn) };
  });
  const rows = marked.map(({ id, after: { counted, isEnabled, endedOn } }) => {
    return { id, countedInstallments: counted, isEnabled, endedOn };
  });
  tx.send(
    `update payment_plan p set version = p.version + 1, updated_at = $3,
       counted_installments = r."countedInstallments", is_enabled = r."isEnabled",
       ended_on = r."endedOn"
     from ${markedPlans.recordset}
     where p.tenant_id = $1 and p.id = r.id`,
    [tx.tenantId, markedPlans.json(rows), time.now],
    'mark-plans',
  );
  await concludeMarks(context, marked);
}

/** An installment and the retry of an earlier one may be claimed together. */
function countedDays(marks: readonly PlanMark[]): ReadonlyMap<number, IsoDate | null> {
  const days = new Map<number, IsoDate | null>();
  for (const { planId, countedOn } of marks) {
    days.set(planId, countedOn ?? days.get(planId) ?? null);
  }
  return days;
}

type PlanRow = ScheduledPlan &
  Pick<PlanTurn, 'hasOpenAttempts'> & { readonly id: number; readonly customerId: number };

function plansOf(tx: Tx, ids: readonly number[]): Promise<PlanRow[]> {
  return tx.query<PlanRow & Record<string, unknown>>(
    `select p.id, p.customer_id, p.start_date,
       p.frequency_value, p.frequency_units,
       p.total_installments as total_number_of_installments, p.counted_installments as counted,
       p.is_enabled, p.ended_on,
       ${hasOpenAttempts('p.tenant_id', 'p.id')} as has_open_attempts
     from payment_plan p where p.id = any($1) order by p.id`,
    [ids],
    'plans-to-mark',
  );
}

const hasOpenAttempts = (tenant: string, plan: string): string =>
  `exists (select from collection_attempt a where a.tenant_id = ${tenant}
     and a.payment_plan_id = ${plan} and a.state in ('due', 'claimed'))`;

/** For a plan whose row is not read by a statement of its own. */
export async function readOpenAttempts({ tx }: OperationContext, planId: number): Promise<boolean> {
  const [row] = await tx.query<{ open: boolean }>(
    `select ${hasOpenAttempts('$1', '$2')} as open`,
    [tx.tenantId, planId],
    'open-attempts-of-plan',
  );
  return row?.open ?? false;
}

export interface MarkedPlan {
  readonly id: number;
  readonly customerId: number;
  readonly after: PlanAfter;
}

/** After the rows of the plans: their next installments, their workflows, and autopay again. */
export async function concludeMarks(
  context: OperationContext,
  marked: readonly MarkedPlan[],
): Promise<void> {
  const { tx, time } = context;
  const next = marked.flatMap(({ id: paymentPlanId, customerId, after }) => {
    if (after.next === null) return [];
    const { installment, dueOn } = after.next;
    return [{ customerId, paymentPlanId, installment, attempt: 1, dueOn, declinedOn: null }];
  });
  insertInstallments(tx, next, time);
  enqueue(
    context,
    marked.map(({ id: objectId }) => ({ kind: 'paymentPlan', objectId })),
  );
  const ended = marked.filter(({ after }) => after.hasEnded);
  await resumeAutopay(
    context,
    ended.map(({ customerId }) => customerId),
  );
}
