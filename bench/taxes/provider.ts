/** An AvaTax in a thread of its own, which takes some time for each call, and counts its records. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface BenchProvider {
  readonly url: string;
  /** Recorded invoices, each counted once. */
  readonly records: () => number;
  readonly close: () => void;
}

interface Settings {
  readonly callMs: number;
  /** The number of records. */
  readonly shared: Int32Array;
}

export async function startProvider(options: { readonly callMs: number }): Promise<BenchProvider> {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(import.meta.filename, { workerData: { ...options, shared } });
  const [port] = await once(thread, 'message');
  return {
    url: `http://127.0.0.1:${String(port)}`,
    records: () => Atomics.load(shared, 0),
    close: () => void thread.terminate(),
  };
}

interface SentTransaction {
  readonly code?: string;
  readonly lines: readonly { readonly number: string; readonly amount: number }[];
}

/** Of New York City. */
const rates = [
  ['NY STATE TAX', '36', 0.04],
  ['NY CITY TAX', '51000', 0.045],
] as const;

if (!isMainThread) {
  const { callMs, shared }: Settings = workerData;
  const codes = new Set<string>();
  const server = createServer((request, response) => {
    void answerTo(request, callMs).then(({ code, body }) => {
      if (code !== undefined) codes.add(code);
      Atomics.store(shared, 0, codes.size);
      response.writeHead(201, { 'content-type': 'application/json' }).end(body);
    });
  });
  // Sundial's own connections stay open.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}

async function answerTo(
  request: IncomingMessage,
  callMs: number,
): Promise<{ readonly code: string | undefined; readonly body: string }> {
  const sent = (await json(request)) as { readonly createTransactionModel?: SentTransaction };
  const model = sent.createTransactionModel ?? (sent as SentTransaction);
  await sleep(callMs);
  const lines = model.lines.map(({ number, amount }) => {
    const details = rates.map(([taxName, jurisCode, rate]) => ({
      country: 'US',
      jurisCode,
      jurisName: taxName,
      taxName,
      rate,
      tax: cents(amount * rate),
    }));
    return { lineNumber: number, lineAmount: amount, tax: sum(details), details };
  });
  const totalAmount = cents(model.lines.reduce((all, { amount }) => all + amount, 0));
  const body = { code: model.code ?? 'temporary', totalAmount, totalTax: sum(lines), lines };
  return { code: model.code, body: JSON.stringify(body) };
}

function sum(parts: readonly { readonly tax: number }[]): number {
  return cents(parts.reduce((all, { tax }) => all + tax, 0));
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
