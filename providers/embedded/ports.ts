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

export async function choosePort(request: PortRequest): Promise<number> {
  if (request.wanted) return openOnce(request, request.wanted);
  for (let tries = 1; ; tries += 1) {
    try {
      return await openOnce(request, randomInt(FREE_PORT_MIN, FREE_PORT_MAX));
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
