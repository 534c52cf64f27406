/** A receiver of callbacks in a thread of its own, which answers 204 and counts what comes, and in which order. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Bench } from './scenario.ts';

const POLL_MS = 20;
const LIMIT_MS = 300_000;
/** The places of the counts. */
const CAME = 0;
const TWICE = 1;
const DISORDERED = 2;

export interface Sink {
  /** The key of a tenant file that has the events of a type sent there. */
  readonly callbacks: (event: string) => string;
  /** Resolves when this many events have come since the start. */
  readonly until: (count: number) => Promise<void>;
  /** Events that came again, and events that came after a later one of their customer. */
  readonly faults: () => { readonly twice: number; readonly 'out of order': number };
}

export async function startSink({ cleanups }: Pick<Bench, 'cleanups'>): Promise<Sink> {
  const shared = new Int32Array(new SharedArrayBuffer(12));
  const thread = new Worker(import.meta.filename, { workerData: shared });
  cleanups.push(() => thread.terminate());
  const [port] = await once(thread, 'message');
  const secret = Buffer.from('the secret of the benchmark').toString('base64');
  const its = `url: http://127.0.0.1:${String(port)}/, secret: whsec_${secret}`;
  return {
    callbacks: (event) => `callbacks:\n  - { ${its}, events: [${event}] }\n`,
    async until(count) {
      const began = performance.now();
      for (let came = 0; came < count; came = Atomics.load(shared, CAME)) {
        if (performance.now() - began > LIMIT_MS) throw new Error(`${came} of ${count} came`);
        await sleep(POLL_MS);
      }
    },
    faults: () => ({
      twice: Atomics.load(shared, TWICE),
      'out of order': Atomics.load(shared, DISORDERED),
    }),
  };
}

if (!isMainThread) {
  const shared: Int32Array = workerData;
  const seen = new Set<string>();
  const places = new Map<string, number>();
  const note = (id: string, customer: string, place: number): void => {
    if (seen.has(id)) Atomics.add(shared, TWICE, 1);
    else if (place <= (places.get(customer) ?? 0)) Atomics.add(shared, DISORDERED, 1);
    seen.add(id);
    places.set(customer, place);
    Atomics.store(shared, CAME, seen.size);
  };
  const server = createServer((request, response) => {
    const { headers } = request;
    void text(request).then((body) => {
      const customer = /<customer id="(\d+)"/.exec(body)?.[1] ?? '';
      note(String(headers['webhook-id']), customer, Number(headers['x-customer-sequence']));
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}
