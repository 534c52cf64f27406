/** The servers of this test run; a test file that is run alone gets its own servers. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import { childEnvironment } from '../../config.ts';

export interface TestServers {
  /** PostgreSQL's address, for a role that may create databases. */
  readonly adminUrl: string;
  readonly template: string;
  /** PostgreSQL's address, for the login that processes of the product have. */
  readonly loginUrl: string;
  /** Temporal's address. */
  readonly address: string;
  readonly namespace: string;
  /** The file that holds the bundled workflows. */
  readonly bundle: string;
}

export type Part = 'postgres' | 'temporal' | 'bundle';

/** Set by `npm test` for the test files: the JSON of TestServers. */
export const SERVERS_VARIABLE = 'SUNDIAL_TEST_SERVERS';

/**
 * For the Temporal servers of tests: Go collects garbage when the heap has grown fivefold, instead
 * of twofold. A collection takes some 0.3 s of CPU.
 */
export const SERVER_ENVIRONMENT = { GOGC: '400' };

export interface ServeProcess {
  readonly addresses: Promise<Partial<TestServers>>;
  /** Resolves when every server has stopped. */
  stop(): Promise<void>;
  /** Numbers of cards and accounts in the servers' logs, known once they have stopped. */
  leaks(): readonly string[];
  /** From now on the servers live as long as this process, without keeping it alive. */
  unref(): void;
}

export function serve(
  parts: readonly Part[],
  onPhase: (phase: string, seconds: number) => void = () => {},
): ServeProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts'), ...parts], {
    // In a separate session: Ctrl-C stops the tests first, then their servers.
    detached: true,
    env: childEnvironment(SERVER_ENVIRONMENT),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let leaks: readonly string[] = [];
  const addresses = new Promise<Partial<TestServers>>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const said = JSON.parse(line);
      if (said.leaks) leaks = said.leaks;
      else if (said.servers) resolve(said.servers);
      else onPhase(said.phase, said.seconds);
    });
    void ended.then(() => reject(new Error('The servers for the tests did not start.')));
  });
  addresses.catch(() => {});
  return {
    addresses,
    async stop() {
      child.stdin.end();
      await ended;
    },
    leaks: () => leaks,
    unref() {
      child.unref();
      for (const stream of [child.stdin, child.stdout]) (stream as unknown as Socket).unref();
    },
  };
}

const own = new Map<Part, Promise<Partial<TestServers>>>();

/** The answer of one part of the servers; starts it if this is not under `npm test`. */
export async function testServers(part: Part): Promise<TestServers> {
  const given = process.env[SERVERS_VARIABLE];
  if (given !== undefined) return JSON.parse(given);
  let started = own.get(part);
  if (!started) {
    const servers = serve([part]);
    started = servers.addresses.finally(() => servers.unref());
    own.set(part, started);
  }
  return (await started) as TestServers;
}
