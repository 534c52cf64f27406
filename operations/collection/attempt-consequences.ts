/**
 * What follows from transitions of collection attempts: a declined automatic payment or installment
 * is tried again by the tenant's retry days.
 */
import assert from 'node:assert';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import {
  nextAttempt,
  type AttemptChange,
  type AttemptOutcome,
} from '../../domain/payments/attempts.ts';
import {
  hasEnabledPlan,
  insertInstallments,
  insertRetries,
} from '../../db/queries/collection/attempts.ts';
import { reviewRetries } from '../ageing/dunning.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { customersOf, type CarriedAttempt, type CarriedAttempts } from './attempts.ts';
import { markPlans } from './mark-plans.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** What of a change of an attempt is written with it; the rest follows. */
type Written = 'from' | 'state' | 'outcome' | 'concludedOn' | 'dueOn';

export type AttemptConsequence = Exclude<keyof AttemptChange, Written>;

/** In the order in which they are carried out; a test holds each of them. */
export const attemptConsequences: readonly AttemptConsequence[] = [
  'raises',
  'triesAgain',
  'marksPlan',
  'reviewsRetries',
];

/** Carries one consequence out. */
export async function carryOutForAttempts(
  context: OperationContext,
  { attempts, change }: CarriedAttempts,
  consequence: AttemptConsequence,
): Promise<void> {
  if (!change[consequence] || attempts.length === 0) return;
  const { outcome } = change;
  switch (consequence) {
    case 'raises':
      return raiseInstallments(context, attempts, outcome);
    case 'triesAgain': {
      assert(outcome !== null, 'only an attempt that is over is tried again');
      const ended = attempts.map(endedOf);
      await retryInvoices(
        context,
        ended.flatMap(({ invoiceId: id }) => id ?? []),
        outcome,
      );
      return retryInstallments(
        context,
        ended.filter((each) => each.paymentPlanId !== null),
        outcome,
      );
    }
    case 'marksPlan':
      return markPlans(
        context,
        attempts.flatMap(({ paymentPlanId: planId, countedOn = null }) =>
          planId === null ? [] : [{ planId, countedOn }],
        ),
      );
    case 'reviewsRetries':
      return reviewRetries(
        context,
        customersOf(attempts.filter((each) => each.invoiceId !== null)),
      );
  }
}

/** An event for each attempt of an installment; retries of invoices have none. */
function raiseInstallments(
  context: OperationContext,
  attempts: readonly CarriedAttempt[],
  outcome: AttemptOutcome | null,
): void {
  raise(
    context,
    attempts.flatMap(({ id: objectId, customerId, installment, attempt }) => {
      if (installment == null) return [];
      assert(objectId !== undefined && attempt !== undefined && outcome !== null, 'it is over');
      const detail = { installment, attempt, outcome };
      return [{ type: 'paymentPlan.installment', customerId, objectId, detail } as const];
    }),
  );
}

type Ended = CarriedAttempt & {
  readonly installment: number | null;
  readonly attempt: number;
  readonly declinedOn: IsoDate | null;
};

function endedOf(carried: CarriedAttempt): Ended {
  const { installment, attempt, declinedOn } = carried;
  assert(
    installment !== undefined && attempt !== undefined && declinedOn !== undefined,
    'what an attempt that is over was is read',
  );
  return { ...carried, installment, attempt, declinedOn };
}

/** Only an open invoice is tried again, and none while its customer has an enabled plan. */
async function retryInvoices(
  { tx, time, tenant }: OperationContext,
  invoiceIds: readonly number[],
  outcome: AttemptOutcome,
): Promise<void> {
  if (invoiceIds.length === 0) return;
  const histories = await tx.query<RetryHistory & Record<string, unknown>>(
    `select i.id, i.customer_id, min(a.declined_on) as declined_on, coalesce(max(a.attempt), 0) as attempts,
       coalesce(bool_or(a.by_new_method), false) as by_new_method
     from invoice i
     left join collection_attempt a on a.tenant_id = i.tenant_id and a.invoice_id = i.id
     where i.id = any($1) and i.status = 'Outstanding' and not ${hasEnabledPlan('i')}
     group by i.tenant_id, i.id`,
    [invoiceIds],
    'history-of-retries',
  );
  const { retryDays } = tenant.settings;
  const next = histories.flatMap(({ id, customerId, attempts, ...history }) => {
    const before = { outcome, ...history };
    const retry = nextAttempt(before, { retryDays, today: time.today });
    if (retry === null) return [];
    return [{ customerId, invoiceId: id, attempt: attempts + 1, ...retry }];
  });
  insertRetries(tx, next, time);
}

interface RetryHistory extends RowOf<typeof Invoice, 'id' | 'customerId'> {
  readonly declinedOn: IsoDate | null;
  readonly attempts: number;
  readonly byNewMethod: boolean;
}

function retryInstallments(
  { tx, time, tenant }: OperationContext,
  attempts: readonly Ended[],
  outcome: AttemptOutcome,
): void {
  const { retryDays } = tenant.settings;
  const next = attempts.flatMap(({ declinedOn, attempt, ...ended }) => {
    const before = { outcome, declinedOn };
    const retry = nextAttempt(before, { retryDays, today: time.today });
    if (retry === null) return [];
    const { customerId, paymentPlanId, installment } = ended;
    const of = { customerId, paymentPlanId, installment };
    return [{ ...of, attempt: attempt + 1, ...retry }];
  });
  insertInstallments(tx, next, time);
}
