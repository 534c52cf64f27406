/** Ports of the embedded servers: a free one, or the one that was asked for, if it is not taken. */

import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Says which variable asked for the port, so that the reader knows what to change. */
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

export async function choosePort({ variable, wanted = 0, host }: PortRequest): Promise<number> {
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
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : wanted;
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
