/** A card that was typed into a hosted form, on its way to the vault. */
import assert from 'node:assert/strict';
import { cardBrand, lastFour } from '../../../domain/payments/cards.ts';
import type { MethodDetails } from '../../../providers/gateway/gateway.ts';
import type { RequestError } from '../../calls/errors.ts';
import { cardFieldOf } from '../../pages/card-form.ts';
import type { Card } from '../../pages/card-form.ts';
import type { SentMethod } from './methods.ts';

type CardDetails = Extract<MethodDetails, { readonly type: 'CreditCard' }>;

export function typedCard(
  card: Card,
  billingAddress: CardDetails['billingAddress'],
): Extract<SentMethod, { readonly by: 'card' | 'account' }> {
  const { cardNumber, expiry } = card;
  return {
    by: 'card',
    details: { type: 'CreditCard', ...card, billingAddress },
    known: {
      type: 'CreditCard',
      method: { token: '', brand: cardBrand(cardNumber), lastFour: lastFour(cardNumber), expiry },
    },
    path: 'card',
    preference: null,
  };
}

export interface CardFault {
  readonly code: string;
  /** As the form names it; null where the fault is not of the card. */
  readonly field: string | null;
}

/** Why a card is not in the vault; a vault that refuses the whole card is about its number. */
export function cardFaultOf({ status, errors }: RequestError): CardFault {
  const [error] = errors;
  assert(error !== undefined, 'a refusal has an error');
  if (status >= 500) return { code: error.code, field: null };
  const field = cardFieldOf(error.path?.split('/').at(-1) ?? '');
  if (field === null) return { code: 'paymentMethod.declined', field: 'cardNumber' };
  return { code: error.code, field };
}
