/** A minimal client that keeps its connections, so that the server beside it is measured. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

export interface Target {
  readonly port: number;
  readonly host: string;
  readonly authorization: string;
  /** The address from which it connects; any of 127.0.0.0/8, by default 127.0.0.1. */
  readonly localAddress?: string;
}

export interface Connection {
  /** Returns the status; one request at a time. */
  readonly send: (outgoing: Outgoing) => Promise<number>;
  readonly close: () => void;
}

export async function openConnection(target: Target): Promise<Connection> {
  const { port, localAddress } = target;
  const socket = connect({
    port,
    host: '127.0.0.1',
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  await once(socket, 'connect');
  socket.setNoDelay(true);
  const answers = readAnswers(socket);
  const head = `Host: ${target.host}\r\nAuthorization: ${target.authorization}\r\n`;
  return {
    send({ method, path, body = '' }) {
      const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(`${method} ${path} HTTP/1.1\r\n${head}${length}\r\n${body}`);
      return answers.next();
    },
    close: () => socket.destroy(),
  };
}

/** Every answer here has a Content-Length. */
function readAnswers(socket: Socket): { readonly next: () => Promise<number> } {
  let waiting: PromiseWithResolvers<number> | undefined;
  let status = 0;
  let missing = 0;
  let head = '';
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk.length;
    if (missing === 0) {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      status = Number(head.slice(9, 12));
      missing = Number(/\r\ncontent-length: (\d+)/i.exec(head.slice(0, end + 2))?.[1] ?? 0);
      rest = head.length - end - 4;
      head = '';
    }
    missing -= rest;
    if (missing === 0) waiting?.resolve(status);
  });
  socket.on('close', () => waiting?.reject(new Error('the connection was closed')));
  socket.on('error', () => undefined);
  return {
    next() {
      waiting = Promise.withResolvers();
      return waiting.promise;
    },
  };
}
