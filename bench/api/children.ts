/** The processes beside a measured system: the client, and a bare server as a baseline. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { benchUser } from '../support/caller.ts';
import type { Assignment, Measured } from './client.ts';
import type { Target } from './http.ts';
import type { Facts } from './scenarios.ts';

/** The host of tenant.yaml's tenant, at a port. */
export function target(port: number): Target {
  const { username, password } = benchUser;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return { port, host: 'bench.localhost', authorization };
}

export interface Child {
  readonly say: (value: unknown) => void;
  readonly nextLine: () => Promise<string>;
  /** The client ends when its input ends. */
  readonly end: () => void;
}

/** The process that calls the interface. */
export interface CallClient {
  /** Whose orders and payments it posts. */
  readonly know: (customers: readonly number[], orders?: readonly number[]) => void;
  readonly ask: (assignment: Assignment) => Promise<Measured>;
  readonly end: () => void;
}

export async function startClient(customers: readonly number[]): Promise<CallClient> {
  const { say, nextLine, end } = await startChild('client.ts', []);
  const know: CallClient['know'] = (ids, orders = []) =>
    say({ facts: { customers: ids, orders, contractCode: 'MONTHLY' } satisfies Facts });
  know(customers);
  return {
    know,
    async ask(assignment) {
      say(assignment);
      return JSON.parse(await nextLine()) as Measured;
    },
    end,
  };
}

/** @param file a file in this folder */
export async function startChild(file: string, args: readonly string[]): Promise<Child> {
  const entry = join(import.meta.dirname, file);
  const child: ChildProcess = spawn(process.execPath, [entry, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error(`${file} has no pipes`);
  const lines: Interface = createInterface({ input: stdout });
  const iterator = lines[Symbol.asyncIterator]();
  return {
    say: (value) => void stdin.write(`${JSON.stringify(value)}\n`),
    async nextLine() {
      const { value, done } = await iterator.next();
      if (done === true) throw new Error(`${file} ended`);
      return String(value);
    },
    end: () => stdin.end(),
  };
}
