/** Validates a card that is to be saved while nothing is paid by it: a charge of zero. */
import { readSignup } from './signup-row.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { LOST_CODE } from '../../domain/signups/step.ts';
import { GatewayError, type Gateways } from '../../providers/gateway/gateway.ts';
import { tenantInfo, type Dependencies } from '../context/context.ts';
import { cardOf } from './pay.ts';

export type Validation =
  | { readonly is: 'approved' }
  | { readonly is: 'declined'; readonly tryId: number; readonly code: string }
  /** The gateway did not answer, or does not accept what it was asked. */
  | {
      readonly is: 'returned';
      readonly tryId: number;
      readonly code: string;
      readonly field: string | null;
    };

/** The key under which the gateway validates the card of a try once. */
export function validationKey(label: string, signupId: number, number: number): string {
  return `${label}/signup/${signupId}/${number}/0`;
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
  const { id: tryId, number } = row.lastTry;
  if (card.type === 'ACH') return { is: 'approved' };
  try {
    const gateway = await gateways.named(tenantId, card.gateway);
    const key = validationKey(label, signupId, number);
    const { outcome, errorCode } = await gateway.validate(card.method.token, key);
    return outcome === 'approved' ? { is: outcome } : { is: 'declined', tryId, code: errorCode };
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
