/** The first looks at objects, by their kind. */
import type { FirstLookAt } from '../outbox/engine.ts';
import { firstLookAtDunning } from '../dunning/wake.ts';
import { firstLookAtOrder } from '../orders/wake.ts';
import { firstLookAtPlan } from '../payment-plans/wake.ts';

/** A workflow of another kind has something to do from its start. */
export const firstLookAt: FirstLookAt = async (dependencies, tx, beginning, { kind, objectId }) => {
  if (objectId === null) return null;
  if (kind === 'order') return firstLookAtOrder(dependencies, tx, beginning, objectId);
  if (kind === 'dunning') return firstLookAtDunning(dependencies, tx, beginning, objectId);
  if (kind === 'paymentPlan') return firstLookAtPlan(dependencies, tx, beginning, objectId);
  return null;
};
