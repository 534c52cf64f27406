/**
 * Collection attempts and the outcomes of their payments: a declined automatic payment or
 * installment is tried again by the tenant's retry days.
 */
import type { IsoDate } from '../../domain/model.ts';
import { nextRetryDay } from '../../domain/payments/retries.ts';
import { hasEnabledPlan } from '../../db/queries/payments/pays-itself.ts';
import type { PaymentInsert } from '../../db/queries/payments/write.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { followRetries } from '../standing/dunning.ts';
import { concludePlans } from './installments.ts';

/** How an attempt went, or why it never had its turn. */
export type AttemptOutcome =
  | 'paid'
  | 'declined'
  | 'nothingOwed'
  | 'noMethod'
  | 'skipped'
  | 'overtaken'
  | 'planEnabled'
  | 'planEnded';

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

interface AttemptRow {
  readonly id: number;
  readonly customer_id: number;
  readonly invoice_id: number | null;
  readonly payment_plan_id: number | null;
  readonly installment: number | null;
  readonly attempt: number;
  readonly declined_on: IsoDate | null;
}

/** Records that the payment of an attempt is Paid. The customer is locked. */
export async function recordAttemptPaid(
  context: OperationContext,
  payment: EndedCascade,
): Promise<void> {
  const attempts = await concludeAttempts(context, attemptsOf(payment), 'paid');
  await followAttempts(context, attempts);
}

/** Records that the payment of an attempt was canceled before it was charged. */
export async function recordAttemptOvertaken(
  context: OperationContext,
  payment: EndedCascade,
): Promise<void> {
  const attempts = await concludeAttempts(context, attemptsOf(payment), 'overtaken');
  await followAttempts(context, attempts);
}

/** A plan may have ended with its attempt; a dunning is closed without a retry to come. */
async function followAttempts(
  context: OperationContext,
  attempts: readonly AttemptRow[],
): Promise<void> {
  await concludePlans(context, plansOf(attempts));
  const retries = attempts.filter((each) => each.invoice_id !== null);
  await followRetries(context, customersOf(retries));
}

/**
 * Records that each method of an automatic payment declined, and inserts the next attempt. A
 * payment that nobody made automatically has none.
 */
export async function recordAttemptDeclined(
  context: OperationContext,
  payment: EndedCascade,
): Promise<void> {
  const [attempt] = await concludeAttempts(context, attemptsOf(payment), 'declined');
  if (attempt?.payment_plan_id != null) {
    await retryInstallment(context, attempt);
    await concludePlans(context, [attempt.payment_plan_id]);
  } else if (payment.autopay_invoice_id !== null) {
    await retryInvoice(context, payment.autopay_invoice_id);
    await followRetries(context, [payment.customer_id]);
  }
}

const attemptsOf = ({ collection_attempt_id: id }: EndedCascade): number[] =>
  id === null ? [] : [id];

const plansOf = (attempts: readonly AttemptRow[]): number[] =>
  attempts.flatMap(({ payment_plan_id: id }) => id ?? []);

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

/** A method on file of the customer `of` that no gateway has declined for ever. */
const hasUsableMethod = (of: string): string => `exists (select from payment_method m
  where m.tenant_id = ${of}.tenant_id and m.customer_id = ${of}.customer_id
    and m.autopay_preference is not null and m.hard_declined_at is null)`;

/** Only an open invoice is tried again, and none while its customer has an enabled plan. */
async function retryInvoice(context: OperationContext, invoiceId: number): Promise<void> {
  const { tx, time, tenant } = context;
  const [before] = await tx.query<{ declined_on: IsoDate }>(
    'select min(declined_on) as declined_on from collection_attempt where invoice_id = $1',
    [invoiceId],
    'first-decline-of-invoice',
  );
  const declinedOn = before?.declined_on ?? time.today;
  const dueOn = nextRetryDay(tenant.settings.retryDays, { declinedOn, today: time.today });
  if (dueOn === null) return;
  await tx.query(
    `insert into collection_attempt (tenant_id, customer_id, kind, invoice_id, attempt, due_on,
       declined_on, state, created_at, updated_at)
     select i.tenant_id, i.customer_id, 'retry', i.id,
       1 + coalesce((select max(a.attempt) from collection_attempt a
         where a.tenant_id = i.tenant_id and a.invoice_id = i.id), 0), $2, $3, 'due', $4, $4
     from invoice i
     where i.id = $1 and i.status = 'Outstanding' and ${hasUsableMethod('i')}
       and not ${hasEnabledPlan('i')}`,
    [invoiceId, dueOn, declinedOn, time.now],
    'retry-invoice',
  );
}

async function retryInstallment(context: OperationContext, declined: AttemptRow): Promise<void> {
  const { tx, time, tenant } = context;
  const declinedOn = declined.declined_on ?? time.today;
  const dueOn = nextRetryDay(tenant.settings.retryDays, { declinedOn, today: time.today });
  if (dueOn === null) return;
  await tx.query(
    `insert into collection_attempt (tenant_id, customer_id, kind, payment_plan_id, installment,
       attempt, due_on, declined_on, state, created_at, updated_at)
     select p.tenant_id, p.customer_id, 'installment', p.id, $2, $3, $4, $5, 'due', $6, $6
     from payment_plan p where p.id = $1 and p.is_enabled and ${hasUsableMethod('p')}`,
    [
      declined.payment_plan_id,
      declined.installment,
      declined.attempt + 1,
      dueOn,
      declinedOn,
      time.now,
    ],
    'retry-installment',
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
