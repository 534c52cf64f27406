/** Wakes the workflows that a test clock awaits, and waits until they have seen the instant. */
import { setTimeout as sleep } from 'node:timers/promises';
import { objectsBehind, stillBehind } from '../../db/queries/clock/workflows-seen.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { nudgeObjects } from '../outbox/deliver.ts';
import type { Engine } from '../outbox/engine.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { AwaitedKind } from '../context/kinds.ts';
import { awaitedWorkflows } from '../due/due.ts';

/** More would evict each other from the workers' caches. */
const WAKES_AT_ONCE_MAX = 500;
const LOOK_MS_MIN = 20;
const LOOK_MS_MAX = 1_000;
/** Polling many workflows more often would slow down the engine. */
const LOOK_MS_MANY = 100;
const MANY = 50;

interface CatchUpOptions {
  readonly mayContinue: () => boolean;
}

/** Kind by kind; returns how many of one were still behind if it had to stop. */
export async function catchUpWorkflows(
  dependencies: Dependencies,
  engine: Engine,
  tenant: TenantInfo,
  options: CatchUpOptions,
): Promise<number> {
  for (const kind of awaitedWorkflows) {
    const behind = await catchUp({ dependencies, engine, tenant }, kind, options);
    if (behind > 0) return behind;
  }
  return 0;
}

interface Place {
  readonly dependencies: Dependencies;
  readonly engine: Engine;
  readonly tenant: TenantInfo;
}

async function catchUp(
  { dependencies, engine, tenant }: Place,
  kind: AwaitedKind,
  { mayContinue }: CatchUpOptions,
): Promise<number> {
  const ask = <Result>(query: (tx: Tx) => Promise<Result>) =>
    inTenant(dependencies.db, tenant.id, query, { readOnly: true });
  let awaited: number[] = [];
  let after = 0;
  let lookMs = LOOK_MS_MIN;
  for (;;) {
    const limit = WAKES_AT_ONCE_MAX - awaited.length;
    const range = { after, limit };
    const more = limit > 0 ? await ask((tx) => objectsBehind(tx, kind, range)) : [];
    if (more.length > 0) {
      await nudgeObjects(dependencies, engine, tenant, kind.name, more);
      after = more.at(-1) ?? after;
      awaited.push(...more);
    }
    if (awaited.length === 0) return 0;
    // The next slice nudges again, so a nudge that a crashed server lost does not block the clock.
    if (!mayContinue()) return awaited.length;
    await sleep(lookMs);
    const behind = await ask((tx) => stillBehind(tx, kind, awaited));
    const soonest = behind.length > MANY ? LOOK_MS_MANY : LOOK_MS_MIN;
    lookMs = behind.length < awaited.length ? soonest : Math.min(lookMs * 1.5, LOOK_MS_MAX);
    awaited = behind;
  }
}
