/**
 * Validates a card that is to be saved while nothing is paid by it: a charge of zero, for which the
 * gateway may ask the payer.
 */
import { inTenant } from '../../db/connection/tenancy.ts';
import { presentUntil } from '../../domain/payments/waiting.ts';
import { LOST_CODE } from '../../domain/signups/step.ts';
import {
  GatewayError,
  noAmount,
  type Gateway,
  type GatewayAnswer,
  type MadeMethod,
  type Gateways,
  type WaitingCall,
} from '../../providers/gateway/gateway.ts';
import { type Dependencies, type OperationContext, tenantInfo } from '../context/context.ts';
import { isVerifiable } from '../payment-methods/verifiable.ts';
import { cardOf } from './pay.ts';
import { readSignup, type SignupRow, type SignupTry } from './signup-row.ts';

export type Validation =
  /** With what the gateway made of what was entered into its own fields. */
  | { readonly is: 'approved'; readonly made: MadeMethod | null }
  | { readonly is: 'declined'; readonly tryId: number; readonly code: string }
  /** The payer has to authenticate it. */
  | { readonly is: 'asks'; readonly tryId: number; readonly validationId: string }
  /** The gateway did not answer, or does not accept what it was asked. */
  | {
      readonly is: 'returned';
      readonly tryId: number;
      readonly code: string;
      readonly field: string | null;
    };

/** The key under which the gateway validates the card of a try once. */
function validationKey(label: string, signupId: number, number: number): string {
  return `${label}/signup/${signupId}/${number}/0`;
}

interface AskedCard {
  readonly gateway: Gateway;
  readonly lastTry: SignupTry;
  readonly token: string;
  readonly key: string;
}

/** Runs outside any transaction; a repetition gets the answer of the first time. */
export async function validateCard(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  signupId: number,
): Promise<Validation> {
  const { label } = await tenantInfo(dependencies, tenantId);
  const row = await inTenant(dependencies.db, tenantId, (tx) => readSignup(tx, { id: signupId }), {
    readOnly: true,
  });
  const card = row && cardOf(row);
  if (!row?.lastTry || !card) throw new Error(`signup ${signupId} has no card to validate`);
  const { lastTry } = row;
  const { id: tryId } = lastTry;
  if (!isVerifiable(card.gateway, card)) return { is: 'approved', made: null };
  try {
    const gateway = await gateways.named(tenantId, card.gateway);
    const key = validationKey(label, signupId, lastTry.number);
    const asked = { gateway, lastTry, key, token: card.method.token };
    const realNow = new Date(dependencies.realNow());
    const answer =
      lastTry.validationId === null
        ? await begin(gateways, tenantId, asked)
        : await goOn(asked, lastTry.validationId, realNow);
    return validationOfAnswer(answer, tryId);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { kind, field } = error;
    const isInvalid = kind === 'invalid';
    return {
      is: 'returned',
      tryId,
      code: isInvalid ? 'field.invalid' : LOST_CODE,
      field: isInvalid ? (field ?? 'cardNumber') : null,
    };
  }
}

function begin(
  gateways: Gateways,
  tenantId: number,
  { gateway, lastTry: { returnSealed }, key: idempotencyKey, token }: AskedCard,
): Promise<GatewayAnswer> {
  const returnUrl = returnSealed === null ? null : gateways.returnUrl(tenantId, returnSealed);
  const payer = returnUrl === null ? 'absent' : 'present';
  return gateway.validate({ idempotencyKey, token, payer, returnUrl });
}

/** Once its time is over, it is ended there. */
async function goOn(
  { gateway, lastTry: { asksUntil }, key, token }: AskedCard,
  validationId: string,
  realNow: Date,
): Promise<GatewayAnswer> {
  const waiting = { ...waitingOf(key, validationId), token };
  if (asksUntil !== null && realNow >= asksUntil) return gateway.end(waiting);
  const status = await gateway.status('validate', waiting);
  if (typeof status === 'string') throw new GatewayError('unknown', status);
  return status;
}

function waitingOf(idempotencyKey: string, madeAs: string): WaitingCall {
  return { operation: 'validate', idempotencyKey, madeAs, ...noAmount };
}

function validationOfAnswer(answer: GatewayAnswer, tryId: number): Validation {
  const { outcome, transactionId: validationId, errorCode: code, method: made = null } = answer;
  if (outcome === 'approved') return { is: 'approved', made };
  if (outcome === 'asks' && validationId !== null) return { is: 'asks', tryId, validationId };
  return { is: 'declined', tryId, code };
}

/** Notes once that its try waits for the payer; the row as it is then. */
export function noteAsked(
  { tx, realNow }: OperationContext,
  row: SignupRow,
  validationId: string,
): SignupRow {
  const { lastTry } = row;
  if (lastTry === null || lastTry.validationId !== null) return row;
  const { at: asksUntil } = presentUntil(realNow);
  tx.send(
    `update signup_try set validation_id = $3, asks_until = $4
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, lastTry.id, validationId, asksUntil],
    'signup-asks',
  );
  return { ...row, lastTry: { ...lastTry, validationId, asksUntil } };
}

/** What waits for the payer of a try, and the gateway at which it does; undefined if nothing does. */
export async function askedOf(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  { id, lastTry }: SignupRow,
): Promise<{ readonly gateway: Gateway; readonly waiting: WaitingCall } | undefined> {
  if (lastTry?.status !== 'submitted' || lastTry.validationId === null) return undefined;
  const name = lastTry.gateway === 'stripe' ? 'stripe' : 'sandbox';
  const { label } = await tenantInfo(dependencies, tenantId);
  const key = validationKey(label, id, lastTry.number);
  const gateway = await gateways.named(tenantId, name);
  return { gateway, waiting: waitingOf(key, lastTry.validationId) };
}
