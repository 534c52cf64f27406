/** The way to the workflow engine, which may be down at any time, also now. */
import { Connection, WorkflowClient } from '@temporalio/client';

export interface Engine {
  readonly client: WorkflowClient;
  readonly taskQueue: string;
}

export interface EngineOptions {
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  /** Shows in the histories as who started or nudged. */
  readonly identity: string;
}

export interface OpenEngine extends Engine {
  readonly close: () => Promise<void>;
}

/** By default a channel waits for up to two minutes before it looks for a lost server again. */
const RECONNECT_MS_MAX = 2_000;

/** Connects when it is first used. */
export function openEngine(options: EngineOptions): OpenEngine {
  const connection = Connection.lazy({
    address: options.address,
    // Without retries, which outlast deadlines and the connection itself: what fails is delivered
    // again from its row.
    interceptors: [],
    channelArgs: { 'grpc.max_reconnect_backoff_ms': RECONNECT_MS_MAX },
  });
  const { namespace, identity, taskQueue } = options;
  const client = new WorkflowClient({ connection, namespace, identity });
  return { client, taskQueue, close: () => connection.close() };
}
