/** Runs a Temporal server with its Web UI: the CLI's development server, with durable data. */

import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import { choosePort, isListening } from '../embedded/ports.ts';
import { startServer, type ServerProcess } from '../embedded/process.ts';
import { untilAnswers, type StartingServer } from '../embedded/until-answers.ts';
import { connectLazily } from './connect.ts';
import { searchAttributeTypes } from './search-attributes.ts';

export interface EmbeddedTemporal {
  readonly address: string;
  /** Undefined without the Web UI. */
  readonly uiUrl: string | undefined;
  readonly server: ServerProcess;
  readonly stop: () => Promise<void>;
}

export interface TemporalOptions {
  /** The CLI's path, as `temporalBinary` found it. */
  readonly binary: string;
  /** The folder of the log and, unless `inMemory`, of the server's database. */
  readonly folder: string;
  readonly inMemory?: boolean;
  readonly headless?: boolean;
  readonly namespace: string;
  readonly port?: number | undefined;
  readonly uiPort?: number | undefined;
  readonly signal: AbortSignal;
  /** Called as soon as the process exists, before it answers. */
  readonly onProcess?: (server: ServerProcess) => void;
}

const READY_LIMIT_SECONDS = 60;
const STOP_LIMIT_SECONDS = 15;

/** Measured: without the poll limits each task waits up to 50 ms. The others switch features on. */
export const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=1000',
  'history.timerProcessorMaxPollRPS=1000',
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
  'system.forceSearchAttributesCacheRefreshOnRead=true',
];

/** SQLite's default journal costs four fifths of the speed; with WAL, kill -9 loses nothing. */
const SQLITE_PRAGMAS = ['journal_mode=WAL', 'synchronous=NORMAL'];

export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const port = await choosePort({ variable: 'TEMPORAL_PORT', wanted: options.port });
  const uiPort = options.headless
    ? undefined
    : await choosePort({ variable: 'TEMPORAL_UI_PORT', wanted: options.uiPort });
  const logFile = join(options.folder, 'temporal.log');
  options.signal.throwIfAborted();
  const server = await startServer({
    name: 'Temporal',
    command: options.binary,
    args: serverArguments({ ...options, port, uiPort }),
    cwd: options.folder,
    logFile,
  });
  options.onProcess?.(server);
  const address = `127.0.0.1:${port}`;
  const stop = () => server.stop({ signal: 'SIGTERM', limitSeconds: STOP_LIMIT_SECONDS });
  try {
    const { namespace, signal } = options;
    const starting = { server, logFile, limitSeconds: READY_LIMIT_SECONDS, signal };
    await untilReady({ port, namespace }, starting);
  } catch (error) {
    await stop();
    throw error;
  }
  const uiUrl = uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`;
  return { address, uiUrl, server, stop };
}

function serverArguments(options: TemporalOptions & { port: number }): string[] {
  const { port, uiPort, namespace, folder } = options;
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)];
  args.push(...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]));
  args.push('--namespace', namespace, '--log-level', 'error');
  if (!options.inMemory) {
    args.push('--db-filename', join(folder, 'temporal.db'));
    for (const pragma of SQLITE_PRAGMAS) args.push('--sqlite-pragma', pragma);
  }
  for (const value of DYNAMIC_CONFIG) args.push('--dynamic-config-value', value);
  for (const [name, type] of Object.entries(searchAttributeTypes)) {
    args.push('--search-attribute', `${name}=${type}`);
  }
  return args;
}

async function untilReady(
  { port, namespace }: { readonly port: number; readonly namespace: string },
  starting: StartingServer,
): Promise<void> {
  const connection = connectLazily({ address: `127.0.0.1:${port}` });
  try {
    await untilAnswers(async () => {
      // A first connection that fails would cost gRPC's pause of a second, so this tries the port
      // first.
      if (!(await isListening(port))) throw new Error(`nothing listens at port ${port}`);
      await namespaceId(connection, namespace);
    }, starting);
  } finally {
    await connection.close();
  }
}

const ANSWER_LIMIT_MS = 5_000;

/** Changes if the server lost its data, or is another server. Throws if no server answers. */
export async function namespaceId(connection: Connection, namespace: string): Promise<string> {
  const described = await connection.withDeadline(Date.now() + ANSWER_LIMIT_MS, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
  const id = described.namespaceInfo?.id;
  if (!id) throw new Error(`Temporal's namespace ${namespace} has no id.`);
  return id;
}
