/** Hands each connection to the next of several servers, past those that take none. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Balancer {
  readonly url: string;
  /** How many connections each of the servers has had. */
  readonly served: readonly number[];
  readonly stop: () => void;
}

/** @param ports of servers on this machine */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const served = ports.map(() => 0);
  const sockets = new Set<Socket>();
  let next = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  /** Undefined if none takes a connection. */
  const connected = async (): Promise<Socket | undefined> => {
    for (let tries = 0; tries < ports.length; tries += 1) {
      const chosen = (next += 1) % ports.length;
      const socket = keep(connect({ port: ports[chosen] ?? 0, host: '127.0.0.1', noDelay: true }));
      if (await taken(socket)) {
        served[chosen] = (served[chosen] ?? 0) + 1;
        return socket;
      }
    }
    return undefined;
  };
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
    keep(client);
    void connected().then((api) => {
      if (api === undefined) return client.destroy();
      client.pipe(api).pipe(client);
      // A connection that breaks off on one side breaks off on the other.
      for (const [one, other] of [[client, api] as const, [api, client] as const]) {
        one.on('close', () => other.destroy());
      }
      return client.resume();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function taken(socket: Socket): Promise<boolean> {
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  }
}
