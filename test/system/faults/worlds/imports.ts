/** Files of customers and of invoices, passwords, what is cancelled, books carried over, reports. */
import { type SharedDatabase, openBooks } from '../../../operations/support/books.ts';
import { beginInit, everything } from '../../../operations/support/batch-init.ts';
import { csv, importsOf } from '../../../operations/support/imports.ts';
import { openPaymentBooks } from '../../../operations/support/payment-books.ts';
import { createReport } from '../../../../operations/ledger/report-job.ts';
import { cheapCost, hashPassword } from '../../../../operations/access/passwords.ts';
import type { Work } from '../work.ts';
import type { Scene, World } from '../world.ts';
import { paying } from './paying.ts';

const today = '2027-01-15';
const customerColumns = ['extCustomerRef', 'firstName', 'lastName', 'emailPrimary'];
const login = ['username', 'passwd'];

async function opened(db: SharedDatabase) {
  const books = await openBooks(db, { today, plans: [] });
  return { books, imports: await importsOf(books) };
}

type Opened = Awaited<ReturnType<typeof opened>>;
type Call = (work: Work) => Promise<boolean>;

/** Calls, each until it says that it is done. */
function inTurn({ books, imports }: Opened, ...calls: readonly Call[]): Scene {
  const { tenantId, dependencies } = books;
  let at = 0;
  return {
    tenantId,
    dependencies,
    pass: (ms) => books.later(ms),
    async step(work) {
      if (await calls[at]?.(work)) at += 1;
      return at < calls.length ? 0 : null;
    },
    ports: {
      storage: imports.storage,
      hash: (password) => hashPassword(password, cheapCost),
    },
  };
}

/** What the workflow of a job calls, one after the other. */
function jobOf({ books }: Opened, batchId: number) {
  const job = { tenantId: String(books.tenantId), batchId: String(batchId) };
  const prepare: Call = async ({ prepareImport }) => (await prepareImport(job)) !== undefined;
  const rows: Call = async ({ importSlice }) => (await importSlice(job))?.isDone ?? true;
  const finish: Call = async ({ finishImport }) => (await finishImport(job)) !== undefined;
  return { job, prepare, rows, finish };
}

const customers: World = {
  name: 'a file of customers, one of which is refused, and their passwords',
  of: ['prepareImport', 'importSlice', 'finishImport', 'hashPasswords'],
  async open({ db }) {
    const place = await opened(db);
    const text = csv(
      [...customerColumns, ...login],
      [
        ['A-1', 'Ada', 'Byron', 'ada@example.com', 'ada', 'Secret-of-ada-1'],
        ['A-2', 'Bob', '', 'bob@example.com', '', ''],
      ],
    );
    const batchId = await place.imports.finalized({ kind: 'customers', text });
    const { job, prepare, rows, finish } = jobOf(place, batchId);
    const hash: Call = async ({ hashPasswords }) =>
      (await hashPasswords({ tenantId: job.tenantId })).waitMs === null;
    const { imports } = place;
    return {
      ...inTurn(place, prepare, rows, finish, hash),
      outside: async () => (await imports.result(batchId)).rows,
    };
  },
};

const invoices: World = {
  name: 'a file of invoices with its line items',
  of: ['prepareImport', 'importSlice', 'finishImport'],
  async open({ db }) {
    const place = await opened(db);
    await place.books.customer({ ref: 'A' });
    const text = csv(
      ['invoiceNumber', 'extCustomerRef', 'invoiceDate', 'dueDate'],
      [
        ['X-1', 'A', '2026-12-01', '2027-02-01'],
        ['X-2', 'nobody', '2026-12-01', '2027-02-01'],
      ],
    );
    const lines = csv(
      ['invoiceNumber', 'position', 'amount'],
      [
        ['X-1', 1, '90.00'],
        ['X-3', 1, '10.00'],
      ],
    );
    const { imports } = place;
    const parentId = await imports.finalized({ kind: 'invoices', text });
    const childId = await imports.finalized({ kind: 'lines', text: lines, parentId });
    const [parent, child] = [jobOf(place, parentId), jobOf(place, childId)];
    const before = [parent.prepare, child.prepare, child.rows];
    return {
      ...inTurn(place, ...before, parent.rows, child.finish, parent.finish),
      outside: async () => [
        (await imports.result(parentId)).rows,
        (await imports.result(childId)).rows,
      ],
    };
  },
};

const cancelled: World = {
  name: 'a file whose import a person cancels',
  of: ['noteResumed', 'cancelImport'],
  async open({ db }) {
    const place = await opened(db);
    const text = csv(customerColumns, [['A-1', 'Ada', 'Byron', 'ada@example.com']]);
    const batchId = await place.imports.finalized({ kind: 'customers', text });
    const { job, prepare, rows, finish } = jobOf(place, batchId);
    const cancel: Call = async ({ cancelImport }) => {
      await cancelImport({ ...job, reason: 'the wrong file' });
      return true;
    };
    const note: Call = async ({ noteResumed }) => {
      const asked = { reason: 'seen to', by: 'Anna', requestId: 'one' };
      await noteResumed({ ...job, ...asked });
      return true;
    };
    return inTurn(place, prepare, note, cancel, rows, finish);
  },
};

const carriedOver: World = {
  name: 'the books of two customers that are carried over',
  of: ['prepareImport', 'carryOver'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today });
    const [owes, has] = [await books.customer(), await books.customer()];
    await books.bill(owes, '30');
    await books.paid({ customerId: has, amount: '12' });
    const batchId = await beginInit(books, { ...everything, zeroOutCustomerBalance: true });
    const job = { tenantId: String(books.tenantId), batchId: String(batchId) };
    return paying(books, {
      async step({ prepareImport, carryOver }) {
        if ((await prepareImport(job)) === null) return null;
        const { status } = await carryOver(job);
        return status === 'Queued' ? 0 : null;
      },
    });
  },
};

const reported: World = {
  name: 'a report that is written to a file',
  of: ['writeReport'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today });
    await books.bill(await books.customer({ ref: 'A' }), '30');
    const place = { books, imports: await importsOf(books) };
    const asked = { name: 'agedReceivables', from: null, to: null } as const;
    const batchId = await books.work((its) =>
      createReport(its, asked, ({ why }) => new Error(why)),
    );
    const job = { tenantId: String(books.tenantId), batchId: String(batchId) };
    const write: Call = async ({ writeReport }) => (await writeReport(job))?.rowsDone === 1;
    return {
      ...inTurn(place, write),
      // Customers have other ids in each repetition.
      outside: async () => (await place.imports.result(batchId)).cells.map((row) => row.slice(1)),
    };
  },
};

export const imports: readonly World[] = [customers, invoices, cancelled, carriedOver, reported];
