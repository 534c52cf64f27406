/** A proxy between a program and a server, PostgreSQL mostly, that can cut the connection. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What the product sends; a simple query, which a letter and four bytes of length precede. */
const BEGIN = 'begin';
const COMMIT = 'commit\0';
const HEADER_BYTES = 5;
/** What the server answers to a COMMIT. */
const COMMITTED = 'COMMIT\0';

export type Direction = 'toServer' | 'toClient';

/**
 * Called with each chunk; returns how many of its bytes still pass before both sides are cut off,
 * if so.
 */
export type Cut = (chunk: Buffer, direction: Direction, connection: object) => number | undefined;

export interface Proxy {
  /** The address of the same database through the proxy. */
  readonly url: string;
  /** `127.0.0.1:5432` */
  readonly address: string;
  /** The next fault; there is one at a time, and it happens once. */
  readonly cutOnce: (cut: Cut) => void;
  /** Cancels the fault; returns whether it has happened. */
  readonly heal: () => boolean;
  /** From now on nothing passes on the present connections, as if a firewall had forgotten them. */
  readonly silence: () => void;
  /** From now on nothing passes on any connection, and all of it later, once the result is called. */
  readonly stall: () => () => void;
  /** Cuts every present connection. */
  readonly cutAll: () => void;
  /** How many connections were made so far. */
  readonly made: () => number;
  readonly stop: () => void;
}

export async function startProxy(databaseUrl: string): Promise<Proxy> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let cut: Cut | undefined;
  let hasCut = false;
  let made = 0;
  let isStalled = false;
  const silent = new WeakSet<Socket>();
  // Otherwise small packets wait for the acknowledgement of those before, some 40 ms each.
  const noDelay = true;
  const server = createServer({ noDelay }, (client) => {
    const database = connect({ port: Number(port), host: hostname, noDelay });
    made += 1;
    const pass = (direction: Direction, from: Socket, to: Socket) =>
      from.on('data', (chunk: Buffer) => {
        if (silent.has(from)) return;
        const bytes = from.destroyed || to.destroyed ? undefined : cut?.(chunk, direction, client);
        if (bytes === undefined) {
          to.write(chunk);
          return;
        }
        cut = undefined;
        hasCut = true;
        // What still passes arrives; then each side finds the other gone.
        to.end(chunk.subarray(0, bytes), () => to.destroy());
        from.destroy();
      });
    pass('toServer', client, database);
    pass('toClient', database, client);
    for (const socket of [client, database]) {
      sockets.add(socket);
      if (isStalled) socket.pause();
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
    address: url.host,
    cutOnce(next) {
      cut = next;
      hasCut = false;
    },
    heal() {
      cut = undefined;
      return hasCut;
    },
    silence: () => sockets.forEach((socket) => silent.add(socket)),
    stall() {
      isStalled = true;
      sockets.forEach((socket) => socket.pause());
      return () => {
        isStalled = false;
        sockets.forEach((socket) => socket.resume());
      };
    },
    cutAll: () => sockets.forEach((socket) => socket.destroy()),
    made: () => made,
    stop() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

/** After this text on a connection, the COMMIT is executed and its answer is lost. */
export function afterCommit(words = ''): Cut {
  const said = saidOn(words);
  return (chunk, direction, connection) =>
    said(chunk, direction, connection) && direction === 'toClient' && chunk.includes(COMMITTED)
      ? 0
      : undefined;
}

/** After this text on a connection, everything before the COMMIT arrives, but not the COMMIT. */
export function beforeCommit(words = ''): Cut {
  const said = saidOn(words);
  return (chunk, direction, connection) => {
    const isSaid = said(chunk, direction, connection) && direction === 'toServer';
    const at = isSaid ? chunk.indexOf(COMMIT) : -1;
    return at < 0 ? undefined : at - HEADER_BYTES;
  };
}

/** Whether this text was sent on this connection; other connections are used at the same time. */
function saidOn(words: string): (...said: Parameters<Cut>) => boolean {
  const connections = new WeakSet<object>();
  return (chunk, direction, connection) => {
    if (direction === 'toServer' && chunk.includes(words)) connections.add(connection);
    return connections.has(connection);
  };
}

/** After this number of bytes, counted in both directions. */
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

/** Where a transaction is cut off: before it begins, before its COMMIT arrives, or before its answer does. */
export const boundaries = ['before begin', 'before commit', 'after commit'] as const;
export type Boundary = (typeof boundaries)[number];

/** Cuts at a boundary of the transaction that is the nth since then, on any connection. */
export function atBoundary(boundary: Boundary, nth: number): Cut {
  let seen = 0;
  let on: object | undefined;
  return (chunk, direction, connection) => {
    if (direction === 'toServer' && on === undefined) {
      const at = chunk.indexOf(boundary === 'before begin' ? BEGIN : COMMIT);
      if (at < 0 || (seen += 1) < nth) return undefined;
      if (boundary !== 'after commit') return at - HEADER_BYTES;
      on = connection;
    }
    const isAnswer = direction === 'toClient' && connection === on && chunk.includes(COMMITTED);
    return isAnswer ? 0 : undefined;
  };
}

/** Counts the transactions that end with COMMIT, and cuts none. */
export function countingCommits(): { readonly cut: Cut; readonly counted: () => number } {
  let count = 0;
  return {
    cut(chunk, direction) {
      if (direction === 'toServer' && chunk.includes(COMMIT)) count += 1;
      return undefined;
    },
    counted: () => count,
  };
}
