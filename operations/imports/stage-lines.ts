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
      batchId: job.id,
      line,
      parentId,
      invoiceNumber: value.invoiceNumber,
      position: value.position,
      invoiceText: value.invoiceText,
      priceCode: value.priceCode,
      contractCode: value.contractCode,
      orderNumber: value.orderNumber,
      accountingCode: value.accountingCode,
      unitPrice: value.unitPrice,
      quantity: value.quantity,
      amount: value.amount,
      billingStartDate: value.billingStartDate,
      billingEndDate: value.billingEndDate,
    };
  }
}

/** The invoice of a bad row fails. */
export async function failInvoice(tx: Tx, job: ImportJob, row: BadRow): Promise<void> {
  await insertStaged(tx, markOf(job, row));
}

/** As any other file of the invoices would insert them; of the same positions the first row. */
function byPosition(one: StagedInsert, other: StagedInsert): number {
  if (one.invoiceNumber !== other.invoiceNumber) {
    return one.invoiceNumber < other.invoiceNumber ? -1 : 1;
  }
  return (one.position ?? 0) - (other.position ?? 0);
}

type BadRow = Pick<Candidate<LineRow>, 'line' | 'key'>;

function markOf({ id, parentId }: ImportJob, { line, key }: BadRow): StagedInsert[] {
  assert(parentId !== null, 'line items have a parent');
  return key === null || key.length > INVOICE_NUMBER_LENGTH_MAX
    ? []
    : [{ ...noLine, batchId: id, line, parentId, invoiceNumber: key }];
}

/** No invoice has a longer number. */
const INVOICE_NUMBER_LENGTH_MAX = 10;

const noLine = {
  position: null,
  invoiceText: null,
  priceCode: null,
  contractCode: null,
  orderNumber: null,
  accountingCode: null,
  unitPrice: null,
  quantity: null,
  amount: null,
  billingStartDate: null,
  billingEndDate: null,
} as const;
