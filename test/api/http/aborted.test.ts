/** A body that ends before its announced length is a refusal, not a fault of the service. */
import { connect } from 'node:net';
import test from 'ava';
import pino from 'pino';
import { refusalOf } from '../../../api/calls/refusals.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { USER, makeTenant, openTestDatabase, quiet, startApi, stopAtTheEnd } from '../support.ts';

interface Line {
  readonly msg: string;
  readonly method?: string;
  readonly status?: number;
}

test('a client that disconnects within its body is 400 in the log, not a fault', async (t) => {
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
  const api = await startApi(db, (dependencies) => allRoutes(quiet(dependencies)), { log });
  stopAtTheEnd(api);
  const socket = connect(api.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    'POST /rest/customers HTTP/1.1\r\nHost: demo.localhost\r\nContent-Length: 1000\r\n' +
      `Authorization: Basic ${Buffer.from(USER).toString('base64')}\r\n` +
      'Content-Type: application/xml\r\nExpect: 100-continue\r\n\r\n',
  );
  // The server sends 100 Continue once it is ready to read the body.
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

test('a client that sends more than it announces is 400 in the log, not a fault', async (t) => {
  const db = await openTestDatabase();
  await makeTenant(db, 'demo');
  const lines: Line[] = [];
  const { promise: logged, resolve } = Promise.withResolvers<Line>();
  const log = pino({ level: 'info' }, { write: (text: string) => void note(JSON.parse(text)) });
  const note = (line: Line): void => {
    lines.push(line);
    if (line.msg === 'request') resolve(line);
  };
  const api = await startApi(db, (dependencies) => allRoutes(quiet(dependencies)), { log });
  stopAtTheEnd(api);
  const socket = connect(api.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    'POST /rest/customers HTTP/1.1\r\nHost: demo.localhost\r\nContent-Length: 11\r\n' +
      `Authorization: Basic ${Buffer.from(USER).toString('base64')}\r\n` +
      'Content-Type: application/xml\r\nConnection: close\r\n\r\n<customer/>and more',
  );
  // Node ends the connection before the credentials are checked, and the body is not read yet.
  t.is((await logged).status, 400);
  t.deepEqual(
    lines.filter(({ msg }) => msg.endsWith('failed')),
    [],
  );
});

test('a client that disconnects is request.aborted, whatever the body reader reports', (t) => {
  // Nobody receives the answer, so the test checks it here.
  for (const type of ['request.aborted', 'request.size.invalid', 'stream.not.readable']) {
    const { status, errors } = refusalOf(Object.assign(new Error('gone'), { type }));
    t.is(status, 400, type);
    t.deepEqual(
      errors.map(({ code }) => code),
      ['request.aborted'],
    );
  }
  noteAsserted('request.aborted');
});
