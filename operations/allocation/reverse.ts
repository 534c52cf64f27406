/** Reverses applications: money is unapplied again, and invoices and debits are open again. */
import type { InvoiceState } from '../../domain/invoices/happened.ts';
import { add, compare, negate, type Decimal } from '../../domain/money/money.ts';
import { hasAgents } from '../../db/queries/commissions/rows.ts';
import { invoiceStateColumns } from '../../db/queries/invoices/invoices.ts';
import { writeApplications, type Applied, type AppliedInvoice, type AppliedRow } from './apply.ts';
import type { OperationContext } from '../context/context.ts';

/** What to reverse: everything applied to an invoice, or all or part of what a payment paid. */
export type ReversalChoice =
  | { readonly invoiceId: number }
  | { readonly paymentId: number; readonly amount?: Decimal };

type AppliedSum = AppliedMoney & Pick<AppliedInvoice, 'hasAgents'> & InvoiceState;

interface AppliedMoney {
  readonly paymentId: number;
  readonly invoiceId: number | null;
  readonly debitId: number | null;
  readonly customerId: number;
  readonly amount: Decimal;
  /** What is applied to nothing, also what a BatchInit closed of it. */
  readonly balance: Decimal;
}

/**
 * Reverses applications to invoices and debits, the newest first: the money is unapplied again.
 * This transaction must have locked the customer.
 */
export async function reverseApplied(
  context: OperationContext,
  choice: ReversalChoice,
): Promise<Applied> {
  const byInvoice = 'invoiceId' in choice;
  const sums = await context.tx.query<AppliedSum & Record<string, unknown>>(
    `select a.payment_id, a.invoice_id, a.debit_id, a.customer_id,
            sum(a.amount_applied) as amount,
            p.balance + coalesce(p.carried_open, 0) as balance, ${hasAgents('a')} as has_agents,
            ${invoiceStateColumns('i')}
     from invoice_payment a
     join payment p on p.tenant_id = a.tenant_id and p.id = a.payment_id
     left join invoice i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
     where ${byInvoice ? 'a.invoice_id' : 'a.payment_id'} = $1
     group by a.tenant_id, a.payment_id, a.invoice_id, a.debit_id, a.customer_id, p.balance,
       p.carried_open, i.tenant_id, i.id
     having sum(a.amount_applied) > 0
     order by max(a.id) desc`,
    [byInvoice ? choice.invoiceId : choice.paymentId],
    byInvoice ? 'applied-to-invoice' : 'applied-of-payment',
  );
  let left = byInvoice ? undefined : choice.amount;
  const balances = new Map<number, Decimal>();
  const rows: AppliedRow[] = [];
  const invoices = new Map<number, AppliedInvoice>();
  for (const applied of sums) {
    const { amount, balance, ...each } = applied;
    const part = left !== undefined && compare(left, amount) < 0 ? left : amount;
    if (compare(part, '0') <= 0) break;
    if (left !== undefined) left = add(left, negate(part));
    const remaining = add(balances.get(each.paymentId) ?? balance, part);
    balances.set(each.paymentId, remaining);
    const { paymentId, invoiceId, debitId, customerId } = each;
    if (invoiceId !== null) invoices.set(invoiceId, { ...each, id: invoiceId });
    rows.push({
      paymentId,
      invoiceId,
      debitId,
      customerId,
      amountApplied: negate(part),
      balanceRemaining: remaining,
    });
  }
  return {
    invoices: writeApplications(context, rows, { invoices: [...invoices.values()] }),
    customerIds: [...new Set(rows.map((each) => each.customerId))],
  };
}
