/** Ports of the embedded servers: the configured one if it is free, else any free one. */

import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Names the variable that sets the port, so that the user knows what to change. */
export class PortTakenError extends Error {
  constructor(variable: string, port: number) {
    super(`${variable}: port ${port} is taken by another program. Stop it, or set another port.`);
    this.name = 'PortTakenError';
  }
}

export interface PortRequest {
  readonly variable: string;
  /** Undefined or 0: any free port. */
  readonly wanted: number | undefined;
  readonly host?: string;
}

/**
 * Below the ports of outgoing connections (from 32768 on), which any program may take between our
 * choice and the server's start.
 */
const FREE_PORT_MIN = 15_000;
const FREE_PORT_MAX = 32_000;
const TRIES_MAX = 50;

/** Chosen before by this process, for a server that may not listen yet. */
const chosen = new Set<number>();

export async function choosePort(request: PortRequest): Promise<number> {
  const { wanted } = request;
  const port = wanted ? await openOnce(request, wanted) : await chooseFreePort(request);
  chosen.add(port);
  return port;
}

async function chooseFreePort(request: PortRequest): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      const port = randomInt(FREE_PORT_MIN, FREE_PORT_MAX);
      if (chosen.has(port)) throw new PortTakenError(request.variable, port);
      return await openOnce(request, port);
    } catch (error) {
      if (!(error instanceof PortTakenError) || tries === TRIES_MAX) throw error;
    }
  }
}

async function openOnce({ variable, host }: PortRequest, wanted: number): Promise<number> {
  const server = createServer();
  server.listen({ port: wanted, host: host ?? '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) throw new PortTakenError(variable, wanted);
    if (hasCode(error, 'EACCES')) {
      throw new Error(`${variable}: this user may not listen on port ${wanted}.`, { cause: error });
    }
    throw error;
  }
  server.close();
  await once(server, 'close');
  return wanted;
}

/** Whether something on this machine accepts connections there. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
