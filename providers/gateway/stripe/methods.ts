/**
 * Payment methods at Stripe. A method that is charged more than once must belong to a Stripe
 * customer and is charged together with it, so its token names both: `cus_1/pm_2`. One that is used
 * once belongs to nobody, `pm_2`. What a page's fields made, `ctoken_3`, becomes a method as it is
 * charged.
 */
import type Stripe from 'stripe';
import { addDays, addMonths, type IsoDate } from '../../../domain/calendar/calendar.ts';
import { cardBrand, cardDigits, lastFour } from '../../../domain/payments/cards.ts';
import {
  type BankAccountDetails,
  type BillingAddress,
  type CardDetails,
  type ChargeCall,
  type EnteredInVault,
  GatewayError,
  type MethodDetails,
  type MethodNow,
  type ShownOfMethod,
  type VaultedMethod,
} from '../gateway.ts';
import { failureOf, isCardError, isMissing, storingFailureOf } from './errors.ts';
import { keyName } from './key-name.ts';

/** One of `paymentMethod` and `confirmationToken` is given. */
export interface StripeMethod {
  readonly customer: string | null;
  readonly paymentMethod: string | null;
  readonly confirmationToken: string | null;
  readonly type: string;
}

interface Storing {
  readonly key: string;
  /** It comes on file. */
  readonly isKept: boolean;
}

export async function storeMethod(
  stripe: Stripe,
  details: MethodDetails,
  { key, isKept }: Storing,
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
    if (!isKept) return { token: method.id, ...shownOf(details) };
    const attaching = ownerOf(stripe, key, { attaches: method.id }, signal);
    const customer = await attaching.catch((error: unknown) => {
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
): Promise<StripeMethod | undefined> {
  if (/^ctoken_\w+$/.test(token)) {
    const found = await stripe.confirmationTokens.retrieve(token).catch(undefinedIfMissing);
    const type = found?.payment_method_preview?.type;
    if (type === undefined) return undefined;
    return { customer: null, paymentMethod: null, confirmationToken: token, type };
  }
  const { customer, paymentMethod } = partsOf(token);
  if (paymentMethod === undefined) return undefined;
  if (customer !== undefined && methodType !== 'Token') {
    const type = methodType === 'ACH' ? 'us_bank_account' : 'card';
    return { customer, paymentMethod, confirmationToken: null, type };
  }
  const found = await stripe.paymentMethods.retrieve(paymentMethod).catch(undefinedIfMissing);
  if (!found) return undefined;
  const { type } = found;
  return { customer: idOf(found.customer), paymentMethod, confirmationToken: null, type };
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** What Stripe has of a stored method now. */
export async function methodNow(
  stripe: Stripe,
  { token, mandate = null }: Pick<VaultedMethod, 'token' | 'mandate'>,
): Promise<MethodNow> {
  const { customer, paymentMethod } = partsOf(token);
  if (paymentMethod === undefined) throw unusable('token_unknown');
  try {
    const found = await stripe.paymentMethods.retrieve(paymentMethod).catch(undefinedIfMissing);
    if (found === undefined) return gone;
    const isAttached = customer === undefined || idOf(found.customer) === customer;
    const isAgreed = mandate === null || (await isActive(stripe, mandate));
    return { ...shownBy(found), isUsable: isAttached && isAgreed };
  } catch (error) {
    throw failureOf(error) ?? new GatewayError('unavailable', 'method_refused');
  }
}

/** Stripe forgets by itself what belongs to nobody; what is attached is charged by nobody once detached. */
export async function removeMethod(
  stripe: Stripe,
  { token }: Pick<VaultedMethod, 'token'>,
): Promise<void> {
  const { paymentMethod } = partsOf(token);
  if (paymentMethod === undefined) return;
  try {
    const found = await stripe.paymentMethods.retrieve(paymentMethod).catch(undefinedIfMissing);
    if (idOf(found?.customer) === null) return;
    await stripe.paymentMethods.detach(paymentMethod).catch(undefinedIfMissing);
  } catch (error) {
    throw failureOf(error) ?? new GatewayError('unavailable', 'remove_refused');
  }
}

const gone: MethodNow = { brand: null, lastFour: null, expiry: null, isUsable: false };

async function isActive(stripe: Stripe, mandate: string): Promise<boolean> {
  const found = await stripe.mandates.retrieve(mandate).catch(undefinedIfMissing);
  return found !== undefined && found.status !== 'inactive';
}

function partsOf(token: string) {
  const form = /^(?:(?<customer>cus_\w+)\/)?(?<paymentMethod>pm_\w+)$/;
  const { customer, paymentMethod } = form.exec(token)?.groups ?? {};
  return { customer, paymentMethod };
}

/** A separate Stripe customer for the method, unrelated to our customers. */
export async function ownerOf(
  stripe: Stripe,
  key: string,
  { attaches }: { readonly attaches: string | null },
  signal: AbortSignal,
): Promise<string> {
  const customer = await stripe.customers.create({}, { idempotencyKey: `${key}/customer` });
  signal.throwIfAborted();
  if (attaches === null) return customer.id;
  await stripe.paymentMethods.attach(
    attaches,
    { customer: customer.id },
    { idempotencyKey: `${key}/attach` },
  );
  signal.throwIfAborted();
  return customer.id;
}

/** By what an intent is paid, with our key. */
export function paidBy(
  { customer, paymentMethod, confirmationToken, type }: StripeMethod,
  key: string,
) {
  return {
    ...(customer === null ? {} : { customer }),
    ...(paymentMethod === null ? {} : { payment_method: paymentMethod }),
    ...(confirmationToken === null ? {} : { confirmation_token: confirmationToken }),
    payment_method_types: [type],
    ...(type === US_ACCOUNT && confirmationToken !== null ? verifiedAtOnce : {}),
    metadata: { [keyName]: key },
  };
}

const US_ACCOUNT = 'us_bank_account';

/** Of what a page's fields made: nobody waits for small credits to an account. */
const verifiedAtOnce = {
  payment_method_options: { [US_ACCOUNT]: { verification_method: 'instant' as const } },
};

/** The id of what Stripe may have expanded. */
export function idOf(named: string | { readonly id: string } | null | undefined): string | null {
  return (typeof named === 'string' ? named : named?.id) ?? null;
}

/* What Stripe's own fields on a page made. */

/** Throws 'invalid' of `token` for what is none, or is somebody's already. */
export async function entered(stripe: Stripe, token: string): Promise<EnteredInVault> {
  try {
    if (/^ctoken_\w+$/.test(token)) {
      const made = await stripe.confirmationTokens.retrieve(token);
      // Stripe takes it once; a repeat of its form asks by the same key.
      return enteredOf(token, made.payment_method_preview);
    }
    if (!/^pm_\w+$/.test(token)) throw unusable('token_unknown');
    const made = await stripe.paymentMethods.retrieve(token);
    return enteredOf(token, idOf(made.customer) === null ? made : null);
  } catch (error) {
    if (isMissing(error)) throw unusable('token_unknown');
    throw failureOf(error) ?? new GatewayError('unavailable', 'token_refused');
  }
}

const unusable = (code: string): GatewayError =>
  new GatewayError('invalid', code, { field: 'token' });

function enteredOf(token: string, made: Shown | null): EnteredInVault {
  if (made === null) throw unusable('token_used');
  const shown = shownBy(made);
  switch (made.type) {
    case 'card':
      return { type: 'CreditCard', token, ...shown };
    case 'sepa_debit':
      return {
        type: 'Token',
        token,
        ...shown,
        debit: 'sepa',
        country: made.sepa_debit?.country ?? null,
      };
    case 'us_bank_account':
      return { type: 'Token', token, ...shown, debit: 'usBankAccount' };
    default:
      throw unusable('token_type');
  }
}

/** What a method, and what a page's fields made, has in common. */
interface Shown {
  readonly type: string;
  readonly card?: {
    readonly brand: string;
    readonly last4: string;
    readonly exp_month: number;
    readonly exp_year: number;
  };
  readonly sepa_debit?: { readonly last4: string | null; readonly country: string | null };
  readonly us_bank_account?: { readonly last4: string | null };
}

function shownBy({ card, sepa_debit: sepa, us_bank_account: account }: Shown): ShownOfMethod {
  if (card !== undefined) {
    const { brand, last4, exp_month: month, exp_year: year } = card;
    return { brand: brandOf(brand), lastFour: last4, expiry: lastDayOf(year, month) };
  }
  return { brand: null, lastFour: (sepa ?? account)?.last4 ?? null, expiry: null };
}

/** Stripe's names of the brands that have one of ours. */
const brands: ReadonlyMap<string, string> = new Map([
  ['amex', 'American Express'],
  ['diners', 'Diners Club'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['mastercard', 'MasterCard'],
  ['unionpay', 'UnionPay'],
  ['visa', 'Visa'],
]);

const brandOf = (name: string): string | null => brands.get(name) ?? null;

function lastDayOf(year: number, month: number): IsoDate {
  const first = `${year}-${String(month).padStart(2, '0')}-01`;
  return addDays(addMonths(first, 1), -1);
}

/* What calls have sent. */

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
