/** Imports a chunk of the rows of a file of invoices, with their line items, which are staged. */
import assert from 'node:assert';
import { RATED_CHARGES_MAX } from '../../domain/billing/due/limits.ts';
import { type ImportedAmounts, invoiceFaults, summedRow } from '../../domain/imports/invoice.ts';
import { pricedRow } from '../../domain/imports/line.ts';
import type { InvoiceRow, LineRow } from '../../domain/imports/rows.ts';
import type { ManualCharge } from '../../domain/invoices/by-hand.ts';
import { readNumbersTaken, readSeries } from '../../db/queries/imports/invoices.ts';
import type { ImportJob } from '../../db/queries/imports/jobs.ts';
import { type StagedLine, countStaged, readStaged } from '../../db/queries/imports/lines.ts';
import { type ImportRowInsert, readTaken } from '../../db/queries/imports/rows.ts';
import type { OperationContext } from '../context/context.ts';
import {
  type Candidate,
  type CellFault,
  type ImportRow,
  type RowReader,
  byFirstKey,
  failedRow,
  readCandidates,
} from './rows.ts';
import { readByReference } from '../../db/queries/imports/customers.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { lockCustomers } from '../context/locks.ts';

/** How many line items one transaction takes, beyond those of a single invoice. */
const CHUNK_LINES_MAX = 10_000;

/** Thrown of several rows at once; in halves they have fewer. */
export class TooManyLinesError extends Error {}

export const INVOICE_KEY = 'invoiceNumber';

/** An invoice with nothing wrong, and its lines by position. */
export interface GoodInvoice {
  readonly line: number;
  readonly row: InvoiceRow;
  readonly customerId: number;
  readonly currency: string;
  readonly amounts: ImportedAmounts;
  readonly items: readonly GoodLine[];
}

export interface GoodLine {
  readonly staged: StagedLine;
  readonly charge: ManualCharge;
}

export interface JudgedInvoices {
  readonly good: readonly GoodInvoice[];
  /** The outcomes of bad invoices. */
  readonly failed: readonly ImportRowInsert[];
  /** Line items that are wrong by themselves, with their outcomes. */
  readonly badLines: readonly { readonly staged: StagedLine; readonly outcome: ImportRowInsert }[];
}

/** Judges the rows and their line items, and locks the customers of the good ones. */
export async function judgeInvoices(
  context: OperationContext,
  job: ImportJob,
  rows: readonly ImportRow[],
  reader: RowReader<InvoiceRow>,
): Promise<JudgedInvoices> {
  const { tx, time } = context;
  assert(job.columns, 'the file was read once');
  const rules = { today: time.today, series: await readSeries(tx) };
  const candidates = readCandidates(rows, {
    reader,
    columns: job.columns,
    keyColumn: INVOICE_KEY,
    check: (row) => invoiceFaults(row, rules),
  });
  const keys = candidates.flatMap(({ key }) => key ?? []);
  const { keys: before } = await readTaken(tx, job.id, { keys, logins: [] });
  const { first, repeated } = byFirstKey(candidates, before, INVOICE_KEY);
  const judged = await judgeFirst(context, job, first);
  const failed = repeated.map(({ line, key, faults }) =>
    failedRow(job.id, line, faults ?? [], key),
  );
  return { ...judged, failed: [...judged.failed, ...failed] };
}

async function judgeFirst(
  context: OperationContext,
  job: ImportJob,
  candidates: readonly Candidate<InvoiceRow>[],
): Promise<JudgedInvoices> {
  const { tx } = context;
  const named = candidates.flatMap(({ value }) => value ?? []);
  const numbers = named.map(({ invoiceNumber }) => invoiceNumber);
  const [taken, counts, customers] = await Promise.all([
    readNumbersTaken(tx, numbers),
    countStaged(tx, job.id, numbers),
    lockNamed(tx, named),
  ]);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (all > CHUNK_LINES_MAX && candidates.length > 1) {
    throw new TooManyLinesError(`${all} line items at once`);
  }
  const readable = numbers.filter((number) => (counts.get(number) ?? 0) <= RATED_CHARGES_MAX);
  const lines = await readStaged(tx, job.id, readable);
  const known: Known = {
    taken,
    counts,
    customers,
    lines: Map.groupBy(lines, ({ invoiceNumber }) => invoiceNumber),
  };
  const good: GoodInvoice[] = [];
  const failed: ImportRowInsert[] = [];
  const badLines: { staged: StagedLine; outcome: ImportRowInsert }[] = [];
  for (const each of candidates) {
    const judged = judge(each, known);
    if (judged.invoice !== null) good.push(judged.invoice);
    else failed.push(failedRow(job.id, each.line, judged.faults, each.key));
    badLines.push(...judged.badLines);
  }
  return { good, failed, badLines };
}

/** What is stored beside the rows. */
interface Known {
  readonly taken: ReadonlySet<string>;
  readonly counts: ReadonlyMap<string, number>;
  readonly customers: NamedCustomers;
  readonly lines: ReadonlyMap<string, readonly StagedLine[]>;
}

interface BadLine {
  readonly staged: StagedLine;
  readonly outcome: ImportRowInsert;
}

type Judged =
  | { readonly invoice: GoodInvoice; readonly badLines: readonly BadLine[] }
  | {
      readonly invoice: null;
      readonly faults: readonly CellFault[];
      readonly badLines: readonly BadLine[];
    };

function judge({ line, value: row, faults }: Candidate<InvoiceRow>, known: Known): Judged {
  if (row === null) return bad(faults);
  const number = row.invoiceNumber;
  if (known.taken.has(number)) {
    const message = `another invoice has invoiceNumber ${number}`;
    return bad([{ code: 'invoice.numberTaken', column: INVOICE_KEY, message }]);
  }
  const customer = known.customers.of(row);
  if ('fault' in customer) return bad([customer.fault]);
  if ((known.counts.get(number) ?? 0) > RATED_CHARGES_MAX) {
    const message = `an invoice has at most ${RATED_CHARGES_MAX} line items`;
    return bad([{ code: 'field.invalid', column: INVOICE_KEY, message }]);
  }
  return judgeItems(row, line, customer, known.lines.get(number) ?? []);
}

function judgeItems(
  row: InvoiceRow,
  line: number,
  customer: Named,
  lines: readonly StagedLine[],
): Judged {
  const currency = row.currency ?? customer.currency;
  const priced = lines
    .filter(({ position }) => position !== null)
    .map((staged) => ({ staged, ...pricedRow(lineRowOf(staged), currency) }));
  const badLines = priced.flatMap(({ staged, faults }): BadLine[] =>
    faults === null
      ? []
      : [{ staged, outcome: failedRow(staged.batchId, staged.line, faults, null) }],
  );
  const unreadable = lines.filter(({ position }) => position === null);
  const wrong = [...unreadable, ...badLines.map(({ staged }) => staged)];
  if (wrong.length > 0) return bad([dependentOn(wrong)], badLines);
  const items = priced.flatMap(({ staged, charge }) => (charge ? [{ staged, charge }] : []));
  const { amounts, faults } = summedRow(
    row,
    items.map(({ charge }) => charge.amount),
    currency,
  );
  if (amounts === null) return bad(faults);
  const invoice = { line, row, customerId: customer.id, currency, amounts, items };
  return { invoice, badLines: [] };
}

function bad(faults: readonly CellFault[], badLines: readonly BadLine[] = []): Judged {
  return { invoice: null, faults, badLines };
}

/** `line 12 of the file of line items 2102 is bad` */
function dependentOn([first, ...others]: readonly StagedLine[]): CellFault {
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  const which = `line ${first?.line} of batch ${first?.batchId}`;
  const message = `a line item of the invoice is bad: ${which}${more}`;
  return { code: 'import.dependent', column: INVOICE_KEY, message };
}

function lineRowOf(staged: StagedLine): LineRow {
  return {
    invoiceNumber: staged.invoiceNumber,
    position: staged.position ?? 0,
    invoiceText: staged.invoiceText,
    priceCode: staged.priceCode,
    contractCode: staged.contractCode,
    orderNumber: staged.orderNumber,
    accountingCode: staged.accountingCode,
    unitPrice: staged.unitPrice,
    quantity: staged.quantity,
    amount: staged.amount,
    billingStartDate: staged.billingStartDate,
    billingEndDate: staged.billingEndDate,
  };
}

/* Finds and locks the customers that rows of invoices name, by id, by reference, or by both. */

type Naming = Pick<InvoiceRow, 'customerId' | 'extCustomerRef'>;

interface Named {
  readonly id: number;
  readonly currency: string;
}

interface NamedCustomers {
  readonly of: (row: Naming) => Named | { readonly fault: CellFault };
}

async function lockNamed(tx: Tx, rows: readonly Naming[]): Promise<NamedCustomers> {
  const references = rows.flatMap(({ extCustomerRef }) => extCustomerRef ?? []);
  const byReference = await readByReference(tx, [...new Set(references)]);
  const ids = [...rows.flatMap(({ customerId }) => customerId ?? []), ...byReference.values()];
  const locked = await lockCustomers(tx, [...new Set(ids)]);
  const byId = new Map(locked.map((customer) => [customer.id, customer]));
  return {
    of({ customerId, extCustomerRef }) {
      const referred = extCustomerRef === null ? undefined : byReference.get(extCustomerRef);
      if (extCustomerRef !== null && referred === undefined) {
        const message = `there is no customer with extCustomerRef ${extCustomerRef}`;
        return { fault: { code: 'customer.unknown', column: 'extCustomerRef', message } };
      }
      if (customerId !== null && referred !== undefined && customerId !== referred) {
        const message = `customerId ${customerId} is not the customer of extCustomerRef`;
        return { fault: { code: 'field.invalid', column: 'customerId', message } };
      }
      const customer = byId.get(customerId ?? referred ?? 0);
      if (customer?.isErased === true) {
        const column = customerId === null ? 'extCustomerRef' : 'customerId';
        const message = `customer ${customer.id} is erased, so nothing is written of it`;
        return { fault: { code: 'customer.erased', column, message } };
      }
      if (customer !== undefined) return customer;
      const message = `there is no customer with id ${customerId}`;
      return { fault: { code: 'customer.unknown', column: 'customerId', message } };
    },
  };
}
