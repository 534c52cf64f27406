/**
 * Delivers the outbox rows of all tenants that their writers did not deliver, after a crash for
 * example.
 */
import type { Database } from '../../db/connection/database.ts';
import { claimOverdue } from '../../db/queries/outbox/outbox.ts';
import { deliver } from './deliver.ts';
import type { Engine } from './engine.ts';
import type { Dependencies } from '../context/context.ts';
import { startLoop, type Loop } from '../context/loop.ts';

/** With one pass a second this is the rate of mass deliveries; it protects the engine. */
const PASS_ROWS_MAX = 100;
const PASS_MS = 1_000;
/** The longest pause between passes while the engine does not answer. */
const PAUSE_MS_MAX = 5_000;

export interface RelayOptions {
  readonly dependencies: Dependencies;
  /**
   * A connection with the role sundial_relay, which sees every tenant's outbox and nothing else.
   */
  readonly relayDb: Database;
  readonly engine: Engine;
  readonly onError: (error: unknown) => void;
}

export function startRelay(options: RelayOptions): Loop {
  let pauseMs = PASS_MS;
  return startLoop(async () => {
    const began = performance.now();
    let reached = true;
    try {
      reached = await relayPass(options);
    } catch (error) {
      // Usually the database is down: the next pass tries again.
      reached = false;
      options.onError(error);
    }
    pauseMs = reached ? PASS_MS : Math.min(pauseMs * 2, PAUSE_MS_MAX);
    return Math.max(0, pauseMs - (performance.now() - began));
  });
}

/** False if the engine did not answer. */
export async function relayPass(options: RelayOptions): Promise<boolean> {
  const { dependencies, relayDb, engine } = options;
  const rows = await claimOverdue(relayDb.pool, PASS_ROWS_MAX);
  const byTenant = Map.groupBy(rows, (row) => row.tenantId);
  const results = await Promise.allSettled(
    [...byTenant].map(([tenantId, ofTenant]) =>
      deliver(
        dependencies,
        engine,
        tenantId,
        ofTenant.map((row) => row.workflowId),
      ),
    ),
  );
  let reached = true;
  for (const result of results) {
    if (result.status === 'rejected') options.onError(result.reason);
    else if (result.value.unreachable) reached = false;
  }
  return reached;
}
