/** A body that ends before its announced length: a refusal, and no fault of the service. */
import { connect } from 'node:net';
import test from 'ava';
import pino from 'pino';
import { allRoutes } from '../../api/routes/index.ts';
import { USER, makeTenant, openTestDatabase, quiet, startApi, stopAtTheEnd } from './support.ts';

interface Line {
  readonly msg: string;
  readonly method?: string;
  readonly status?: number;
}

test('a client that hangs up within its body is request.aborted in the log, with 400', async (t) => {
  const db = await openTestDatabase();
  await makeTenant(db, 'demo');
  const lines: Line[] = [];
  const { promise: logged, resolve } = Promise.withResolvers<Line>();
  const log = pino(
    { level: 'info' },
    {
      write(text: string) {
        const line: Line = JSON.parse(text);
        lines.push(line);
        if (line.msg === 'request') resolve(line);
      },
    },
  );
  const api = await startApi(db, (services) => allRoutes(quiet(services)), { log });
  stopAtTheEnd(api);
  const socket = connect(api.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    'POST /rest/customers HTTP/1.1\r\nHost: demo.localhost\r\nContent-Length: 1000\r\n' +
      `Authorization: Basic ${Buffer.from(USER).toString('base64')}\r\n` +
      'Content-Type: application/xml\r\nExpect: 100-continue\r\n\r\n',
  );
  // The server asks for the body once it has come so far as to read it.
  socket.once('data', () => {
    socket.write('<customer>');
    socket.destroySoon();
  });
  const line = await logged;
  t.is(line.method, 'POST');
  t.is(line.status, 400);
  t.deepEqual(
    lines.filter(({ msg }) => msg === 'the request failed'),
    [],
  );
});
