/** Carries claimed payments through their gateway by who claimed them: most are final then. */
import { callsPerSecondMax, type Gateways } from '../../providers/gateway/gateway.ts';
import type { SoonDelivery } from '../deliver-soon.ts';
import type { Services } from '../services.ts';
import type { ClaimedPayment } from './autopay.ts';
import { advancePayment } from './process.ts';

export interface PayOptions {
  readonly deliverSoon: SoonDelivery['deliverSoon'];
  /** Payments under way at once. */
  readonly lanes: number;
  /** Asked before each payment. */
  readonly mayGoOn: () => boolean;
}

/**
 * Pays by gateways without a rate. A payment that has to wait, or is not come to, is taken up by its
 * workflow, which its row in the outbox starts; so are those of a gateway with a rate, at once, and
 * those that come to one by their cascade: the rate is held where that workflow's calls queue.
 */
export async function payAtOnce(
  services: Services,
  gateways: Gateways,
  tenantId: number,
  claimed: readonly ClaimedPayment[],
  { deliverSoon, lanes, mayGoOn }: PayOptions,
): Promise<void> {
  const [free, rated] = [
    claimed.filter(({ gateway }) => callsPerSecondMax[gateway] === null),
    claimed.filter(({ gateway }) => callsPerSecondMax[gateway] !== null),
  ];
  const toWorkflows = (those: readonly ClaimedPayment[]): void =>
    deliverSoon(
      tenantId,
      those.map(({ chainId: objectId }) => ({ kind: 'payment', objectId })),
    );
  toWorkflows(rated);
  const hooks = { onStep: () => undefined, deliverSoon };
  let next = 0;
  async function lane(): Promise<void> {
    for (let each = free[next++]; each && mayGoOn(); each = free[next++]) {
      const { chainId, gateway: at } = each;
      const request = { chainId, asked: 0, at };
      const { gateway } = await advancePayment(services, gateways, tenantId, request, hooks);
      if (gateway !== null) toWorkflows([each]);
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, () => lane()));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
