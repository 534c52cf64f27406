/** Ends TLS in front of a server, as a proxy or a cloud does in front of Temporal. */
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { authority, serverCertificate, serverKey } from './certificates.ts';

export interface TlsProxy {
  readonly address: string;
  readonly stop: () => void;
}

/** @param asksClient whether it takes clients of the test's authority only */
export async function startTlsProxy(
  target: string,
  { asksClient }: { readonly asksClient: boolean },
): Promise<TlsProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  const server = createServer(
    {
      cert: serverCertificate,
      key: serverKey,
      ca: authority,
      requestCert: asksClient,
      rejectUnauthorized: asksClient,
      ALPNProtocols: ['h2'],
    },
    (client) => {
      const inner = connect({ host, port: Number(port), noDelay: true });
      client.pipe(inner).pipe(client);
      for (const socket of [client, inner]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => [client, inner].forEach((each) => each.destroy()));
      }
    },
  );
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}
