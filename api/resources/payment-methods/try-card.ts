/** Tries a method that was typed into a hosted form: the one way from there into a vault. */
import assert from 'node:assert/strict';
import { cardBrand, lastFour } from '../../../domain/payments/cards.ts';
import type { MethodInVault } from '../../../operations/payment-methods/methods.ts';
import type { MethodDetails, VaultedMethod } from '../../../providers/gateway/gateway.ts';
import { ibanCountry } from '../../../domain/payments/debits.ts';
import type { Card } from '../../pages/card-form.ts';
import type { RequestError } from '../../calls/errors.ts';
import { refusalOf } from '../../calls/refusals.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { fieldOfNewMethod, mainFieldOf, type NewMethod } from '../../pages/new-method.ts';
import type { OwnMethod } from '../../pages/own-method.ts';
import type { PageProblem } from '../../pages/view.ts';
import type { AskedPage } from '../page-writes.ts';
import {
  assertTaken,
  entered,
  vaulted,
  type SentMethod,
  type Vaulted,
  type Vaulting,
} from './methods.ts';

type CardDetails = Extract<MethodDetails, { readonly type: 'CreditCard' }>;

export interface CardTry {
  /** Behind the tenant's label; a repeat of the form has the same. */
  readonly key: string;
  readonly method: NewMethod;
  readonly billingAddress?: CardDetails['billingAddress'];
  /** With a charge of zero. */
  readonly isValidated?: boolean;
  /** Where the payer comes back to if the gateway asks for him when it validates. */
  readonly returnUrl?: string;
  /** Its failure refuses the card, too. */
  readonly store?: (method: MethodInVault) => Promise<void>;
  /** Of whatever a refusal is, even of what only a bug can cause. */
  readonly refused?: (fault: CardFault) => Promise<void>;
}

export interface CardFault {
  readonly code: string;
  /** As the form names it; null where the fault is not of the card. */
  readonly field: string | null;
  /** By the gateway that was to validate it. */
  readonly isDeclined: boolean;
}

export interface TakenCard {
  readonly method: MethodInVault;
  /** The gateway asks for the payer, by this id. */
  readonly validationId: string | null;
}

export interface CardNotTaken {
  readonly status: number;
  readonly problem: PageProblem;
}

/** Must run outside any transaction. Throws what only a bug can cause. */
export async function tryCard(
  { dependencies, call: { tenant } }: Visit,
  {
    method: typed,
    billingAddress = null,
    isValidated = false,
    returnUrl,
    store,
    refused,
    ...own
  }: CardTry,
): Promise<TakenCard | CardNotTaken> {
  const key = `${tenant.label}/${own.key}`;
  try {
    const inVault = await stored({ dependencies, tenant, key }, typed, billingAddress);
    const taking = { path: typed.kind, key, returnUrl: returnUrl ?? null };
    const taken = isValidated
      ? await assertTaken(inVault, taking)
      : { inVault, validationId: null };
    const { at: _at, ...method } = taken.inVault;
    const { validationId } = taken;
    await store?.(method);
    return { method, validationId };
  } catch (error) {
    const refusal = refusalOf(error);
    const fault = cardFaultOf(refusal, typed);
    await refused?.(fault);
    const { status } = refusal;
    if (status === 500) throw error;
    const { code, field } = fault;
    return { status: status > 500 ? 503 : 400, problem: { field, code } };
  }
}

interface Visit {
  readonly dependencies: RouteDependencies;
  readonly call: AskedPage;
}

/** What the gateway's own fields made is in its vault already. */
function stored(
  vaulting: Vaulting,
  typed: NewMethod,
  billingAddress: CardDetails['billingAddress'],
): Promise<Vaulted> {
  if (typed.kind === 'ofGateway') return entered(vaulting, typed);
  return vaulted(vaulting, typedMethod(typed, billingAddress));
}

type Typed = Extract<SentMethod, { readonly by: 'card' | 'account' }>;

function typedMethod(typed: OwnMethod, billingAddress: CardDetails['billingAddress']): Typed {
  const path = typed.kind;
  switch (typed.kind) {
    case 'card': {
      const { card } = typed;
      const details = { type: 'CreditCard', ...card, billingAddress } as const;
      return { by: 'card', details, known: knownCard(card), path, preference: null };
    }
    case 'sepa': {
      const { iban, accountHolder } = typed;
      const details = { type: 'SEPA', iban, accountHolder } as const;
      const known = knownAccount(iban, { debit: 'sepa', country: ibanCountry(iban) });
      return { by: 'account', details, known, path, preference: null };
    }
    case 'usBankAccount': {
      const { abaRoutingNumber, accountNumber, accountHolder: accountName } = typed;
      const account = { abaRoutingNumber, accountNumber, accountName, institutionName: null };
      const details = {
        type: 'ACH',
        ...account,
        accountType: 'Checking',
        isMandated: true,
      } as const;
      const known = knownAccount(accountNumber, { debit: 'usBankAccount' });
      return { by: 'account', details, known, path, preference: null };
    }
  }
}

function knownCard({ cardNumber, expiry }: Card): Typed['known'] {
  const brand = cardBrand(cardNumber);
  const method = { token: '', brand, lastFour: lastFour(cardNumber), expiry };
  return { type: 'CreditCard', method };
}

/** A debit is a token, whichever account it is of. */
function knownAccount(
  number: string,
  debit: Pick<VaultedMethod, 'debit' | 'country'>,
): Typed['known'] {
  const method = { token: '', brand: null, lastFour: lastFour(number), expiry: null, ...debit };
  return { type: 'Token', method };
}

const DECLINED = 'paymentMethod.declined';

/** Why a method is not taken; a vault that refuses the whole of it is about its number. */
function cardFaultOf({ status, errors }: RequestError, typed: NewMethod): CardFault {
  const [error] = errors;
  assert(error !== undefined, 'a refusal has an error');
  const { code } = error;
  const isDeclined = code === DECLINED;
  if (status >= 500) return { code, field: null, isDeclined };
  const field = fieldOfNewMethod(typed, error.path?.split('/').at(-1) ?? '');
  if (field === null) return { code: DECLINED, field: mainFieldOf(typed), isDeclined };
  return { code, field, isDeclined };
}
