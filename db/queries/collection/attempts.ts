/** Every statement that writes the table of collection attempts. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { customerStatuses, isInactive } from '../../../domain/customers/status.ts';
import { attemptChange, type AttemptHappened } from '../../../domain/payments/attempts.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { CollectionAttempt } from '../../entities/collection.ts';
import { notHeld } from '../ageing/due.ts';
import { wakingText } from './waiting.ts';
import { inserting, type InsertedBy, given, type GivenBy } from '../context/insertion.ts';

interface Time {
  readonly now: Date;
  readonly today: IsoDate;
}

/** Which attempts, of those to which it may happen: SQL over `a`, whose values begin at $8. */
export interface AttemptChoice {
  /** The name of the prepared statement. */
  readonly name: string;
  readonly where: string;
  readonly values: readonly unknown[];
  /** Another table that `where`, `terms` and `returning` read. */
  readonly from?: string;
  /** Further columns that are set. */
  readonly terms?: string;
  /** Of a skipped installment. */
  readonly reason?: string;
  /** A further statement that runs with it. */
  readonly also?: string;
}

/** Changes the chosen attempts without waiting for the answer. */
export function changeAttempts(
  tx: Tx,
  what: AttemptHappened,
  choice: AttemptChoice,
  time: Time,
): void {
  const { text, values } = changing(tx, what, choice, time);
  const { also, name } = choice;
  tx.send(also === undefined ? text : `with changed as (${text}) ${also}`, values, name);
}

/** Changes the chosen attempts, and returns columns of them; `reading` may read more with these. */
export function changedAttempts<Row extends object>(
  tx: Tx,
  what: AttemptHappened,
  choice: AttemptChoice & { readonly returning: string; readonly reading?: string },
  time: Time,
): Promise<(Row & Record<string, unknown>)[]> {
  const { text, values } = changing(tx, what, choice, time);
  const { returning, reading, name } = choice;
  const returned = `${text} returning ${returning}`;
  const read = reading === undefined ? returned : `with changed as (${returned}) ${reading}`;
  return tx.query<Row & Record<string, unknown>>(read, values, name);
}

function changing(tx: Tx, what: AttemptHappened, choice: AttemptChoice, { now, today }: Time) {
  const { from, state, outcome, concludedOn, dueOn } = attemptChange(what, today);
  const { where, from: table, terms, reason = null } = choice;
  const text = `update collection_attempt a
    set state = $3, outcome = $4, concluded_on = $5, due_on = coalesce($6, a.due_on),
      reason = coalesce($7, a.reason), updated_at = $2${terms === undefined ? '' : `, ${terms}`}
    ${table === undefined ? '' : `from ${table}`}
    where a.tenant_id = $1 and a.state = '${from}' and ${where}`;
  const set = [state, outcome, concludedOn, dueOn, reason];
  return { text, values: [tx.tenantId, now, ...set, ...choice.values] };
}

const reopened = attemptChange({ happened: 'reopened', dueOn: '9999-12-31' }, '9999-12-31');

const insert = inserting('insert-attempts', {
  into: CollectionAttempt,
  columns: [
    'customerId',
    'kind',
    'invoiceId',
    'paymentPlanId',
    'installment',
    'attempt',
    'dueOn',
    'declinedOn',
    'state',
  ],
  at: { createdAt: 'now', updatedAt: 'now' },
  ending: `where r."paymentPlanId" is null or exists (select from payment_plan p
      where p.tenant_id = $1 and p.id = r."paymentPlanId" and p.is_enabled)
    on conflict (tenant_id, payment_plan_id, installment, attempt) do update
    set state = '${reopened.state}', due_on = excluded.due_on, outcome = null, concluded_on = null,
      updated_at = excluded.updated_at
    where collection_attempt.state = '${reopened.from}'`,
});

type Inserted = InsertedBy<typeof insert>;

/** A retry of an invoice that is to come. */
export type RetryInsert = Omit<Inserted, 'kind' | 'state' | 'paymentPlanId' | 'installment'>;

export function insertRetries(tx: Tx, rows: readonly RetryInsert[], time: Time): void {
  const retry = { kind: 'retry', state: 'due', paymentPlanId: null, installment: null } as const;
  insert(
    tx,
    rows.map((row) => ({ ...retry, ...row })),
    time,
  );
}

/**
 * An attempt at the next 00:00 for each open automatic invoice of the customer that was declined, has
 * no retry to come and was never closed before. Returns how many there are.
 */
export async function tryNewMethods(
  tx: Tx,
  customerId: number,
  { now, today }: Time,
): Promise<number> {
  const values = [tx.tenantId, customerId, today, now];
  return (await tx.query(newMethodText, values, 'try-new-method')).length;
}

const inactive = customerStatuses
  .filter(isInactive)
  .map((status) => `'${status}'`)
  .join(', ');

/** Of `i`, whether it was paid in full before it was opened again. */
const wasClosed = `exists (select from (
  select sum(x.amount_applied) over (order by x.id) as paid from invoice_payment x
  where x.tenant_id = i.tenant_id and x.invoice_id = i.id) a where a.paid >= i.current_amount_due)`;

const newMethodText = `
  insert into collection_attempt (tenant_id, customer_id, kind, invoice_id, attempt, due_on,
    declined_on, state, by_new_method, created_at, updated_at)
  select $1, i.customer_id, 'retry', i.id, 1 + coalesce(tried.attempts, 0), $3::date + 1,
    declined.first_on, 'due', true, $4, $4
  from invoice i
  join customer c on c.tenant_id = i.tenant_id and c.id = i.customer_id
  cross join lateral (
    select max(a.attempt) as attempts, bool_or(a.state in ('due', 'claimed')) as is_open
    from collection_attempt a where a.tenant_id = i.tenant_id and a.invoice_id = i.id) tried
  cross join lateral (
    select min(p.effective_date) as first_on from payment p
    where p.tenant_id = i.tenant_id and p.autopay_invoice_id = i.id and p.status = 'Declined') declined
  where i.tenant_id = $1 and i.customer_id = $2 and i.status = 'Outstanding'
    and i.autopay_on is null and i.autopay_after_payment_id is null
    and declined.first_on is not null and tried.is_open is not true
    and not exists (select from payment w where w.tenant_id = i.tenant_id
      and w.customer_id = i.customer_id and w.status = 'ActionRequired'
      and i.id = any(w.named_invoice_ids))
    and c.status not in (${inactive}) and not ${hasEnabledPlan('i')}
    and ${amountToPay('i')} > 0 and not ${wasClosed}
  returning id`;

/** An installment, or the retry of one, that is to come. */
export type InstallmentInsert = Omit<Inserted, 'kind' | 'state' | 'invoiceId'>;

/** Of enabled plans only; one that a change had ended is due again. */
export function insertInstallments(tx: Tx, rows: readonly InstallmentInsert[], time: Time): void {
  const installment = { kind: 'installment', state: 'due', invoiceId: null } as const;
  insert(
    tx,
    rows.map((row) => ({ ...installment, ...row })),
    time,
  );
}

const paidAttempts = given(CollectionAttempt, { attemptId: 'id', paymentId: 'paymentId' });

export type PaidAttempt = GivenBy<typeof paidAttempts>;

/** Names the first payment of each claimed attempt. */
export function payAttempts(tx: Tx, rows: readonly PaidAttempt[]): void {
  tx.send(
    `update collection_attempt a set payment_id = r."paymentId"
     from ${paidAttempts.recordset}
     where a.tenant_id = $1 and a.id = r."attemptId"`,
    [tx.tenantId, paidAttempts.json(rows)],
    'payments-of-attempts',
  );
}

/** Moves the retries whose day passed during a hold to the given day. */
export function postponeRetries(
  tx: Tx,
  { customerId, to }: { readonly customerId: number; readonly to: IsoDate },
  now: Date,
): void {
  const choice = {
    name: 'postpone-retries',
    where: `a.customer_id = $8 and a.kind = 'retry' and a.due_on < $6`,
    values: [customerId],
  };
  changeAttempts(tx, { happened: 'moved', dueOn: to }, choice, { now, today: to });
}

interface Closed {
  readonly invoiceIds: readonly number[];
  /** Those of the invoices. */
  readonly customerIds: readonly number[];
  /** What the workflow ids of payments begin with. */
  readonly idPrefix: string;
}

/**
 * Ends the retries of invoices that are no longer open, before their turn, and wakes the payments that
 * name one of them and wait for their payer. An invoice that is opened again is not retried. Both are
 * one statement, because each payment that closes an invoice sends it.
 */
export function endRetriesOfClosed(
  tx: Tx,
  { invoiceIds, customerIds, idPrefix }: Closed,
  time: Time,
): void {
  if (invoiceIds.length === 0) return;
  const choice = {
    name: 'end-retries-of-closed',
    from: 'invoice i',
    where: `a.invoice_id = any($8) and i.tenant_id = a.tenant_id and i.id = a.invoice_id
      and i.status <> 'Outstanding'`,
    values: [invoiceIds, customerIds, idPrefix],
    also: wakingText({ invoiceIds: '$8', customerIds: '$9', idPrefix: '$10' }),
  };
  changeAttempts(tx, { happened: 'ended', outcome: 'overtaken' }, choice, time);
}

/* Which collection attempts may be claimed. */

/**
 * The condition of an attempt that may be claimed up to the day, an SQL expression. A claim reads
 * it to find its candidates, and again under their customers' locks, as they may have moved.
 */
export const isClaimable = (a: string, day: string): string =>
  `${a}.state = 'due' and ${a}.due_on <= ${day} and (${a}.kind <> 'retry' or ${notHeld(a)})`;

/* The condition of autopay invoices, for the agenda, the claim, the wake and the audit. */

/**
 * The invoice has a payment day, and was not made for a payment that is still pending; in that case
 * it waits for the payment's outcome. Its customer has no enabled payment plan, whose installments
 * pay meanwhile.
 */
export function paysItself(invoice: string): string {
  return `${invoice}.autopay_on is not null and ${invoice}.autopay_after_payment_id is null
    and not ${hasEnabledPlan(invoice)}`;
}

/** The condition that the customer of a row has an enabled payment plan. */
export function hasEnabledPlan(of: string): string {
  return `exists (select from payment_plan own_plan
    where own_plan.tenant_id = ${of}.tenant_id and own_plan.customer_id = ${of}.customer_id
      and own_plan.is_enabled)`;
}

/** What autopay pays of an invoice: what is open, at most the lines of orders with isAutoPay. */
export function amountToPay(invoice: string): string {
  return `least(${invoice}.outstanding_balance, case
    when exists (select from invoice_line l where l.tenant_id = ${invoice}.tenant_id
      and l.invoice_id = ${invoice}.id and l.order_id is not null) then coalesce((
      select sum(l.line_amount_total) from invoice_line l
      join subscription_order o on o.tenant_id = l.tenant_id and o.id = l.order_id
      where l.tenant_id = ${invoice}.tenant_id and l.invoice_id = ${invoice}.id
        and o.is_auto_pay), 0)
    else ${invoice}.current_amount_due end)`;
}
