/** The checks of a payment, credit or refund before money moves. */
import { DomainError, type DomainErrorCode } from '../../domain/errors.ts';
import {
  add,
  compare,
  exactAmount,
  fitsBooks,
  formatAmount,
  isCurrency,
  minorDigits,
  negate,
  type Decimal,
} from '../../domain/money/money.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Reader } from '../context/listing.ts';
import { findWritable, type LockedCustomer } from '../context/locks.ts';
import type { TenantTime } from '../context/context.ts';
import type { InvoiceStatus } from '../../domain/invoices/happened.ts';
import type { PaymentInput } from './input.ts';
import type { MethodChoice } from '../payment-methods/choice.ts';
import { methodOnFile, type StoredMethod } from '../payment-methods/methods-on-file.ts';
import { assertNotable } from '../refunds/make-note.ts';
import { planRefund, refundSource } from '../refunds/refund-source.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** With the currency's decimals. */
export interface CheckedPayment {
  readonly currency: string;
  readonly amount: Decimal;
  readonly surcharge: Decimal;
}

/**
 * Makes the write's checks without a lock, so that no card is vaulted for a refused call. Throws
 * like createPayment.
 */
export async function checkPayment(tx: Tx, time: TenantTime, input: PaymentInput): Promise<void> {
  const customer = await findWritable(tx, input.customer);
  const checked = checkInput(input, customer, time);
  await checkInvoices(tx, input, checked, customer.id);
  if (input.method?.by === 'preference' && input.type === 'Payment') {
    await namedMethod(tx, customer.id, input, input.method);
  }
  if (input.type === 'Refund') {
    const { currency, amount } = checked;
    const source = await refundSource(tx, customer.id, input);
    const owner = { customerId: customer.id, currency };
    const plan = await planRefund(tx, owner, { amount, source, input });
    if (input.creditNote === true) await assertNotable(tx, { ...input, ...plan });
  }
}

/**
 * The first method on file from the preference upwards, or the only one that is meant; throws
 * paymentMethod.unknown.
 */
export async function namedMethod(
  tx: Tx,
  customerId: number,
  input: PaymentInput,
  { preference, onlyMethodId }: NamedMethod,
): Promise<StoredMethod> {
  const stored = await methodOnFile(tx, customerId, preference);
  if (stored && (onlyMethodId ?? stored.id) === stored.id) return stored;
  const why = `${preference}, or one after it, names no payment method on file`;
  throw refused(input, 'paymentMethod.unknown', 'autopayPreference', why, String(preference));
}

type NamedMethod = Extract<MethodChoice, { readonly by: 'preference' }>;

export function checkInput(
  input: PaymentInput,
  customer: LockedCustomer,
  time: TenantTime,
): CheckedPayment {
  const currency = input.currencyCode ?? customer.currency;
  if (!isCurrency(currency)) {
    throw refused(input, 'payment.currency', 'currencyCode', 'is not an ISO 4217 code', currency);
  }
  const amount = inMinorUnits(input, 'amount', input.amount, currency);
  const sign = compare(amount, '0');
  if (sign === 0) throw refused(input, 'payment.amount', 'amount', 'must not be zero', '0');
  if (sign < 0 && input.type !== 'Credit') {
    throw refused(input, 'payment.amount', 'amount', 'must not be negative', amount);
  }
  const surcharge = inMinorUnits(input, 'totalSurcharge', input.totalSurcharge ?? '0', currency);
  if (
    compare(surcharge, '0') < 0 ||
    (surcharge !== formatAmount(currency, '0') && !isPaid(input))
  ) {
    const why = 'belongs to a payment, and is not negative';
    throw refused(input, 'payment.amount', 'totalSurcharge', why, surcharge);
  }
  if (isPaid(input) && input.method === null) {
    throw refused(input, 'payment.method', 'paymentMethodDTO', 'is required');
  }
  if (input.type === 'Refund' && input.generateInvoice) {
    throw refused(input, 'field.invalid', 'generateInvoice', 'is not for a refund', 'true');
  }
  checkNotes(input);
  checkDate(input, time);
  return { currency, amount, surcharge };
}

function isPaid({ type }: PaymentInput): boolean {
  return type === 'Payment';
}

/** Of what a refund takes of invoices, credit notes may give back as much, with its text. */
function checkNotes(input: PaymentInput): void {
  const { type, creditNote = false, invoiceIds, invoiceText } = input;
  if (!creditNote) return;
  if (type !== 'Refund') {
    throw refused(input, 'field.invalid', 'creditNote', 'is for a refund alone', 'true');
  }
  const why = 'is required with creditNote';
  if (invoiceIds.length === 0) throw refused(input, 'field.required', 'invoices', why);
  if (!invoiceText?.trim()) throw refused(input, 'field.required', 'invoiceText', why);
}

/** A payment through a gateway takes effect today; only other payments may be in the past. */
function checkDate(input: PaymentInput, { today }: TenantTime): void {
  const { effectiveDate, type, method } = input;
  if (effectiveDate === null || effectiveDate === today) return;
  if (effectiveDate > today) {
    throw refused(input, 'payment.date', 'effectiveDate', `is after ${today}`, effectiveDate);
  }
  const byHand = type === 'Credit' || (type === 'Payment' && isByHand(method));
  if (!byHand) {
    const why = `is before ${today}, which only Cash, Check and credits may be`;
    throw refused(input, 'payment.date', 'effectiveDate', why, effectiveDate);
  }
}

function isByHand(method: PaymentInput['method']): boolean {
  return method?.by === 'Cash' || method?.by === 'Check';
}

function inMinorUnits(
  input: PaymentInput,
  element: string,
  decimal: Decimal,
  currency: string,
): Decimal {
  const amount = exactAmount(currency, decimal);
  if (amount !== null) return amount;
  const why = `has more than the ${minorDigits(currency)} decimals of ${currency}`;
  throw refused(input, 'payment.amount', element, why, decimal);
}

/** Checks what the customer would owe: a debit and a refund add to it, money reduces it. */
export async function assertFits(
  tx: Reader,
  input: PaymentInput,
  { amount, currency }: CheckedPayment,
  customerId: number,
): Promise<void> {
  const [owed] = await tx.query<{ balance: Decimal }>(
    'select balance from customer_balance where customer_id = $1 and currency = $2',
    [customerId, currency],
    'balance-of-customer',
  );
  const change = input.type === 'Refund' ? amount : negate(amount);
  const balance = add(owed?.balance ?? '0', change);
  if (fitsBooks(balance)) return;
  const why = `makes the balance of the customer ${balance}, which is more than the books can hold`;
  throw refused(input, 'field.invalid', 'amount', why, amount);
}

type NamedInvoice = RowOf<typeof Invoice, 'id' | 'customerId' | 'currency' | 'status'>;

/**
 * Named invoices must be the customer's, and in the payment's currency; those that it pays Outstanding,
 * those that a refund takes from Outstanding or Paid.
 */
export async function checkInvoices(
  tx: Reader,
  input: PaymentInput,
  checked: CheckedPayment,
  customerId: number,
): Promise<void> {
  const { invoiceIds } = input;
  if (invoiceIds.length === 0) return;
  if (compare(checked.amount, '0') < 0) {
    throw refused(input, 'payment.invoice', 'invoices', 'are not named by a debit');
  }
  const statuses: readonly InvoiceStatus[] =
    input.type === 'Refund' ? ['Outstanding', 'Paid'] : ['Outstanding'];
  const rows = await tx.query<NamedInvoice>(
    'select id, customer_id, currency, status from invoice where id = any($1)',
    [invoiceIds],
    'named-invoices',
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [index, id] of invoiceIds.entries()) {
    const path = `${input.root}/invoices/invoice[${index + 1}]/@id`;
    const refuse = (why: string, code: DomainErrorCode = 'payment.invoice'): never => {
      // An unknown invoice may be another tenant's.
      const missed = byId.has(id) ? null : id;
      const message = `invoice ${id} ${why}`;
      throw new DomainError(code, message, { path, value: String(id), id: missed });
    };
    const invoice = byId.get(id);
    if (invoiceIds.indexOf(id) !== index) refuse('is named twice');
    if (invoice?.customerId !== customerId) refuse('is not an invoice of the customer');
    const status = invoice?.status;
    if (status === undefined || !statuses.includes(status)) {
      refuse(`is ${status}, not ${statuses.join(' or ')}`);
    }
    if (invoice?.currency !== checked.currency) {
      refuse(`is in ${invoice?.currency}, not in ${checked.currency}`, 'payment.currency');
    }
  }
}

function refused(
  { root }: PaymentInput,
  code: DomainErrorCode,
  element: string,
  why: string,
  value?: string,
): DomainError {
  const name = element.replace(/\/@?\w+$/, '');
  return new DomainError(code, `${name} ${why}`, {
    path: `${root}/${element}`,
    value: value ?? null,
  });
}
