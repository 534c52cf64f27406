/** Runs each receiver in examples/ as it is, if its language is installed, and posts to it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { openLine } from '../../../providers/callbacks/post.ts';
import { signatureHeaders } from '../../../providers/callbacks/signature.ts';
import { choosePort } from '../../../providers/embedded/ports.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { java } from './java.ts';

const folder = join(import.meta.dirname, '../../../examples');

interface Program {
  readonly language: string;
  readonly command: readonly [string, ...string[]];
  /** The command that must exist to run the program. */
  readonly needs: readonly [string, ...string[]];
}

const programs: readonly Program[] = [
  {
    language: 'TypeScript',
    command: [process.execPath, join(folder, 'receive-callbacks.ts')],
    needs: [process.execPath, '--version'],
  },
  {
    language: 'Python',
    command: ['python3', join(folder, 'receive_callbacks.py')],
    needs: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
  },
  {
    language: 'Java',
    command: [...java, join(folder, 'ReceiveCallbacks.java')],
    needs: ['java', '--list-modules'],
  },
];

const body = '<customer id="7"><name>Zoë &amp; Co</name></customer>';
const bytes = Buffer.byteLength(body);

function postOf(id: string, timestamp: number, secret = callbackSecret) {
  const headers = signatureHeaders(secret, { id, timestamp, body });
  return { type: 'customer.updated', headers: { ...headers, 'x-event': 'customer.updated' }, body };
}

for (const { language, command, needs } of programs) {
  const [program, ...first] = command;
  const title = `the receiver in ${language}`;
  if (spawnSync(needs[0], needs.slice(1), { stdio: 'ignore' }).status !== 0) {
    // Printed with the results, so that a skipped language is visible.
    test.skip(`${title} is left out: ${needs[0]} is not here or too old`, () => undefined);
    continue;
  }
  test(`${title} takes genuine callbacks once, and refuses all others`, async (t) => {
    const port = await choosePort({ variable: 'PORT', wanted: undefined });
    const child = spawn(program, [...first, String(port), callbackSecret], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    t.is((await lines.next()).value, 'ready');
    const line = await openLine(`http://127.0.0.1:${port}/`, {
      allowPrivate: true,
      connectionsMax: 1,
    });
    t.teardown(line.close);
    // Events of several customers come at once: a post that is slow to arrive stalls no other.
    const slow = connect({ port, host: '127.0.0.1' });
    t.teardown(() => slow.destroy());
    slow.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n');
    await once(slow, 'connect');
    const now = Math.floor(Date.now() / 1_000);
    const refused = { kind: 'refused', code: 'http_401' } as const;
    const otherSecret = `whsec_${Buffer.from('another').toString('base64')}`;
    t.deepEqual(await line.post(postOf('evt_1', now, otherSecret)), refused);
    t.deepEqual(await line.post(postOf('evt_1', now - 3_600)), refused);
    t.deepEqual(await line.post({ ...postOf('evt_1', now), body: `${body} ` }), refused);
    t.deepEqual(await line.post({ type: 'customer.updated', headers: {}, body }), refused);
    t.deepEqual(await line.post(postOf('evt_1', now)), { kind: 'delivered' });
    t.deepEqual(await line.post(postOf('evt_1', now)), { kind: 'delivered' });
    t.deepEqual(await line.post(postOf('evt_2', now)), { kind: 'delivered' });
    t.is((await lines.next()).value, `evt_1 customer.updated ${bytes} bytes`);
    t.is((await lines.next()).value, `evt_2 customer.updated ${bytes} bytes`);
  });
  test(`${title} says how it is used when it is called otherwise`, (t) => {
    const { status, stderr } = spawnSync(program, first, { encoding: 'utf8' });
    t.is(status, 2);
    t.regex(stderr, /^usage: \w+ [\w.-]+ PORT SECRET\nfor example: \w+ [\w.-]+ 9090 whsec_/);
  });
}
