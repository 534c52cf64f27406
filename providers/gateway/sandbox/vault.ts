/** The data of a card or an account in the sandbox's vault, without the security code. */
import { addDays, addMonths, type IsoDate } from '../../../domain/calendar/calendar.ts';
import {
  cardBrand,
  cardDigits,
  isAbaRoutingNumber,
  isAccountNumber,
  isCardNumber,
  lastFour,
} from '../../../domain/payments/cards.ts';
import { ibanCountry, isSepaIban } from '../../../domain/payments/debits.ts';
import {
  GatewayError,
  type MethodDetails,
  type ShownOfMethod,
  type VaultedMethod,
} from '../gateway.ts';
import type { ScriptedMethod } from './script.ts';

/** Encrypted as a whole. */
export interface KeptMethod extends ScriptedMethod {
  readonly expiry: string | null;
  readonly routingNumber: string | null;
  /** The results of the checks of address and security code when it was stored. */
  readonly avsCode: 'Y' | 'U' | null;
  readonly cvvCode: 'M' | 'P' | null;
  /** A debit by a mandate of its holder. */
  readonly isMandated?: boolean;
}

/** Validates the details again, as a real gateway would. */
export function checkDetails(details: MethodDetails): void {
  if (details.type === 'CreditCard') {
    const digits = cardDigits(details.cardNumber);
    if (digits === null || !isCardNumber(digits)) refuse('invalid_number', 'cardNumber');
    return;
  }
  if (details.type === 'SEPA') {
    if (!isSepaIban(details.iban)) refuse('iban_invalid', 'iban');
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
  if (details.type === 'SEPA') {
    return {
      type: 'SEPA',
      number: details.iban,
      holder: details.accountHolder,
      expiry: null,
      routingNumber: null,
      avsCode: null,
      cvvCode: null,
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
    ...(details.isMandated === true && { isMandated: true }),
  };
}

export function vaultedOf(token: string, kept: KeptMethod): VaultedMethod {
  const { type, number, isMandated = false } = kept;
  const stored = { token, ...shownOf(kept) };
  const mandate = mandateOf(token);
  if (type === 'SEPA') return { ...stored, debit: 'sepa', country: ibanCountry(number), mandate };
  return isMandated ? { ...stored, debit: 'usBankAccount', mandate } : stored;
}

const MANDATE_CHARACTERS = 16;

/** The same for each debit by the method. */
function mandateOf(token: string): string {
  const characters = token.replace(/^sbx_/, '').replaceAll('-', '');
  return `SBX${characters.slice(0, MANDATE_CHARACTERS).toUpperCase()}`;
}

/** The number whose first charge renews the card, and that of the card from then on. */
const RENEWED = '4000000000004202';
const RENEWAL = '4242424242424242';
const RENEWAL_YEARS = 3;

/** @param isCharged a charge of it was approved */
export function shownOf(kept: KeptMethod, isCharged = false): ShownOfMethod {
  const { type, number, expiry } = kept;
  const brand = type === 'CreditCard' ? cardBrand(number) : null;
  if (!isCharged || number !== RENEWED) return { brand, lastFour: lastFour(number), expiry };
  return {
    brand: cardBrand(RENEWAL),
    lastFour: lastFour(RENEWAL),
    expiry: expiry === null ? null : renewedExpiry(expiry),
  };
}

/** The last day of the month. */
function renewedExpiry(expiry: IsoDate): IsoDate {
  const firstDay = `${expiry.slice(0, 'YYYY-MM'.length)}-01`;
  return addDays(addMonths(firstDay, 12 * RENEWAL_YEARS + 1), -1);
}

export const isRenewing = ({ number }: KeptMethod): boolean => number === RENEWED;
