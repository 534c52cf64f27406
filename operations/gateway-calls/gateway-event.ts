/**
 * Takes a gateway's event, once. An event is only a reason to ask the gateway about a payment or
 * refund.
 */
import type { Nudge } from '../context/nudge.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { lockCustomer } from '../context/locks.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { GatewayEvent as TakenEvent } from '../../db/entities/gateways.ts';
import type { Payment } from '../../db/entities/payments.ts';
import { oneRow } from '../../db/queries/context/insertion.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** The object of an event: by the gateway's own ids, or by our key if the event has it. */
export interface GatewayEvent {
  readonly id: string;
  readonly type: string;
  readonly paymentIntent: string | null;
  readonly refund: string | null;
  readonly key: string | null;
}

/** Our payment or refund that the event is about. */
interface NamedRow extends RowOf<typeof Payment, 'id' | 'cascadeId' | 'customerId'> {
  readonly isPaid: boolean;
}

const eventRow = oneRow({
  into: TakenEvent,
  columns: ['eventId', 'type', 'paymentId', 'receivedAt'],
  values: { gateway: `'stripe'` },
  ending: 'on conflict (tenant_id, gateway, event_id) do nothing returning id',
});

/**
 * Returns the workflows to nudge: none if the event was taken before, or is about nothing that this
 * tenant has at the gateway.
 */
export function takeGatewayEvent(
  dependencies: Dependencies,
  tenantId: number,
  event: GatewayEvent,
): Promise<readonly Nudge[]> {
  return inOperation(dependencies, tenantId, async (context) => {
    const { tx, time } = context;
    const named = await namedBy(context, event);
    if (!named) return [];
    // The books already show that it was paid.
    if (named.isPaid && event.type.startsWith('payment_intent.')) return [];
    await lockCustomer(tx, { id: named.customerId }, { erased: 'taken' });
    const { id: eventId, type } = event;
    const values = eventRow.values(tx.tenantId, {
      eventId,
      type,
      paymentId: named.id,
      receivedAt: time.now,
    });
    const taken = await tx.query(eventRow.text, values, 'take-gateway-event');
    if (taken.length === 0) return [];
    enqueue(context, [{ kind: 'payment', objectId: named.cascadeId }]);
    return context.nudges;
  });
}

async function namedBy(
  { tx }: OperationContext,
  event: GatewayEvent,
): Promise<NamedRow | undefined> {
  const { refund, paymentIntent, key } = event;
  const [row] = await tx.query<NamedRow>(
    // The inner select is evaluated once; row-level security lets no index be searched by a coalesce.
    `select p.id, p.cascade_id, p.customer_id,
            p.payment_type = 'Payment' and p.charged_on is not null as is_paid
     from payment p where p.id = (select coalesce(
       (select s.refund_id from refund_share s
        join payment o on o.tenant_id = s.tenant_id and o.id = s.payment_id
        where s.transaction_id = $1 and o.gateway = 'stripe' order by s.id limit 1),
       (select s.refund_id from refund_share s where s.id = $3 and s.gateway_key = $4),
       (select o.id from payment o where o.id = $3 and o.gateway_key = $4),
       (select o.id from payment o where $1::text is null and o.transaction_id = $2
          and o.gateway = 'stripe' order by o.id limit 1)))`,
    [refund, paymentIntent, idOf(key), key],
    'named-by-event',
  );
  return row;
}

/** The key contains the row: `{tenant}/{id}/{random}`. */
function idOf(key: string | null): number | null {
  const id = Number(/^[^/]+\/(\d{1,15})(?:\/|$)/.exec(key ?? '')?.[1] ?? NaN);
  return Number.isSafeInteger(id) ? id : null;
}
