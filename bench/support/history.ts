/** The length of the histories of some workflows. */
import { Connection, WorkflowClient } from '@temporalio/client';
import type { BenchSystem } from './system.ts';

export interface HistoryLength {
  readonly bytes: number;
  readonly events: number;
}

/** The mean over the workflows, all of whose runs are open. */
export async function historyOf(
  { temporalAddress: address, temporalNamespace: namespace }: BenchSystem,
  workflowIds: readonly string[],
): Promise<HistoryLength> {
  const connection = await Connection.connect({ address });
  try {
    const client = new WorkflowClient({ connection, namespace });
    const described = await Promise.all(
      workflowIds.map((workflowId) => client.getHandle(workflowId).describe()),
    );
    const mean = (pick: (each: (typeof described)[number]) => number): number =>
      described.reduce((sum, each) => sum + pick(each), 0) / described.length;
    return { bytes: mean((it) => it.historySize ?? 0), events: mean((it) => it.historyLength) };
  } finally {
    await connection.close();
  }
}
