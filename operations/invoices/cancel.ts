/** Cancels an invoice: reverses its amount, and on request suspends or cancels its orders. */
import assert from 'node:assert';
import { DomainError } from '../../domain/errors.ts';
import type { InvoiceState } from '../../domain/invoices/happened.ts';
import { invoiceAfter } from '../../domain/invoices/state.ts';
import { type Decimal, add, negate } from '../../domain/money/money.ts';
import {
  hasOpenCorrections,
  lockWindowsOf,
  reopenWindows,
  voidPeriods,
} from '../../db/queries/billing/roll-back.ts';
import { insertLedger, upsertBalances } from '../../db/queries/billing/write.ts';
import { enteredOf } from '../../db/queries/context/invoices.ts';
import { invoiceStateColumns } from '../../db/queries/invoices/invoices.ts';
import { restorePenalties } from '../../db/queries/ageing/penalties.ts';
import { isCredited, voidCarriedCredits } from '../../db/queries/payments/charge-credits.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { type InvoiceAddress, lockInvoice } from '../context/locks.ts';
import { changeInvoices } from '../allocation/change-invoices.ts';
import { carryOut, reverseAllocations } from '../collection/carry-out.ts';
import type { CarriedInvoice } from '../collection/invoice-consequences.ts';
import { creditUnusedDays } from '../payments/credit-unused.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { cancelOrders, suspendOrders } from './orders-of-invoice.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import type { CustomerBalance } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface CancelOptions {
  /** All Active orders of the invoice become Suspended. */
  readonly suspendOrders: boolean;
  /** All orders of the invoice become Canceled, and never bill again. */
  readonly cancelOrders: boolean;
  /** What exactly this invoice billed is due again, from the next 00:00 on. */
  readonly rollbackBillingPeriod: boolean;
  /** Also what money of the customer has paid already: a sign-up that failed. */
  readonly alsoPaid?: boolean;
}

/**
 * Throws invoice.unknown, invoice.credited, invoice.notCancellable, or field.invalid for
 * contradictory flags.
 */
export async function cancelInvoice(
  dependencies: Dependencies,
  context: OperationContext,
  address: InvoiceAddress,
  options: CancelOptions,
): Promise<void> {
  refuseContradictions(options);
  const { tx } = context;
  const { id, customer } = await lockInvoice(tx, address);
  const cancelled = await reverse(context, id, options);
  // Money that was paid on it is unapplied again, and allocated to other open invoices.
  const beforeDebts = (): Promise<void> => changeOrders(dependencies, context, id, options);
  await carryOut(context, { invoices: [cancelled], customerIds: [customer.id], beforeDebts });
}

/** What becomes of what it billed, and of its orders. */
async function changeOrders(
  dependencies: Dependencies,
  context: OperationContext,
  id: number,
  options: CancelOptions,
): Promise<void> {
  const { tx } = context;
  const orders = await tx.query<{ id: number }>(
    `select distinct order_id as id from invoice_line
     where invoice_id = $1 and order_id is not null order by 1`,
    [id],
  );
  const orderIds = orders.map((order) => order.id);
  if (options.rollbackBillingPeriod) rollBack(context, id);
  const suspended = options.suspendOrders ? await suspendOrders(context, orderIds) : [];
  const { moved, ended, others } = options.cancelOrders
    ? await cancelOrders(context, orderIds)
    : { moved: [], ended: [], others: [] };
  if (options.rollbackBillingPeriod || options.suspendOrders || options.cancelOrders) {
    const updated = new Set([...suspended, ...moved]);
    await rescheduleOrders(context, { orderIds: [...orderIds, ...others] }, { updated });
  }
  await creditUnusedDays(dependencies, context, ended);
}

function refuseContradictions(options: CancelOptions): void {
  const { suspendOrders, cancelOrders, rollbackBillingPeriod } = options;
  if (suspendOrders && cancelOrders) {
    throw new DomainError('field.invalid', 'suspendOrders and cancelOrders exclude each other', {
      path: 'suspendOrders',
    });
  }
  if (rollbackBillingPeriod && (suspendOrders || cancelOrders)) {
    throw new DomainError(
      'field.invalid',
      'rollbackBillingPeriod excludes suspendOrders and cancelOrders',
      { path: 'rollbackBillingPeriod' },
    );
  }
}

async function reverse(
  context: OperationContext,
  id: number,
  { alsoPaid = false, rollbackBillingPeriod }: CancelOptions,
): Promise<CarriedInvoice> {
  const { tx, time } = context;
  const what = { happened: 'cancelled', isCredited: await isCredited(tx, id), alsoPaid } as const;
  const invoice = await invoiceToCancel(tx, id);
  // Refused before anything is taken back.
  invoiceAfter(invoice, what);
  await keepCorrections(tx, id, rollbackBillingPeriod);
  await reverseAllocations(context, { invoiceId: id });
  const { customerId, currency, lastTotalDue } = invoice;
  const amount = negate(invoice.amount);
  const entry = {
    customerId,
    currency,
    kind: 'invoiceCancelled',
    amount,
    invoiceId: id,
  } as const;
  insertLedger(tx, [entry], time);
  const balance = add(invoice.balance, amount);
  upsertBalances(tx, [{ customerId, currency, balance, lastTotalDue }]);
  const reversed = await invoiceToCancel(tx, id);
  const [cancelled] = changeInvoices(context, [reversed], () => what);
  assert(cancelled, 'it was read');
  return cancelled;
}

interface CancelledRow
  extends
    InvoiceState,
    RowOf<typeof Invoice, 'id' | 'customerId' | 'currency'>,
    RowOf<typeof CustomerBalance, 'balance' | 'lastTotalDue'> {
  /** What it has entered in the ledger. */
  readonly amount: Decimal;
}

async function invoiceToCancel(tx: Tx, id: number): Promise<CancelledRow> {
  const [invoice] = await tx.query<CancelledRow & Record<string, unknown>>(
    `select i.id, i.customer_id, i.currency, ${enteredOf('i')} as amount, b.balance,
            b.last_total_due, ${invoiceStateColumns('i')}
     from invoice i join customer_balance b on b.customer_id = i.customer_id
      and b.currency = i.currency and b.tenant_id = i.tenant_id
     where i.id = $1 for no key update of i`,
    [id],
  );
  assert(invoice, 'the address of the invoice was found');
  return invoice;
}

/** What corrections are to give back must be paid, unless a rollback joins them with their records. */
async function keepCorrections(tx: Tx, invoiceId: number, isRolledBack: boolean): Promise<void> {
  lockWindowsOf(tx, invoiceId);
  if (isRolledBack || !(await hasOpenCorrections(tx, invoiceId))) return;
  const message = 'corrections of its usage are still to be billed: roll its billing period back';
  throw new DomainError('invoice.credited', message);
}

function rollBack({ tx, time }: OperationContext, invoiceId: number): void {
  restorePenalties(tx, invoiceId);
  voidPeriods(tx, invoiceId, time.now);
  reopenWindows(tx, invoiceId);
  voidCarriedCredits(tx, invoiceId, time.now);
}
