/** Between a program and PostgreSQL: hands on what they say, until it is told to cut them off. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export type Direction = 'toServer' | 'toClient';

/** Called with each chunk; how many bytes of it still pass before both sides are cut off, if so. */
export type Cut = (chunk: Buffer, direction: Direction, connection: object) => number | undefined;

export interface Proxy {
  /** The same database by way of the proxy. */
  readonly url: string;
  /** Of the next fault; there is one at a time, and it happens once. */
  readonly cutOnce: (cut: Cut) => void;
  /** Nothing more is cut; answers whether anything was. */
  readonly heal: () => boolean;
  readonly stop: () => void;
}

export async function startProxy(databaseUrl: string): Promise<Proxy> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let cut: Cut | undefined;
  let hasCut = false;
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    const pass = (direction: Direction, from: Socket, to: Socket) =>
      from.on('data', (chunk: Buffer) => {
        const bytes = from.destroyed || to.destroyed ? undefined : cut?.(chunk, direction, client);
        if (bytes === undefined) {
          to.write(chunk);
          return;
        }
        cut = undefined;
        hasCut = true;
        // What still passes arrives; then either side finds the other gone.
        to.end(chunk.subarray(0, bytes), () => to.destroy());
        from.destroy();
      });
    pass('toServer', client, database);
    pass('toClient', database, client);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        [client, database].forEach((each) => each.end());
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cutOnce(next) {
      cut = next;
      hasCut = false;
    },
    heal() {
      cut = undefined;
      return hasCut;
    },
    stop() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

/** The COMMIT that follows these words on a connection has been sent and done; its answer is lost. */
export function afterCommit(words = ''): Cut {
  const said = saidOn(words);
  return (chunk, direction, connection) =>
    said(chunk, direction, connection) && direction === 'toClient' && chunk.includes('COMMIT\0')
      ? 0
      : undefined;
}

/** All that comes before the COMMIT that follows these words arrives, but not the COMMIT. */
export function beforeCommit(words = ''): Cut {
  const said = saidOn(words);
  return (chunk, direction, connection) => {
    const isSaid = said(chunk, direction, connection) && direction === 'toServer';
    const at = isSaid ? chunk.indexOf('commit\0') : -1;
    // A simple query: its letter and four bytes of length stand before it.
    return at < 0 ? undefined : at - 5;
  };
}

/** Whether these words were said on this connection; others are used at the same time. */
function saidOn(words: string): (...said: Parameters<Cut>) => boolean {
  const connections = new WeakSet<object>();
  return (chunk, direction, connection) => {
    if (direction === 'toServer' && chunk.includes(words)) connections.add(connection);
    return connections.has(connection);
  };
}

/** After so many bytes, counted in both directions. */
export function afterBytes(bytes: number): Cut {
  let left = bytes;
  return (chunk) => {
    if (chunk.length < left) {
      left -= chunk.length;
      return undefined;
    }
    return left;
  };
}
