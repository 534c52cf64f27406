/** Our own texts for decline codes, because a gateway's text may repeat the request. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { FinalAnswer, GatewayAnswer } from './gateway.ts';

const words: ReadonlyMap<string, string> = new Map([
  ['account_closed', 'The bank account is closed.'],
  ['authentication_failed', 'The holder of the card did not authenticate the payment.'],
  ['authentication_required', 'The card asks for an authentication by its holder.'],
  ['card_declined', 'The card was declined.'],
  ['card_not_supported', 'The card does not support this kind of purchase.'],
  ['charge_already_refunded', 'The charge has been refunded already.'],
  ['currency_mismatch', 'The charge was made in another currency.'],
  ['currency_not_supported', 'The card does not support the currency.'],
  ['do_not_honor', 'The card was declined.'],
  ['expired_card', 'The card has expired.'],
  ['fraudulent', 'The card was declined.'],
  ['gateway_timeout', 'The issuer did not answer in time.'],
  ['generic_decline', 'The card was declined.'],
  ['incorrect_cvc', 'The security code is wrong.'],
  ['incorrect_number', 'The card number is wrong.'],
  ['insufficient_funds', 'The funds are insufficient.'],
  ['invalid_account', 'The card, or the account behind it, is invalid.'],
  ['invalid_amount', 'The gateway cannot charge this amount.'],
  ['invalid_token', 'The gateway does not know the token.'],
  ['lost_card', 'The card was declined.'],
  ['not_voidable', 'Only a full charge without refunds can be voided.'],
  ['pickup_card', 'The card was declined.'],
  ['processing_error', 'The gateway failed while it processed the card.'],
  ['refund_exceeds_charge', 'The refund would exceed the charge.'],
  ['refund_refused', 'The gateway refused the refund.'],
  ['restricted_card', 'The card was declined.'],
  ['revocation_of_authorization', 'The authorization was revoked by the holder.'],
  ['stolen_card', 'The card was declined.'],
  ['unknown_charge', 'The gateway does not know the charge.'],
  ['verification_required', 'The bank account has not been verified with the gateway.'],
]);

/** The method will never work again; other declines may be temporary. */
const hard: ReadonlySet<string> = new Set([
  'account_closed',
  'bank_account_restricted',
  'bank_account_unusable',
  'debit_not_authorized',
  'incorrect_number',
  'invalid_account',
  'invalid_token',
  'lost_card',
  'no_account',
  'payment_method_restricted',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stolen_card',
  'stop_payment_order',
]);

export interface Evidence {
  readonly transactionId?: string | null;
  readonly avsCode?: string | null;
  readonly cvvCode?: string | null;
  readonly approvalCode?: string | null;
}

export function approved(evidence: Evidence): FinalAnswer {
  return {
    outcome: 'approved',
    errorCode: '0',
    errorMessage: null,
    isHardDecline: false,
    ...complete(evidence),
  };
}

/** The gateway accepted the call, and gives its outcome later, on that day if it is known. */
export function pending(evidence: Evidence, newsOn: IsoDate | null = null): GatewayAnswer {
  return { ...approved(evidence), outcome: 'pending', errorCode: 'pending', newsOn };
}

/** The payer has to authenticate what has this id. */
export function asks(evidence: Evidence): GatewayAnswer {
  return { ...approved(evidence), outcome: 'asks', errorCode: 'asks', approvalCode: null };
}

export function isHardDecline(code: string): boolean {
  return hard.has(code);
}

export function declined(code: string, evidence: Evidence = {}): FinalAnswer {
  return {
    outcome: 'declined',
    errorCode: code,
    errorMessage: words.get(code) ?? 'The gateway declined it.',
    isHardDecline: hard.has(code),
    ...complete({ ...evidence, approvalCode: null }),
  };
}

function complete(evidence: Evidence): Required<Evidence> {
  return { transactionId: null, avsCode: null, cvvCode: null, approvalCode: null, ...evidence };
}
