/** Records applications of money to invoices and debits, and what becomes of the invoices. */
import type { InvoiceHappened, InvoiceState } from '../../domain/invoices/happened.ts';
import { type Decimal, compare, negate, sum } from '../../domain/money/money.ts';
import { type InsertedBy, inserting } from '../../db/queries/context/insertion.ts';
import { moveBalances } from '../../db/queries/payments/payments.ts';
import type { OperationContext } from '../context/context.ts';
import { type ChangedInvoice, changeInvoices } from './change-invoices.ts';
import { InvoicePayment } from '../../db/entities/payments.ts';

/** An invoice to which money is applied, or from which it is taken back, as it was read. */
export interface AppliedInvoice extends InvoiceState {
  readonly id: number;
  readonly customerId: number;
  /** Its status decides what sales agents earn. */
  readonly hasAgents: boolean;
}

/** An invoice to which money was applied, or from which it was taken back. */
export type AppliedChange = ChangedInvoice<AppliedInvoice>;

/** What applications made of invoices; what follows from it is to be carried out. */
export interface Applied {
  readonly invoices: readonly AppliedChange[];
  /** Also those of debits. */
  readonly customerIds: readonly number[];
  readonly isMovedIn?: boolean;
}

export interface Applying {
  /** The invoices of the applications, maybe others too. */
  readonly invoices: readonly AppliedInvoice[];
  /** No event tells that an invoice is paid which is being imported. */
  readonly isMovedIn?: boolean;
}

/**
 * Records applications, in this order, on all sides: the balances of the payment, the debit and the
 * invoice. An invoice with nothing left to pay becomes Paid. Autopay never pays it again, even if
 * the application is reversed and it is open again. What was carried over does not open again.
 */
export function writeApplications(
  context: OperationContext,
  rows: readonly AppliedRow[],
  { invoices, isMovedIn = false }: Applying,
): readonly AppliedChange[] {
  if (rows.length === 0) return [];
  const { tx, time } = context;
  insertApplications(tx, rows, time);
  moveBalances(tx, rows, time.now);
  const amounts = Map.groupBy(rows, (row) => row.invoiceId);
  const ordered = invoices.toSorted((one, other) => one.id - other.id);
  return changeInvoices(context, ordered, ({ id }) => {
    const of = amounts.get(id);
    return of && happenedBy(sum(of.map((row) => row.amountApplied)), isMovedIn);
  });
}

function happenedBy(amount: Decimal, isMovedIn: boolean): InvoiceHappened {
  if (compare(amount, '0') === 0) return { happened: 'replaced' };
  return compare(amount, '0') > 0
    ? { happened: 'paid', amount, isMovedIn }
    : { happened: 'reopened', amount: negate(amount) };
}

const insertApplications = inserting('insert-applications', {
  into: InvoicePayment,
  columns: [
    'paymentId',
    'invoiceId',
    'debitId',
    'customerId',
    /** Negative for a reversal. */
    'amountApplied',
    'balanceRemaining',
  ],
  at: { createdAt: 'now', appliedOn: 'today' },
});

export type AppliedRow = InsertedBy<typeof insertApplications>;
