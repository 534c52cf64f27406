/** What the workflow engine says of workflows: which run, and how others ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { inLanes } from '../context/lanes.ts';
import { engineFaultOf, grpcCodes } from '../../providers/temporal/connect.ts';
import type { Engine } from './engine.ts';

/** Each page of a list, and each answer about one workflow, is awaited for at most this long. */
const ANSWER_LIMIT_MS = 10_000;
const PAGE_ROWS = 1_000;
const ASKED_AT_ONCE_MAX = 8;
/** By default an engine answers ten lists a second of all that use its namespace, people included. */
const BUSY_PAUSE_MS = 1_000;
const BUSY_TRIES = 30;
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
export async function* listedRuns(engine: Engine, query: string): AsyncGenerator<readonly Run[]> {
  for await (const executions of pagesOf(engine, query)) {
    const runs = executions.flatMap(({ execution }) => runOf(execution) ?? []);
    if (runs.length > 0) yield runs;
  }
}

export interface Listed extends Run {
  readonly isRunning: boolean;
  /** The text of the search attribute that was asked for; null without it. */
  readonly attribute: string | null;
}

/** The same with whether each run is open, and one of its search attributes. */
export async function* listedWith(
  engine: Engine,
  query: string,
  attribute: SearchAttributeKey,
): AsyncGenerator<Listed> {
  for await (const executions of pagesOf(engine, query)) {
    for (const { execution, status, searchAttributes } of executions) {
      const run = runOf(execution);
      if (run === null) continue;
      const { data } = searchAttributes?.indexedFields?.[attribute.name] ?? {};
      const text = data ? String(JSON.parse(Buffer.from(data).toString())) : null;
      yield { ...run, isRunning: status === RUNNING, attribute: text };
    }
  }
}

type Named = { readonly [Key in keyof Run]?: string | null };

function runOf(execution: Named | null | undefined): Run | null {
  const { workflowId, runId } = execution ?? {};
  return workflowId && runId ? { workflowId, runId } : null;
}

/** As the engine numbers it in lists. */
const RUNNING = 1;
type SearchAttributeKey = Pick<SearchAttributePair['key'], 'name'>;

async function* pagesOf({ client }: Engine, query: string) {
  let token: Uint8Array | null = null;
  do {
    const page = await pageOf(client, query, token);
    yield page.executions;
    token = page.nextPageToken;
  } while (token.length > 0);
}

function pageOf(client: Engine['client'], query: string, nextPageToken: Uint8Array | null) {
  const { namespace } = client.options;
  const asked = { namespace, query, pageSize: PAGE_ROWS, nextPageToken };
  return whileBusy(() =>
    client.withDeadline(Date.now() + ANSWER_LIMIT_MS, () =>
      client.connection.workflowService.listWorkflowExecutions(asked),
    ),
  );
}

/** Asks again while the engine has answered too many. */
export async function whileBusy<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = engineFaultOf(error)?.code === grpcCodes.resourceExhausted;
      if (!isBusy || tries >= BUSY_TRIES) throw error;
    }
    await sleep(BUSY_PAUSE_MS);
  }
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
  // Few are asked about one by one, which the engine limits less than lists.
  if (unlisted.size > ASKED_AT_ONCE_MAX) {
    const among = workflowIds.map((id) => `'${id}'`).join(', ');
    const query = `WorkflowId in (${among}) and ExecutionStatus = 'Running'`;
    for await (const page of listedRuns(engine, query)) {
      for (const { workflowId } of page) unlisted.delete(workflowId);
    }
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
