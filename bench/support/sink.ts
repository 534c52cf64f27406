/** A receiver of callbacks in a thread of its own, which answers 204 and counts. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const POLL_MS = 20;
const LIMIT_MS = 300_000;

export interface Sink {
  readonly url: string;
  /** Resolves when this many posts have come since the start. */
  readonly until: (count: number) => Promise<void>;
  readonly close: () => Promise<unknown>;
}

/** The key of a tenant file that has the events of a type sent there. */
export function callbacksTo(url: string, event: string): string {
  const secret = Buffer.from('the secret of the benchmark').toString('base64');
  return `callbacks:\n  - { url: ${url}, secret: whsec_${secret}, events: [${event}] }\n`;
}

export async function startSink(): Promise<Sink> {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(import.meta.filename, { workerData: shared });
  const [port] = await once(thread, 'message');
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    async until(count) {
      const began = performance.now();
      for (let came = 0; came < count; came = Atomics.load(shared, 0)) {
        if (performance.now() - began > LIMIT_MS) throw new Error(`${came} of ${count} came`);
        await sleep(POLL_MS);
      }
    },
    close: () => thread.terminate(),
  };
}

if (!isMainThread) {
  const shared: Int32Array = workerData;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      Atomics.add(shared, 0, 1);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}
