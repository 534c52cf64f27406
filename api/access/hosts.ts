/**
 * The tenant of a host's label. Who is found is kept for some seconds; who is not is asked for
 * again each time, so that a tenant answers as soon as it is applied, but never by more than one
 * statement at a time, however many unknown hosts are called.
 */
import { tenantIdsOf, tenantInfo } from '../../operations/context/context.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import { createTimedCache } from '../../operations/context/timed-cache.ts';
import type { FindTenant } from '../http/middleware/tenant.ts';

const TENANT_ID_MS = 5_000;
const TENANTS_KEPT_MAX = 10_000;
const LABELS_ASKED_MAX = 1_000;
/** Its own lane: tenants whose ids are known do not wait behind it. */
const HOSTS = 'hosts';

/** Labels that are found are looked up once in a few seconds; their settings as operations do. */
export function tenantFinder(dependencies: Dependencies): FindTenant {
  const { realNow: clock } = dependencies;
  const ids = createTimedCache<string, number>({ clock, entriesMax: TENANTS_KEPT_MAX });
  const lookUp = batched((labels) => tenantIdsOf(dependencies.db, labels, HOSTS), LABELS_ASKED_MAX);
  return async (label) => {
    const known = ids.get(label);
    if (known !== undefined) return tenantInfo(dependencies, known);
    const id = await lookUp(label);
    if (id === undefined) return undefined;
    ids.set(label, id, { forMs: TENANT_ID_MS });
    return tenantInfo(dependencies, id);
  };
}

/**
 * Asks for one after the other batch: whoever comes while one is under way is in the next, so that
 * each answer is of a question that was put after its caller came.
 */
export function batched<Answer>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
  keysMax: number,
): (key: string) => Promise<Answer | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<Answer | undefined>>();
  let isAsking = false;

  async function askAll(): Promise<void> {
    isAsking = true;
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, keysMax);
      for (const [key] of batch) waiting.delete(key);
      try {
        const answers = await ask(batch.map(([key]) => key));
        for (const [key, { resolve }] of batch) resolve(answers.get(key));
      } catch (error) {
        for (const [, { reject }] of batch) reject(error);
      }
    }
    isAsking = false;
  }

  return (key) => {
    const entry = waiting.get(key) ?? Promise.withResolvers<Answer | undefined>();
    waiting.set(key, entry);
    if (!isAsking) void askAll();
    return entry.promise;
  };
}
