/** Allocates unapplied money to open invoices and debits, so that no customer has both. */
import assert from 'node:assert';
import type { Decimal, IsoDate } from '../../domain/model.ts';
import { add, compare, negate, sum } from '../../domain/money/money.ts';
import {
  applyMoney,
  type Application,
  type Claim,
  type Money,
} from '../../domain/payments/allocation.ts';
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import {
  insertedRows,
  insertPaymentsText,
  newCredit,
} from '../../db/queries/payments/new-payments.ts';
import { movedInOn } from '../../db/queries/context/invoices.ts';
import { invoiceStateColumns } from '../../db/queries/invoices/invoices.ts';
import { hasAgents } from '../../db/queries/commissions/rows.ts';
import { setAsideOf } from '../../db/queries/payments/set-aside.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { reviewDebts } from '../ageing/dunning.ts';
import type { OperationContext } from '../context/context.ts';
import { raiseFrom } from '../events/raise.ts';
import { writeApplications, type AppliedInvoice, type AppliedRow } from './apply.ts';

type Owned = Pick<InvoiceInsert, 'customer_id' | 'currency'>;

/**
 * Runs after invoices are made: a negative invoice becomes a credit of its amount, and the
 * customers' unapplied money is allocated to the new invoices.
 */
export async function allocateToNewInvoices(
  context: OperationContext,
  invoices: readonly InvoiceInsert[],
  hasUnapplied: (invoice: Owned) => boolean,
): Promise<void> {
  const negative = invoices.filter(({ current_amount_due: due }) => compare(due, '0') < 0);
  if (negative.length > 0) creditNegativeInvoices(context, negative);
  const met = invoices.filter((invoice) => negative.includes(invoice) || hasUnapplied(invoice));
  const customerIds = [...new Set(met.map((invoice) => invoice.customer_id))];
  if (customerIds.length > 0) await allocateUnapplied(context, customerIds);
}

/** Creates the credits without ledger entries, since the invoices already have them. */
function creditNegativeInvoices(
  context: OperationContext,
  invoices: readonly InvoiceInsert[],
): void {
  const rows = invoices.map(({ id, customer_id, currency, current_amount_due: due }) =>
    newCredit(negate(due), {
      customer_id,
      currency,
      effective_date: context.time.today,
      is_system_payment: true,
      credited_invoice_id: id,
    }),
  );
  raiseFrom(context, {
    name: 'leave-credits',
    type: 'credit.created',
    change: `${insertPaymentsText} returning id, customer_id, version`,
    values: [insertedRows(rows)],
  });
}

interface MoneyRow extends Owned {
  readonly id: number;
  /** Negative for a debit: its open amount. */
  readonly balance: Decimal;
  /** The part of the balance reserved by a refund, which is not allocated. */
  readonly set_aside: Decimal;
  /** What a BatchInit closed of it. */
  readonly closed: Decimal;
  readonly effective_date: IsoDate;
  readonly named_invoice_ids: readonly number[];
}

/**
 * This transaction must have locked the customers.
 *
 * @param isMovedIn the invoices that it meets are being imported, of which no event tells
 */
export async function allocateUnapplied(
  context: OperationContext,
  customerIds: readonly number[],
  { isMovedIn = false }: { readonly isMovedIn?: boolean } = {},
): Promise<void> {
  const { tx } = context;
  const [moneys, invoices] = await Promise.all([
    tx.query<MoneyRow>(
      `select id, customer_id, currency, balance, ${setAsideOf('p')} as set_aside,
              coalesce(carried_open, 0) as closed, effective_date, named_invoice_ids
       from payment p where customer_id = any($1) and balance <> 0`,
      [customerIds],
      'unapplied-money',
    ),
    openInvoices(tx, customerIds),
  ]);
  const open = Map.groupBy(invoices, ownerKey);
  const applied: AppliedRow[] = [];
  for (const [key, ofOwner] of Map.groupBy(moneys, ownerKey)) {
    const claims = [...debitsOf(ofOwner), ...(open.get(key) ?? []).map(invoiceClaim)];
    const money = ofOwner.filter(({ balance }) => compare(balance, '0') > 0);
    const byId = new Map(money.map((row) => [row.id, row]));
    for (const each of applyMoney(money.map(moneyOf), claims)) {
      const row = byId.get(each.paymentId);
      assert(row, 'applied money has a row');
      applied.push(appliedRow(each, row));
    }
  }
  if (applied.length === 0) return;
  await writeApplications(context, applied, { invoices, isMovedIn });
  const customers = new Set(applied.map((each) => each.customer_id));
  await reviewDebts(context, [...customers], { isMovedIn });
}

interface OpenRow extends AppliedInvoice, Pick<Owned, 'currency'> {
  readonly due_date: IsoDate;
  /** The day on which an import moved it in; null if it was made here. */
  readonly moved_in_on: IsoDate | null;
}

export function openInvoices(
  tx: Pick<Tx, 'query'>,
  customerIds: readonly number[],
): Promise<OpenRow[]> {
  return tx.query<OpenRow & Record<string, unknown>>(
    `select id, customer_id, currency, due_date, ${invoiceStateColumns('invoice')},
            ${movedInOn('invoice')} as moved_in_on, ${hasAgents('invoice')} as has_agents
     from invoice where customer_id = any($1) and status = 'Outstanding'`,
    [customerIds],
    'open-invoices',
  );
}

export function ownerKey({ customer_id, currency }: Owned): string {
  return `${customer_id} ${currency}`;
}

function moneyOf({ id, effective_date, named_invoice_ids, ...row }: MoneyRow): Money {
  const balance = add(row.balance, negate(row.set_aside));
  return { id, balance, effectiveDate: effective_date, namedInvoiceIds: named_invoice_ids };
}

export function debitsOf(
  rows: readonly Pick<MoneyRow, 'id' | 'balance' | 'effective_date'>[],
): Claim[] {
  return rows
    .filter(({ balance }) => compare(balance, '0') < 0)
    .map(({ id, balance, effective_date: dueDate }) => ({
      kind: 'debit',
      id,
      open: negate(balance),
      dueDate,
    }));
}

export function invoiceClaim({ id, open, due_date: dueDate }: OpenRow): Claim {
  return { kind: 'invoice', id, open, dueDate };
}

function appliedRow(each: Application, { customer_id, set_aside, closed }: MoneyRow): AppliedRow {
  return {
    payment_id: each.paymentId,
    invoice_id: each.kind === 'invoice' ? each.claimId : null,
    debit_id: each.kind === 'debit' ? each.claimId : null,
    customer_id,
    amount_applied: each.amount,
    balance_remaining: sum([each.balanceRemaining, set_aside, closed]),
  };
}
