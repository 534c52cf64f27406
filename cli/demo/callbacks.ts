/** The demo's receiver: while the demo runs, tenant demo has a callback endpoint on this machine. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { childEnvironment } from '../../config.ts';
import { signatureOf } from '../../providers/callbacks/signature.ts';
import { all, done, text, type RestTarget } from '../rest.ts';
import { heading, say, table, explain } from './words.ts';

export interface Hook {
  /** Waits for the events of the demo, and shows what came. */
  readonly explain: () => Promise<void>;
  /** Gives the tenant its own file again. */
  readonly close: () => Promise<void>;
}

const types = ['invoice.created', 'invoice.paid', 'payment.success', 'payment.failed'];
const EVENTS_OF_PAGE = 1_000;
const WAIT_SECONDS = 30;
const POLL_MS = 250;
const root = join(import.meta.dirname, '../..');
const sample = join(root, 'tenants/demo.yaml');

export async function openHook(target: RestTarget): Promise<Hook> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  /** The types of what came, by webhook-id. */
  const came = new Map<string, string>();
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { headers } = request;
      const isGenuine = headers['webhook-signature'] === expectedOf(secret, headers, body);
      if (isGenuine) came.set(String(headers['webhook-id']), String(headers['x-event']));
      response.writeHead(isGenuine ? 204 : 401).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const before = (await feedOf(target, 0)).last;
  await applyWith({ url, secret, events: types });
  return {
    async explain() {
      const expected = await untilAll(target, before, came);
      showCame([...came.values()], expected);
    },
    async close() {
      await apply(sample);
      server.closeAllConnections();
      server.close();
    },
  };
}

function expectedOf(secret: string, headers: IncomingHttpHeaders, body: string): string {
  const id = String(headers['webhook-id']);
  return signatureOf(secret, { id, timestamp: Number(headers['webhook-timestamp']), body });
}

/** The tenant's file, with this endpoint in place of its own. */
async function applyWith(callback: object): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sundial-demo-'));
  try {
    const file = join(folder, 'demo.yaml');
    const whole = parse(readFileSync(sample, 'utf8'), { schema: 'failsafe' }) as object;
    writeFileSync(file, stringify({ ...whole, callbacks: [callback] }));
    await apply(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function apply(file: string): Promise<void> {
  const env = childEnvironment({ CALLBACK_ALLOW_PRIVATE: 'true' });
  const command = [join(root, 'cli/tenant.ts'), 'apply', file];
  await promisify(execFile)(process.execPath, command, { env, cwd: process.cwd() });
}

interface Feed {
  /** The last sequence. */
  readonly last: number;
  /** The webhook ids of the events of the demo's types. */
  readonly ids: readonly string[];
}

async function feedOf(target: RestTarget, after: number): Promise<Feed> {
  const ids: string[] = [];
  for (let last = after; ;) {
    const page = await done(target, 'GET', `/rest/events?after=${last}&max=${EVENTS_OF_PAGE}`);
    const events = all(page, 'event');
    for (const event of events) {
      if (types.includes(text(event, '@type'))) ids.push(`evt_${text(event, '@id')}`);
    }
    const [newest] = events.slice(-1);
    if (newest === undefined) return { last, ids };
    last = Number(text(newest, '@sequence'));
  }
}

/** An event is numbered, and so on its way, within a second of its commit. */
async function untilAll(
  target: RestTarget,
  after: number,
  came: ReadonlyMap<string, string>,
): Promise<number> {
  let expected = -1;
  for (let waited = 0; waited < WAIT_SECONDS * 1_000; waited += POLL_MS) {
    const { ids } = await feedOf(target, after);
    if (ids.length === expected && ids.every((id) => came.has(id))) return expected;
    expected = ids.length;
    await sleep(POLL_MS);
  }
  return expected;
}

function showCame(came: readonly string[], expected: number): void {
  heading('The callbacks');
  explain(
    'While the demo ran, the tenant had a callback endpoint: a receiver in this very process. It ' +
      `got ${came.length} of ${expected} events, each signed, those of one customer in order. ` +
      'The body of each is the XML of the invoice or payment as it was at that moment.',
  );
  say('');
  const titles = [{ title: 'Event' }, { title: 'Received', isFigure: true }];
  const rows = types.map((type) => [type, String(came.filter((one) => one === type).length)]);
  say(...table(titles, rows));
}
