/**
 * Collection attempts and the outcomes of their payments: a declined automatic payment or
 * installment is tried again by the tenant's retry days.
 */
import type { IsoDate } from '../../domain/model.ts';
import {
  nextAttempt,
  type AttemptOutcome,
  type ConcludedOutcome,
} from '../../domain/payments/attempts.ts';
import {
  changeAttempts,
  changedAttempts,
  insertInstallments,
  insertRetries,
} from '../../db/queries/collection/attempts.ts';
import { hasEnabledPlan } from '../../db/queries/collection/pays-itself.ts';
import type { PaymentInsert } from '../../db/queries/payments/new-payments.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { reviewRetries } from '../ageing/dunning.ts';
import { markPlans } from './mark-plans.ts';

/** An attempt whose day has come. */
export interface Candidate {
  readonly id: number;
  readonly customer_id: number;
}

/** A claimed attempt, before its payment is inserted under its id. */
export interface PayableAttempt {
  readonly attemptId: number;
  readonly row: (id: number) => PaymentInsert;
  readonly gateway: GatewayName;
}

export const customersOf = (
  those: readonly { readonly customer_id: number }[],
): readonly number[] => [...new Set(those.map((each) => each.customer_id))];

/** A payment whose cascade has ended. */
export interface EndedCascade {
  readonly customer_id: number;
  readonly autopay_invoice_id: number | null;
  readonly collection_attempt_id: number | null;
}

/** An attempt as it was when it was concluded. */
export interface AttemptRow {
  readonly id: number;
  readonly customer_id: number;
  readonly invoice_id: number | null;
  readonly payment_plan_id: number | null;
  readonly installment: number | null;
  readonly attempt: number;
  readonly declined_on: IsoDate | null;
}

/**
 * Records how the payment of an attempt ended: paid, declined by each method, or without a charge.
 * A declined automatic payment without an attempt is the first decline of its invoice. The next
 * attempt is inserted here. The customer is locked.
 */
export async function recordAttempt(
  context: OperationContext,
  payment: EndedCascade,
  outcome: ConcludedOutcome,
): Promise<void> {
  const { collection_attempt_id: id, autopay_invoice_id: invoiceId } = payment;
  const attempts = await concludeAttempts(context, id === null ? [] : [id], outcome);
  await tryAgain(context, attempts, outcome);
  const isFirstDecline = id === null && invoiceId !== null && outcome === 'declined';
  if (isFirstDecline) await retryInvoices(context, [invoiceId], outcome);
  await markPlans(
    context,
    attempts.flatMap(({ payment_plan_id: planId }) =>
      planId === null ? [] : [{ planId, countedOn: null }],
    ),
  );
  // A dunning is closed once no retry remains.
  const hasRetries = isFirstDecline || attempts.some((each) => each.invoice_id !== null);
  if (hasRetries) await reviewRetries(context, [payment.customer_id]);
}

/** Inserts the next attempts after attempts of this outcome. */
export async function tryAgain(
  context: OperationContext,
  attempts: readonly AttemptRow[],
  outcome: AttemptOutcome,
): Promise<void> {
  await retryInvoices(
    context,
    attempts.flatMap(({ invoice_id: id }) => id ?? []),
    outcome,
  );
  retryInstallments(
    context,
    attempts.filter((each) => each.payment_plan_id !== null),
    outcome,
  );
}

/** Concludes attempts that were claimed, and returns them; each of an installment is an event. */
export async function concludeAttempts(
  context: OperationContext,
  ids: readonly number[],
  outcome: ConcludedOutcome,
): Promise<readonly AttemptRow[]> {
  if (ids.length === 0) return [];
  const { tx, time } = context;
  const choice = {
    name: 'conclude-attempts',
    where: 'a.id = any($8)',
    values: [ids],
    returning: `a.id, a.customer_id, a.invoice_id, a.payment_plan_id, a.installment, a.attempt,
      a.declined_on`,
  };
  const happened = { happened: 'concluded', outcome } as const;
  const concluded = await changedAttempts<AttemptRow>(tx, happened, choice, time);
  raiseInstallments(context, concluded, outcome);
  return concluded;
}

/** Raises an event for each attempt of an installment; retries of invoices have none. */
export function raiseInstallments(
  context: OperationContext,
  attempts: readonly ConcludedInstallment[],
  outcome: AttemptOutcome,
): void {
  raise(
    context,
    attempts.flatMap(({ id: objectId, customer_id: customerId, installment, attempt }) =>
      installment === null
        ? []
        : [
            {
              type: 'paymentPlan.installment',
              customerId,
              objectId,
              detail: { installment, attempt, outcome },
            } as const,
          ],
    ),
  );
}

type ConcludedInstallment = Pick<AttemptRow, 'id' | 'customer_id' | 'installment' | 'attempt'>;

/** Only an open invoice is tried again, and none while its customer has an enabled plan. */
async function retryInvoices(
  { tx, time, tenant }: OperationContext,
  invoiceIds: readonly number[],
  outcome: AttemptOutcome,
): Promise<void> {
  if (invoiceIds.length === 0) return;
  const histories = await tx.query<RetryHistory & Record<string, unknown>>(
    `select i.id, i.customer_id, min(a.declined_on) as declined_on, coalesce(max(a.attempt), 0) as attempts
     from invoice i
     left join collection_attempt a on a.tenant_id = i.tenant_id and a.invoice_id = i.id
     where i.id = any($1) and i.status = 'Outstanding' and not ${hasEnabledPlan('i')}
     group by i.tenant_id, i.id`,
    [invoiceIds],
    'history-of-retries',
  );
  const { retryDays } = tenant.settings;
  const next = histories.flatMap(({ id, customer_id: customerId, declined_on, attempts }) => {
    const before = { outcome, declinedOn: declined_on };
    const retry = nextAttempt(before, { retryDays, today: time.today });
    if (retry === null) return [];
    const { dueOn, declinedOn } = retry;
    return [{ customerId, invoiceId: id, attempt: attempts + 1, dueOn, declinedOn }];
  });
  insertRetries(tx, next, time);
}

interface RetryHistory {
  readonly id: number;
  readonly customer_id: number;
  readonly declined_on: IsoDate | null;
  readonly attempts: number;
}

function retryInstallments(
  { tx, time, tenant }: OperationContext,
  attempts: readonly AttemptRow[],
  outcome: AttemptOutcome,
): void {
  const { retryDays } = tenant.settings;
  const next = attempts.flatMap(({ declined_on, attempt, ...ended }) => {
    const before = { outcome, declinedOn: declined_on };
    const retry = nextAttempt(before, { retryDays, today: time.today });
    if (retry === null) return [];
    const { customer_id: customerId, payment_plan_id: paymentPlanId, installment } = ended;
    const { dueOn, declinedOn } = retry;
    const of = { customerId, paymentPlanId, installment };
    return [{ ...of, attempt: attempt + 1, dueOn, declinedOn }];
  });
  insertInstallments(tx, next, time);
}

/** Ends the retries of a customer's invoices that have not had their turn: a payment plan begins. */
export function endRetries({ tx, time }: OperationContext, customerId: number): void {
  const choice = {
    name: 'end-retries',
    where: `a.customer_id = $8 and a.kind = 'retry'`,
    values: [customerId],
  };
  changeAttempts(tx, { happened: 'ended', outcome: 'planEnabled' }, choice, time);
}
