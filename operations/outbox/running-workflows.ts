/** What the workflow engine says of workflows: which run, and how others ended. */
import { WorkflowNotFoundError, type WorkflowExecutionInfo } from '@temporalio/client';
import { inLanes } from '../context/lanes.ts';
import type { Engine } from './engine.ts';

/** Each page of a list, and each answer about one workflow, is awaited for at most this long. */
const ANSWER_LIMIT_MS = 10_000;
const PAGE_ROWS = 1_000;
const ASKED_AT_ONCE_MAX = 8;
/** What ids consist of: nothing that a query would read as something else. */
const plainId = /^[\w./-]+$/;

export interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/**
 * The runs that a query finds, page by page. The list of the engine lags behind by seconds, so
 * whoever acts upon it asks about each workflow before.
 */
export async function* listedRuns(
  { client }: Engine,
  query: string,
): AsyncGenerator<readonly WorkflowExecutionInfo[]> {
  let page: WorkflowExecutionInfo[] = [];
  const list = client.list({ query, pageSize: PAGE_ROWS })[Symbol.asyncIterator]();
  const next = () => client.withDeadline(Date.now() + ANSWER_LIMIT_MS, () => list.next());
  for (let each = await next(); each.done !== true; each = await next()) {
    page.push(each.value);
    if (page.length < PAGE_ROWS) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** `TaskQueue = 'sundial'`: other installations may have workflows in the same namespace. */
export const ofThisInstallation = ({ taskQueue }: Engine): string => `TaskQueue = '${taskQueue}'`;

/** Those of some workflows that do not run, each with how it ended; null if there never was one. */
export async function notRunning(
  engine: Engine,
  workflowIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (workflowIds.length === 0) return new Map();
  const unlisted = new Set(workflowIds);
  for (const id of unlisted) if (!plainId.test(id)) throw new Error(`${id} is no id of a workflow`);
  const among = workflowIds.map((id) => `'${id}'`).join(', ');
  const query = `WorkflowId in (${among}) and ExecutionStatus = 'Running'`;
  for await (const page of listedRuns(engine, query)) {
    for (const { workflowId } of page) unlisted.delete(workflowId);
  }
  const ended = new Map<string, string | null>();
  const ask = async (workflowId: string): Promise<void> => {
    const { status } = (await newestRun(engine, workflowId)) ?? { status: null };
    if (status !== 'RUNNING') ended.set(workflowId, status);
  };
  await inLanes([...unlisted], ask, { lanes: ASKED_AT_ONCE_MAX });
  return ended;
}

/** Undefined if the engine knows no workflow of this id. */
export async function newestRun(
  { client }: Engine,
  workflowId: string,
): Promise<(Run & { readonly status: string }) | undefined> {
  try {
    const { runId, status } = await client.withDeadline(Date.now() + ANSWER_LIMIT_MS, () =>
      client.getHandle(workflowId).describe(),
    );
    return { workflowId, runId, status: status.name };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
