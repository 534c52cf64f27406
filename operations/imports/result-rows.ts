/** What the result file of a job says of each row: the rows of the upload, and what became of them. */
import assert from 'node:assert';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { ImportJob } from '../../db/queries/imports/jobs.ts';
import { readImportRows, type StoredRow } from '../../db/queries/imports/rows.ts';
import { openRows } from './rows.ts';
import { holdsSecrets, type RowResult } from './result-file.ts';
import type { SliceOptions } from './slice.ts';

const PAGE_ROWS = 5_000;

export interface ResultRows {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<RowResult>;
}

/** A file that was refused, or is lost, has one row, which says why, and none of its own cells. */
export function resultRows(options: SliceOptions, job: ImportJob): ResultRows {
  const { columns, errorMessage } = job;
  if (errorMessage !== null) return { columns: [], rows: withoutFile(options, job, errorMessage) };
  return { columns: columns ?? [], rows: withFile(options, job) };
}

async function* withFile(options: SliceOptions, job: ImportJob): AsyncGenerator<RowResult> {
  const { dependencies, tenantId } = options;
  const { id: batchId, etag } = job;
  const { content } = await dependencies.storage.get(
    { tenantId, batchId, kind: 'upload' },
    { etag },
  );
  const outcomes = storedRows(options, job);
  const isSecret = holdsSecrets(job.columns ?? []);
  try {
    const { rows } = await openRows(content);
    let { value: next } = await outcomes.next();
    for await (const row of rows) {
      const { line } = row;
      const cells = 'cells' in row ? row.cells : isSecret ? null : row.sent;
      if (next?.line === line) {
        yield { ...next, cells };
        ({ value: next } = await outcomes.next());
      } else {
        assert(job.cancelReason !== null, `line ${line} of batch ${job.id} has no outcome`);
        yield { line, cells, status: 'Cancelled', id: null, error: null };
      }
    }
  } finally {
    content.destroy();
  }
}

async function* withoutFile(
  options: SliceOptions,
  job: ImportJob,
  error: string,
): AsyncGenerator<RowResult> {
  let line = 0;
  for await (const row of storedRows(options, job)) {
    yield { ...row, cells: [] };
    line = row.line;
  }
  yield { line: line + 1, cells: [], status: 'Failure', id: null, error };
}

async function* storedRows(
  { dependencies, tenantId }: SliceOptions,
  { id }: ImportJob,
): AsyncGenerator<StoredRow, undefined> {
  for (let after = 0; ;) {
    const from = { after, limit: PAGE_ROWS };
    const page = await inTenant(dependencies.db, tenantId, (tx) => readImportRows(tx, id, from), {
      readOnly: true,
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) return;
    after = last.line;
  }
}
