/** A minimal client that keeps its connections, so that the server beside it is measured. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Instead of the user's authorization. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Target {
  readonly port: number;
  readonly host: string;
  readonly authorization: string;
  /** The address from which it connects; any of 127.0.0.0/8, by default 127.0.0.1. */
  readonly localAddress?: string;
}

export interface Answer {
  /** 0 if the connection was closed instead. */
  readonly status: number;
  readonly ms: number;
  readonly body: () => string;
}

/** One caller, which opens a new connection when one is lost. */
export interface Lane {
  /** One request at a time. */
  readonly send: (outgoing: Outgoing) => Promise<Answer>;
  readonly close: () => void;
}

export function openLane(target: Target): Lane {
  const { port, localAddress } = target;
  let socket: Socket | undefined;
  return {
    async send(outgoing) {
      const began = performance.now();
      if (socket === undefined) {
        socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
        await once(socket, 'connect');
        socket.setNoDelay(true).on('error', () => undefined);
      }
      const answer = await exchange(socket, requestOf(target, outgoing));
      if (answer.status === 0) socket = undefined;
      return { ...answer, ms: performance.now() - began };
    },
    close: () => socket?.destroy(),
  };
}

/** Every answer here has a Content-Length. */
async function exchange(socket: Socket, text: string): Promise<Omit<Answer, 'ms'>> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const chunks: Buffer[] = [];
  let head = '';
  let bodyAt = -1;
  let missing = 0;
  const onClose = (): void => resolve(0);
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    if (bodyAt !== -1) missing -= chunk.length;
    else {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      bodyAt = end + '\r\n\r\n'.length;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      missing = length - (head.length - bodyAt);
    }
    if (missing === 0) resolve(Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)));
  };
  socket.on('data', onData).on('close', onClose).write(text);
  const status = await promise;
  socket.off('data', onData).off('close', onClose);
  return { status, body: () => Buffer.concat(chunks).subarray(bodyAt).toString() };
}

function requestOf({ host, port, authorization }: Target, outgoing: Outgoing): string {
  const { method, path, body = '', headers = { authorization } } = outgoing;
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: `${host}:${port}`, ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`;
}
