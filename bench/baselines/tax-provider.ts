/** An AvaTax in this process, which takes some time for each call, and counts what it records. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../harness/scenario.ts';

interface Sent {
  readonly code?: string;
  readonly lines: readonly { readonly number: string; readonly amount: number }[];
}

/** Of New York City. */
const rates = [
  ['NY STATE TAX', '36', 0.04],
  ['NY CITY TAX', '51000', 0.045],
] as const;

export async function startProvider({ cleanups }: Bench, callMs: number) {
  const codes = new Set<string>();
  const server = createServer((request, response) => {
    void json(request).then(async (body) => {
      const sent = body as { readonly createTransactionModel?: Sent };
      const model = sent.createTransactionModel ?? (sent as Sent);
      await sleep(callMs);
      if (model.code !== undefined) codes.add(model.code);
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answerTo(model)));
    });
  });
  // Sundial's own connections stay open.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, records: () => codes.size };
}

function answerTo({ code = 'temporary', lines: sent }: Sent) {
  const lines = sent.map(({ number, amount }) => {
    const details = rates.map(([taxName, jurisCode, rate]) => {
      const jurisdiction = { country: 'US', jurisCode, jurisName: taxName };
      return { ...jurisdiction, taxName, rate, tax: cents(amount * rate) };
    });
    return { lineNumber: number, lineAmount: amount, tax: sum(details), details };
  });
  const totalAmount = cents(sent.reduce((all, { amount }) => all + amount, 0));
  return { code, totalAmount, totalTax: sum(lines), lines };
}

const sum = (parts: readonly { readonly tax: number }[]): number =>
  cents(parts.reduce((all, { tax }) => all + tax, 0));

const cents = (amount: number): number => Math.round(amount * 100) / 100;
