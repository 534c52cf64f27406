/** A tenant whose files are imported over HTTP, with rows at which the gates of a test stand. */
import type { ExecutionContext } from 'ava';
import { parse } from 'csv-parse/sync';
import type { Database } from '../../../db/connection/database.ts';
import { verifyPassword } from '../../../operations/access/passwords.ts';
import { send, type Received } from '../../api/support.ts';
import { valueOf } from '../../api/tenant-api.ts';
import { csv } from '../../operations/support/imports.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import type { Parts } from './parts.ts';
import { openTill } from './till.ts';

export const CUSTOMERS = 2_600;
export const INVOICES = 1_200;
const SECOND_LINES = 300;
const BASE_CUSTOMERS = 40;
const PASSWORDS = 12;
/** Each of so many rows is bad. */
const BAD_EVERY = 50;
/** `Gate` stands in the middle of a file, `Commit` in a later transaction. */
const markOf = (nth: number, gate: number, commit: number): string =>
  nth === gate ? 'Gate' : nth === commit ? 'Commit' : 'Ada';

export type Importing = Awaited<ReturnType<typeof openImporting>>;

export async function openImporting(parts: Parts, db: Database, prefix = '') {
  const till = await openTill(parts, db, {
    label: `moved-${suffix()}`,
    testClock: '2027-01-01T12:00:00Z',
    plans: [],
  });
  const { call, read } = till;
  const port = Number(new URL(parts.apiUrl).port);
  const host = `${till.label}.localhost`;
  const atUrl = (method: string, url: string, body?: string): Promise<Received> => {
    const { pathname, search } = new URL(url);
    const sent = { method, path: pathname + search, host, auth: null };
    return send(port, body === undefined ? sent : { ...sent, body });
  };
  const element = (body: string, name: string): string => valueOf(body, name) ?? '';

  async function draft(subOperation: string, parent?: number) {
    const more = parent === undefined ? '' : `<parentBatchProcess>${parent}</parentBatchProcess>`;
    const { status, body } = await call(
      'POST',
      '/batchProcess?mode=StorageFileUpload',
      '<batchProcess><inputType>API</inputType><operation>eBill-Import</operation>' +
        `<subOperation>${subOperation}</subOperation>${more}</batchProcess>`,
    );
    if (status !== 201) throw new Error(body);
    return { id: Number(element(body, 'id')), uploadUrl: element(body, 'uploadUrl') };
  }

  async function uploaded(subOperation: string, text: string, parent?: number): Promise<number> {
    const { id, uploadUrl } = await draft(subOperation, parent);
    const { status, body } = await atUrl('PUT', uploadUrl, text);
    if (status !== 201) throw new Error(body);
    return id;
  }

  const finalize = (id: number): Promise<Received> =>
    call('PUT', '/batchProcess?mode=BatchFinalize', `<batchProcess><id>${id}</id></batchProcess>`);

  const statusOf = async (id: number): Promise<string> => {
    const [row] = await read<{ text: string }>(
      `select concat_ws(' ', status, success_count, fail_count, error_message) as text
       from batch where id = $1`,
      id,
    );
    return row?.text ?? 'gone';
  };

  /** The cells of the result, without its first line. */
  async function result(id: number): Promise<readonly (readonly string[])[]> {
    const { body } = await call('GET', `/batchProcess?id=${id}`);
    const { status, body: text } = await atUrl('GET', element(body, 'downloadUrl'));
    if (status !== 200) throw new Error(text);
    const [, ...rows] = parse(text);
    return rows;
  }

  return {
    ...till,
    draft,
    upload: (url: string, text: string) => atUrl('PUT', url, text),
    uploaded,
    finalize,
    statusOf,
    result,
    async run(subOperation: string, text: string): Promise<number> {
      const id = await uploaded(subOperation, text);
      await finalize(id);
      await until('it has ended', async () => !/^(Draft|Queued)/.test(await statusOf(id)));
      return id;
    },
    ended: (...ids: readonly number[]) =>
      until('they have ended', async () => {
        const all = await Promise.all(ids.map(statusOf));
        return all.every((status) => !/^(Draft|Queued)/.test(status));
      }),
    count: async (from: string): Promise<number> => {
      const [row] = await read<{ n: number }>(`select count(*)::int as n from ${from}`);
      return row?.n ?? 0;
    },
    prefix,
  };
}

const isBad = (nth: number): boolean => nth % BAD_EVERY === 0;

/** Good rows but those whose number divides by 50, and a repeated one at the end. */
export function customersFile(prefix: string, count = CUSTOMERS): string {
  const rows = Array.from({ length: count }, (_, nth) => {
    const login = nth % 200 === 1 ? [`${prefix}u${nth}`, `Secret-${prefix}-${nth}`] : ['', ''];
    const first = markOf(nth, 1_501, 2_551);
    return [`${prefix}${nth}`, first, isBad(nth) ? '' : 'Byron', ...login, '1.00', MAIL];
  });
  const columns = ['extCustomerRef', 'firstName', 'lastName', 'username', 'passwd'];
  return csv(
    [...columns, 'outstandingBalance', 'emailPrimary'],
    [...rows, [`${prefix}1`, 'Ada', 'Byron', '', '', '', MAIL]],
  );
}

const MAIL = 'ada@example.com';

export const baseFile = (prefix: string, count = BASE_CUSTOMERS): string =>
  csv(
    ['extCustomerRef', 'firstName', 'lastName', 'emailPrimary'],
    Array.from({ length: count }, (_, nth) => [`${prefix}B${nth}`, 'Ada', 'Byron', MAIL]),
  );

/** Those whose number divides by 50 are due before their date, and the sixth has a bad line. */
export function invoicesFile(prefix: string, count = INVOICES): string {
  const rows = Array.from({ length: count }, (_, nth) => [
    `${prefix}${nth}`,
    `${prefix}B${nth % BASE_CUSTOMERS}`,
    '2026-12-01',
    isBad(nth) ? '2026-11-01' : '2027-02-01',
    markOf(nth, 701, 1_101),
  ]);
  return csv(['invoiceNumber', 'extCustomerRef', 'invoiceDate', 'dueDate', 'notes'], rows);
}

/** A line of each invoice; second ones of the first 300, a bad one, and one without an invoice. */
export function lineFiles(prefix: string, count = INVOICES): readonly [string, string] {
  const columns = ['invoiceNumber', 'position', 'amount', 'invoiceText'];
  const first = Array.from({ length: count }, (_, nth) => [
    `${prefix}${nth}`,
    1,
    '5.00',
    markOf(nth, 1_100, -1),
  ]);
  const second = Array.from({ length: Math.min(SECOND_LINES, count) }, (_, nth) => [
    `${prefix}${nth}`,
    2,
    '2.50',
    '',
  ]);
  return [
    csv(columns, first),
    csv(columns, [...second, [`${prefix}5`, 3, 'five', ''], [`${prefix}none`, 1, '5.00', '']]),
  ];
}

/** Each good customer once, the counts, each row once in the result, and the passwords hashed. */
export async function customersAreRight(
  t: ExecutionContext,
  tenant: Importing,
  { id, prefix }: { readonly id: number; readonly prefix: string },
): Promise<void> {
  const bad = CUSTOMERS / BAD_EVERY;
  const good = CUSTOMERS - bad;
  t.is(await tenant.statusOf(id), `PartialSuccess ${good} ${bad + 1}`);
  const mine = `imported_by = ${id}`;
  t.is(await tenant.count(`customer where ${mine}`), good);
  t.is(
    await tenant.count(`(select distinct ext_customer_ref from customer where ${mine}) d`),
    good,
  );
  const sums = await tenant.read(
    `select count(*)::int as entries, sum(e.amount)::numeric(20, 2)::text as owed
     from ledger_entry e join customer c on c.id = e.customer_id where c.${mine}`,
  );
  t.deepEqual(sums, [{ entries: good, owed: `${good}.00` }]);
  const rows = await tenant.result(id);
  t.deepEqual(
    rows.map((row) => `${row[0]} ${row.at(-4)} ${row.at(-3)}`),
    Array.from({ length: CUSTOMERS + 1 }, (_, nth) =>
      nth === CUSTOMERS
        ? `${prefix}1 ${nth + 2} Failure`
        : `${prefix}${nth} ${nth + 2} ${isBad(nth) ? 'Failure' : 'Success'}`,
    ),
  );
  t.true(rows.every((row) => row[4] === ''));
  await until(
    'the passwords are hashed',
    async () => (await tenant.count('password_to_hash')) === 0,
  );
  const [one] = await tenant.read<{ hash: string; hashed: number }>(
    `select password_hash as hash, (select count(*)::int from contact k join customer c
       on c.id = k.customer_id where c.${mine} and k.password_hash is not null) as hashed
     from contact where login = $1`,
    `${prefix}u201`,
  );
  // 1, 201, ... 2,401 have a password.
  t.is(one?.hashed, PASSWORDS + 1);
  t.true(await verifyPassword(`Secret-${prefix}-201`, one?.hash ?? ''));
}

/** Each good invoice once with its lines, the counts, and each row once in the results. */
export async function invoicesAreRight(
  t: ExecutionContext,
  tenant: Importing,
  {
    id,
    lineIds,
    prefix,
  }: {
    readonly id: number;
    readonly lineIds: readonly [number, number];
    readonly prefix: string;
  },
): Promise<void> {
  // The numbers 0, 50, ... are bad, and 5 has a bad line.
  const bad = INVOICES / BAD_EVERY + 1;
  const badSecond = SECOND_LINES / BAD_EVERY + 1;
  t.is(await tenant.statusOf(id), `PartialSuccess ${INVOICES - bad} ${bad}`);
  const [first, second] = lineIds;
  t.is(await tenant.statusOf(first), `PartialSuccess ${INVOICES - bad} ${bad}`);
  t.is(
    await tenant.statusOf(second),
    `PartialSuccess ${SECOND_LINES - badSecond} ${badSecond + 2}`,
  );
  const stored = await tenant.read(
    `select count(*)::int as invoices, sum(i.total_due)::numeric(20, 2)::text as due,
       (select count(*)::int from invoice_line l join invoice j on j.id = l.invoice_id
        where j.invoice_number like $1) as lines,
       (select count(*)::int from ledger_entry e join invoice j on j.id = e.invoice_id
        where j.invoice_number like $1) as entries
     from invoice i where i.invoice_number like $1`,
    `${prefix}%`,
  );
  const [invoices, lines] = [INVOICES - bad, SECOND_LINES - badSecond];
  const due = (5 * invoices + 2.5 * lines).toFixed(2);
  t.deepEqual(stored, [{ invoices, due, lines: invoices + lines, entries: invoices }]);
  for (const [job, rows] of [
    [id, INVOICES],
    [first, INVOICES],
    [second, SECOND_LINES + 2],
  ] as const) {
    const told = (await tenant.result(job)).map((row) => Number(row.at(-4)));
    t.deepEqual(
      told,
      Array.from({ length: rows }, (_, nth) => nth + 2),
    );
  }
  t.is(await tenant.count('import_line'), 0);
}
