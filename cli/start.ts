/** Entry of `npm start`: the whole system in one terminal, until Ctrl-C or SIGTERM. */

import './node-version.ts';
import { parseArgs } from 'node:util';
import { OperatorError } from '../operator-error.ts';
import { type Config, loadConfig } from '../config.ts';
import { startSystem } from './start/system.ts';
import { makeTerminal } from './start/terminal.ts';
import { lookup } from 'node:dns/promises';
import { join } from 'node:path';
import { MAIL_FOLDER } from '../providers/mail/open-mailer.ts';
import { openStorage } from '../providers/storage/open-storage.ts';
import type { Addresses } from './start/parts.ts';

const HELP = `npm start

Starts PostgreSQL, Temporal with its Web UI, the worker and the API, and stops them in order on
Ctrl-C or SIGTERM (a second one, later, stops them at once). Everything is kept in DATA_DIR (.data).

  --servers   starts PostgreSQL and Temporal only, for npm run restored

Set DATABASE_URL or TEMPORAL_ADDRESS to use servers that run elsewhere. The other variables: PORT,
HOST, BASE_DOMAIN, PUBLIC_URL, POSTGRES_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT, TEMPORAL_NAMESPACE,
TEMPORAL_CLI_PATH, TEMPORAL_TLS, TEMPORAL_TLS_..., TEMPORAL_API_KEY, PAYLOAD_KEY, PAYLOAD_KEYS_OTHER,
SECRET_KEY, SECRET_KEYS_OTHER, TLS_CERT, TLS_KEY, TRUST_PROXY, SMTP_URL, CALLBACK_ALLOW_PRIVATE,
STORAGE_URL, LOG_LEVEL, PAYMENT_WAIT_SECONDS.
`;

/** npm forwards a Ctrl-C that the terminal has also sent, so the two count as one. */
const SAME_SIGNAL_MS = 1_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      servers: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  await runUntilStopped(loadConfig(), values.servers);
}

async function runUntilStopped(config: Config, serversOnly: boolean): Promise<void> {
  const terminal = makeTerminal();
  const stopping = new AbortController();
  const system = startSystem({ config, serversOnly, terminal, stopping });
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
    const addresses = await system.ready;
    if (addresses !== null) terminal.print(await welcome(config, addresses));
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

function isBug(error: Error): boolean {
  // An unknown option is a TypeError too.
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return false;
  return error instanceof TypeError || error instanceof ReferenceError;
}

/* The last output of a start: the addresses of everything, and a first request to try. */

/** In tenants/demo.yaml. */
const SAMPLE = { tenant: 'demo', credentials: 'api@demo:demo-secret' };

async function welcome(config: Config, addresses: Addresses): Promise<string> {
  const reach = await reachOf(config, addresses.port);
  const lines = ['', `Documentation    ${reach.address}/docs`];
  if (addresses.temporalUi) lines.push(`Temporal Web UI  ${addresses.temporalUi}`);
  lines.push(`API              ${reach.tenantAddress}/rest`);
  if (reach.resolve !== '') lines.push(`                 (needs curl ${reach.resolve})`);
  lines.push(`Data             ${config.dataDir}`);
  lines.push(`Mails            ${mailsOf(config)}`);
  lines.push(`Files            ${await filesOf(config)}`, '');
  for (const [label, reason] of addresses.sampleFailures) {
    lines.push(`tenants/${label}.yaml was not applied:`, reason, '');
  }
  if (!takesCredentials(config)) {
    lines.push('HOST is not a loopback address, so the API takes credentials over TLS only:');
    lines.push('set TLS_CERT and TLS_KEY, or TRUST_PROXY behind a proxy.', '');
  } else if (!addresses.sampleFailures.has(SAMPLE.tenant)) {
    lines.push('The tenants demo and tour are ready, each on a test clock. A first call:', '');
    lines.push(`  ${firstCall(reach)}`, '');
    lines.push('Next, in a second terminal: npm run demo, or the walkthrough in README.md.', '');
  }
  return [...lines, 'Ctrl-C stops everything.'].join('\n');
}

function mailsOf({ smtpUrl, dataDir }: Config): string {
  if (smtpUrl !== undefined) return 'sent through SMTP_URL';
  return `written as .eml files to ${join(dataDir, MAIL_FOLDER)}, because SMTP_URL is not set`;
}

/** Where uploads and results are. */
async function filesOf(config: Config): Promise<string> {
  const storage = await openStorage(config, { secretKeys: '', realNow: Date.now });
  const code = await storage.check();
  return code === null ? storage.place : `${storage.place}: nothing can be stored there (${code})`;
}

function takesCredentials({ tls, host }: Config): boolean {
  return tls !== undefined || host === 'localhost' || host === '::1' || host.startsWith('127.');
}

interface Reach {
  /** The API's address, for what needs no tenant. */
  readonly address: string;
  /** The address with the host name of the sample tenant. */
  readonly tenantAddress: string;
  /** The option that curl needs to find that host name; empty if it needs none. */
  readonly resolve: string;
}

/** Not every system resolves names below localhost. */
async function reachOf({ host, tls, baseDomain }: Config, port: number): Promise<Reach> {
  const ip = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host;
  const name = `${SAMPLE.tenant}.${baseDomain}`;
  const known = await lookup(name, { all: true }).catch(() => []);
  const isKnown = known.some(({ address }) => address === ip);
  const scheme = tls ? 'https' : 'http';
  return {
    address: `${scheme}://${ip.includes(':') ? `[${ip}]` : ip}:${port}`,
    tenantAddress: `${scheme}://${name}:${port}`,
    resolve: isKnown ? '' : `--resolve ${name}:${port}:${ip}`,
  };
}

function firstCall({ resolve, tenantAddress }: Reach): string {
  const options = [resolve, `-u ${SAMPLE.credentials}`].filter((option) => option !== '');
  return `curl ${options.join(' ')} '${tenantAddress}/rest/plans?indent=true'`;
}

try {
  await main();
} catch (error) {
  // A mistake of the user's prints its message; only a bug needs its stack.
  const expected = error instanceof OperatorError || (error instanceof Error && !isBug(error));
  process.stderr.write(`${expected ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
}
