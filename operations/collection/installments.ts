/** What installments charge, and autopay after the end of a payment plan. */
import { addDays } from '../../domain/calendar/calendar.ts';
import { compare, type Decimal } from '../../domain/money/money.ts';
import type { OperationContext } from '../context/context.ts';
import { changeChosen, payOnTheirDays } from './made-invoices.ts';

/**
 * Autopay pays again from the next 00:00 on: it pays the open invoices whose day passed while the
 * customer had an enabled plan. Reopened ones have no day.
 */
export async function resumeAutopay(
  context: OperationContext,
  customerIds: readonly number[],
): Promise<void> {
  if (customerIds.length === 0) return;
  const { today } = context.time;
  const what = { happened: 'planEnded', from: addDays(today, 1), today } as const;
  const resumed = await changeChosen(context, what, {
    name: 'autopay-to-resume',
    where: `i.customer_id = any($1) and i.status = 'Outstanding' and i.autopay_on <= $2`,
    values: [customerIds, today],
  });
  await payOnTheirDays(context, resumed);
}

/** Gives an invoice whose payment a payment plan has overtaken its day back. */
export async function payBySelfAfterPlan(
  context: OperationContext,
  invoiceId: number,
): Promise<void> {
  const what = { happened: 'leftToPlan', today: context.time.today } as const;
  await changeChosen(context, what, {
    name: 'invoice-left-to-plan',
    where: `i.id = $1 and i.status = 'Outstanding'`,
    values: [invoiceId],
  });
}

/** What a customer owes in a currency, without what payments in processing would pay. */
export const owedBy = (customer: string, currency: string, tenant: string): string => `(
  select greatest(0, coalesce(sum(open), 0)) from (
    select i.outstanding_balance as open from invoice i
    where i.tenant_id = ${tenant} and i.customer_id = ${customer} and i.currency = ${currency}
      and i.status = 'Outstanding'
    union all
    select -d.balance from payment d
    where d.tenant_id = ${tenant} and d.customer_id = ${customer} and d.currency = ${currency}
      and d.balance < 0
    union all
    select d.surcharge - d.amount from payment d
    where d.tenant_id = ${tenant} and d.customer_id = ${customer} and d.currency = ${currency}
      and d.phase = 'Processing' and d.payment_type = 'Payment') of_customer)`;

/**
 * What to charge for an installment now: at most what is owed, if its plan says so. Null if nothing
 * is owed, or its plan is no longer enabled.
 */
export async function installmentNow(
  { tx }: OperationContext,
  { collectionAttemptId: id, amount }: InstallmentPayment,
): Promise<Decimal | null> {
  const [row] = await tx.query<{ owed: Decimal; onlyIfOwed: boolean }>(
    `select a.only_if_owed, ${owedBy('a.customer_id', 'p.currency', 'a.tenant_id')} as owed
     from collection_attempt a
     join payment_plan p on p.tenant_id = a.tenant_id and p.id = a.payment_plan_id
     where a.id = $1 and p.is_enabled`,
    [id],
    'installment-now',
  );
  if (!row) return null;
  if (!row.onlyIfOwed) return amount;
  if (compare(row.owed, '0') <= 0) return null;
  return compare(row.owed, amount) < 0 ? row.owed : amount;
}

interface InstallmentPayment {
  readonly collectionAttemptId: number | null;
  readonly amount: Decimal;
}

/* The sentences about what is to be collected. */

/** @example retryText({ invoice: 1001, attempt: 2 }) // 'retries invoice 1001 (retry 2)' */
export function retryText({
  invoice,
  attempt,
}: {
  readonly invoice: string;
  readonly attempt: number;
}): string {
  return `retries invoice ${invoice} (retry ${attempt})`;
}
