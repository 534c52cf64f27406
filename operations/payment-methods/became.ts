/**
 * What a page's fields of the gateway's own made becomes a method there once it is charged or verified:
 * from then on it is charged by that.
 */
import type { GatewayAnswer } from '../../providers/gateway/gateway.ts';
import type { OperationContext } from '../context/context.ts';

/** The customer, or the sign-up, is locked. */
export function noteBecame(
  { tx, time }: OperationContext,
  { paymentMethodId }: { readonly paymentMethodId: number | null },
  { method = null }: Pick<GatewayAnswer, 'method'>,
): void {
  if (method === null || paymentMethodId === null) return;
  tx.send(
    `update payment_method set token = $3, mandate = coalesce($4, mandate), updated_at = $5
     where tenant_id = $1 and id = $2
       and (token, mandate) is distinct from ($3, coalesce($4, mandate))`,
    [tx.tenantId, paymentMethodId, method.token, method.mandate, time.now],
    'method-became',
  );
}
