/**
 * Supervises the workflows of the installation, in one process at a time: what was ended and is
 * needed by rows is started again within a minute; each hour, and when a process begins to
 * supervise, all rows are compared with the engine, both ways.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/connection/database.ts';
import { allTenantIds } from '../../db/queries/outbox/missing-workflows.ts';
import {
  endSupervision,
  holdSupervision,
  keepFigures,
  readSupervision,
} from '../../db/queries/processes/supervision.ts';
import { tenantIdsOf, tenantInfo, type Dependencies } from '../context/context.ts';
import { startLoop, type Loop } from '../context/loop.ts';
import { engineFaultOf, grpcCodes } from '../../providers/temporal/connect.ts';
import type { Engine } from '../outbox/engine.ts';
import {
  comparedOf,
  missingOf,
  namedRuns,
  restart,
  unneededAmong,
  type Missing,
  type NamedRun,
  type Place,
} from '../outbox/reconcile.ts';
import { listedRuns, ofThisInstallation, type Run } from '../outbox/running-workflows.ts';
import { raiseMark } from './engine-generation.ts';
import { endAgain, nudgeUnneeded } from './unneeded.ts';
import { beginSweep, countsOf, figuresOf, newWatch, type Watch } from './watch.ts';

const PASS_MS = 20_000;
/** A process that dies is replaced after this time. */
export const LEASE_SECONDS = 60;
const SWEEP_EVERY_MS = 3_600_000;
/** What ended is looked at in slices, so that an outage of days is caught up step by step. */
const SLICE_MS = 3_600_000;
/** The engine's list lags behind, and its clock may differ from the database's. */
const OVERLAP_MS = 120_000;
/** A restore from a backup that is no older than two marks is not noticed before the next sweep. */
const MARK_EVERY_MS = 60_000;
/** A sweep works for a tenth of its time. */
const REST_FACTOR = 9;
const REST_MS_MAX = 5_000;
/** At most 100 workflows a second are started again. */
const RESTART_MS = 10;

export interface SupervisionOptions {
  readonly dependencies: Dependencies;
  /** A connection with the role sundial_relay, which sees all tenants. */
  readonly relayDb: Database;
  readonly engine: Engine;
  readonly onError: (error: unknown) => void;
  /** Whether a sweep rests, so that it costs others nothing; true by default. */
  readonly isPaced?: boolean;
}

export function startSupervision(options: SupervisionOptions): Loop {
  const watch = newWatch(randomUUID());
  const loop = startLoop(async (signal) => {
    await supervisionPass(options, watch, signal).catch(options.onError);
    return PASS_MS;
  });
  return {
    async stop() {
      await loop.stop();
      await endSupervision(options.dependencies.db.pool, watch.holder).catch(options.onError);
    },
  };
}

interface Round {
  readonly options: SupervisionOptions;
  readonly watch: Watch;
  readonly signal: AbortSignal | undefined;
}

/** Another process has the turn now. */
class TurnLostError extends Error {}

/** Looks at what has ended; once an hour, and at first, it sweeps. */
export async function supervisionPass(
  options: SupervisionOptions,
  watch: Watch,
  signal?: AbortSignal,
): Promise<void> {
  const round = { options, watch, signal };
  try {
    const now = await look(round);
    if (watch.sweptAt !== null && now - watch.sweptAt < SWEEP_EVERY_MS) return;
    if (await sweep(round, now)) watch.sweptAt = now;
  } catch (error) {
    if (!(error instanceof TurnLostError)) throw error;
    Object.assign(watch, newWatch(watch.holder));
  }
}

/** Keeps the turn, and does what cannot wait for the sweep. Returns the database's time. */
async function look({ options, watch, signal }: Round): Promise<number> {
  const { pool } = options.dependencies.db;
  const held = await holdSupervision(pool, watch.holder, LEASE_SECONDS);
  if (held === null) throw new TurnLostError();
  watch.lookedAtMs = performance.now();
  watch.kinds ??= new Map(Object.entries((await readSupervision(pool))?.figures?.kinds ?? {}));
  await lookAtEngine({ options, watch, signal });
  await lookAtEndings({ options, watch, signal }, held);
  await endUnneeded({ options, watch, signal });
  return held;
}

/** An engine that was restored from a backup lacks what has begun since: a sweep finds it. */
async function lookAtEngine({ options, watch }: Round): Promise<void> {
  const { dependencies, engine, onError } = options;
  if (performance.now() - watch.markedAtMs < MARK_EVERY_MS) return;
  try {
    if (await raiseMark(dependencies, engine)) watch.sweptAt = null;
    watch.markedAtMs = performance.now();
  } catch (error) {
    if (engineFaultOf(error)?.code === grpcCodes.unavailable) throw error;
    // An engine may refuse to keep a mark, which is needed for nothing else.
    watch.markedAtMs = performance.now();
    onError(error);
  }
}

/** Starts again what was terminated, cancelled or has failed since the last look, an hour at most. */
async function lookAtEndings(round: Round, now: number): Promise<void> {
  const { options, watch, signal } = round;
  const from = watch.endingsUntil ?? now;
  const until = Math.min(now, from + SLICE_MS);
  const query =
    `${ofThisInstallation(options.engine)} ` +
    `and ExecutionStatus in ('Terminated', 'Canceled', 'Failed', 'TimedOut') ` +
    `and CloseTime >= '${instant(from - OVERLAP_MS)}' and CloseTime <= '${instant(until)}'`;
  await startEnded(round, watch.starts.due());
  for await (const page of listedRuns(options.engine, query)) {
    if (signal?.aborted) return;
    await startEnded(
      round,
      page.map(({ workflowId }) => workflowId),
    );
  }
  watch.endingsUntil = until;
}

const instant = (ms: number): string => new Date(ms).toISOString();

async function startEnded(round: Round, workflowIds: readonly string[]): Promise<void> {
  const ids = [...new Set(workflowIds)].filter((id) => round.watch.starts.may(id));
  let restarted = 0;
  await eachPlace(
    round,
    ids.map((workflowId) => ({ workflowId, runId: '' })),
    async (place, runs) => {
      restarted += await startMissing(round, place, await missingOf(place, runs));
    },
  );
  await rest(round, restarted * RESTART_MS);
}

async function startMissing(
  { watch }: Round,
  place: Place,
  missing: readonly Missing[],
): Promise<number> {
  const ready = missing.filter(({ workflowId }) => watch.starts.may(workflowId));
  const refused = await restart(place, ready);
  for (const workflowId of refused) watch.starts.wait(workflowId);
  const started = ready.filter(({ workflowId }) => !refused.has(workflowId));
  for (const { workflowId, kind } of started) {
    watch.starts.note(workflowId);
    countsOf(watch, kind).restarted += 1;
  }
  return started.length;
}

/** Ends what was nudged a while ago and runs still, although no row needs it. */
async function endUnneeded(round: Round): Promise<void> {
  const { watch } = round;
  await eachPlace(round, watch.nudged.due(), async (place, runs) => {
    for (const { kind } of await endAgain(place, runs)) countsOf(watch, kind).ended += 1;
    // A row may have come to need one meanwhile, and its nudge may have gone to the run that ended.
    await startMissing(round, place, await missingOf(place, runs));
  });
}

/** Compares all rows with the engine, and all that runs with the rows. False if it was broken off. */
async function sweep(round: Round, now: number): Promise<boolean> {
  const { options, watch, signal } = round;
  const { dependencies, relayDb, engine } = options;
  const began = performance.now();
  beginSweep(watch);
  const tenantIds = await allTenantIds(relayDb.pool);
  for (const tenantId of tenantIds) {
    await heldAlone(round, async () => {
      const tenant = await tenantInfo(dependencies, tenantId);
      await sweepRows(round, { dependencies, engine, tenant });
    });
  }
  const query = `${ofThisInstallation(engine)} and ExecutionStatus = 'Running'`;
  let stepBegan = performance.now();
  for await (const page of listedRuns(engine, query)) {
    if (signal?.aborted) return false;
    watch.unknown += await eachPlace(round, page, async (place, runs) => {
      const unneeded = await unneededAmong(place, runs);
      for (const { kind } of unneeded) countsOf(watch, kind).unneeded += 1;
      watch.nudged.note(await nudgeUnneeded(place, unneeded, watch.nudged.left()));
    });
    await between(round, stepBegan);
    stepBegan = performance.now();
  }
  if (signal?.aborted) return false;
  const milliseconds = Math.round(performance.now() - began);
  const swept = { sweptAt: instant(now + milliseconds), tenants: tenantIds.length, milliseconds };
  const figures = figuresOf(watch, swept);
  await keepFigures(dependencies.db.pool, watch.holder, figures);
  return true;
}

async function sweepRows(round: Round, place: Place): Promise<void> {
  const { watch, signal } = round;
  let stepBegan = performance.now();
  for await (const { kind, needed, missing } of comparedOf(place)) {
    if (signal?.aborted) return;
    const counts = countsOf(watch, kind);
    counts.needed += needed;
    counts.missing += missing.length;
    const restarted = await startMissing(round, place, missing);
    await between(round, stepBegan, restarted);
    stepBegan = performance.now();
  }
}

/** Rests after a step of a sweep, and looks in between at what cannot wait. */
async function between(round: Round, stepBegan: number, restarted = 0): Promise<void> {
  const now = performance.now();
  const restMs = Math.max((now - stepBegan) * REST_FACTOR, restarted * RESTART_MS);
  await rest(round, Math.min(restMs, REST_MS_MAX));
  if (now - round.watch.lookedAtMs > PASS_MS) await look(round);
}

async function rest({ options, signal }: Round, ms: number): Promise<void> {
  if (options.isPaced === false || ms === 0) return;
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Hands over the runs of each tenant; returns how many are of tenants that are not here. */
async function eachPlace(
  round: Round,
  runs: readonly Run[],
  work: (place: Place, runs: readonly NamedRun[]) => Promise<void>,
): Promise<number> {
  if (runs.length === 0) return 0;
  const { dependencies, engine } = round.options;
  const byLabel = Map.groupBy(namedRuns(runs), ({ label }) => label);
  const ids = await tenantIdsOf(dependencies.db, [...byLabel.keys()]);
  let unknown = 0;
  for (const [label, own] of byLabel) {
    const tenantId = ids.get(label);
    if (tenantId === undefined) {
      unknown += own.length;
      continue;
    }
    await heldAlone(round, async () => {
      const tenant = await tenantInfo(dependencies, tenantId);
      await work({ dependencies, engine, tenant }, own);
    });
  }
  return unknown;
}

/** A tenant that cannot be compared is reported, and stops no other; an engine that is away, all. */
async function heldAlone({ options, watch, signal }: Round, work: () => Promise<void>) {
  if (signal?.aborted) return;
  try {
    await work();
  } catch (error) {
    if (error instanceof TurnLostError || engineFaultOf(error) !== null) throw error;
    watch.failed += 1;
    options.onError(error);
  }
}
