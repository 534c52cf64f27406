/** The route to which Stripe sends a tenant's events. */
import { takeGatewayEvent } from '../../../operations/gateway-calls/gateway-event.ts';
import type { WebhookSecretOf } from '../../../operations/gateway-calls/webhook-secret.ts';
import { noteMethodEvent } from '../../../operations/payment-methods/gateway-updates.ts';
import type { Dependencies } from '../../../operations/context/context.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { stripeEventOf, verifiedEvent } from '../../../providers/gateway/stripe/events.ts';
import { GatewayError, type Gateways } from '../../../providers/gateway/gateway.ts';
import { textAnswer } from '../../calls/answer.ts';
import { type PlainRoute, plainRoute } from '../../calls/route-types.ts';

/** Stripe's own events have a few kilobytes. */
const EVENT_BYTES_MAX = 256 * 1_024;

export interface GatewayEventDependencies extends Dependencies {
  readonly webhookSecretOf: WebhookSecretOf;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: (tenantId: number, nudges: readonly Nudge[]) => void;
  readonly gateways: Pick<Gateways, 'named'>;
}

export function gatewayEventRoutes(dependencies: GatewayEventDependencies): readonly PlainRoute[] {
  return [
    plainRoute({
      method: 'POST',
      under: 'host',
      path: '/gateway/stripe',
      credentials: 'signature',
      right: null,
      body: 'raw',
      bodyBytesMax: EVENT_BYTES_MAX,
      answer: 'text',
      isWrite: true,
      async respond({ tenant, header, body: readBody }) {
        const secret = await dependencies.webhookSecretOf(tenant.id);
        if (secret === null) return textAnswer(404, 'there is no such address');
        const body = await readBody();
        const sent = verifiedEvent(body, header('stripe-signature'), secret);
        if (sent === undefined) return textAnswer(400, 'the signature is invalid');
        const event = stripeEventOf(sent);
        // An event of another account than the tenant's own is ignored.
        if (event !== undefined && event.account === null) {
          const { paymentMethod } = event;
          if (paymentMethod !== null) {
            const isTaken = await takeMethodEvent(dependencies, tenant.id, { paymentMethod });
            // Stripe sends the event again.
            return isTaken ? textAnswer(200, 'taken') : textAnswer(503, 'the gateway is silent');
          }
          const nudges = await takeGatewayEvent(dependencies, tenant.id, event);
          dependencies.dispatch(tenant.id, nudges);
        }
        return textAnswer(200, 'taken');
      },
    }),
  ];
}

/** False if the gateway, which is asked what it has of the method now, does not answer. */
async function takeMethodEvent(
  dependencies: GatewayEventDependencies,
  tenantId: number,
  event: { readonly paymentMethod: string },
): Promise<boolean> {
  try {
    await noteMethodEvent(dependencies, dependencies.gateways, tenantId, event);
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
