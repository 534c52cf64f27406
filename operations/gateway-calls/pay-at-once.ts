/** Processes claimed payments in the claiming process; most are final after that. */
import { gatewayTable, type Gateways } from '../../providers/gateway/gateway.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import type { Dependencies } from '../context/context.ts';
import { inLanes } from '../context/lanes.ts';
import type { ClaimedPayment } from '../collection/autopay.ts';
import { advancePayment } from './process.ts';

export interface PayOptions {
  readonly dispatch: Dispatcher['dispatch'];
  /** Simultaneous payments. */
  readonly lanes: number;
  /** Called before each payment. */
  readonly mayContinue: () => boolean;
}

/**
 * Processes payments by gateways without a rate limit. The workflow of a payment processes it if it
 * has to wait or is not reached here; the payment's outbox row starts that workflow. A payment by a
 * gateway with a rate limit, or whose cascade comes to one, is left to its workflow at once,
 * because the rate is limited in the queue of the workflow's calls.
 */
export async function payAtOnce(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  claimed: readonly ClaimedPayment[],
  { dispatch, lanes, mayContinue }: PayOptions,
): Promise<void> {
  const [free, rated] = [
    claimed.filter(({ gateway }) => gatewayTable[gateway].callsPerSecondMax === null),
    claimed.filter(({ gateway }) => gatewayTable[gateway].callsPerSecondMax !== null),
  ];
  const toWorkflows = (those: readonly ClaimedPayment[]): void =>
    dispatch(
      tenantId,
      those.map(({ cascadeId: objectId }) => ({ kind: 'payment', objectId })),
    );
  toWorkflows(rated);
  const hooks = { onStep: () => undefined, dispatch };
  const pay = async (each: ClaimedPayment): Promise<void> => {
    const { cascadeId, gateway: at } = each;
    const request = { cascadeId, asked: 0, at };
    const { gateway } = await advancePayment(dependencies, gateways, tenantId, request, hooks);
    if (gateway !== null) toWorkflows([each]);
  };
  // One failure concerns one payment; if every lane fails, the cause is common to all.
  const failures: unknown[] = [];
  const payOrNote = (each: ClaimedPayment) =>
    pay(each).catch((error: unknown) => void failures.push(error));
  const mayBegin = () => failures.length < lanes && mayContinue();
  await inLanes(free, payOrNote, { lanes, mayContinue: mayBegin });
  if (failures.length > 0) throw failures[0];
}
