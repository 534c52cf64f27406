/** A request whose body does not arrive in time is answered with 408, and disconnected. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { limitRequest } from '../../../api/http/server.ts';

test('a request that does not arrive in time is 408', async (t) => {
  const LIMIT_MS = 20;
  const limited = (request: IncomingMessage, response: ServerResponse) =>
    limitRequest(request, response, LIMIT_MS);
  const server = createServer(limited).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('POST / HTTP/1.1\r\nHost: demo.localhost\r\nContent-Length: 9\r\n\r\nsome');
  t.regex(await text(socket), /^HTTP\/1.1 408 Request Timeout\r\n/);
});
