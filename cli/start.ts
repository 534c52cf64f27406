/** Entry of `npm start`: the whole system in one terminal, until Ctrl-C or SIGTERM. */

import './node-version.ts';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig, type Config } from '../config.ts';
import { startSystem } from './start/system.ts';
import { makeTerminal } from './start/terminal.ts';
import { welcome } from './start/welcome.ts';

const HELP = `npm start

Starts PostgreSQL, Temporal with its Web UI, the worker and the API, and stops them in order on
Ctrl-C or SIGTERM (a second one, later, stops them at once). Everything is kept in DATA_DIR (.data).

Set DATABASE_URL or TEMPORAL_ADDRESS to use servers that run elsewhere. The other variables: PORT,
HOST, BASE_DOMAIN, PUBLIC_URL, POSTGRES_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT, TEMPORAL_NAMESPACE,
TEMPORAL_CLI_PATH, SECRET_KEY, TLS_CERT, TLS_KEY, TRUST_PROXY, SMTP_URL, CALLBACK_ALLOW_PRIVATE,
STORAGE_URL, LOG_LEVEL, PAYMENT_WAIT_SECONDS.
`;

/** npm forwards a Ctrl-C that the terminal has also sent, so the two count as one. */
const SAME_SIGNAL_MS = 1_000;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  await runUntilStopped(loadConfig());
}

async function runUntilStopped(config: Config): Promise<void> {
  const terminal = makeTerminal();
  const stopping = new AbortController();
  const system = startSystem({ config, terminal, stopping });
  // Its parts have sessions of their own, and would outlive a start that just ends.
  process.on('uncaughtException', system.fail);
  let stoppedAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppedAt === undefined) {
        stoppedAt = Date.now();
        terminal.say('Stopping');
        stopping.abort();
      } else if (Date.now() - stoppedAt > SAME_SIGNAL_MS) {
        terminal.say('Stopping at once');
        system.kill();
      }
    });
  }
  try {
    terminal.print(await welcome(config, await system.ready));
    await system.failed;
  } catch (error) {
    // Stopped while it was starting: on request, but not a success.
    if (stoppedAt === undefined) throw error;
    process.exitCode = 1;
  } finally {
    stopping.abort();
    await system.stopped();
    terminal.say('Stopped');
  }
}

try {
  await main();
} catch (error) {
  // A mistake of the user's prints its message; only a bug needs its stack.
  const expected = error instanceof ConfigError || (error instanceof Error && !isBug(error));
  process.stderr.write(`${expected ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
}

function isBug(error: Error): boolean {
  // An unknown option is a TypeError too.
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return false;
  return error instanceof TypeError || error instanceof ReferenceError;
}
