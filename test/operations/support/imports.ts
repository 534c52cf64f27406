/** Imports files into a test's books as the workflow would, step after step, without the engine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerCompletionHandler, type ExecutionContext } from 'ava';
import { customerRows, invoiceRows, lineRows } from '../../../api/resources/imports/rows.ts';
import { finishImport, type FinishedImport } from '../../../operations/imports/finish.ts';
import { prepareImport } from '../../../operations/imports/prepare.ts';
import {
  importSlice,
  type SliceHooks,
  type SliceOptions,
} from '../../../operations/imports/slice.ts';
import { openStorage } from '../../../providers/storage/open-storage.ts';
import type { FileStorage } from '../../../providers/storage/storage.ts';
import { resultOf, type Result } from '../imports/files.ts';
import { noteAsserted } from '../../support/asserted.ts';
import type { Books } from './books.ts';

export { csv, type Table } from './csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'sundial-imports-'));
registerCompletionHandler(() => rmSync(folder, { recursive: true, force: true }));

export const hooks: SliceHooks = {
  onProgress: () => undefined,
  signal: new AbortController().signal,
};

export interface NewFile {
  readonly kind: 'customers' | 'invoices' | 'lines';
  readonly text: string;
  readonly isValidateOnly?: boolean;
  readonly parentId?: number;
}

export async function importsOf(books: Books) {
  // Ids are those of a database: two tenants of one process may have the same.
  const storage: FileStorage = await openStorage(
    { storageUrl: mkdtempSync(join(folder, 'tenant-')) },
    { secretKeys: 'k'.repeat(32), realNow: () => Date.now() },
  );
  const { dependencies, tenantId } = books;
  const options: SliceOptions = {
    dependencies: { ...dependencies, storage },
    tenantId,
    readers: { customers: customerRows, invoices: invoiceRows, lines: lineRows },
    seal: (password, tenant, contact) => `sealed ${tenant} ${contact} ${password.length}`,
  };

  /** A job as finalize leaves it. */
  async function finalized({ kind, text, isValidateOnly, parentId }: NewFile): Promise<number> {
    const id = await books.work(async ({ tx }) => {
      const [row] = await tx.query<{ id: number }>(
        `insert into batch (tenant_id, job_id, kind, parent_id, status, is_validate_only,
           created_at, updated_at, finalized_at)
         values ($1, gen_random_uuid()::text, $2, $3, 'Queued', $4, now(), now(), now())
         returning id`,
        [tx.tenantId, kind, parentId ?? null, isValidateOnly ?? false],
      );
      return row?.id ?? 0;
    });
    const { etag } = await storage.put(
      { tenantId, batchId: id, kind: 'upload' },
      chunks(Buffer.from(text)),
    );
    await books.work(async ({ tx }) => {
      tx.send('update batch set upload_etag = $2 where id = $1', [id, etag]);
    });
    return id;
  }

  async function rowsOf(id: number): Promise<void> {
    for (let isDone = false; !isDone;) ({ isDone } = await importSlice(options, id, hooks));
  }

  function result(id: number): Promise<Result> {
    return resultOf(storage, tenantId, id);
  }

  return {
    options,
    storage,
    finalized,
    rowsOf,
    result,
    /** Prepares, imports and finishes a file of customers. */
    async customers(text: string, isValidateOnly = false) {
      const id = await finalized({ kind: 'customers', text, isValidateOnly });
      await prepareImport(options, id, hooks);
      await rowsOf(id);
      const finished = await finishImport(options, id, hooks);
      return { id, finished, ...(await result(id)) };
    },
    /** A file of invoices with its files of line items. */
    async invoices(text: string, lines: readonly string[], isValidateOnly = false) {
      const id = await finalized({ kind: 'invoices', text, isValidateOnly });
      const childIds: number[] = [];
      for (const each of lines) {
        childIds.push(await finalized({ kind: 'lines', text: each, isValidateOnly, parentId: id }));
      }
      await prepareImport(options, id, hooks);
      for (const childId of childIds) {
        await prepareImport(options, childId, hooks);
        await rowsOf(childId);
      }
      await rowsOf(id);
      const children: (FinishedImport & Result)[] = [];
      for (const childId of childIds) {
        children.push({
          ...(await finishImport(options, childId, hooks)),
          ...(await result(childId)),
        });
      }
      const finished = await finishImport(options, id, hooks);
      return { id, finished, children, ...(await result(id)) };
    },
  };
}

/** Asserts `line status error` of each row of a result. */
export function rowsAre(
  t: ExecutionContext,
  rows: readonly string[] | undefined,
  expected: readonly string[],
): void {
  t.deepEqual(rows, expected);
  for (const [, code = ''] of expected.join('\n').matchAll(/: ([a-z]+\.[A-Za-z]+): /g)) {
    noteAsserted(code);
  }
}

export type Imports = Awaited<ReturnType<typeof importsOf>>;

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  await Promise.resolve();
  yield bytes;
}
