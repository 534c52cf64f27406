/** Reverses applications: money is unapplied again, and invoices and debits are open again. */
import assert from 'node:assert';
import type { InvoiceState } from '../../domain/invoices/happened.ts';
import { add, compare, negate, sum, type Decimal } from '../../domain/money/money.ts';
import { hasAgents } from '../../db/queries/commissions/rows.ts';
import { invoiceStateColumns } from '../../db/queries/invoices/invoices.ts';
import { reservedOf } from '../../db/queries/payments/payments.ts';
import { writeApplications, type Applied, type AppliedInvoice, type AppliedRow } from './apply.ts';
import type { OperationContext } from '../context/context.ts';

/**
 * What to reverse: everything applied to an invoice, or amounts of some payments, or part of what a
 * payment paid, but for what refunds of invoices take of it.
 */
export type ReversalChoice =
  | {
      readonly invoiceId: number;
      /** By payment, at most what is applied of it; all of every payment if left out. */
      readonly amounts?: ReadonlyMap<number, Decimal>;
      /** What takes the place of that money. */
      readonly credit?: Replacing;
    }
  | { readonly paymentId: number; readonly amount: Decimal };

/** The unapplied credit of a note: it pays what is open, and what the money paid. */
interface Replacing {
  readonly id: number;
  readonly balance: Decimal;
}

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
  let left = 'amount' in choice ? choice.amount : undefined;
  const amounts = 'amounts' in choice ? choice.amounts : undefined;
  const balances = new Map<number, Decimal>();
  const rows: AppliedRow[] = [];
  const invoices = new Map<number, AppliedInvoice>();
  for (const { amount, balance, ...each } of await appliedSums(context, choice)) {
    const { paymentId, invoiceId, debitId, customerId } = each;
    const wanted = amounts === undefined ? left : (amounts.get(paymentId) ?? '0');
    const part = wanted !== undefined && compare(wanted, amount) < 0 ? wanted : amount;
    if (compare(part, '0') <= 0) continue;
    if (left !== undefined) left = add(left, negate(part));
    const remaining = add(balances.get(paymentId) ?? balance, part);
    balances.set(paymentId, remaining);
    if (invoiceId !== null) invoices.set(invoiceId, { ...each, id: invoiceId });
    const applied = { amountApplied: negate(part), balanceRemaining: remaining };
    rows.push({ paymentId, invoiceId, debitId, customerId, ...applied });
  }
  const credit = 'credit' in choice ? choice.credit : undefined;
  if (credit && rows.length > 0) rows.push(replacing(credit, rows, invoices));
  return {
    invoices: writeApplications(context, rows, { invoices: [...invoices.values()] }),
    customerIds: [...new Set(rows.map((each) => each.customerId))],
  };
}

function appliedSums({ tx }: OperationContext, choice: ReversalChoice): Promise<AppliedSum[]> {
  const byInvoice = 'invoiceId' in choice;
  // A refund under way still finds what it takes.
  const free = `sum(a.amount_applied)${byInvoice ? '' : ` - ${reservedOf('a')}`}`;
  return tx.query<AppliedSum & Record<string, unknown>>(
    `select a.payment_id, a.invoice_id, a.debit_id, a.customer_id, ${free} as amount,
            p.balance + coalesce(p.carried_open, 0) as balance, ${hasAgents('a')} as has_agents,
            ${invoiceStateColumns('i')}
     from invoice_payment a
     join payment p on p.tenant_id = a.tenant_id and p.id = a.payment_id
     left join invoice i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
     where ${byInvoice ? 'a.invoice_id' : 'a.payment_id'} = $1
     group by a.tenant_id, a.payment_id, a.invoice_id, a.debit_id, a.customer_id, p.balance,
       p.carried_open, i.tenant_id, i.id
     having ${free} > 0
     order by max(a.id) desc`,
    [byInvoice ? choice.invoiceId : choice.paymentId],
    byInvoice ? 'applied-to-invoice' : 'applied-of-payment',
  );
}

function replacing(
  { id: paymentId, balance }: Replacing,
  rows: readonly AppliedRow[],
  invoices: ReadonlyMap<number, AppliedInvoice>,
): AppliedRow {
  const [invoice] = invoices.values();
  assert(invoice, 'a credit takes the place of money');
  const { id: invoiceId, customerId, open } = invoice;
  const paid = sum([open, ...rows.map(({ amountApplied }) => negate(amountApplied))]);
  const amountApplied = compare(balance, paid) < 0 ? balance : paid;
  const balanceRemaining = add(balance, negate(amountApplied));
  return { paymentId, invoiceId, debitId: null, customerId, amountApplied, balanceRemaining };
}
