/** Puts payment method containers into a gateway's vault; only the token leaves this file. */
import { handleType, retry } from 'cockatiel';
import { maskNumber } from '../../../domain/payments/card-masking.ts';
import { cardBrand, cardDigits, isExpired, lastFour } from '../../../domain/payments/cards.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { AutopayPreference } from '../../../domain/payments/allocation.ts';
import type { MethodChoice } from '../../../operations/payment-methods/choice.ts';
import { isVerifiable } from '../../../operations/payment-methods/verifiable.ts';
import type { MethodInVault } from '../../../operations/payment-methods/methods.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import {
  GatewayError,
  RAW_CARD,
  noAmount,
  type Gateway,
  type GatewayName,
  type MethodDetails,
} from '../../../providers/gateway/gateway.ts';
import { RequestError, badRequest } from '../../calls/errors.ts';
import type { PaymentMethodDocument } from './method-schema.ts';
import type { RouteDependencies } from '../../calls/services.ts';

type Container<Name extends keyof PaymentMethodDocument> = NonNullable<PaymentMethodDocument[Name]>;

/** A container by how it is processed; `path` is its element's. */
export type SentMethod =
  | Extract<MethodChoice, { readonly by: 'Cash' | 'Check' }>
  | {
      readonly by: 'card' | 'account';
      readonly details: MethodDetails;
      /** The method as its number shows it, before a vault has stored it. */
      readonly known: Omit<MethodInVault, 'gateway'>;
      readonly path: string;
      readonly preference: AutopayPreference | null;
    }
  | {
      /** The caller has already put it into a vault. */
      readonly by: 'token';
      readonly known: Omit<MethodInVault, 'gateway'>;
      readonly gateway: MethodInVault['gateway'] | null;
      readonly path: string;
      readonly preference: AutopayPreference | null;
    };

export function sentMethod(dto: PaymentMethodDocument, parent: string): SentMethod {
  const { creditCardPaymentMethod, achPaymentMethod, tokenPaymentMethod } = dto;
  const path = `${parent}/paymentMethodDTO`;
  if (creditCardPaymentMethod) return sentCard(creditCardPaymentMethod, path);
  if (achPaymentMethod) return sentAccount(achPaymentMethod, path);
  if (tokenPaymentMethod) return sentToken(tokenPaymentMethod, path);
  if (dto.type === 'Cash') return { by: 'Cash', notes: dto.cashPaymentMethod?.notes ?? null };
  const { checkNumber, institutionName, checkDate, notes } = dto.checkPaymentMethod ?? {};
  return {
    by: 'Check',
    checkNumber: checkNumber ?? null,
    institutionName: institutionName ?? null,
    checkDate: checkDate ?? null,
    notes: accountHider(dto)(notes),
  };
}

/** Masks the account number of a call's own method in the texts beside it. */
export function accountHider(
  dto: PaymentMethodDocument | null | undefined,
): (text: string | null | undefined) => string | null {
  const account =
    dto?.achPaymentMethod?.accountNumber ?? dto?.checkPaymentMethod?.accountNumber ?? '';
  return (text) => (text == null ? null : maskNumber(text, account));
}

function sentCard(card: Container<'creditCardPaymentMethod'>, path: string): SentMethod {
  const digits = cardDigits(card.cardNumber) ?? '';
  const { expiry, cardholderName, cvv, billingAddress } = card;
  return {
    by: 'card',
    details: {
      type: 'CreditCard',
      cardNumber: digits,
      expiry,
      cardholderName: cardholderName ?? null,
      cvv: cvv ?? null,
      billingAddress: billingAddress
        ? {
            street1: billingAddress.street1 ?? null,
            city: billingAddress.city ?? null,
            state: billingAddress.state ?? null,
            zip: billingAddress.zip ?? null,
            country: billingAddress.country ?? null,
          }
        : null,
    },
    known: {
      type: 'CreditCard',
      method: { token: '', brand: cardBrand(digits), lastFour: lastFour(digits), expiry },
    },
    path: `${path}/creditCardPaymentMethod`,
    preference: preferenceOf(card.autopayPreference),
  };
}

function sentAccount(account: Container<'achPaymentMethod'>, path: string): SentMethod {
  const { abaRoutingNumber, accountNumber, accountName, accountType, institutionName } = account;
  return {
    by: 'account',
    details: {
      type: 'ACH',
      abaRoutingNumber,
      accountNumber,
      accountName: accountName ?? null,
      accountType: accountType ?? 'Checking',
      institutionName: institutionName ?? null,
    },
    known: {
      type: 'ACH',
      method: { token: '', brand: null, lastFour: lastFour(accountNumber), expiry: null },
    },
    path: `${path}/achPaymentMethod`,
    preference: preferenceOf(account.autopayPreference),
  };
}

function sentToken(sent: Container<'tokenPaymentMethod'>, path: string): SentMethod {
  const { token, cardType, lastFour: end, expiry } = sent;
  return {
    by: 'token',
    known: {
      type: 'Token',
      method: { token, brand: cardType ?? null, lastFour: end ?? null, expiry: expiry ?? null },
    },
    gateway: sent.gateway ?? null,
    path: `${path}/tokenPaymentMethod`,
    preference: preferenceOf(sent.autopayPreference),
  };
}

function preferenceOf(sent: number | null | undefined): AutopayPreference | null {
  return (sent ?? null) as AutopayPreference | null;
}

type GatewayMethod = Extract<SentMethod, { readonly by: 'card' | 'account' | 'token' }>;

export function isOfGateway(method: SentMethod): method is GatewayMethod {
  return method.by !== 'Cash' && method.by !== 'Check';
}

/**
 * A card is valid until the end of its last month in the tenant's time zone; a token is valid at
 * the tenant's gateway only.
 */
export function refuseUnusable(
  sent: GatewayMethod,
  { today, gateway }: { readonly today: IsoDate; readonly gateway: GatewayName },
): void {
  const { known, path } = sent;
  if (sent.by === 'token' && sent.gateway !== null && sent.gateway !== gateway) {
    const message = `gateway must be ${gateway}, not "${sent.gateway}"`;
    throw badRequest('field.invalid', message, `${path}/gateway`, sent.gateway);
  }
  const { expiry } = known.method;
  if (expiry === null || !isExpired(expiry, today)) return;
  throw badRequest(
    'field.invalid',
    `expiry must be ${today.slice(0, 'YYYY-MM'.length)} or later, not "${expiry}"`,
    `${path}/expiry`,
    expiry,
  );
}

/** A tenant at Stripe may take no card numbers by calls; nothing is sent to Stripe then. */
export function refuseRawCard(sent: SentMethod, tenant: TenantInfo): void {
  if (sent.by !== 'card' || tenant.gateway !== 'stripe') return;
  if (!tenant.gatewaySettings.rawCards) throw rawCard(sent.path);
}

function rawCard(path: string): RequestError {
  const message =
    'card numbers are not taken by calls; send tokenPaymentMethod, with a token of the gateway';
  return badRequest('payment.rawCard', message, path);
}

export interface Vaulting {
  readonly dependencies: RouteDependencies;
  readonly tenant: TenantInfo;
  /** The same for a repeated call with the same Idempotency-Key. */
  readonly key: string;
  /** The method comes on file; without it, it is charged once. */
  readonly isKept?: boolean;
}

/** The key in a vault that other tenants may share. */
export function vaultKey({ label }: TenantInfo, onceKey: string): string {
  return `${label}/method/${onceKey}`;
}

export interface Vaulted extends MethodInVault {
  /** The gateway that stores it. */
  readonly at: Gateway;
}

/** Must run outside any transaction. */
export async function vaulted(
  { dependencies, tenant, key, isKept = false }: Vaulting,
  sent: GatewayMethod,
): Promise<Vaulted> {
  return asking(sent.path, async () => {
    const at = await dependencies.gateways.ofTenant(tenant.id);
    if (sent.by === 'token') {
      return { type: sent.known.type, gateway: at.name, method: sent.known.method, at };
    }
    const method = await at.store(sent.details, key, { isKept });
    return { type: sent.known.type, gateway: at.name, method, at };
  });
}

/**
 * What the gateway's own fields on a page made, by the gateway's own word about it. Must run outside
 * any transaction.
 */
export async function entered(
  { dependencies, tenant }: Vaulting,
  { gatewayToken, taken }: { readonly gatewayToken: string; readonly taken: readonly string[] },
): Promise<Vaulted> {
  const path = 'gatewayToken';
  return asking(path, async () => {
    const at = await dependencies.gateways.ofTenant(tenant.id);
    const { type, ...method } = await at.entered(gatewayToken);
    if (!taken.includes(method.debit ?? 'card')) {
      throw new GatewayError('invalid', 'token_type', { field: 'token' });
    }
    return { type, gateway: at.name, method, at };
  });
}

export interface Taking {
  readonly path: string;
  readonly key: string;
  /** The page to which a payer who is present comes back. */
  readonly returnUrl?: string | null;
}

export interface TakenMethod {
  /** By which it is charged from then on. */
  readonly inVault: Vaulted;
  /** The gateway asks for the payer, by this id. */
  readonly validationId: string | null;
}

/**
 * Verifies a card with a charge of zero, which accounts whose numbers we have do not support. If the
 * gateway asks for a payer who is present, the id of what waits for him. Throws
 * paymentMethod.declined; and paymentMethod.actionRequired if the payer is absent.
 */
export async function assertTaken(
  given: Vaulted,
  { path, key, returnUrl = null }: Taking,
): Promise<TakenMethod> {
  const { at, method } = given;
  if (!isVerifiable(at.name, given)) return { inVault: given, validationId: null };
  const idempotencyKey = `${key}/0`;
  const payer = returnUrl === null ? 'absent' : 'present';
  const answer = await asking(path, () =>
    at.validate({ idempotencyKey, token: method.token, payer, returnUrl }),
  );
  const { outcome, errorCode, transactionId } = answer;
  const inVault = { ...given, method: { ...method, ...answer.method } };
  if (outcome === 'approved') return { inVault, validationId: null };
  if (outcome === 'asks' && transactionId !== null) {
    if (returnUrl !== null) return { inVault, validationId: transactionId };
    const waiting = { operation: 'validate', madeAs: transactionId, idempotencyKey } as const;
    // Nobody comes to confirm it.
    await asking(path, () => at.end({ ...waiting, ...noAmount }));
    const message =
      'the gateway asks for the payer, who is not there: he can enter the card himself';
    throw new DomainError('paymentMethod.actionRequired', message, { path });
  }
  throw new DomainError('paymentMethod.declined', `the gateway declined the method: ${errorCode}`, {
    path,
  });
}

const RETRIES_MAX = 2;
const RETRY_AFTER_SECONDS = 5;

/** Nothing is stored yet, so the caller repeats a call that the gateway does not answer. */
const repeating = retry(
  handleType(GatewayError, ({ kind }) => kind === 'transient'),
  { maxAttempts: RETRIES_MAX },
);

/** Must run outside any transaction; while the gateway is silent, 503 `service.unavailable`. */
export function askingGateway<Result>(ask: () => Promise<Result>): Promise<Result> {
  return asking('payment', ask);
}

async function asking<Result>(path: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await repeating.execute(ask);
  } catch (error) {
    throw error instanceof GatewayError ? refusalBy(error, path) : error;
  }
}

function refusalBy(error: GatewayError, path: string): RequestError {
  if (error.kind === 'invalid') {
    if (error.code === RAW_CARD) return rawCard(path);
    const name = error.field;
    return badRequest(
      'field.invalid',
      `the gateway does not accept ${name ?? 'the payment method'}: ${error.code}`,
      name === null ? path : `${path}/${name}`,
    );
  }
  return new RequestError(
    503,
    { code: 'service.unavailable', message: 'The payment gateway cannot answer now; try again' },
    { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  );
}
