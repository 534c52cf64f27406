/** Processes claimed payments in the claiming process; most are final after that. */
import { callsPerSecondMax, type Gateways } from '../../providers/gateway/gateway.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import type { Dependencies } from '../context/context.ts';
import { inLanes } from '../context/lanes.ts';
import type { ClaimedPayment } from './autopay.ts';
import { advancePayment } from './process.ts';

export interface PayOptions {
  readonly dispatch: Dispatcher['dispatch'];
  /** Simultaneous payments. */
  readonly lanes: number;
  /** Called before each payment. */
  readonly mayGoOn: () => boolean;
}

/**
 * Pays by gateways without a rate. A payment that has to wait, or is not come to, is taken up by
 * its workflow, which its row in the outbox starts; so are those of a gateway with a rate, at once,
 * and those that come to one by their cascade: the rate is held where that workflow's calls queue.
 */
export async function payAtOnce(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  claimed: readonly ClaimedPayment[],
  { dispatch, lanes, mayGoOn }: PayOptions,
): Promise<void> {
  const [free, rated] = [
    claimed.filter(({ gateway }) => callsPerSecondMax[gateway] === null),
    claimed.filter(({ gateway }) => callsPerSecondMax[gateway] !== null),
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
  // One failure concerns one payment; as many failures as lanes concern all.
  const failures: unknown[] = [];
  const payOrNote = (each: ClaimedPayment) =>
    pay(each).catch((error: unknown) => void failures.push(error));
  const mayBegin = () => failures.length < lanes && mayGoOn();
  await inLanes(free, payOrNote, { lanes, mayGoOn: mayBegin });
  if (failures.length > 0) throw failures[0];
}
