/** A body that ends before its announced length is a refusal, not a fault of the service. */
import { connect } from 'node:net';
import test from 'ava';
import pino from 'pino';
import { refusalOf } from '../../../api/calls/refusals.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { until } from '../../support/until.ts';
import { valueOf } from '../tenant-api.ts';
import { USER, makeTenant, openTestDatabase, quiet, startApi, stopAtTheEnd } from '../support.ts';

interface Line {
  readonly msg: string;
  readonly method?: string;
  readonly status?: number;
}

/** An API, and what it logs; a request as bytes, after which its sender sends no more. */
async function open() {
  const db = await openTestDatabase();
  await makeTenant(db, 'demo');
  const lines: Line[] = [];
  const log = pino(
    { level: 'info' },
    { write: (text: string) => void lines.push(JSON.parse(text)) },
  );
  const api = await startApi(db, (dependencies) => allRoutes(quiet(dependencies)), { log });
  stopAtTheEnd(api);
  const connected = () => {
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => undefined);
    return socket;
  };
  /** The line of a call of that method, once it is over. */
  const logged = async (method: string): Promise<Line | undefined> => {
    const find = () => lines.find((line) => line.msg === 'request' && line.method === method);
    await until('the call is over', () => Promise.resolve(find() !== undefined));
    return find();
  };
  return {
    api,
    connected,
    logged,
    failed: () => lines.filter(({ msg }) => msg.endsWith('failed')),
  };
}

const head = (line: string, ...more: readonly string[]): string =>
  [
    `${line} HTTP/1.1`,
    'Host: demo.localhost',
    `Authorization: Basic ${Buffer.from(USER).toString('base64')}`,
    'Content-Type: application/xml',
    ...more,
    '\r\n',
  ].join('\r\n');

test('a client that disconnects within its body is 400 in the log, not a fault', async (t) => {
  const { connected, logged, failed } = await open();
  const socket = connected();
  socket.write(head('POST /rest/customers', 'Content-Length: 1000', 'Expect: 100-continue'));
  // The server sends 100 Continue once it is ready to read the body.
  socket.once('data', () => {
    socket.write('<customer>');
    socket.destroySoon();
  });
  t.is((await logged('POST'))?.status, 400);
  t.deepEqual(failed(), []);
});

test('a client that sends more than it announces is 400 in the log, not a fault', async (t) => {
  const { connected, logged, failed } = await open();
  const more = ['Content-Length: 11', 'Connection: close'];
  connected().write(`${head('POST /rest/customers', ...more)}<customer/>and more`);
  // Node ends the connection before the credentials are checked, and the body is not read yet.
  t.is((await logged('POST'))?.status, 400);
  t.deepEqual(failed(), []);
});

test('a call that ignores its body changes nothing if that breaks off', async (t) => {
  const { api, connected, logged, failed } = await open();
  const body = '<customer><billingContact><firstName>Ada</firstName></billingContact></customer>';
  const made = await api.send({ method: 'POST', path: '/rest/customers', body });
  const id = valueOf(made.body, 'customer@id');
  connected().end(`${head(`DELETE /rest/customer/${id}`, 'Content-Length: 5')}<x/>`);
  t.is((await logged('DELETE'))?.status, 400);
  t.deepEqual(failed(), []);
  t.is((await api.send({ path: `/rest/customer/${id}` })).status, 200);
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
