/** Files of imports are deleted after 90 days, with what became of their rows. */
import test from 'ava';
import { FILES_KEPT_DAYS, importFilesPass } from '../../../operations/processes/import-files.ts';
import { openBooks, ownDatabase } from '../support/books.ts';
import { csv, importsOf } from '../support/imports.ts';

const db = await ownDatabase();
const file = csv(
  ['extCustomerRef', 'firstName', 'lastName', 'emailPrimary'],
  [['A-1', 'Ada', 'Byron', 'ada@example.com']],
);
const DAY_MS = 24 * 3_600_000;

async function opened() {
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  const imports = await importsOf(books);
  const { dependencies, storage } = { ...imports.options, storage: imports.storage };
  const errors: unknown[] = [];
  const passAfter = (days: number) =>
    importFilesPass({
      dependencies: {
        ...dependencies,
        realNow: () => books.dependencies.realNow() + days * DAY_MS,
      },
      relayDb: db.relay,
      onError: (error) => errors.push(error),
    });
  const rowsLeft = async () => {
    const rows = await books.read((tx) => tx.query('select 1 from import_row'));
    return rows.length;
  };
  const has = async (batchId: number, kind: 'upload' | 'result') =>
    (await storage.head({ tenantId: books.tenantId, batchId, kind })) !== null;
  return { books, imports, errors, passAfter, rowsLeft, has };
}

// A pass deletes what is old of all tenants, whatever day the other test has.
test.serial(
  'a result is kept for 90 days, and then deleted with its rows; the job stays',
  async (t) => {
    const { books, imports, errors, passAfter, rowsLeft, has } = await opened();
    const { id } = await imports.customers(file);
    t.false(await has(id, 'upload'), 'what was sent goes with the end of the job');
    await passAfter(FILES_KEPT_DAYS - 1);
    t.deepEqual([await has(id, 'result'), await rowsLeft()], [true, 1]);
    await passAfter(FILES_KEPT_DAYS + 1);
    t.deepEqual([await has(id, 'result'), await rowsLeft()], [false, 0]);
    const jobs = await books.read((tx) =>
      tx.query('select status, success_count as rows from batch'),
    );
    t.deepEqual(jobs, [{ status: 'Success', rows: 1 }]);
    t.deepEqual((await books.audit()).faults, []);
    await passAfter(FILES_KEPT_DAYS + 2);
    t.deepEqual(errors, []);
  },
);

test.serial(
  'a job that was never finalized loses its upload, and one under way keeps it',
  async (t) => {
    const { books, imports, passAfter, has } = await opened();
    const [draft, queued] = [
      await imports.finalized({ kind: 'customers', text: file }),
      await imports.finalized({ kind: 'customers', text: file }),
    ];
    await books.work(async ({ tx, time }) => {
      tx.send(`update batch set created_at = $1, status = 'Draft' where id = $2`, [
        time.now,
        draft,
      ]);
    });
    await passAfter(FILES_KEPT_DAYS + 1);
    t.deepEqual([await has(draft, 'upload'), await has(queued, 'upload')], [false, true]);
  },
);
