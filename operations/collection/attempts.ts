/**
 * Collection attempts and the outcomes of their payments: a declined automatic payment or
 * installment is tried again by the tenant's retry days.
 */
import type { IsoDate } from '../../domain/model.ts';
import { nextAttempt, type AttemptOutcome } from '../../domain/payments/attempts.ts';
import { hasEnabledPlan } from '../../db/queries/collection/pays-itself.ts';
import type { PaymentInsert } from '../../db/queries/payments/new-payments.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { followRetries } from '../ageing/dunning.ts';
import { concludePlans } from './installments.ts';

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
  outcome: AttemptOutcome,
): Promise<void> {
  const { collection_attempt_id: id, autopay_invoice_id: invoiceId } = payment;
  const attempts = await concludeAttempts(context, id === null ? [] : [id], outcome);
  await tryAgain(context, attempts, outcome);
  const isFirstDecline = id === null && invoiceId !== null && outcome === 'declined';
  if (isFirstDecline) await retryInvoices(context, [invoiceId], outcome);
  await concludePlans(
    context,
    attempts.flatMap(({ payment_plan_id: planId }) => planId ?? []),
  );
  // A dunning is closed once no retry remains.
  const hasRetries = isFirstDecline || attempts.some((each) => each.invoice_id !== null);
  if (hasRetries) await followRetries(context, [payment.customer_id]);
}

/** Inserts the attempts that follow attempts of this outcome. */
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
  outcome: AttemptOutcome,
): Promise<readonly AttemptRow[]> {
  if (ids.length === 0) return [];
  const { tx, time } = context;
  const concluded = await tx.query<AttemptRow & Record<string, unknown>>(
    `update collection_attempt set state = 'done', outcome = $2, concluded_on = $3, updated_at = $4
     where id = any($1) and state = 'claimed'
     returning id, customer_id, invoice_id, payment_plan_id, installment, attempt, declined_on`,
    [ids, outcome, time.today, time.now],
    'conclude-attempts',
  );
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
  const histories = await tx.query<{ id: number; declined_on: IsoDate | null; attempts: number }>(
    `select i.id, min(a.declined_on) as declined_on, coalesce(max(a.attempt), 0) as attempts
     from invoice i
     left join collection_attempt a on a.tenant_id = i.tenant_id and a.invoice_id = i.id
     where i.id = any($1) and i.status = 'Outstanding' and not ${hasEnabledPlan('i')}
     group by i.id`,
    [invoiceIds],
    'history-of-retries',
  );
  const next = histories.flatMap(({ id, declined_on: declinedOn, attempts }) => {
    const { retryDays } = tenant.settings;
    const follows = nextAttempt({ outcome, declinedOn }, { retryDays, today: time.today });
    return follows === null ? [] : [{ ...follows, id, attempt: attempts + 1 }];
  });
  if (next.length === 0) return;
  tx.send(
    `insert into collection_attempt (tenant_id, customer_id, kind, invoice_id, attempt, due_on,
       declined_on, state, created_at, updated_at)
     select i.tenant_id, i.customer_id, 'retry', i.id, r.attempt, r."dueOn", r."declinedOn", 'due',
       $3, $3
     from json_to_recordset($2) as r(id bigint, attempt int, "dueOn" date, "declinedOn" date)
     join invoice i on i.tenant_id = $1 and i.id = r.id`,
    [tx.tenantId, JSON.stringify(next), time.now],
    'retry-invoices',
  );
}

function retryInstallments(
  { tx, time, tenant }: OperationContext,
  attempts: readonly AttemptRow[],
  outcome: AttemptOutcome,
): void {
  const next = attempts.flatMap(({ declined_on: declinedOn, ...ended }) => {
    const { retryDays } = tenant.settings;
    const follows = nextAttempt({ outcome, declinedOn }, { retryDays, today: time.today });
    const { payment_plan_id: planId, installment, attempt } = ended;
    return follows === null ? [] : [{ ...follows, planId, installment, attempt: attempt + 1 }];
  });
  if (next.length === 0) return;
  tx.send(
    `insert into collection_attempt (tenant_id, customer_id, kind, payment_plan_id, installment,
       attempt, due_on, declined_on, state, created_at, updated_at)
     select p.tenant_id, p.customer_id, 'installment', p.id, r.installment, r.attempt, r."dueOn",
       r."declinedOn", 'due', $3, $3
     from json_to_recordset($2) as r("planId" bigint, installment int, attempt int, "dueOn" date,
       "declinedOn" date)
     join payment_plan p on p.tenant_id = $1 and p.id = r."planId" and p.is_enabled`,
    [tx.tenantId, JSON.stringify(next), time.now],
    'retry-installments',
  );
}

/** Ends retries of invoices that have not had their turn: all of a customer. */
export function endRetries(
  { tx, time }: OperationContext,
  customerId: number,
  outcome: AttemptOutcome,
): void {
  tx.send(
    `update collection_attempt
     set state = 'ended', outcome = $2, concluded_on = $3, updated_at = $4
     where customer_id = $1 and kind = 'retry' and state = 'due'`,
    [customerId, outcome, time.today, time.now],
    'end-retries',
  );
}
