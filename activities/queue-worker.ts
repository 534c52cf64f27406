/** What the workers have in common that run activities on queues of their own. */
import type { NativeConnection } from '@temporalio/worker';
import type { Dependencies } from '../operations/context/context.ts';

export interface QueueWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** The workflows' queue; the worker's own queue is named after it. */
  readonly taskQueue: string;
  readonly identity: string;
  readonly shutdownForceTime: string;
  readonly dependencies: Dependencies;
}
