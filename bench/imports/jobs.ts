/** Sends files as an integrator does, and waits for the end of their jobs. */
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { done, text, type RestTarget } from '../../cli/rest.ts';
import type { Chunks } from './files.ts';

const POLL_MS = 100;

export interface Sent {
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
