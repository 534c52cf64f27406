/**
 * Builds of the workflows: Temporal gives tasks to workers of the current build of the installation's
 * worker deployment, which is named after its task queue, and those of pinned workflows to the build
 * that began them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Dependencies } from '../context/context.ts';
import { startLoop, type Loop } from '../context/loop.ts';
import { engineFaultOf, grpcCodes } from '../../providers/temporal/connect.ts';
import type { Engine } from '../outbox/engine.ts';
import { listedRuns, whileBusy, type Run } from '../outbox/running-workflows.ts';
import { livingBuilds } from './heartbeat.ts';

const ANSWER_LIMIT_MS = 10_000;
/** Temporal tells each of the queues before it answers. */
const CURRENT_LIMIT_MS = 30_000;
/** A build that has just begun is made current once Temporal has seen it at each of its queues. */
const CURRENT_TRIES = 100;
const CURRENT_PAUSE_MS = 200;
/** How long tasks wait for a build that nobody made current, once no worker of the last one lives. */
const PASS_MS = 10_000;

/** What Temporal refuses while the workers of a build are yet to be seen. */
const notYet: readonly number[] = [
  grpcCodes.notFound,
  grpcCodes.failedPrecondition,
  grpcCodes.resourceExhausted,
  grpcCodes.aborted,
  // Temporal may have done it: then the next answer comes at once.
  grpcCodes.deadlineExceeded,
];

export interface Build {
  /** Null stands for workers of releases before there were builds. */
  readonly buildId: string | null;
  readonly isCurrent: boolean;
  /** Its workers that live. */
  readonly workers: number;
  /** The workflows that only its workers carry on. */
  readonly pinned: number;
}

type Place = Pick<Dependencies, 'db'> & { readonly engine: Engine };

/** The current one first. */
export async function buildsOf({ db, engine }: Place): Promise<readonly Build[]> {
  const { current, known } = await deploymentOf(engine);
  const living = await livingBuilds(db.pool);
  const ids = new Set([current, ...known, ...living.keys()]);
  return Promise.all(
    [...ids].map(async (buildId) => ({
      buildId,
      isCurrent: buildId === current,
      workers: living.get(buildId) ?? 0,
      pinned: buildId === null ? 0 : (await pinnedTo(engine, buildId)).length,
    })),
  );
}

interface Deployment {
  /** Null: workers of releases before there were builds have the tasks. */
  readonly current: string | null;
  readonly known: readonly string[];
}

async function deploymentOf({ client, taskQueue }: Engine): Promise<Deployment> {
  const { namespace } = client.options;
  try {
    // It answers one of several who ask at once.
    const { workerDeploymentInfo: info } = await whileBusy(() =>
      client.withDeadline(Date.now() + ANSWER_LIMIT_MS, () =>
        client.connection.workflowService.describeWorkerDeployment({
          namespace,
          deploymentName: taskQueue,
        }),
      ),
    );
    const known = (info?.versionSummaries ?? []).flatMap(
      ({ deploymentVersion }) => deploymentVersion?.buildId ?? [],
    );
    return { current: info?.routingConfig?.currentDeploymentVersion?.buildId || null, known };
  } catch (error) {
    if (engineFaultOf(error)?.code !== grpcCodes.notFound) throw error;
    return { current: null, known: [] };
  }
}

/**
 * All tasks but those of pinned workflows go to the workers of a build from now on.
 *
 * @param buildId null: to workers of releases before there were builds
 */
export async function makeCurrent(
  engine: Engine,
  buildId: string | null,
  signal?: AbortSignal,
): Promise<void> {
  const { client, taskQueue } = engine;
  const { namespace, identity } = client.options;
  const request = {
    namespace,
    identity,
    deploymentName: taskQueue,
    buildId: buildId ?? '',
    // Each worker has all queues, and Temporal sees the last of them soon. To wait for it takes ten seconds.
    ignoreMissingTaskQueues: true,
  };
  for (let tries = 1; ; tries += 1) {
    try {
      await client.withDeadline(Date.now() + CURRENT_LIMIT_MS, () =>
        client.connection.workflowService.setWorkerDeploymentCurrentVersion(request),
      );
      return;
    } catch (error) {
      const { code = -1 } = engineFaultOf(error) ?? {};
      if (tries >= CURRENT_TRIES || !notYet.includes(code)) throw error;
    }
    await sleep(CURRENT_PAUSE_MS, undefined, { signal });
  }
}

export interface TakeOverOptions {
  readonly dependencies: Dependencies;
  readonly engine: Engine;
  readonly buildId: string;
  /** No other worker has work: the build is made current at once. */
  readonly isAlone: boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Nobody has to make a build current: a worker does it once no worker of the current one lives. What
 * was pinned to a build whose workers are gone is ended, and supervision begins it again.
 */
export function startTakeOver(options: TakeOverOptions): Loop {
  let { isAlone } = options;
  return startLoop(async (signal) => {
    try {
      await takeOverPass({ ...options, isAlone }, signal);
      isAlone = false;
    } catch (error) {
      if (!signal.aborted) options.onError(error);
    }
    return PASS_MS;
  });
}

/** One look; for a test without the loop. */
export async function takeOverPass(
  { dependencies, engine, buildId, isAlone }: Omit<TakeOverOptions, 'onError'>,
  signal?: AbortSignal,
): Promise<void> {
  const { current, known } = await deploymentOf(engine);
  const living = await livingBuilds(dependencies.db.pool);
  if (current !== buildId) {
    if (!isAlone && living.has(current)) return;
    await makeCurrent(engine, buildId, signal);
    dependencies.onWork?.({ work: 'build', buildId, before: current });
  }
  for (const other of known) {
    if (other !== buildId && !living.has(other)) await endPinned(engine, other);
  }
}

async function endPinned(engine: Engine, buildId: string): Promise<void> {
  for (const { workflowId, runId } of await pinnedTo(engine, buildId)) {
    try {
      const handle = engine.client.getHandle(workflowId, runId);
      await handle.terminate(`no worker of its build ${buildId} runs: it begins again`);
    } catch (error) {
      // It has ended, or another worker was first.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

async function pinnedTo(engine: Engine, buildId: string): Promise<readonly Run[]> {
  const query =
    `TemporalWorkerDeploymentVersion = '${engine.taskQueue}:${buildId}' ` +
    `and TemporalWorkflowVersioningBehavior = 'Pinned' and ExecutionStatus = 'Running'`;
  const pinned: Run[] = [];
  for await (const page of listedRuns(engine, query)) pinned.push(...page);
  return pinned;
}
