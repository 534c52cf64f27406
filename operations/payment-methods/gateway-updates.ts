/** Follows what a gateway changes of a stored method by itself: a renewed card, a revoked mandate. */
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { PaymentMethod } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { type GatewayNews, renewMethod, revokeMethod } from '../../db/queries/payments/write.ts';
import type { GatewayName, Gateways } from '../../providers/gateway/gateway.ts';
import { writeAudit } from '../access/audit-log.ts';
import { type Dependencies, inOperation, type OperationContext } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';

/** Our copies of a gateway's method: each payment by a token may have one. */
type Copy = RowOf<typeof PaymentMethod, 'id' | 'customerId' | 'token' | 'mandate'>;

/**
 * An event of Stripe names a method that it has changed: what it has of it now is asked for, and
 * written of each copy. Throws a GatewayError if it does not answer: its event then comes again.
 *
 * @param paymentMethod `pm_..`
 */
export async function noteMethodEvent(
  dependencies: Dependencies,
  gateways: Pick<Gateways, 'named'>,
  tenantId: number,
  { paymentMethod }: { readonly paymentMethod: string },
): Promise<void> {
  const { db } = dependencies;
  const copies = await inTenant(db, tenantId, (tx) => copiesOf(tx, paymentMethod), {
    readOnly: true,
  });
  if (copies.length === 0) return;
  const gateway = await gateways.named(tenantId, 'stripe');
  for (const copy of copies) {
    const { isUsable, ...news } = await gateway.method(copy);
    await inOperation(dependencies, tenantId, async (context) => {
      const { isErased } = await lockCustomer(
        context.tx,
        { id: copy.customerId },
        { erased: 'taken' },
      );
      if (isErased) return;
      const by = { ...copy, gateway: 'stripe' } as const;
      await (isUsable ? noteRenewed(context, by, news) : noteRevoked(context, by));
    });
  }
}

function copiesOf(tx: Tx, paymentMethod: string): Promise<Copy[]> {
  return tx.query<Copy & Record<string, unknown>>(
    `select id, customer_id, token, mandate from payment_method
     where tenant_id = $1 and gateway = 'stripe' and split_part(token, '/', -1) = $2 order by id`,
    [tx.tenantId, paymentMethod],
    'copies-of-method',
  );
}

interface MethodOf extends Pick<Copy, 'id' | 'customerId'> {
  readonly gateway: GatewayName;
}

/** The customer is locked. */
export async function noteRenewed(
  { tx, time }: OperationContext,
  method: MethodOf,
  news: GatewayNews,
): Promise<void> {
  if (await renewMethod(tx, method.id, news, time)) audit(tx, method, 'paymentMethod.renewed');
}

/** The customer is locked. */
async function noteRevoked({ tx, time }: OperationContext, method: MethodOf): Promise<void> {
  if (await revokeMethod(tx, method.id, time)) audit(tx, method, 'paymentMethod.revoked');
}

/** Nobody calls: the gateway stands in place of the user. */
function audit(tx: Tx, { customerId, gateway }: MethodOf, code: string): void {
  writeAudit(tx, {
    action: 'write',
    username: gateway,
    path: `/rest/customer/${customerId}/autopay`,
    code,
  });
}
