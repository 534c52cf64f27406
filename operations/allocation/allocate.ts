/** Allocates unapplied money to open invoices and debits, so that no customer has both. */
import assert from 'node:assert';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { add, compare, negate, sum, type Decimal } from '../../domain/money/money.ts';
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
import { setAsideOf } from '../../db/queries/payments/payments.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { OperationContext } from '../context/context.ts';
import { raiseFrom } from '../events/raise.ts';
import { writeApplications, type Applied, type AppliedInvoice, type AppliedRow } from './apply.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

type Owned = Pick<InvoiceInsert, 'customerId' | 'currency'>;

/** A negative invoice that leaves a credit of so much. */
export interface LeavesCredit extends Owned {
  readonly id: number;
  readonly credit: Decimal;
  /** Of a credit note: the invoice that its credit pays first. */
  readonly creditNoteOf: number | null;
}

/**
 * Creates the credits without ledger entries, since the invoices already have them. The transaction
 * that made the invoices has frozen their customers.
 */
export function leaveCredits(context: OperationContext, invoices: readonly LeavesCredit[]): void {
  const rows = invoices.map(({ id, customerId, currency, credit, creditNoteOf }) =>
    newCredit(credit, {
      namedInvoiceIds: creditNoteOf === null ? [] : [creditNoteOf],
      customerId,
      currency,
      effectiveDate: context.time.today,
      isSystemPayment: true,
      creditedInvoiceId: id,
    }),
  );
  raiseFrom(context, {
    name: 'leave-credits',
    type: 'credit.created',
    change: `${insertPaymentsText} returning id, customer_id, version`,
    values: [insertedRows(rows)],
  });
}

interface MoneyRow
  extends
    Owned,
    RowOf<
      typeof Payment,
      | 'id'
      /** Negative for a debit: its open amount. */
      | 'balance'
      | 'effectiveDate'
      | 'namedInvoiceIds'
    > {
  /** The part of the balance reserved by a refund, which is not allocated. */
  readonly setAside: Decimal;
  /** What a BatchInit closed of it. */
  readonly closed: Decimal;
}

/**
 * Applies unapplied money to what is open. This transaction must have locked the customers.
 *
 * @param isMovedIn the invoices that it meets are being imported, of which no event tells
 */
export async function applyUnapplied(
  context: OperationContext,
  customerIds: readonly number[],
  { isMovedIn = false }: { readonly isMovedIn?: boolean } = {},
): Promise<Applied> {
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
  const customers = new Set(applied.map((each) => each.customerId));
  return {
    invoices: writeApplications(context, applied, { invoices, isMovedIn }),
    customerIds: [...customers],
    isMovedIn,
  };
}

interface OpenRow extends AppliedInvoice, Pick<Owned, 'currency'> {
  readonly dueDate: IsoDate;
  /** The day on which an import moved it in; null if it was made here. */
  readonly movedInOn: IsoDate | null;
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

export function ownerKey({ customerId, currency }: Owned): string {
  return `${customerId} ${currency}`;
}

function moneyOf({ id, effectiveDate, namedInvoiceIds, ...row }: MoneyRow): Money {
  const balance = add(row.balance, negate(row.setAside));
  return { id, balance, effectiveDate, namedInvoiceIds };
}

export function debitsOf(
  rows: readonly Pick<MoneyRow, 'id' | 'balance' | 'effectiveDate'>[],
): Claim[] {
  return rows
    .filter(({ balance }) => compare(balance, '0') < 0)
    .map(({ id, balance, effectiveDate: dueDate }) => ({
      kind: 'debit',
      id,
      open: negate(balance),
      dueDate,
    }));
}

export function invoiceClaim({ id, open, dueDate }: OpenRow): Claim {
  return { kind: 'invoice', id, open, dueDate };
}

function appliedRow(each: Application, { customerId, setAside, closed }: MoneyRow): AppliedRow {
  return {
    paymentId: each.paymentId,
    invoiceId: each.kind === 'invoice' ? each.claimId : null,
    debitId: each.kind === 'debit' ? each.claimId : null,
    customerId,
    amountApplied: each.amount,
    balanceRemaining: sum([each.balanceRemaining, setAside, closed]),
  };
}
