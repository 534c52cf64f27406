/** The data of a card or an account in the sandbox's vault, without the security code. */
import {
  cardBrand,
  cardDigits,
  isAbaRoutingNumber,
  isAccountNumber,
  isCardNumber,
  lastFour,
} from '../../../domain/payments/cards.ts';
import { GatewayError, type MethodDetails, type VaultedMethod } from '../gateway.ts';
import type { ScriptedMethod } from './script.ts';

/** Encrypted as a whole. */
export interface KeptMethod extends ScriptedMethod {
  readonly expiry: string | null;
  readonly routingNumber: string | null;
  /** The results of the checks of address and security code when it was stored. */
  readonly avsCode: 'Y' | 'U' | null;
  readonly cvvCode: 'M' | 'P' | null;
}

/** Validates the details again, as a real gateway would. */
export function checkDetails(details: MethodDetails): void {
  if (details.type === 'CreditCard') {
    const digits = cardDigits(details.cardNumber);
    if (digits === null || !isCardNumber(digits)) refuse('invalid_number', 'cardNumber');
    return;
  }
  if (!isAbaRoutingNumber(details.abaRoutingNumber)) {
    refuse('routing_number_invalid', 'abaRoutingNumber');
  }
  if (!isAccountNumber(details.accountNumber)) refuse('account_number_invalid', 'accountNumber');
}

function refuse(code: string, field: string): never {
  throw new GatewayError('invalid', code, { field });
}

export function keptOf(details: MethodDetails): KeptMethod {
  if (details.type === 'CreditCard') {
    return {
      type: 'CreditCard',
      number: cardDigits(details.cardNumber) ?? '',
      holder: details.cardholderName,
      expiry: details.expiry,
      routingNumber: null,
      avsCode: details.billingAddress?.zip ? 'Y' : 'U',
      cvvCode: details.cvv === null ? 'P' : 'M',
    };
  }
  return {
    type: 'ACH',
    number: details.accountNumber,
    holder: details.accountName,
    expiry: null,
    routingNumber: details.abaRoutingNumber,
    avsCode: null,
    cvvCode: null,
  };
}

export function vaultedOf(token: string, kept: KeptMethod): VaultedMethod {
  const brand = kept.type === 'CreditCard' ? cardBrand(kept.number) : null;
  return { token, brand, lastFour: lastFour(kept.number), expiry: kept.expiry };
}
