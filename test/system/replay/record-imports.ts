/** The paths of the workflows of batch jobs and imported passwords that are kept as histories. */
import type { WorkflowHandle } from '@temporalio/client';
import { DomainError } from '../../../domain/errors.ts';
import { createCarryOver } from '../../../operations/imports/carry-over-create.ts';
import { createReport } from '../../../operations/ledger/report-job.ts';
import type { FileStorage } from '../../../providers/storage/storage.ts';
import { cancelImport, resumeImport } from '../../../workflows/contract/imports.ts';
import { csv } from '../../operations/support/csv.ts';
import { testStorage } from '../../support/storage.ts';
import { detailsOf, openTenant, until, type Harness } from '../../workflows/harness.ts';
import { batch, importsIn } from '../../workflows/imports/imported.ts';

type Path = (harness: Harness) => Promise<WorkflowHandle>;

const names = ['extCustomerRef', 'firstName', 'lastName', 'username', 'passwd', 'emailPrimary'];
const mail = 'ada@example.com';
const passwords = { kind: 'passwords', objectId: null } as const;

async function opened(harness: Harness) {
  const books = await openTenant(harness, { timezone: 'UTC' });
  return { books, imports: importsIn(harness, books) };
}

/** The jobs whose files cannot be read. */
const unreadable = new Set<number>();

/** The storage of a harness whose workflows wait for a person if a test wants them to. */
export function faultyStorage(): FileStorage {
  const storage = testStorage();
  return {
    ...storage,
    async get(name, options) {
      if (unreadable.has(name.batchId)) throw new DomainError('update.refused', 'it is not there');
      return storage.get(name, options);
    },
  };
}

async function waiting(harness: Harness) {
  const { books, imports } = await opened(harness);
  const id = await imports.uploaded(
    'customers',
    csv(names, [['A-1', 'Ada', 'Byron', '', '', mail]]),
  );
  unreadable.add(id);
  await imports.finalize(id);
  const workflow = books.workflow(batch(id));
  await until('it waits', async () =>
    (await detailsOf(workflow)).includes('Waiting after a fault'),
  );
  unreadable.delete(id);
  return workflow;
}

export const importPaths: Record<string, Path> = {
  async 'import-customers'(harness) {
    const { books, imports } = await opened(harness);
    const id = await imports.uploaded(
      'customers',
      csv(names, [
        ['A-1', 'Ada', 'Byron', 'ada', 'Kept-nowhere-1', mail],
        ['A-2', '', 'Hopper', '', '', mail],
      ]),
    );
    await imports.finalize(id);
    await books.workflow(batch(id)).result();
    return books.workflow(batch(id));
  },

  async 'import-invoices-with-lines'(harness) {
    const { workflow } = await withLines(harness);
    return workflow;
  },

  async 'import-lines'(harness) {
    const { child } = await withLines(harness);
    return child;
  },

  async 'import-resumed'(harness) {
    const workflow = await waiting(harness);
    await workflow.executeUpdate(resumeImport, {
      args: [{ reason: 'it was seen to', by: 'Anna' }],
    });
    await workflow.result();
    return workflow;
  },

  async 'import-in-turn'(harness) {
    const { books, imports } = await opened(harness);
    const files = ['A-1', 'A-2'].map((ref) => csv(names, [[ref, 'Ada', 'Byron', '', '', mail]]));
    const [first, second] = [
      await imports.uploaded('customers', files[0] ?? ''),
      await imports.uploaded('customers', files[1] ?? ''),
    ];
    unreadable.add(first);
    for (const id of [first, second]) await imports.finalize(id);
    const before = books.workflow(batch(first));
    const workflow = books.workflow(batch(second));
    await until('one waits for a person, the other for its turn', async () => {
      const details = await Promise.all([before, workflow].map(detailsOf));
      return (
        details[0]?.includes('Waiting after a fault') === true &&
        details[1]?.includes('Waiting for its turn') === true
      );
    });
    unreadable.delete(first);
    await before.executeUpdate(resumeImport, { args: [{ reason: 'it was seen to', by: 'Anna' }] });
    await before.result();
    await books.deliver(batch(second));
    await workflow.result();
    return workflow;
  },

  async 'import-cancelled'(harness) {
    const workflow = await waiting(harness);
    await workflow.executeUpdate(cancelImport, {
      args: [{ reason: 'the wrong file', by: 'Anna' }],
    });
    await workflow.result();
    return workflow;
  },

  async 'report-written'(harness) {
    const { books } = await opened(harness);
    await books.customer('A');
    const asked = { name: 'agedReceivables', from: null, to: null } as const;
    const refusal = ({ why }: { readonly why: string }): Error => new Error(why);
    const id = await books.work((context) => createReport(context, asked, refusal));
    const report = { kind: 'report', objectId: id } as const;
    await books.deliver(report);
    await books.workflow(report).result();
    return books.workflow(report);
  },

  async 'batch-init'(harness) {
    const { books } = await opened(harness);
    await books.customer('A');
    const id = await books.work((context) =>
      createCarryOver(context, {
        jobId: 'init-1',
        carryForwardInvoices: true,
        carryForwardCreditMemos: true,
        carryForwardDebitMemos: true,
        zeroOutCustomerBalance: true,
      }),
    );
    await books.deliver(batch(id));
    await books.workflow(batch(id)).result();
    return books.workflow(batch(id));
  },

  async 'import-passwords'(harness) {
    const { books, imports } = await opened(harness);
    const row = ['A-1', 'Ada', 'Byron', 'ada', 'Kept-nowhere-1', mail];
    const id = await imports.uploaded('customers', csv(names, [row]));
    await imports.finalize(id);
    await books.workflow(batch(id)).result();
    await books.deliver(passwords);
    await books.workflow(passwords).result();
    return books.workflow(passwords);
  },
};

async function withLines(harness: Harness) {
  const { books, imports } = await opened(harness);
  await books.customer('A');
  const columns = ['invoiceNumber', 'extCustomerRef', 'invoiceDate', 'dueDate'];
  const id = await imports.uploaded(
    'invoices',
    csv(columns, [['X-1', 'A', '2020-01-01', '2020-02-01']]),
  );
  const lines: number[] = [];
  for (const position of [1, 2]) {
    const text = csv(['invoiceNumber', 'position', 'amount'], [['X-1', position, '10.00']]);
    lines.push(await imports.uploaded('lines', text, id));
  }
  await imports.finalize(id);
  await books.workflow(batch(id)).result();
  return { workflow: books.workflow(batch(id)), child: books.workflow(batch(lines[0] ?? 0)) };
}
