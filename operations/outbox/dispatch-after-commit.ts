/**
 * Delivers a writer's own outbox rows right after the commit, in the background; failures are left
 * to the relay.
 */
import { deliver, type DeliveryResult } from './deliver.ts';
import type { Engine } from './engine.ts';
import { workflowIdOf } from './enqueue.ts';
import type { Nudge } from '../context/nudge.ts';
import { tenantInfo, type Dependencies } from '../context/context.ts';
import { currentOrigin, ofNobody, type Origin } from '../context/origin.ts';

/** The relay delivers what does not fit. */
const WAITING_MAX = 10_000;
/** The limit for one tenant, so that the others have room. */
const WAITING_OF_TENANT_MAX = 1_000;
const TENANTS_AT_ONCE_MAX = 4;
const BATCH_MAX = 100;
/** How long everything is left to the relay after the engine did not answer. */
const REST_MS = 5_000;

interface Taken {
  readonly tenantId: number;
  readonly nudges: readonly Waiting[];
}

interface Waiting {
  readonly nudge: Nudge;
  /** Of several that nudged one workflow, the last one. */
  readonly origin: Origin | undefined;
}

export interface Dispatcher {
  /** Called after the commit; returns at once and never fails. */
  readonly dispatch: (tenantId: number, nudges: readonly Nudge[]) => void;
  /** Stops accepting nudges; resolves once those in progress have ended. */
  readonly close: () => Promise<void>;
}

export function startDispatcher(
  dependencies: Dependencies,
  engine: Engine,
  onError: (error: unknown) => void,
): Dispatcher {
  const waiting = new Map<number, Map<string, Waiting>>();
  const asNobody = ofNobody();
  const lanes = new Set<Promise<void>>();
  let waitingCount = 0;
  let restUntil = 0;
  let closed = false;

  function take(): Taken | undefined {
    const [first] = waiting;
    if (!first) return undefined;
    const [tenantId, byKey] = first;
    waiting.delete(tenantId);
    const nudges = [...byKey.values()];
    const rest = nudges.splice(BATCH_MAX);
    // Move to the end of the queue, so that a busy tenant does not delay the others.
    if (rest.length > 0) {
      waiting.set(tenantId, new Map(rest.map((each) => [keyOf(each.nudge), each])));
    }
    waitingCount -= nudges.length;
    return { tenantId, nudges };
  }

  async function work(): Promise<void> {
    for (let job = take(); job; job = take()) {
      if (performance.now() < restUntil) continue;
      try {
        const result = await deliverTaken(dependencies, engine, job);
        if (result.unreachable) restUntil = performance.now() + REST_MS;
      } catch (error) {
        // The row remains, and the relay will deliver it.
        onError(error);
      }
    }
  }

  return {
    dispatch(tenantId, nudges) {
      if (closed || nudges.length === 0 || performance.now() < restUntil) return;
      let ofTenant = waiting.get(tenantId);
      if (!ofTenant) waiting.set(tenantId, (ofTenant = new Map()));
      const origin = currentOrigin();
      for (const each of nudges) {
        if (waitingCount >= WAITING_MAX || ofTenant.size >= WAITING_OF_TENANT_MAX) break;
        if (!ofTenant.has(keyOf(each))) waitingCount += 1;
        ofTenant.set(keyOf(each), { nudge: each, origin });
      }
      if (lanes.size >= TENANTS_AT_ONCE_MAX) return;
      const lane = asNobody(work).finally(() => lanes.delete(lane));
      lanes.add(lane);
    },
    async close() {
      closed = true;
      waiting.clear();
      await Promise.all(lanes);
    },
  };
}

async function deliverTaken(
  dependencies: Dependencies,
  engine: Engine,
  { tenantId, nudges }: Taken,
): Promise<DeliveryResult> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const origins = new Map(
    nudges.map(({ nudge, origin }) => [workflowIdOf(tenant, nudge), origin] as const),
  );
  return deliver(dependencies, engine, tenantId, [...origins.keys()], origins);
}

function keyOf(each: Nudge): string {
  return `${each.kind}/${each.objectId}`;
}
