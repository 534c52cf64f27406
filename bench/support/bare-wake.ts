/** The engine's own rate on this machine: wakes per second of workflows that do next to nothing. */
import { join } from 'node:path';
import { Connection, WorkflowClient } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { inLanes } from '../../operations/context/lanes.ts';
import { bareFollower, wake } from '../wake/workflow.ts';
import { median } from './median.ts';
import type { BenchSystem } from './system.ts';

const taskQueue = 'bare-wake';
const SIGNALS_AT_ONCE = 16;
const WARMUPS = 1;
const ROUNDS = 3;

/** The median of three rounds in which all of this many cached workflows wake once. */
export async function bareWakesPerSecond(system: BenchSystem, count: number): Promise<number> {
  const { temporalAddress: address, temporalNamespace: namespace } = system;
  const logger = new DefaultLogger('WARN');
  Runtime.install({ logger });
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await Connection.connect({ address });
  const client = new WorkflowClient({ connection: clientConnection, namespace });
  let looks = 0;
  let seen = Promise.withResolvers<void>();
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: join(import.meta.dirname, '../wake/workflow.ts'),
      logger,
    }),
    activities: {
      async look(): Promise<number> {
        looks += 1;
        if (looks % count === 0) seen.resolve();
        return Date.now();
      },
    },
    maxCachedWorkflows: count,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentLocalActivityExecutions: 40,
  });
  const ids = Array.from({ length: count }, (_, index) => `bare-wake/${index}`);
  const wakeOne = (workflowId: string) =>
    client.signalWithStart(bareFollower, {
      workflowId,
      taskQueue,
      args: [WARMUPS + ROUNDS],
      signal: wake,
      signalArgs: [],
    });
  const rates = await worker.runUntil(async () => {
    const measured: number[] = [];
    for (let round = 1; round <= WARMUPS + ROUNDS; round += 1) {
      seen = Promise.withResolvers<void>();
      const began = performance.now();
      await inLanes(ids, wakeOne, { lanes: SIGNALS_AT_ONCE });
      await seen.promise;
      measured.push(count / ((performance.now() - began) / 1000));
    }
    return measured.slice(WARMUPS);
  });
  await connection.close();
  await clientConnection.close();
  return median(rates);
}
