/**
 * Bills one customer at once within its caller's transaction: generateInvoice in all its forms.
 */
import assert from 'node:assert';
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/model.ts';
import { loadDueOrders, type DueOrders, type OrderRow } from '../../db/queries/billing/load.ts';
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import { store } from './bill-customers.ts';
import { lockCustomers, type LockedCustomer } from './customers.ts';
import { noteCustomers } from './notes.ts';
import { rateCustomer } from './rate-customer.ts';
import { tellPayers } from './pay-today.ts';
import { planVersions } from '../plans/versions.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';

/** A new order of the same transaction that is not inserted yet. */
export interface MadeOrder {
  readonly row: OrderRow;
  /** Inserts it with its number; called once everything else is known. */
  readonly insert: () => void;
}

export interface GenerateOptions {
  /** Also bills the new order's next due date, even in the future. */
  readonly isForced?: boolean;
  readonly made?: MadeOrder;
  /** The payment whose generateInvoice makes the invoices. */
  readonly forPaymentId?: number;
}

/**
 * Bills one customer, locked by this transaction already, at once: what is due of it, or as much as
 * one transaction bills; the rest waits for the next day's run, or for another call. Throws where
 * the billing run would hold the customer, and where only the worker may rate it.
 */
export async function generateInvoices(
  dependencies: Dependencies,
  context: OperationContext,
  customerId: number,
  options: GenerateOptions = {},
): Promise<readonly InvoiceInsert[]> {
  // On a separate connection while rows are read: it commits before anything is rated.
  const [note, read] = await Promise.allSettled([
    noteCustomers(dependencies.db, context.tx.tenantId, [customerId]),
    readDue(context, customerId),
  ]);
  try {
    if (read.status === 'rejected') throw read.reason;
    if (note.status === 'rejected') throw note.reason;
    refuseSuspect(read.value.customer, note.value.suspects);
    return await billNow(dependencies, context, read.value, options);
  } catch (error) {
    throw isTooLarge(error) ? atTheCall(error) : error;
  } finally {
    if (note.status === 'fulfilled') note.value.done();
  }
}

function isTooLarge(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'billing.amountTooLarge';
}

/** Changes the path to generateInvoice, the name in all forms: action, query and element. */
function atTheCall({ message, value }: DomainError): DomainError {
  const text = `${message}, which is more than the books can hold`;
  return new DomainError('field.invalid', text, { path: 'generateInvoice', value });
}

/** Like `generateInvoices`, in the process for suspects. */
export async function generateApart(
  dependencies: Dependencies,
  context: OperationContext,
  customerId: number,
): Promise<readonly InvoiceInsert[]> {
  return billNow(dependencies, context, await readDue(context, customerId), {});
}

function refuseSuspect({ id, held }: LockedCustomer, suspects: ReadonlySet<number>): void {
  if (!suspects.has(id)) return;
  if (held) {
    const text = 'the customer is held from billing; activate releases it';
    throw new DomainError('customer.held', text, { value: String(id) });
  }
  const text = 'billing of the customer was interrupted: the worker first bills it separately';
  throw new DomainError('customer.billedApart', text, { value: String(id) });
}

interface DueRows {
  readonly customer: LockedCustomer;
  readonly due: DueOrders;
}

async function readDue({ tx, time }: OperationContext, customerId: number): Promise<DueRows> {
  const { today } = time;
  const [[customer], due] = await Promise.all([
    lockCustomers(tx, [customerId], true),
    loadDueOrders(tx, {
      customerIds: [customerId],
      by: today,
      atOnce: true,
    }),
  ]);
  assert(customer, 'the customer is locked by the caller');
  return { customer, due };
}

async function billNow(
  dependencies: Dependencies,
  context: OperationContext,
  { customer, due }: DueRows,
  { isForced = false, made, forPaymentId }: GenerateOptions,
): Promise<readonly InvoiceInsert[]> {
  const { today } = context.time;
  const rows = [...due.rows];
  if (made !== undefined) {
    if (isForced || actsBy(made.row, today)) rows.push(made.row);
  }
  const plans = await planVersions(
    dependencies.db,
    context.tx,
    rows.map((row) => row.plan_id),
  );
  const tenantTerms = context.tenant.paymentTerms;
  const forcedOrderId = isForced ? made?.row.id : undefined;
  const billing = rateCustomer({
    customer,
    rows,
    plans,
    tenantTerms,
    today,
    restOn: due.cut?.restOn ?? null,
    atOnce: true,
    forcedOrderId,
  });
  const invoices = await store(context, [billing], { before: made?.insert, forPaymentId });
  tellPayers(context, invoices);
  return invoices;
}

function actsBy(row: OrderRow, day: IsoDate): boolean {
  return [row.next_billable_date, row.transition_on].some((on) => on !== null && on <= day);
}
