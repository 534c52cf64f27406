/** Stages a chunk of the rows of a file of line items, until the rows of their invoices are read. */
import assert from 'node:assert';
import { lineFaults } from '../../domain/imports/line.ts';
import type { LineRow } from '../../domain/imports/rows.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { ImportJob } from '../../db/queries/imports/jobs.ts';
import { stageLines as insertStaged, type StagedInsert } from '../../db/queries/imports/lines.ts';
import type { ImportRowInsert } from '../../db/queries/imports/rows.ts';
import type { OperationContext } from '../context/context.ts';
import { failedRow, readCandidates, type Candidate, type RowReader } from './read-rows.ts';
import type { ImportRow } from './rows.ts';

export const LINE_KEY = 'invoiceNumber';

/**
 * Stages the rows in the transaction that it is given; returns the outcomes of the bad ones. A bad
 * row that names its invoice is staged as well, since the invoice fails with it.
 */
export async function stageLines(
  { tx }: OperationContext,
  job: ImportJob,
  rows: readonly ImportRow[],
  reader: RowReader<LineRow>,
): Promise<readonly ImportRowInsert[]> {
  const { columns, parentId } = job;
  assert(columns && parentId !== null, 'line items have a parent, and the file was read once');
  const candidates = readCandidates(rows, {
    reader,
    columns,
    keyColumn: LINE_KEY,
    check: lineFaults,
  });
  const good = candidates.filter(({ value }) => value !== null);
  const staged = await insertStaged(tx, good.map(stagedOf).toSorted(byPosition));
  const bad = candidates.flatMap((each): Candidate<LineRow>[] => {
    if (each.value === null) return [each];
    if (staged.has(each.line)) return [];
    const { line, key, value } = each;
    const message = `an earlier line item of the invoice has position ${value.position}`;
    const fault = { code: 'import.repeated', column: 'position', message };
    return [{ line, key, value: null, faults: [fault] }];
  });
  await insertStaged(
    tx,
    bad.flatMap((each) => markOf(job, each)),
  );
  return bad.map(({ line, faults }) => failedRow(job.id, line, faults ?? [], null));

  function stagedOf({ line, value }: Candidate<LineRow>): StagedInsert {
    assert(value && parentId !== null);
    return {
      batch_id: job.id,
      line,
      parent_id: parentId,
      invoice_number: value.invoiceNumber,
      position: value.position,
      invoice_text: value.invoiceText,
      price_code: value.priceCode,
      contract_code: value.contractCode,
      order_number: value.orderNumber,
      accounting_code: value.accountingCode,
      unit_price: value.unitPrice,
      quantity: value.quantity,
      amount: value.amount,
      billing_start_date: value.billingStartDate,
      billing_end_date: value.billingEndDate,
    };
  }
}

/** The invoice of a bad row fails. */
export async function failInvoice(tx: Tx, job: ImportJob, row: BadRow): Promise<void> {
  await insertStaged(tx, markOf(job, row));
}

/** As any other file of the invoices would insert them; of the same positions the first row. */
function byPosition(one: StagedInsert, other: StagedInsert): number {
  if (one.invoice_number !== other.invoice_number) {
    return one.invoice_number < other.invoice_number ? -1 : 1;
  }
  return (one.position ?? 0) - (other.position ?? 0);
}

type BadRow = Pick<Candidate<LineRow>, 'line' | 'key'>;

function markOf({ id, parentId }: ImportJob, { line, key }: BadRow): StagedInsert[] {
  assert(parentId !== null, 'line items have a parent');
  return key === null || key.length > INVOICE_NUMBER_LENGTH_MAX
    ? []
    : [{ ...noLine, batch_id: id, line, parent_id: parentId, invoice_number: key }];
}

/** No invoice has a longer number. */
const INVOICE_NUMBER_LENGTH_MAX = 10;

const noLine = {
  position: null,
  invoice_text: null,
  price_code: null,
  contract_code: null,
  order_number: null,
  accounting_code: null,
  unit_price: null,
  quantity: null,
  amount: null,
  billing_start_date: null,
  billing_end_date: null,
} as const;
