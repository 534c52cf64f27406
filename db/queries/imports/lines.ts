/** Line items that wait for their invoices: `import_line`. */
import type { Tx } from '../../connection/tenancy.ts';
import { insertText } from '../context/insertion.ts';
import { ImportLine } from '../../entities/imports.ts';
import type { RowOf } from '../../entities/rows.ts';

const columns = [
  'batchId',
  'line',
  'parentId',
  'invoiceNumber',
  /** Null of a bad row, which fails its invoice. */
  'position',
  'invoiceText',
  'priceCode',
  'contractCode',
  'orderNumber',
  'accountingCode',
  'unitPrice',
  'quantity',
  'amount',
  'billingStartDate',
  'billingEndDate',
] as const;

export type StagedInsert = RowOf<typeof ImportLine, (typeof columns)[number]>;

const insertStaged = insertText({
  into: ImportLine,
  columns,
  ending: `on conflict (tenant_id, parent_id, invoice_number, position) do nothing returning line`,
});

/** Returns the lines of the rows whose position on their invoice was free. */
export async function stageLines(
  tx: Tx,
  rows: readonly StagedInsert[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const values = [tx.tenantId, JSON.stringify(rows)];
  const staged = await tx.query<{ line: number }>(insertStaged, values, 'stage-lines');
  return new Set(staged.map(({ line }) => line));
}

/** How many rows, good or bad, name each of these invoices. */
export async function countStaged(
  tx: Tx,
  parentId: number,
  invoiceNumbers: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ invoiceNumber: string; count: number }>(
    `select n.number as invoice_number, (select count(*)::int from import_line l
       where l.tenant_id = $1 and l.parent_id = $2 and l.invoice_number = n.number) as count
     from unnest($3::text[]) n(number)`,
    [tx.tenantId, parentId, invoiceNumbers],
    'count-staged',
  );
  return new Map(rows.map(({ invoiceNumber, count }) => [invoiceNumber, count]));
}

export type StagedLine = RowOf<
  typeof ImportLine,
  | 'batchId'
  | 'line'
  | 'invoiceNumber'
  | 'position'
  | 'invoiceText'
  | 'priceCode'
  | 'contractCode'
  | 'orderNumber'
  | 'accountingCode'
  | 'unitPrice'
  | 'quantity'
  | 'amount'
  | 'billingStartDate'
  | 'billingEndDate'
>;

/** By invoice and position, the bad ones last. */
export function readStaged(
  tx: Tx,
  parentId: number,
  invoiceNumbers: readonly string[],
): Promise<StagedLine[]> {
  return tx.query<StagedLine & Record<string, unknown>>(
    `select batch_id, line, invoice_number, position, invoice_text, price_code, contract_code,
       order_number, accounting_code, unit_price, quantity, amount, billing_start_date,
       billing_end_date
     from import_line where tenant_id = $1 and parent_id = $2 and invoice_number = any($3)
     order by invoice_number, position`,
    [tx.tenantId, parentId, invoiceNumbers],
    'read-staged',
  );
}

export function deleteStaged(
  tx: Tx,
  lines: readonly { readonly batchId: number; readonly line: number }[],
): void {
  if (lines.length === 0) return;
  tx.send(
    `delete from import_line l using unnest($2::bigint[], $3::int[]) as d(batch_id, line)
     where l.tenant_id = $1 and l.batch_id = d.batch_id and l.line = d.line`,
    [tx.tenantId, lines.map((each) => each.batchId), lines.map(({ line }) => line)],
    'delete-staged',
  );
}

/**
 * Takes away some lines of a file that no invoice took; the good ones of them fail with their
 * invoice. Returns how many were taken, and how many failed.
 *
 * @param fails false of a job that was cancelled: its lines are left out
 */
export async function dropStaged(
  tx: Tx,
  batchId: number,
  { limit, fails }: { readonly limit: number; readonly fails: boolean },
): Promise<{ readonly taken: number; readonly failed: number }> {
  const [dropped] = await tx.query<{ taken: number; failed: number }>(
    `with gone as (
       delete from import_line where tenant_id = $1 and batch_id = $2 and line in (
         select line from import_line where tenant_id = $1 and batch_id = $2
         order by line limit $3)
       returning line, parent_id, invoice_number, position),
     told as (
       insert into import_row (tenant_id, batch_id, line, status, code, error)
       select $1, $2, g.line, 'Failure', 'import.dependent',
         'line ' || g.line || ': invoiceNumber: import.dependent: ' || coalesce(
           'the invoice failed, see line ' || p.line || ' of its file',
           'the file of the invoices has no such invoiceNumber')
       from gone g
       left join import_row p on p.tenant_id = $1 and p.batch_id = g.parent_id
         and p.key = g.invoice_number
       where $4 and g.position is not null returning 1)
     select (select count(*) from gone)::int as taken, (select count(*) from told)::int as failed`,
    [tx.tenantId, batchId, limit, fails],
    'drop-staged',
  );
  return dropped ?? { taken: 0, failed: 0 };
}
