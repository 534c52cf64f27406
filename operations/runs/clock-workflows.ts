/** Lets the workflows that a test clock awaits see the instant reached, and waits until they have. */
import { setTimeout as sleep } from 'node:timers/promises';
import { objectsBehind, stillBehind } from '../../db/queries/runs/workflows-seen.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { nudgeObjects } from '../outbox/deliver.ts';
import type { Engine } from '../outbox/engine.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { awaitedKinds, type AwaitedKind } from '../context/kinds.ts';

/** More than these would drive each other out of the workers' caches. */
const FOLLOWERS_AT_ONCE_MAX = 500;
const LOOK_MS_MIN = 20;
const LOOK_MS_MAX = 1_000;
/** To look more often at many would cost the engine what it follows with. */
const LOOK_MS_MANY = 100;
const MANY = 50;

interface CatchUpOptions {
  readonly mayGoOn: () => boolean;
}

/** Kind after kind; answers with how many of one were still behind when it had to stop. */
export async function catchUpWorkflows(
  dependencies: Dependencies,
  engine: Engine,
  tenant: TenantInfo,
  options: CatchUpOptions,
): Promise<number> {
  for (const kind of awaitedKinds) {
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
  { mayGoOn }: CatchUpOptions,
): Promise<number> {
  const ask = <Result>(query: (tx: Tx) => Promise<Result>) =>
    inTenant(dependencies.db, tenant.id, query, { readOnly: true });
  let awaited: number[] = [];
  let after = 0;
  let lookMs = LOOK_MS_MIN;
  for (;;) {
    const limit = FOLLOWERS_AT_ONCE_MAX - awaited.length;
    const range = { after, limit };
    const more = limit > 0 ? await ask((tx) => objectsBehind(tx, kind, range)) : [];
    if (more.length > 0) {
      await nudgeObjects(dependencies, engine, tenant, kind.name, more);
      after = more.at(-1) ?? after;
      awaited.push(...more);
    }
    if (awaited.length === 0) return 0;
    // The next slice nudges again: so one that was lost with its server is not waited for in vain.
    if (!mayGoOn()) return awaited.length;
    await sleep(lookMs);
    const behind = await ask((tx) => stillBehind(tx, kind, awaited));
    const soonest = behind.length > MANY ? LOOK_MS_MANY : LOOK_MS_MIN;
    lookMs = behind.length < awaited.length ? soonest : Math.min(lookMs * 1.5, LOOK_MS_MAX);
    awaited = behind;
  }
}
