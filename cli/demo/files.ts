/** Files of batch jobs: uploads one, has it processed, and reads its result. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { call, done, text, type RestTarget } from '../rest.ts';

const WAIT_SECONDS = 120;
const POLL_MS = 100;

export interface NewJob {
  readonly subOperation: 'Customer' | 'Invoice' | 'Invoice Line Item';
  readonly file: string;
  readonly isValidateOnly?: boolean;
  /** The job of the invoices, by id. */
  readonly parent?: string;
}

/** A row of a result file: its line, what became of it, and why not. */
export interface ResultRow {
  readonly line: string;
  readonly status: string;
  readonly error: string;
}

export interface EndedJob {
  readonly status: string;
  /** Of its own rows. */
  readonly message: string;
  readonly rows: readonly ResultRow[];
}

/** Makes a job and uploads its file; returns the id. */
export async function upload(target: RestTarget, job: NewJob): Promise<string> {
  const { subOperation, file, isValidateOnly = false, parent } = job;
  const made = await done(
    target,
    'POST',
    '/rest/batchProcess?mode=StorageFileUpload',
    '<batchProcess><inputType>API</inputType><operation>eBill-Import</operation>' +
      `<subOperation>${subOperation}</subOperation>` +
      (isValidateOnly ? '<validateOnly>true</validateOnly>' : '') +
      (parent === undefined ? '' : `<parentBatchProcess>${parent}</parentBatchProcess>`) +
      '</batchProcess>',
  );
  await atAddress(target, text(made, 'uploadUrl'), file);
  return text(made, 'id');
}

/** Finalizes a job whose file is uploaded, and waits for its end. */
export async function finalize(target: RestTarget, id: string): Promise<EndedJob> {
  const body = `<batchProcess><id>${id}</id></batchProcess>`;
  await done(target, 'PUT', '/rest/batchProcess?mode=BatchFinalize', body);
  for (let waited = 0; waited < WAIT_SECONDS * 1_000; waited += POLL_MS) {
    const job = await done(target, 'GET', `/rest/batchProcess?id=${id}`);
    const status = text(job, 'status');
    if (status !== 'Queued') {
      const result = await atAddress(target, text(job, 'downloadUrl'));
      return { status, message: text(job, 'successMessage'), rows: rowsOf(result) };
    }
    await sleep(POLL_MS);
  }
  throw new Error(`batch job ${id} has not ended after ${WAIT_SECONDS} s: look at the Web UI`);
}

/** Puts or gets a file at its signed address. */
async function atAddress(target: RestTarget, address: string, file?: string): Promise<string> {
  const { hostname, pathname, search } = new URL(address);
  const method = file === undefined ? 'GET' : 'PUT';
  const isOwn = hostname === target.hostName;
  const { status, body } = isOwn
    ? await call(target, method, pathname + search, file)
    : await elsewhere(address, { method, body: file ?? null });
  if (status < 200 || status > 299) throw new Error(`a file was answered ${status}: ${body}`);
  return body;
}

/** In a bucket. */
async function elsewhere(address: string, request: RequestInit) {
  const answer = await fetch(address, request);
  return { status: answer.status, body: await answer.text() };
}

function rowsOf(result: string): readonly ResultRow[] {
  const rows: readonly Readonly<Record<string, string>>[] = parse(result, { columns: true });
  return rows.map(({ importLine: line = '', importStatus: status = '', importError = '' }) => ({
    line,
    status,
    error: importError.replace(`line ${line}: `, ''),
  }));
}
