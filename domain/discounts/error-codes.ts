/** The errors of coupons. */

/**
 * A part of the catalogue in `domain/error-codes.ts`.
 *
 * @example couponErrors['coupon.unknown'].kind // 'invalid'
 */
export const couponErrors = {
  'coupon.unknown': { kind: 'invalid', meaning: 'There is no such coupon.' },
  'coupon.notValid': { kind: 'invalid', meaning: 'The coupon is not valid on this day.' },
  'coupon.plan': { kind: 'invalid', meaning: 'The coupon is for other plans.' },
  'coupon.currency': { kind: 'invalid', meaning: 'The amount is in another currency.' },
} as const;
