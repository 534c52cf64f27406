/** Why a customer cannot be erased yet. */
import { DomainError } from '../errors.ts';

export type ErasureReason = 'order' | 'invoice' | 'balance' | 'payment' | 'paymentPlan' | 'signup';

interface Found {
  readonly reason: ErasureReason;
  /** The first ones, as people name them. */
  readonly named: readonly string[];
  readonly count: number;
}

/** One of them, several, and what is wrong with them. */
const words: Readonly<Record<ErasureReason, readonly [one: string, several: string]>> = {
  order: [
    'an order has not ended, or has something to bill',
    'orders have not ended, or have something to bill',
  ],
  invoice: ['an invoice is open', 'invoices are open'],
  balance: ['its balance in a currency is not zero', 'its balances in currencies are not zero'],
  payment: ['a payment is not final', 'payments are not final'],
  paymentPlan: ['a payment plan is enabled', 'payment plans are enabled'],
  signup: ['a sign-up is under way', 'sign-ups are under way'],
};

/**
 * The refusal of an erasure for one reason.
 *
 * @example refusalOfErasure({ reason: 'invoice', named: ['1001'], count: 1 }).message
 * // 'an invoice is open: 1001'
 */
export function refusalOfErasure({ reason, named, count }: Found): DomainError {
  const [one, several] = words[reason];
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  const what = count === 1 ? one : `${count} ${several}`;
  return new DomainError('customer.notErasable', `${what}: ${named.join(', ')}${more}`, {
    path: reason,
    value: named[0] ?? null,
  });
}
