/** Asks gateways to remove the methods of erased customers, until each of them is removed. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  noteRemoved,
  type Removal,
  takeRemovals,
  tenantsToRemove,
} from '../../db/queries/payments/removals.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import type { Dependencies } from '../context/context.ts';
import { eachTenant } from '../context/lanes.ts';
import { type Loop, patient, startLoop } from '../context/loop.ts';

const PASS_MS = 5_000;
/** A gateway that has not removed a method is asked again so much later. */
export const AGAIN_MINUTES = 10;
/** The methods of one turn of a tenant. */
const REMOVALS_MAX = 20;

export interface RemovalOptions {
  readonly dependencies: Pick<Dependencies, 'db'>;
  /** A connection with the role sundial_relay, which sees the tenants with something to remove. */
  readonly relayDb: Database;
  readonly gateways: Pick<Gateways, 'named'>;
  readonly onError: (error: unknown) => void;
}

export function startRemovals(options: RemovalOptions): Loop {
  const { onError } = options;
  return startLoop(
    patient({ passMs: PASS_MS, onError }, (signal) => removalsPass(options, signal)),
  );
}

/** Gives each tenant with something to remove one turn. True if one may have more. */
export async function removalsPass(
  options: RemovalOptions,
  signal?: AbortSignal,
): Promise<boolean> {
  let hasMore = false;
  const { relayDb, onError } = options;
  const remove = async (tenantId: number): Promise<void> => {
    if ((await removeOfTenant(options, tenantId)) === REMOVALS_MAX) hasMore = true;
  };
  await eachTenant(await tenantsToRemove(relayDb), remove, { signal, onError });
  return hasMore;
}

/** A failure of one is reported, and does not stop the others. */
async function removeOfTenant(options: RemovalOptions, tenantId: number): Promise<number> {
  const { db } = options.dependencies;
  const taken = await inTenant(db, tenantId, (tx) =>
    takeRemovals(tx, { limit: REMOVALS_MAX, againMinutes: AGAIN_MINUTES }),
  );
  for (const each of taken) await removeOne(options, tenantId, each).catch(options.onError);
  return taken.length;
}

/** Removing it a second time changes nothing, so a process may die before the note. */
async function removeOne(
  { dependencies: { db }, gateways }: RemovalOptions,
  tenantId: number,
  { id, gateway: name, token, isShared }: Removal,
): Promise<void> {
  if (!isShared) {
    const gateway = await gateways.named(tenantId, name);
    await gateway.remove({ token });
  }
  await inTenant(db, tenantId, async (tx) => noteRemoved(tx, id));
}
