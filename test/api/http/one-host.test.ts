/** A request names exactly one host: sent byte by byte, as no HTTP client would write it. */
import test from 'ava';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  openTestDatabase,
  refused,
  startApi,
  stopAtTheEnd,
  type Received,
  type TestApi,
} from '../support.ts';
import { makeTenant } from '../../support/tenants.ts';

const db = await openTestDatabase();
const api = await startApi(db, () => []);
stopAtTheEnd(api);
for (const label of ['t', 'u']) await makeTenant({ db, realNow: Date.now }, { label });

/** The answer to a GET with these lines after the first. */
async function ask(lines: readonly string[], target = '/rest/plans', at: TestApi = api) {
  const socket = connect(at.port, '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  const [head = '', ...body] = answer.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  return { status, headers: {}, body: body.join('\r\n\r\n') } satisfies Received;
}

const none: readonly [rule: string, ...lines: string[]][] = [
  ['two Host lines', 'Host: t.localhost', 'Host: u.localhost'],
  ['the same Host line twice', 'Host: t.localhost', 'host: t.localhost'],
  ['a user and a password', 'Host: user:pw@t.localhost'],
  ['a user', 'Host: u.localhost@t.localhost'],
  ['a port that is no number', 'Host: t.localhost:abc'],
  ['a port past 65535', 'Host: t.localhost:65536'],
  ['two hosts in one line', 'Host: t.localhost, u.localhost'],
  ['two hosts without a blank', 'Host: t.localhost,u.localhost'],
  ['a path', 'Host: t.localhost/rest'],
  ['a blank within', 'Host: t.localhost u.localhost'],
  ['an encoded character', 'Host: t%2elocalhost'],
  ['brackets around a name', 'Host: [t.localhost]'],
];

for (const [rule, ...lines] of none) {
  test(`a Host header with ${rule} is refused before the tenant is looked up`, async (t) => {
    refused(t, await ask(lines), 400, 'host.invalid Host');
    refused(t, await ask(lines, '/healthz'), 400, 'host.invalid Host');
  });
}

test('one host is accepted with and without a port, also as an address', async (t) => {
  for (const host of ['t.localhost', 'T.LOCALHOST:8080', 't.localhost:', 't.localhost.:80']) {
    refused(t, await ask([`Host: ${host}`]), 401, 'auth.required');
  }
  for (const host of ['', '127.0.0.1:8080', '[::1]:8080', 'a_b.localhost']) {
    refused(t, await ask([`Host: ${host}`]), 401, 'host.unknown');
  }
});

test('an absolute address names the same host as the Host line, or is refused', async (t) => {
  const target = 'http://t.localhost/rest/plans';
  refused(t, await ask(['Host: t.localhost'], target), 401, 'auth.required');
  refused(t, await ask(['Host: u.localhost'], target), 400, 'host.invalid Host');
  refused(
    t,
    await ask(['Host: u.localhost'], target.replace('t.', 'x@u.')),
    400,
    'host.invalid Host',
  );
});

test('the host that a trusted proxy forwards is one host, too', async (t) => {
  const behind = await startApi(db, () => [], {
    transport: { isLoopback: true, trustProxy: true },
  });
  t.teardown(behind.stop);
  const forwarding = (host: string) =>
    ask(['Host: inner', `X-Forwarded-Host: ${host}`], '/rest/plans', behind);
  refused(t, await forwarding('t.localhost'), 401, 'auth.required');
  for (const host of ['u@t.localhost', 't.localhost:abc', 't.localhost, u.localhost']) {
    refused(t, await forwarding(host), 400, 'host.invalid X-Forwarded-Host');
  }
  refused(t, await ask(['Host: t.localhost', 'X-Forwarded-Host: a@b']), 401, 'auth.required');
});
