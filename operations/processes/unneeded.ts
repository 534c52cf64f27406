/** Ends workflows that no row needs: at first by a nudge, upon which they see it themselves. */
import { tenantIdKey } from '../../workflows/contract/contract.ts';
import { inLanes } from '../context/lanes.ts';
import { startAgain } from '../outbox/deliver.ts';
import { namedRuns, unneededAmong, type NamedRun, type Place } from '../outbox/reconcile.ts';
import { listedRuns, newestRun } from '../outbox/running-workflows.ts';

const AT_ONCE_MAX = 8;
const REASON = 'ended by supervision: no row needs it, and it does not end by itself';

/** All of a tenant; some may be about to end. */
export async function unneededOf(place: Place): Promise<readonly NamedRun[]> {
  const { engine, tenant } = place;
  let unneeded: readonly NamedRun[] = [];
  const query = `${tenantIdKey.name} = '${tenant.id}' and ExecutionStatus = 'Running'`;
  for await (const page of listedRuns(engine, query)) {
    // Another installation may have a tenant of the same id.
    const runs = namedRuns(page).filter(({ label }) => label === tenant.label);
    unneeded = [...unneeded, ...(await unneededAmong(place, runs))];
  }
  return unneeded;
}

/** Returns those that are nudged: the first of those that run indeed. */
export async function nudgeUnneeded(
  place: Place,
  runs: readonly NamedRun[],
  limit: number,
): Promise<readonly NamedRun[]> {
  const running = (await stillRunning(place, runs)).slice(0, limit);
  const { dependencies, engine, tenant } = place;
  const nudges = running.map(({ kind, objectId }) => ({ kind, objectId, note: null }));
  if (nudges.length > 0) await startAgain(dependencies, engine, tenant, nudges);
  return running;
}

/** Terminates those that still run and that still no row needs; returns them. */
export async function endAgain(
  place: Place,
  runs: readonly NamedRun[],
  reason = REASON,
): Promise<readonly NamedRun[]> {
  const { dependencies, engine, tenant } = place;
  const ended = await stillRunning(place, await unneededAmong(place, runs));
  for (const { workflowId, runId } of ended) {
    await engine.client.getHandle(workflowId, runId).terminate(reason);
    dependencies.onWork?.({ work: 'unneeded', tenant: tenant.label, workflowId });
  }
  return ended;
}

/** Those that run indeed: the engine's list lags behind. */
export async function stillRunning(
  { engine }: Place,
  runs: readonly NamedRun[],
): Promise<readonly NamedRun[]> {
  const running: NamedRun[] = [];
  const ask = async (run: NamedRun): Promise<void> => {
    const newest = await newestRun(engine, run.workflowId);
    if (newest?.status === 'RUNNING') running.push({ ...run, runId: newest.runId });
  };
  await inLanes(runs, ask, { lanes: AT_ONCE_MAX });
  return running;
}
