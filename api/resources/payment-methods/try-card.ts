/** Tries a card that was typed into a hosted form: the one way from there into a vault. */
import assert from 'node:assert/strict';
import { cardBrand, lastFour } from '../../../domain/payments/cards.ts';
import type { MethodInVault } from '../../../operations/payment-methods/methods.ts';
import type { MethodDetails } from '../../../providers/gateway/gateway.ts';
import type { RequestError } from '../../calls/errors.ts';
import { refusalOf } from '../../calls/refusals.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { cardFieldOf, type Card } from '../../pages/card-form.ts';
import type { PageProblem } from '../../pages/view.ts';
import type { AskedPage } from '../page-writes.ts';
import { assertTaken, vaulted, type SentMethod } from './methods.ts';

type CardDetails = Extract<MethodDetails, { readonly type: 'CreditCard' }>;

export interface CardTry {
  /** Behind the tenant's label; a repeat of the form has the same. */
  readonly key: string;
  readonly card: Card;
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
  { card, billingAddress = null, isValidated = false, returnUrl, store, refused, ...own }: CardTry,
): Promise<TakenCard | CardNotTaken> {
  const key = `${tenant.label}/${own.key}`;
  const sent = typedCard(card, billingAddress);
  try {
    const inVault = await vaulted({ dependencies, tenant, key }, sent);
    const taking = { path: sent.path, key, returnUrl: returnUrl ?? null };
    const validationId = isValidated ? await assertTaken(inVault, taking) : null;
    const { at: _at, ...method } = inVault;
    await store?.(method);
    return { method, validationId };
  } catch (error) {
    const refusal = refusalOf(error);
    const fault = cardFaultOf(refusal);
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

function typedCard(
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

const DECLINED = 'paymentMethod.declined';

/** Why a card is not taken; a vault that refuses the whole card is about its number. */
function cardFaultOf({ status, errors }: RequestError): CardFault {
  const [error] = errors;
  assert(error !== undefined, 'a refusal has an error');
  const { code } = error;
  const isDeclined = code === DECLINED;
  if (status >= 500) return { code, field: null, isDeclined };
  const field = cardFieldOf(error.path?.split('/').at(-1) ?? '');
  if (field === null) return { code: DECLINED, field: 'cardNumber', isDeclined };
  return { code, field, isDeclined };
}
