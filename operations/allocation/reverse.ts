/** Reverses applications: money is unapplied again, and invoices and debits are open again. */
import type { Decimal } from '../../domain/model.ts';
import { add, compare, negate } from '../../domain/money/money.ts';
import { hasAgents } from '../../db/queries/commissions/rows.ts';
import { writeApplications, type AppliedRow } from './allocate.ts';
import { reviewDebts } from '../ageing/dunning.ts';
import type { OperationContext } from '../context/context.ts';

/** What to reverse: everything applied to an invoice, or all or part of what a payment paid. */
export type ReversalChoice =
  | { readonly invoiceId: number }
  | { readonly paymentId: number; readonly amount?: Decimal };

interface AppliedSum {
  readonly payment_id: number;
  readonly invoice_id: number | null;
  readonly debit_id: number | null;
  readonly customer_id: number;
  readonly amount: Decimal;
  /** What is applied to nothing, also what a BatchInit closed of it. */
  readonly balance: Decimal;
  readonly has_agents: boolean;
}

/**
 * Reverses applications to invoices and debits, the newest first: the money is unapplied again.
 * This transaction must have locked the customer.
 */
export async function reverseAllocations(
  context: OperationContext,
  choice: ReversalChoice,
): Promise<void> {
  const byInvoice = 'invoiceId' in choice;
  const sums = await context.tx.query<AppliedSum>(
    `select a.payment_id, a.invoice_id, a.debit_id, a.customer_id,
            sum(a.amount_applied) as amount,
            p.balance + coalesce(p.carried_open, 0) as balance, ${hasAgents('a')} as has_agents
     from invoice_payment a
     join payment p on p.tenant_id = a.tenant_id and p.id = a.payment_id
     where ${byInvoice ? 'a.invoice_id' : 'a.payment_id'} = $1
     group by a.tenant_id, a.payment_id, a.invoice_id, a.debit_id, a.customer_id, p.balance,
       p.carried_open
     having sum(a.amount_applied) > 0
     order by max(a.id) desc`,
    [byInvoice ? choice.invoiceId : choice.paymentId],
    byInvoice ? 'applied-to-invoice' : 'applied-of-payment',
  );
  let left = byInvoice ? undefined : choice.amount;
  const balances = new Map<number, Decimal>();
  const rows: AppliedRow[] = [];
  const linked = new Set<number>();
  for (const { amount, balance, has_agents, ...each } of sums) {
    if (has_agents && each.invoice_id !== null) linked.add(each.invoice_id);
    const part = left !== undefined && compare(left, amount) < 0 ? left : amount;
    if (compare(part, '0') <= 0) break;
    if (left !== undefined) left = add(left, negate(part));
    const remaining = add(balances.get(each.payment_id) ?? balance, part);
    balances.set(each.payment_id, remaining);
    rows.push({ ...each, amount_applied: negate(part), balance_remaining: remaining });
  }
  if (rows.length === 0) return;
  await writeApplications(context, rows, { linked });
  await reviewDebts(context, [...new Set(rows.map((each) => each.customer_id))]);
}
