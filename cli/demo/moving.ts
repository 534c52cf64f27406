/** The demo's move: customers and invoices of another system, from files with faults and without. */
import { type RestTarget, all, call, done, text } from '../rest.ts';
import { explain, heading, say, strong, table } from './words.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';

const columns = 'extCustomerRef,firstName,lastName,emailPrimary,outstandingBalance';

export interface Move {
  readonly target: RestTarget;
  /** The clock's day. */
  readonly today: string;
  /** Begins the references and numbers, which other runs of the demo have too. */
  readonly mark: string;
}

/** Imports the files, and tells what became of their rows. */
export async function showMove(move: Move): Promise<void> {
  heading('Moving in from another system');
  await showCustomers(move);
  await showInvoices(move);
}

async function showCustomers({ target, mark }: Move): Promise<void> {
  explain(
    'The books of before come in CSV files. Of four customers in the first file, two rows are bad. ' +
      'A bad row fails alone, and the result file says why:',
  );
  const [hopper, noether] = [
    `${mark}-1,Grace,Hopper,grace@example.com,12.34`,
    `${mark}-2,Emmy,Noether,emmy@example.com,-5.00`,
  ];
  const first = await moved(target, {
    subOperation: 'Customer',
    file: [
      columns,
      hopper,
      noether,
      `${mark}-3,Sophie,,sophie@example.com,`,
      `${mark}-4,Sofia,Kovalevskaya,sofia@example.com,30,00`,
    ].join('\n'),
  });
  sayResult('customers.csv', first);
  explain('The second file has these two rows again, corrected:');
  const second = await moved(target, {
    subOperation: 'Customer',
    file: [
      columns,
      `${mark}-3,Sophie,Germain,sophie@example.com,`,
      `${mark}-4,Sofia,Kovalevskaya,sofia@example.com,30.00`,
    ].join('\n'),
  });
  sayResult('corrected.csv', second);
}

async function showInvoices(move: Move): Promise<void> {
  const { target } = move;
  const dry = await invoices(move, { isValidateOnly: true });
  explain(
    'Invoices come with a file of their line items. With validateOnly the import runs and is undone. ' +
      `This dry run says: ${dry.message}. Then the same files are imported:`,
  );
  await invoices(move, { isValidateOnly: false });
  const rows: (readonly string[])[] = [];
  for (const ref of [`${move.mark}-1`, `${move.mark}-2`]) {
    const list = await done(target, 'GET', `/rest/invoices?extCustomerRef=${ref}`);
    for (const invoice of all(list, 'invoice')) {
      const shown = await done(target, 'GET', `/rest/invoice/${text(invoice, '@id')}`);
      rows.push(
        [
          'invoiceNumber',
          'dueDate',
          'status',
          'currentAmountDue',
          'paymentsAndAdjustments',
          'outstandingBalance',
        ].map((name) => text(shown, name)),
      );
    }
  }
  rows.sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
  say('', ...table(invoiceColumns, rows), '');
  explain(
    'Imported invoices keep their numbers, and autopay never pays them. Emmy Noether had paid 5.00 ' +
      'too much: that money has met her invoice. Grace Hopper owes 12.34 from before, which her next ' +
      'payment settles first.',
  );
}

const invoiceColumns = [
  { title: 'Invoice' },
  { title: 'Due' },
  { title: 'Status' },
  { title: 'Amount', isFigure: true },
  { title: 'Paid before', isFigure: true },
  { title: 'Open', isFigure: true },
];

/** One that was paid, one of which 40.00 were, and one that was not; the last is due in 30 days. */
async function invoices(
  { target, today, mark }: Move,
  { isValidateOnly }: { readonly isValidateOnly: boolean },
): Promise<EndedJob> {
  const day = Temporal.PlainDate.from(today);
  const [before, ahead] = [day.subtract({ days: 30 }).toString(), day.add({ days: 30 }).toString()];
  const id = await upload(target, {
    subOperation: 'Invoice',
    isValidateOnly,
    file: [
      'invoiceNumber,extCustomerRef,invoiceDate,dueDate,status,paymentsAndAdjustments',
      `${mark}-A,${mark}-1,${before},${today},Paid,`,
      `${mark}-B,${mark}-1,${today},${ahead},,-40.00`,
      `${mark}-C,${mark}-2,${today},${ahead},,`,
    ].join('\n'),
  });
  await upload(target, {
    subOperation: 'Invoice Line Item',
    parent: id,
    file: [
      'invoiceNumber,position,invoiceText,unitPrice,quantity,amount',
      `${mark}-A,1,Hosting,29.95,1,`,
      `${mark}-B,1,Web site,,,90.00`,
      `${mark}-B,2,Domain,,,10.00`,
      `${mark}-C,1,Seats,3.25,4,`,
    ].join('\n'),
  });
  return finalize(target, id);
}

async function moved(target: RestTarget, job: NewJob): Promise<EndedJob> {
  return finalize(target, await upload(target, job));
}

const resultColumns = [{ title: 'Line' }, { title: 'Status' }, { title: 'Error' }];

function sayResult(name: string, { status, rows }: EndedJob): void {
  const cells = rows.map((row) => [row.line, row.status, row.error]);
  say('', strong(`${name}: ${status}`), ...table(resultColumns, cells), '');
}

/* Files of batch jobs: uploads one, has it processed, and reads its result. */

const WAIT_SECONDS = 120;
const POLL_MS = 100;

interface NewJob {
  readonly subOperation: 'Customer' | 'Invoice' | 'Invoice Line Item';
  readonly file: string;
  readonly isValidateOnly?: boolean;
  /** The job of the invoices, by id. */
  readonly parent?: string;
}

/** A row of a result file: its line, what became of it, and why not. */
interface ResultRow {
  readonly line: string;
  readonly status: string;
  readonly error: string;
}

interface EndedJob {
  readonly status: string;
  /** Of its own rows. */
  readonly message: string;
  readonly rows: readonly ResultRow[];
}

/** Makes a job and uploads its file; returns the id. */
async function upload(target: RestTarget, job: NewJob): Promise<string> {
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
async function finalize(target: RestTarget, id: string): Promise<EndedJob> {
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
