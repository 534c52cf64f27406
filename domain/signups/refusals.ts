/** Whether the visitor of a sign-up can mend what was refused, and at which field. */
import type { DomainErrorCode } from '../errors.ts';

/** What a refusal was about. */
export interface Refusal {
  readonly code: DomainErrorCode;
  /** Of the form, or of the document that the operation is described by. */
  readonly path: string | null;
}

/** What the page still asks for. */
export interface Askable {
  readonly hideCustomerFields: boolean;
  readonly hideOrderFields: boolean;
  /** After the first try that made something only the card can change. */
  readonly isMade: boolean;
}

export type Verdict =
  | { readonly is: 'returned'; readonly field: string | null }
  | { readonly is: 'failed' };

const ofOrder: Partial<Readonly<Record<DomainErrorCode, string>>> = {
  'coupon.unknown': 'couponCode',
  'coupon.notValid': 'couponCode',
  'coupon.plan': 'couponCode',
  'coupon.currency': 'couponCode',
  'coupon.usedUp': 'couponCode',
  'coupon.usedByCustomer': 'couponCode',
  'quantity.outOfRange': 'quantity',
  'order.priceTooHigh': 'quantity',
  'plan.unknown': 'contractCode',
  'plan.retired': 'contractCode',
  'order.priceMissing': 'contractCode',
  'order.unitPriceMissing': 'contractCode',
};

/** Of another moment, not of what was entered. */
const notReady: ReadonlySet<DomainErrorCode> = new Set<DomainErrorCode>([
  'customer.billedApart',
  'tax.unavailable',
  // Made in the same moment by somebody else: the next try finds it.
  'customer.refTaken',
]);

/** Fields of the vault and the gateway. */
const ofCard: ReadonlySet<string> = new Set(['cardNumber', 'expiryMonth', 'cvv', 'cardholderName']);

/**
 * A fault of a field that the page asks for, and something that is not ready, show the form again;
 * anything else fails the sign-up.
 *
 * @example verdictOn({ code: 'coupon.notValid', path: null }, { hideOrderFields: true, ... })
 *   // { is: 'failed' }
 */
export function verdictOn({ code, path }: Refusal, asked: Askable): Verdict {
  if (notReady.has(code)) return { is: 'returned', field: null };
  if (path !== null && ofCard.has(path)) return { is: 'returned', field: path };
  if (asked.isMade) return { is: 'failed' };
  const orderField = ofOrder[code];
  if (orderField !== undefined) {
    return asked.hideOrderFields ? { is: 'failed' } : { is: 'returned', field: orderField };
  }
  const customerField = customerFieldOf({ code, path });
  if (customerField === null || asked.hideCustomerFields) return { is: 'failed' };
  return { is: 'returned', field: customerField };
}

function customerFieldOf({ code, path }: Refusal): string | null {
  // The provider refuses an address; without a place it may be any part of it.
  if (code === 'tax.refused') return path === null ? null : 'street';
  return null;
}
