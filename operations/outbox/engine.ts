/** The connection to the workflow engine, which may be down at any time, even at start. */
import type { WorkflowClient, WorkflowClientInterceptor } from '@temporalio/client';
import type { Tx } from '../../db/connection/tenancy.ts';
import {
  connectLazily,
  type TemporalNamespace,
  workflowClient,
} from '../../providers/temporal/connect.ts';
import { defaultTaskQueue } from '../../workflows/contract/contract.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { Nudge } from '../context/nudge.ts';
import type { FirstLook } from '../workflow-kinds/description.ts';
import type { WakePace } from './wake-pace.ts';

export interface Engine {
  readonly client: WorkflowClient;
  readonly taskQueue: string;
  /** Without it every workflow begins at once. */
  readonly firstLookAt?: FirstLookAt | undefined;
}

/**
 * Looks at an object before a delivery that may make its workflow. Null if the workflow is to begin
 * at once. It reads objects of subjects that come after the outbox, so the entry points provide it.
 */
export type FirstLookAt = (
  dependencies: Dependencies,
  tx: Tx,
  beginning: { readonly tenant: TenantInfo; readonly pace: WakePace },
  nudge: Nudge,
) => Promise<FirstLook | null>;

export interface EngineOptions extends TemporalNamespace {
  /** That of all workers by default. */
  readonly taskQueue?: string;
  /** The identity that histories show for starts and nudges. */
  readonly identity: string;
  readonly firstLookAt?: FirstLookAt;
  /** Of the client: they put its signals into traces. */
  readonly interceptors?: readonly WorkflowClientInterceptor[];
}

export interface OpenEngine extends Engine {
  readonly close: () => Promise<void>;
}

/** By default a channel waits for up to two minutes before it tries a lost server again. */
const RECONNECT_MS_MAX = 2_000;
const ANSWER_MS_MAX = 2_000;

/** Connects on first use. */
export function openEngine(options: EngineOptions): OpenEngine {
  const connection = connectLazily(options, {
    // There are no retries here, because they outlast deadlines and the connection itself. A failed
    // nudge is delivered again from its row.
    interceptors: [],
    channelArgs: { 'grpc.max_reconnect_backoff_ms': RECONNECT_MS_MAX },
  });
  const { taskQueue = defaultTaskQueue, firstLookAt } = options;
  const client = workflowClient(connection, options);
  return { client, taskQueue, firstLookAt, close: () => connection.close() };
}

/**
 * Asks on the connection of the deliveries: a channel of its own could wait longer than they do
 * before it tries a lost server again.
 */
export async function engineAnswers({ client }: Engine, namespace: string): Promise<boolean> {
  await client.connection.withDeadline(Date.now() + ANSWER_MS_MAX, () =>
    client.connection.workflowService.describeNamespace({ namespace }),
  );
  return true;
}
