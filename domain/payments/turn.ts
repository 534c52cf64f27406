/** What a payment charges when its turn comes, or why it charges nobody. */
import { add, compare, negate, sum, type Decimal } from '../money/money.ts';

/** An open invoice that the payment names. */
export interface NamedInvoice {
  readonly open: Decimal;
  /** The part that a payment in processing would pay, and the cascade of that payment. */
  readonly setAside?: { readonly amount: Decimal; readonly cascadeId: number } | undefined;
}

export interface NamingPayment {
  /** What it was asked for. */
  readonly amount: Decimal;
  /** Sundial made it for an invoice that pays itself: it charges at most what is open. */
  readonly isAutomatic: boolean;
  /** It pays no more than what is open: somebody agreed to that on a page, or a call retries an invoice. */
  readonly isLimited?: boolean;
  /** The customer has an enabled payment plan now. */
  readonly hasPlan: boolean;
}

/** Why it charges nobody. */
export type Uncharged =
  /** Nothing of its invoices is open any more. */
  | { readonly kind: 'paid' }
  /** A payment in processing would pay what is open. */
  | { readonly kind: 'setAside'; readonly cascadeId: number }
  /** While the payment plan is enabled, its installments pay. */
  | { readonly kind: 'planEnabled' }
  /** Nothing is owed for an installment, or its plan has ended. */
  | { readonly kind: 'nothingOwed' }
  /** No method on file may be used for a retry. */
  | { readonly kind: 'noMethod' };

/**
 * The amount of a payment that names invoices. One that Sundial made charges nobody while the
 * customer has an enabled payment plan, also one that was claimed before.
 *
 * @example amountOfNaming({ amount: '30', isAutomatic: true, hasPlan: false }, [{ open: '18' }])
 *   // '18'
 */
export function amountOfNaming(
  { amount, isAutomatic, isLimited = false, hasPlan }: NamingPayment,
  invoices: readonly NamedInvoice[],
): Decimal | Uncharged {
  if (invoices.length === 0) return { kind: 'paid' };
  if (isAutomatic && hasPlan) return { kind: 'planEnabled' };
  const open = sum(invoices.map((each) => add(each.open, negate(each.setAside?.amount ?? '0'))));
  if (compare(open, '0') > 0)
    return (isAutomatic || isLimited) && compare(open, amount) < 0 ? open : amount;
  const cascadeId = invoices.flatMap(({ setAside }) => setAside?.cascadeId ?? [])[0];
  return cascadeId === undefined ? { kind: 'paid' } : { kind: 'setAside', cascadeId };
}
