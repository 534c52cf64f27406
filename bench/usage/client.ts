/**
 * Entry: uploads usage from a separate process. Reads measurements to run as JSON lines from its
 * input, and prints the result of each.
 */
import { createInterface } from 'node:readline';
import { openConnection, type Connection } from '../api/http.ts';

export interface UploadAssignment {
  readonly port: number;
  readonly authorization: string;
  /** The tenant of each connection. */
  readonly hosts: readonly string[];
  /** Of each tenant; their references are C1 and so on. */
  readonly customers: number;
  readonly forMs: number;
}

export interface Uploaded {
  readonly records: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

export const RECORDS_PER_UPLOAD = 1_000;
const RECORDS_PER_CUSTOMER = 10;
const DAYS = 28;

let count = 0;

async function measure(given: UploadAssignment): Promise<Uploaded> {
  const { port, authorization, hosts, customers, forMs } = given;
  const open = await Promise.all(
    hosts.map((host) => openConnection({ port, host, authorization })),
  );
  const latenciesMs: number[] = [];
  const began = performance.now();
  const until = began + forMs;
  const lane = async (connection: Connection, host: string): Promise<void> => {
    while (performance.now() < until) {
      const body = uploadOf(host, customers);
      const sentAt = performance.now();
      const status = await connection.send({ method: 'POST', path: '/rest/activities', body });
      if (status !== 201) throw new Error(`an upload was answered with ${status}`);
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(open.map((connection, index) => lane(connection, hosts[index] ?? '')));
  const seconds = (performance.now() - began) / 1_000;
  for (const each of open) each.close();
  return { records: latenciesMs.length * RECORDS_PER_UPLOAD, seconds, latenciesMs };
}

/** As of a switch: ten calls each of a hundred customers, whose lines it does not know. */
function uploadOf(host: string, customers: number): string {
  const records = Array.from({ length: RECORDS_PER_UPLOAD }, () => {
    count += 1;
    const customer = (Math.floor(count / RECORDS_PER_CUSTOMER) % customers) + 1;
    const day = String((count % DAYS) + 1).padStart(2, '0');
    return (
      `<activity><extRefId>${host}-${process.pid}-${count}</extRefId>` +
      `<extCustomerRef>C${customer}</extCustomerRef><priceCode>MINUTES</priceCode>` +
      `<quantity>${((count % 9_973) + 1) / 100}</quantity>` +
      `<chargeDate>2027-01-${day}</chargeDate></activity>`
    );
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<list>${records.join('')}</list>`;
}

if (import.meta.main) {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await measure(JSON.parse(line)))}\n`);
  }
}
