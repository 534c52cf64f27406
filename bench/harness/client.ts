/** The processes beside a measured system: the client, what its calls take and cost, and a second API. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../../config.ts';
import type { Assignment, Measured, Numbered } from '../client/main.ts';
import { startCpu } from './processes.ts';
import type { Bench } from './scenario.ts';
import { SECRET_KEY, type Side } from './system.ts';
import type { Row } from './tables.ts';
import { shareOf, type Slice } from './turns.ts';

export interface Client {
  /** Several at once are carried out at once. */
  readonly ask: (assignment: Assignment) => Promise<Measured>;
}

/** @param priority of the process, as of `nice` */
export function startClient({ cleanups }: Pick<Bench, 'cleanups'>, priority = 0): Client {
  const answers: PromiseWithResolvers<Measured>[] = [];
  const note = (line: string): void => {
    const measured = JSON.parse(line) as Numbered<Measured>;
    answers[measured.id]?.resolve(measured);
  };
  const child = startChild('bench/client/main.ts', note, { args: [String(priority)] });
  child.once('exit', () => {
    for (const { reject } of answers) reject(new Error('the client ended'));
  });
  cleanups.push(() => child.stdin.end());
  return {
    ask(assignment) {
      const answer = Promise.withResolvers<Measured>();
      const id = answers.push(answer) - 1;
      child.stdin.write(`${JSON.stringify({ id, ...assignment })}\n`);
      return answer.promise;
    },
  };
}

interface ChildOptions {
  readonly args?: readonly string[];
  /** Options for Node, before the entry. */
  readonly execArgv?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs an entry of this checkout, which ends when its input ends; its output comes by lines. */
export function startChild(
  entry: string,
  onLine: (line: string) => void,
  { args = [], execArgv = [], environment = {} }: ChildOptions = {},
) {
  const file = join(import.meta.dirname, '../..', entry);
  const child = spawn(process.execPath, [...execArgv, file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: childEnvironment(environment),
  });
  createInterface({ input: child.stdout }).on('line', onLine);
  return child;
}

/** A second API on the same servers, as a deployment has them; returns its port. */
export async function startSecondApi(
  { cleanups, system }: Bench,
  { execArgv, onLine }: { execArgv?: readonly string[]; onLine?: (line: string) => void } = {},
): Promise<number> {
  const { ownerUrl, temporalAddress, temporalNamespace } = await system();
  const ready = Promise.withResolvers<number>();
  const environment = {
    DATABASE_URL: ownerUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    SECRET_KEY,
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const note = (line: string): void => {
    const { msg, port } = JSON.parse(line) as { readonly msg?: string; readonly port?: number };
    if (msg === 'ready' && port !== undefined) ready.resolve(port);
    else onLine?.(line);
  };
  const child = startChild('api/main.ts', note, { environment, ...(execArgv && { execArgv }) });
  const exited = once(child, 'exit');
  void exited.then(() => ready.reject(new Error('the second API ended before it was ready')));
  cleanups.push(() => {
    child.kill('SIGTERM');
    return exited;
  });
  return ready.promise;
}

/** What calls take, and the CPU of each with the work that follows, such as the workflows of posted orders. */
export async function callSlice(
  client: Client,
  side: Side,
  assignment: Assignment,
): Promise<Slice & ReturnType<typeof timesOf>> {
  await side.settled();
  const cpu = await startCpu(side.pids);
  const measured = await client.ask(assignment);
  await side.settled();
  const { latencies, warmLatencies } = measured;
  const times = timesOf(measured, assignment.what);
  return { ...times, ...(await cpu(latencies.length + warmLatencies.length)) };
}

/** Figures of calls that were refused would be worthless. */
export function timesOf({ latencies, seconds, statuses }: Measured, what: string) {
  const isRefused = Object.keys(statuses).some((status) => !/^[23]/.test(status));
  if (isRefused || latencies.length === 0) {
    throw new Error(`${what} was answered ${JSON.stringify(statuses)}`);
  }
  return {
    'per second': latencies.length / seconds,
    'p50 ms': shareOf(latencies, 0.5),
    'p99 ms': shareOf(latencies, 0.99),
  };
}

type Asked = Omit<Assignment, 'what' | 'connections'> & { readonly connections: readonly number[] };

export type CallRow = Row & ReturnType<typeof timesOf> & { readonly '': string };

/** A row for each call at each number of connections. */
export async function callRows(
  bench: Bench,
  client: Client,
  whats: readonly string[],
  { connections: counts, ...asked }: Asked,
): Promise<CallRow[]> {
  const rows: CallRow[] = [];
  for (const what of whats) {
    for (const connections of counts) {
      bench.say(`${what}, ${connections} at once`);
      const assignment = { what, connections, ...asked };
      const slice = await callSlice(client, await bench.system(), assignment);
      rows.push({ '': what, 'at once': connections, ...slice });
    }
  }
  return rows;
}
