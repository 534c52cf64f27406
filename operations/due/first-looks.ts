/** The first looks at objects, by their kind: those that wait for a day of their own. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies } from '../context/context.ts';
import type { AwaitedName, WorkflowKind } from '../context/kinds.ts';
import { firstLookAtDunning } from '../dunning/wake.ts';
import { firstLookAtOrder } from '../orders/wake.ts';
import type { FirstLookAt } from '../outbox/engine.ts';
import { firstLookAtPlan } from '../payment-plans/wake.ts';
import type { Beginning } from '../wakes/first-look.ts';
import type { FirstLook } from '../workflow-kinds/description.ts';

type Looking = (
  dependencies: Dependencies,
  tx: Tx,
  beginning: Beginning,
  objectId: number,
) => Promise<FirstLook | null>;

/** A test clock waits for the same kinds: both are of workflows that sleep until a day of their object. */
const looks: Readonly<Record<AwaitedName, Looking>> = {
  order: firstLookAtOrder,
  dunning: firstLookAtDunning,
  paymentPlan: firstLookAtPlan,
};

export const firstLookAt: FirstLookAt = async (dependencies, tx, beginning, { kind, objectId }) => {
  if (objectId === null || !isLookedAt(kind)) return null;
  return looks[kind](dependencies, tx, beginning, objectId);
};

function isLookedAt(kind: WorkflowKind): kind is AwaitedName {
  return Object.hasOwn(looks, kind);
}
