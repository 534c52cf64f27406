/** Lets the workflows of a test clock's orders see the instant reached, and waits until they have. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ordersBehind, stillBehind } from '../../db/queries/runs/test-clock.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { nudgeOrders } from '../outbox/deliver.ts';
import type { Engine } from '../outbox/engine.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';

/** More than these would drive each other out of the workers' caches. */
const FOLLOWERS_AT_ONCE_MAX = 500;
const LOOK_MS_MIN = 20;
const LOOK_MS_MAX = 1_000;
/** To look more often at many would cost the engine what it follows with. */
const LOOK_MS_MANY = 100;
const MANY = 50;

/** Answers with how many were still behind when it had to stop. */
export async function catchUpWorkflows(
  dependencies: Dependencies,
  engine: Engine,
  tenant: TenantInfo,
  options: { readonly mayGoOn: () => boolean },
): Promise<number> {
  const ask = <Result>(query: (tx: Parameters<typeof stillBehind>[0]) => Promise<Result>) =>
    inTenant(dependencies.db, tenant.id, query, { readOnly: true });
  let awaited: number[] = [];
  let last = 0;
  let lookMs = LOOK_MS_MIN;
  for (;;) {
    const room = FOLLOWERS_AT_ONCE_MAX - awaited.length;
    const more = room > 0 ? await ask((tx) => ordersBehind(tx, last, room)) : [];
    if (more.length > 0) {
      await nudgeOrders(dependencies, engine, tenant, more);
      last = more.at(-1) ?? last;
      awaited.push(...more);
    }
    if (awaited.length === 0) return 0;
    // The next slice nudges again: so one that was lost with its server is not waited for in vain.
    if (!options.mayGoOn()) return awaited.length;
    await sleep(lookMs);
    const behind = await ask((tx) => stillBehind(tx, awaited));
    const soonest = behind.length > MANY ? LOOK_MS_MANY : LOOK_MS_MIN;
    lookMs = behind.length < awaited.length ? soonest : Math.min(lookMs * 1.5, LOOK_MS_MAX);
    awaited = behind;
  }
}
