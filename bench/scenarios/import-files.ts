/** The files that are imported, which are sent as an integrator sends them. */
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { done, text, type RestTarget } from '../../cli/rest.ts';

const CHUNK_ROWS = 1_000;
const POLL_MS = 100;

type Chunks = AsyncGenerator<Buffer, undefined>;

/** One in ten has an opening balance, and one in twenty a name with a comma. */
export function customers(count: number): Chunks {
  const header =
    'extCustomerRef,firstName,lastName,companyName,emailPrimary,street1,city,state,zip,countryCode,' +
    'workPhone,outstandingBalance';
  return file(header, count, (n) => {
    const company = n % 20 === 0 ? `"Company ${n}, Ltd"` : '';
    const balance = n % 10 === 0 ? `${n % 500}.50` : '';
    return (
      `C-${n},First${n % 977},Last${n % 9_973},${company},mail${n}@example.com,${n} Main Street,` +
      `Springfield,NY,${String(n % 100_000).padStart(5, '0')},US,+1 212 ${n},${balance}`
    );
  });
}

const LONG_CELL_BYTES = 60_000;

/** Rows of 60 kB, all of them bad: a large file that is read and checked to its end. */
export function longRows(megabytes: number): Chunks {
  const cell = 'x'.repeat(LONG_CELL_BYTES);
  const count = Math.floor((megabytes * 1_000_000) / LONG_CELL_BYTES);
  return file('extCustomerRef,firstName,lastName', count, (n) => `L-${n},${cell},Last`, 1);
}

/** Half of them are open. */
export function invoices(count: number, customerCount: number): Chunks {
  const header = 'invoiceNumber,extCustomerRef,invoiceDate,dueDate,status,notes';
  return file(header, count, (n) => {
    const status = n % 2 === 0 ? 'Paid' : 'Outstanding';
    return `I-${n},C-${n % customerCount},2026-01-01,2099-02-01,${status},Moved in`;
  });
}

export const LINES_OF_INVOICE = 3;

export function lines(invoiceCount: number): Chunks {
  const header = 'invoiceNumber,position,invoiceText,priceCode,unitPrice,quantity';
  return file(header, invoiceCount * LINES_OF_INVOICE, (n) => {
    const invoice = Math.floor(n / LINES_OF_INVOICE);
    return `I-${invoice},${(n % LINES_OF_INVOICE) + 1},Hosting of a server,HOST,3.25,${(n % 9) + 1}`;
  });
}

async function* file(
  header: string,
  count: number,
  row: (n: number) => string,
  chunkRows = CHUNK_ROWS,
): Chunks {
  let text = `${header}\n`;
  for (let n = 0; n < count; n += 1) {
    text += `${row(n)}\n`;
    if ((n + 1) % chunkRows !== 0) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

interface Sent {
  readonly id: string;
  readonly seconds: number;
}

/** Makes a job, and uploads its file. */
export async function send(
  target: RestTarget,
  subOperation: string,
  chunks: Chunks,
  parentId?: string,
): Promise<Sent> {
  const parent =
    parentId === undefined ? '' : `<parentBatchProcess>${parentId}</parentBatchProcess>`;
  const made = await done(
    target,
    'POST',
    '/rest/batchProcess?mode=StorageFileUpload',
    `<batchProcess><inputType>API</inputType><operation>eBill-Import</operation>` +
      `<subOperation>${subOperation}</subOperation>${parent}</batchProcess>`,
  );
  const began = performance.now();
  await put(target, text(made, 'uploadUrl'), chunks);
  return { id: text(made, 'id'), seconds: (performance.now() - began) / 1_000 };
}

/** Seconds from finalize to the end, which must have this status. */
export async function carry(target: RestTarget, id: string, expected = 'Success'): Promise<number> {
  const began = performance.now();
  const body = `<batchProcess><id>${id}</id></batchProcess>`;
  await done(target, 'PUT', '/rest/batchProcess?mode=BatchFinalize', body);
  for (;;) {
    const read = await done(target, 'GET', `/rest/batchProcess?id=${id}`);
    const status = text(read, 'status');
    if (status === expected) return (performance.now() - began) / 1_000;
    if (status !== 'Queued') throw new Error(`the job ended with ${status}`);
    await sleep(POLL_MS);
  }
}

async function put({ apiUrl, hostName }: RestTarget, address: string, chunks: Chunks) {
  const { pathname, search } = new URL(address);
  const url = new URL(pathname + search, apiUrl);
  const headers = { host: `${hostName}:${url.port}` };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(url, { method: 'PUT', headers }, (answer) => {
    answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
  });
  sent.on('error', reject);
  await pipeline(Readable.from(chunks), sent);
  const status = await promise;
  if (status !== 201) throw new Error(`the upload was answered with ${status}`);
}
