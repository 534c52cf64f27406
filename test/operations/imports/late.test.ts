/** Processes that come late, and files that are gone: a job ends once, and is never stuck. */
import test from 'ava';
import { finishImport } from '../../../operations/imports/finish.ts';
import { prepareImport } from '../../../operations/imports/prepare.ts';
import type { SliceOptions } from '../../../operations/imports/slice.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { csv, hooks, importsOf } from '../support/imports.ts';

const db = await sharedDatabase();
const text = csv(
  ['emailPrimary', 'extCustomerRef', 'firstName', 'lastName'],
  [['a@example.com', 'A', 'Ada', 'Byron']],
);

async function opened() {
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  const imports = await importsOf(books);
  const id = await imports.finalized({ kind: 'customers', text });
  const job = async (): Promise<string | undefined> => {
    const [row] = await books.read((tx) =>
      tx.query<{ text: string }>(
        `select concat_ws(' ', status, row_count, success_count, error_message) as text
         from batch where id = $1`,
        [id],
      ),
    );
    return row?.text;
  };
  const whole = async (): Promise<void> => {
    await prepareImport(imports.options, id, hooks);
    await imports.rowsOf(id);
    await finishImport(imports.options, id, hooks);
  };
  /** Of a process that stands still before it opens a file. */
  const standing = (before: () => Promise<unknown>): SliceOptions => {
    const { dependencies } = imports.options;
    const storage: typeof dependencies.storage = {
      ...imports.storage,
      async get(...asked) {
        await before();
        return imports.storage.get(...asked);
      },
    };
    return { ...imports.options, dependencies: { ...dependencies, storage } };
  };
  return { books, imports, id, job, whole, standing };
}

test('a process that checks the file after the job has ended changes nothing', async (t) => {
  const { books, id, job, whole, standing } = await opened();
  await prepareImport(standing(whole), id, hooks);
  t.is(await job(), 'Success 1 1');
  t.deepEqual((await books.audit()).faults, []);
});

test('a process that writes the result after the job has ended changes nothing', async (t) => {
  const { books, imports, id, job, whole, standing } = await opened();
  await prepareImport(imports.options, id, hooks);
  await imports.rowsOf(id);
  const ended = await finishImport(standing(whole), id, hooks);
  t.deepEqual(ended, { status: 'Success', successes: 1, failures: 0 });
  t.is(await job(), 'Success 1 1');
  t.deepEqual((await imports.result(id)).rows, ['2 Success']);
  t.deepEqual((await books.audit()).faults, []);
});

test('a job whose file is lost before its result is written ends, and says so', async (t) => {
  const { books, imports, id, job } = await opened();
  await prepareImport(imports.options, id, hooks);
  await imports.rowsOf(id);
  await imports.storage.delete({ tenantId: books.tenantId, batchId: id, kind: 'upload' });
  const ended = await finishImport(imports.options, id, hooks);
  t.deepEqual(ended, { status: 'PartialSuccess', successes: 1, failures: 0 });
  t.is(await job(), 'PartialSuccess 1 1 The file is no longer the one that was finalized.');
  t.deepEqual((await imports.result(id)).rows, [
    '2 Success',
    '3 Failure The file is no longer the one that was finalized.',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});
