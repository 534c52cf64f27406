/**
 * Bills one customer at once within its caller's transaction, for generateInvoice in all its forms.
 */
import assert from 'node:assert';
import { DomainError } from '../../domain/errors.ts';
import { type DueOrders, loadDueOrders, loadOrders } from '../../db/queries/billing/load.ts';
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import { type LockedCustomer, lockCustomers } from '../context/locks.ts';
import { noteCustomers } from './notes.ts';
import { billedApart, endWaiting, heldFromBilling } from './customers.ts';
import { ratingBasis } from './basis.ts';
import type { Balances } from '../../domain/billing/rate/balance.ts';
import { balancesOf } from './draft-rows.ts';
import { rateCustomer } from '../../domain/billing/rate-customer.ts';
import { type PreparedBilling, prepareBilling, writePrepared } from './store.ts';
import { wakePayers } from './invoice-events.ts';
import { type AnswerTo, taxingOf } from './tax-answers.ts';
import type { WrittenAddress } from '../../domain/tax/documents.ts';
import { readDueUsage } from './usage.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import type { OrderToRate } from '../../domain/billing/order-to-rate.ts';
import { actsBy } from '../../domain/billing/due/dates.ts';
import type { TaxingOf } from '../../domain/billing/rate/tax.ts';
import { TAX_REFUSED, waitsForPerson } from '../../domain/billing/rate/by-answers.ts';

export interface GenerateOptions {
  /** The payment whose generateInvoice makes the invoices. */
  readonly forPaymentId?: number;
  /** An order that the same transaction inserts when it writes the invoices. */
  readonly newOrder?: OrderToRate;
  /** The order that the new one replaces, as the same transaction leaves it. */
  readonly replaced?: OrderToRate;
  /** Also bills the new order's next due date, even in the future. */
  readonly isForced?: boolean;
  /** Bills this stored order and nothing else of the customer. */
  readonly onlyOrderId?: number;
  /** Its invoices may be paid by autopay; by default not those of `onlyOrderId`. */
  readonly paysItself?: boolean;
  /** What the tax provider has answered to this caller alone. */
  readonly answerTo?: AnswerTo;
  /** Taxes by this address in place of the customer's own. */
  readonly taxedAt?: WrittenAddress;
  /** The customer, if the caller has read it under its lock. */
  readonly locked?: LockedCustomer;
}

/**
 * Bills one customer, which this transaction has locked, at once. It bills everything due, or as
 * much as one transaction bills; the next day's run or another call bills the rest. Throws where
 * the billing run would hold the customer, and where only the worker may rate it.
 */
export async function generateInvoices(
  dependencies: Dependencies,
  context: OperationContext,
  customerId: number,
  options: Omit<GenerateOptions, 'newOrder' | 'replaced' | 'isForced'> = {},
): Promise<readonly InvoiceInsert[]> {
  return writeInvoices(context, await prepareInvoices(dependencies, context, customerId, options));
}

/**
 * The first half of `generateInvoices`: reads and rates, and writes nothing. Throws as
 * `generateInvoices` does.
 */
export async function prepareInvoices(
  dependencies: Dependencies,
  context: OperationContext,
  customerId: number,
  { begun, ...options }: GenerateOptions & { readonly begun?: BegunInvoices },
): Promise<PreparedBilling> {
  const due = begun ?? (await beginInvoices(dependencies, context, customerId, options));
  refuseUnlooked(due);
  try {
    return await prepare(dependencies, context, due, options);
  } catch (error) {
    throw isTooLarge(error) ? atTheCall(error) : error;
  }
}

/** What invoices rest on, and ids for their rows. */
export interface BegunInvoices extends DueRows {
  readonly suspects: ReadonlySet<number>;
  readonly ids?: readonly number[];
}

/** What `prepareInvoices` reads before it rates, for a caller that reads other things meanwhile. */
export async function beginInvoices(
  dependencies: Dependencies,
  context: OperationContext,
  customerId: number,
  options: GenerateOptions = {},
): Promise<BegunInvoices> {
  // This uses a separate connection while rows are read: it commits before anything is rated.
  const [note, read] = await Promise.allSettled([
    noteCustomers(dependencies.db, context.tx.tenantId, [customerId]),
    readDue(context, customerId, options),
  ]);
  // The rows are not serialized and sent yet, so the note stays until the transaction has ended.
  if (note.status === 'fulfilled') context.tx.whenOver(note.value.done);
  if (read.status === 'rejected') throw read.reason;
  if (note.status === 'rejected') throw note.reason;
  return { ...read.value, suspects: note.value.suspects };
}

/**
 * The second half of `generateInvoices`: writes the prepared invoices.
 * @param insertNewOrder inserts the order that the invoices were prepared with
 */
export async function writeInvoices(
  context: OperationContext,
  prepared: PreparedBilling,
  insertNewOrder?: () => void,
): Promise<readonly InvoiceInsert[]> {
  const invoices = await writePrepared(context, prepared, insertNewOrder);
  wakePayers(context, invoices);
  if (prepared.answered !== null) await endWaiting(context, prepared.answered);
  return invoices;
}

function isTooLarge(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'billing.amountTooLarge';
}

/**
 * Changes the path to generateInvoice, which is the name in all forms: action, query and element.
 */
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
  const due = await readDue(context, customerId);
  return writeInvoices(context, await prepare(dependencies, context, due, {}));
}

/** Only another process rates a suspect, and nobody bills what a person has to release first. */
function refuseUnlooked({
  customer: { id, isHeld, heldCode },
  suspects,
}: Pick<BegunInvoices, 'customer' | 'suspects'>): void {
  if (waitsForPerson(heldCode)) throw heldFromBilling(id);
  if (!suspects.has(id)) return;
  throw isHeld ? heldFromBilling(id) : billedApart(id);
}

interface DueRows {
  readonly customer: LockedCustomer;
  readonly balances: Balances;
  readonly due: DueOrders;
  readonly taxing: TaxingOf;
}

async function readDue(
  { tx, tenant, time: { today } }: OperationContext,
  customerId: number,
  { onlyOrderId, answerTo, taxedAt, locked }: GenerateOptions = {},
): Promise<DueRows> {
  const choice = { by: today, atOnce: true };
  const [[customer], balances, due, taxing] = await Promise.all([
    locked === undefined ? lockCustomers(tx, [customerId]) : [locked],
    balancesOf(tx, [customerId]),
    onlyOrderId === undefined
      ? loadDueOrders(tx, { customerIds: [customerId], ...choice })
      : loadOrders(tx, [onlyOrderId]).then((rows) => ({
          rows: rows.filter((row) => actsBy(row, choice)),
          cut: null,
        })),
    taxingOf(tx, tenant, [customerId], today, {
      ...(answerTo && { beside: answerTo }),
      ...(taxedAt && { at: taxedAt }),
    }),
  ]);
  assert(customer, 'the customer is locked by the caller');
  return { customer, balances, due, taxing };
}

async function prepare(
  dependencies: Dependencies,
  context: OperationContext,
  { customer, balances, due, taxing, ids = [] }: Omit<BegunInvoices, 'suspects'>,
  { isForced = false, newOrder, replaced, forPaymentId, ...options }: GenerateOptions,
): Promise<PreparedBilling> {
  const { today } = context.time;
  const rows: OrderToRate[] = due.rows.filter(({ id }) => id !== replaced?.id);
  const by = { by: today, atOnce: true };
  if (replaced !== undefined && actsBy(replaced, by)) rows.push(replaced);
  if (newOrder !== undefined && (isForced || actsBy(newOrder, by))) rows.push(newOrder);
  const newOrders = newOrder === undefined ? [] : [newOrder];
  const { tx, tenant } = context;
  const input = {
    customer,
    rows,
    basis: await ratingBasis(dependencies, tx, { rows, taxingOf: taxing, newOrders }),
    tenantTerms: tenant.paymentTerms,
    usageGraceDays: tenant.settings.usageGraceDays,
    today,
    restOn: due.cut?.restOn ?? null,
    atOnce: true,
    newOrderId: newOrder?.id,
    isForced,
  };
  const { inputs } = await readDueUsage(tx, [input], { locks: true });
  const billing = rateCustomer(inputs[0] ?? input);
  const prepared = await prepareBilling(context, [billing], {
    forPaymentId: forPaymentId ?? null,
    paysItself: options.paysItself ?? options.onlyOrderId === undefined,
    balances,
    ids,
  });
  if (tenant.taxProvider === null) return prepared;
  const answered = { customerId: customer.id, wasRefused: customer.heldCode === TAX_REFUSED };
  return { ...prepared, answered };
}
