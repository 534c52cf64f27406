/**
 * Payment methods at Stripe. A method that is charged more than once must belong to a Stripe
 * customer and is charged together with it, so our token names both: `cus_1/pm_2`.
 */
import type Stripe from 'stripe';
import { cardBrand, cardDigits, lastFour } from '../../../domain/payments/cards.ts';
import {
  type BankAccountDetails,
  type BillingAddress,
  type CardDetails,
  type ChargeCall,
  GatewayError,
  type MethodDetails,
  type VaultedMethod,
} from '../gateway.ts';
import { isCardError, isMissing, storingFailureOf } from './errors.ts';

export interface StripeMethod {
  readonly customer: string;
  readonly paymentMethod: string;
  readonly type: string;
}

export async function storeMethod(
  stripe: Stripe,
  details: MethodDetails,
  key: string,
  signal: AbortSignal,
): Promise<VaultedMethod> {
  // Its own fields take these accounts, which bring their mandate.
  if (details.type === 'SEPA') throw new GatewayError('invalid', 'not_accepted', { field: 'iban' });
  try {
    const method = await stripe.paymentMethods.create(
      details.type === 'CreditCard' ? cardParams(details) : accountParams(details),
      { idempotencyKey: `${key}/method` },
    );
    signal.throwIfAborted();
    const customer = await ownerOf(stripe, method.id, key, signal).catch((error: unknown) => {
      // The issuer declined: the method is stored, and its first charge will be declined.
      if (isCardError(error)) return null;
      throw error;
    });
    const token = customer === null ? method.id : `${customer}/${method.id}`;
    return { token, ...shownOf(details) };
  } catch (error) {
    throw storingFailureOf(error, details);
  }
}

/** Undefined if Stripe does not know the token. Throws Stripe's errors. */
export async function methodOf(
  stripe: Stripe,
  token: string,
  methodType: ChargeCall['methodType'],
  signal: AbortSignal,
): Promise<StripeMethod | undefined> {
  const { customer, paymentMethod } =
    /^(?:(?<customer>cus_\w+)\/)?(?<paymentMethod>pm_\w+)$/.exec(token)?.groups ?? {};
  if (paymentMethod === undefined) return undefined;
  if (customer !== undefined && methodType !== 'Token') {
    return { customer, paymentMethod, type: methodType === 'ACH' ? 'us_bank_account' : 'card' };
  }
  const found = await stripe.paymentMethods.retrieve(paymentMethod).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!found) return undefined;
  signal.throwIfAborted();
  const owner = typeof found.customer === 'string' ? found.customer : found.customer?.id;
  return {
    customer: owner ?? (await ownerOf(stripe, paymentMethod, paymentMethod, signal)),
    paymentMethod,
    type: found.type,
  };
}

/** A separate Stripe customer for the method, unrelated to our customers. */
async function ownerOf(
  stripe: Stripe,
  method: string,
  key: string,
  signal: AbortSignal,
): Promise<string> {
  const customer = await stripe.customers.create({}, { idempotencyKey: `${key}/customer` });
  signal.throwIfAborted();
  await stripe.paymentMethods.attach(
    method,
    { customer: customer.id },
    { idempotencyKey: `${key}/attach` },
  );
  signal.throwIfAborted();
  return customer.id;
}

function cardParams(card: CardDetails): Stripe.PaymentMethodCreateParams {
  const [year, month] = card.expiry.split('-');
  return {
    type: 'card',
    card: {
      number: cardDigits(card.cardNumber) ?? card.cardNumber,
      exp_month: Number(month),
      exp_year: Number(year),
      ...(card.cvv === null ? {} : { cvc: card.cvv }),
    },
    billing_details: {
      ...(card.cardholderName === null ? {} : { name: card.cardholderName }),
      ...(card.billingAddress === null ? {} : { address: addressParams(card.billingAddress) }),
    },
  };
}

function addressParams({ street1, city, state, zip, country }: BillingAddress) {
  return {
    ...(street1 === null ? {} : { line1: street1 }),
    ...(city === null ? {} : { city }),
    ...(state === null ? {} : { state }),
    ...(zip === null ? {} : { postal_code: zip }),
    // Stripe accepts country codes only; a country's name would make it refuse the whole card.
    ...(country !== null && /^[A-Z]{2}$/.test(country) ? { country } : {}),
  };
}

function accountParams(account: BankAccountDetails): Stripe.PaymentMethodCreateParams {
  return {
    type: 'us_bank_account',
    us_bank_account: {
      account_holder_type: 'individual',
      account_number: account.accountNumber,
      account_type: account.accountType === 'Savings' ? 'savings' : 'checking',
      routing_number: account.abaRoutingNumber,
    },
    // Stripe requires a name.
    billing_details: { name: account.accountName ?? 'Account holder' },
  };
}

function shownOf(details: CardDetails | BankAccountDetails): Omit<VaultedMethod, 'token'> {
  if (details.type === 'ACH') {
    return { brand: null, lastFour: lastFour(details.accountNumber), expiry: null };
  }
  const digits = cardDigits(details.cardNumber) ?? '';
  return { brand: cardBrand(digits), lastFour: lastFour(digits), expiry: details.expiry };
}
