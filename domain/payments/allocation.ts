/** Payments, credits and refunds, and the order in which money is applied to debts. */
import assert from 'node:assert';
import type { IsoDate } from '../calendar/calendar.ts';
import { add, compare, negate, type Decimal } from '../money/money.ts';
import type { DebitKind } from './debits.ts';

export const paymentTypes = ['Payment', 'Credit', 'Refund'] as const;
export type PaymentType = (typeof paymentTypes)[number];

export const paymentStatuses = [
  'Pending',
  'ActionRequired',
  'Paid',
  'Declined',
  'Canceled',
  'Voided',
  'Refunded',
  'CarriedOver',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const paymentMethodTypes = ['CreditCard', 'ACH', 'Check', 'Cash', 'Token'] as const;
export type PaymentMethodType = (typeof paymentMethodTypes)[number];

/** Methods that can be kept on file, and that a gateway handles. */
export type StorableMethodType = Extract<PaymentMethodType, 'CreditCard' | 'ACH' | 'Token'>;

export const autopayPreferences = [1, 2, 3] as const;
export type AutopayPreference = (typeof autopayPreferences)[number];

/** A method as it is shown: never more of a number than its end. */
export interface ShownMethod {
  readonly type: PaymentMethodType;
  readonly brand: string | null;
  readonly lastFour: string | null;
  /** Of a bank debit; null for a method of another kind. */
  readonly debit?: DebitKind | null;
  /** The country of the account of a SEPA debit. */
  readonly country?: string | null;
}

/**
 * @example methodContext({ type: 'CreditCard', brand: 'Visa', lastFour: '1111' }) // 'Visa - *****1111'
 * @example
 * methodContext({ type: 'Token', debit: 'sepa', country: 'DE', brand: null, lastFour: '3000' })
 * // 'SEPA - DE**...3000'
 */
export function methodContext({ type, brand, lastFour, debit, country }: ShownMethod): string {
  if (type === 'Cash') return 'Cash';
  if (debit === 'sepa') return `SEPA - ${country ?? ''}**...${lastFour ?? ''}`;
  if (debit === 'usBankAccount') return `ACH - *****${lastFour ?? ''}`;
  return `${brand ?? (type === 'CreditCard' ? 'Card' : type)} - *****${lastFour ?? ''}`;
}

/** Unapplied money of a payment or credit, in one currency. */
export interface Money {
  readonly id: number;
  readonly balance: Decimal;
  readonly effectiveDate: IsoDate;
  /** Applied to these first, in this order. */
  readonly namedInvoiceIds: readonly number[];
}

/** Something that money can be applied to, in the same currency. */
export interface Claim {
  /** A debit has no due date. */
  readonly kind: 'debit' | 'invoice';
  readonly id: number;
  /** Positive. */
  readonly open: Decimal;
  /** For a debit this is its effectiveDate. */
  readonly dueDate: IsoDate;
}

/** Money of one payment put to one claim. */
export interface Application {
  readonly paymentId: number;
  readonly kind: Claim['kind'];
  readonly claimId: number;
  readonly amount: Decimal;
  /** What is left of the payment after it. */
  readonly balanceRemaining: Decimal;
}

/**
 * Applies unapplied money, the oldest first, until either all of it or all that is open is used up:
 * to the invoices that a payment names, in its order, then to debits, oldest first, then to
 * invoices, oldest due first.
 *
 * @example // 300 over invoices of 100 and 250 due in that order
 *   applyMoney([payment], [first, second]) // 100 leaving 200, then 200 leaving 0
 */
export function applyMoney(
  moneys: readonly Money[],
  claims: readonly Claim[],
): readonly Application[] {
  const open = new Map(claims.map((claim) => [keyOf(claim), claim.open]));
  const ordered = claims.toSorted(inOrderOfClaims);
  const applications: Application[] = [];
  for (const money of moneys.toSorted(oldestFirst)) {
    let left = money.balance;
    for (const claim of [...namedOf(money, claims), ...ordered]) {
      const key = keyOf(claim);
      const owed = open.get(key);
      assert(owed !== undefined, 'every claim is open or used up');
      if (compare(left, '0') <= 0) break;
      if (compare(owed, '0') <= 0) continue;
      const amount = compare(left, owed) < 0 ? left : owed;
      left = add(left, negate(amount));
      open.set(key, add(owed, negate(amount)));
      const { kind, id: claimId } = claim;
      applications.push({ paymentId: money.id, kind, claimId, amount, balanceRemaining: left });
    }
  }
  return applications;
}

/** The part of an open invoice, or debit, that money in processing would pay. */
export interface SetAside {
  readonly kind: Claim['kind'];
  readonly claimId: number;
  readonly amount: Decimal;
  /** The last payment that would pay of it. */
  readonly paymentId: number;
}

/**
 * What money that a gateway is still processing would pay if all of it came now.
 *
 * @example // 300 under way, over invoices of 100 and 250 due in that order
 *   setAside([payment], [first, second]) // 100 of the first, 200 of the second
 */
export function setAside(
  processing: readonly Money[],
  claims: readonly Claim[],
): readonly SetAside[] {
  const byClaim = new Map<string, SetAside>();
  for (const { kind, claimId, amount, paymentId } of applyMoney(processing, claims)) {
    const key = `${kind} ${claimId}`;
    const sum = add(byClaim.get(key)?.amount ?? '0', amount);
    byClaim.set(key, { kind, claimId, amount: sum, paymentId });
  }
  return [...byClaim.values()];
}

function namedOf({ namedInvoiceIds }: Money, claims: readonly Claim[]): Claim[] {
  return namedInvoiceIds.flatMap((id) =>
    claims.filter((claim) => claim.kind === 'invoice' && claim.id === id),
  );
}

function keyOf({ kind, id }: Claim): string {
  return `${kind} ${id}`;
}

type Dated = Pick<Money, 'id' | 'effectiveDate'>;

function oldestFirst(a: Dated, b: Dated): number {
  return byText(a.effectiveDate, b.effectiveDate) || a.id - b.id;
}

function inOrderOfClaims(a: Claim, b: Claim): number {
  if (a.kind !== b.kind) return a.kind === 'debit' ? -1 : 1;
  return byText(a.dueDate, b.dueDate) || a.id - b.id;
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A payment from which a refund may take. */
export interface RefundablePayment {
  readonly id: number;
  readonly effectiveDate: IsoDate;
  /** The paid amount without its surcharge, less its refunds. */
  readonly refundable: Decimal;
  /** The part of it that is applied to nothing. */
  readonly unapplied: Decimal;
}

export interface RefundTake {
  readonly paymentId: number;
  readonly amount: Decimal;
}

/**
 * Which amounts a refund takes from which payments: unapplied money first, then applied money, each
 * from the newest payment first. One take for each payment, in the order in which they were first
 * used; null if the payments have too little.
 *
 * @example // 100 paid in January, all applied; 50 in February, 20 of it unapplied
 *   takeRefund('60', payments) // 50 of February's, 10 of January's
 */
export function takeRefund(
  amount: Decimal,
  payments: readonly RefundablePayment[],
): readonly RefundTake[] | null {
  const newestFirst = payments.toSorted((a, b) => oldestFirst(b, a));
  const takes = new Map<number, Decimal>();
  let left = amount;
  const take = (id: number, available: Decimal): void => {
    if (compare(left, '0') <= 0 || compare(available, '0') <= 0) return;
    const part = compare(left, available) < 0 ? left : available;
    left = add(left, negate(part));
    takes.set(id, add(takes.get(id) ?? '0', part));
  };
  for (const { id, unapplied, refundable } of newestFirst) {
    take(id, compare(unapplied, refundable) < 0 ? unapplied : refundable);
  }
  for (const { id, refundable } of newestFirst) {
    take(id, add(refundable, negate(takes.get(id) ?? '0')));
  }
  if (compare(left, '0') > 0) return null;
  return [...takes].map(([paymentId, part]) => ({ paymentId, amount: part }));
}

/** What of a payment is applied to an invoice, and no other refund takes back. */
export interface AppliedMoney {
  readonly paymentId: number;
  readonly invoiceId: number;
  readonly amount: Decimal;
  /** The id of its newest application. */
  readonly newestId: number;
}

export interface InvoiceTake extends RefundTake {
  readonly invoiceId: number;
}

/**
 * Which amounts a refund of invoices takes from what is applied to them: from the newest payment
 * first, and of each from the newest application; together at most the amount.
 *
 * @example // 1001: 20 of March's payment, 30 of April's, of which 10 are refunded already
 *   takeApplied('25', payments, applied) // 20 of April's, 5 of March's
 */
export function takeApplied(
  amount: Decimal,
  payments: readonly Omit<RefundablePayment, 'unapplied'>[],
  applied: readonly AppliedMoney[],
): readonly InvoiceTake[] {
  const takes: InvoiceTake[] = [];
  let left = amount;
  for (const { id: paymentId, refundable } of payments.toSorted((a, b) => oldestFirst(b, a))) {
    let ofPayment = refundable;
    const own = applied.filter((each) => each.paymentId === paymentId);
    for (const each of own.toSorted((a, b) => b.newestId - a.newestId)) {
      const part = [left, ofPayment, each.amount].reduce((a, b) => (compare(a, b) < 0 ? a : b));
      if (compare(part, '0') <= 0) continue;
      left = add(left, negate(part));
      ofPayment = add(ofPayment, negate(part));
      takes.push({ paymentId, invoiceId: each.invoiceId, amount: part });
    }
  }
  return takes;
}
