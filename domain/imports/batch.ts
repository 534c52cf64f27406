/** Batch jobs: their kinds as the interface names them, how far they are, and what they say at the end. */
import { DomainError } from '../errors.ts';

/** In the order of `batchProcess` in the documentation. */
export const batchStatuses = ['Draft', 'Queued', 'Success', 'PartialSuccess', 'Failure'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

interface ShownKind {
  readonly operation: string;
  /**
   * Null of the job to which the three kinds that BatchInit carries over belong, and of a report, which
   * has its own name there.
   */
  readonly subOperation: string | null;
}

/**
 * Each kind of job as the interface names it.
 *
 * @example batchKinds.lines.subOperation // 'Invoice Line Item'
 */
export const batchKinds = {
  customers: { operation: 'eBill-Import', subOperation: 'Customer' },
  invoices: { operation: 'eBill-Import', subOperation: 'Invoice' },
  lines: { operation: 'eBill-Import', subOperation: 'Invoice Line Item' },
  init: { operation: 'BatchInit', subOperation: null },
  carriedInvoices: { operation: 'CarryForward', subOperation: 'Invoice' },
  carriedCredits: { operation: 'CarryForward', subOperation: 'CreditMemo' },
  carriedDebits: { operation: 'CarryForward', subOperation: 'DebitMemo' },
  report: { operation: 'Report', subOperation: null },
} as const satisfies Readonly<Record<string, ShownKind>>;

export type BatchKind = keyof typeof batchKinds;

/**
 * The kinds of jobs that a file is uploaded for, by their names in the interface.
 *
 * @example uploadKinds['Invoice Line Item'] // 'lines'
 */
export const uploadKinds = {
  Customer: 'customers',
  Invoice: 'invoices',
  'Invoice Line Item': 'lines',
} as const satisfies Readonly<Record<string, BatchKind>>;

export type UploadKind = (typeof uploadKinds)[keyof typeof uploadKinds];

/**
 * Whether a file is uploaded for jobs of this kind.
 *
 * @example takesUpload('init') // false
 */
export function takesUpload(kind: BatchKind): kind is UploadKind {
  return Object.values<BatchKind>(uploadKinds).includes(kind);
}

/**
 * Whether jobs of this kind leave a file.
 *
 * @example givesFile('report') // true
 */
export function givesFile(kind: BatchKind): boolean {
  return takesUpload(kind) || kind === 'report';
}

/**
 * Whether a job with this status has ended.
 *
 * @example isFinished('PartialSuccess') // true
 */
export function isFinished(status: BatchStatus): boolean {
  return status !== 'Draft' && status !== 'Queued';
}

export interface BatchCounts {
  readonly successCount: number;
  readonly failCount: number;
}

export interface BatchWork extends BatchCounts {
  /** Null until the file was read once. */
  readonly rowCount: number | null;
  /** Of real time, in milliseconds; null until the first row. */
  readonly startedAt: number | null;
}

export interface BatchProgress {
  readonly rowsDone: number;
  readonly rowsPerSecond: number;
  /** Null while nothing is known of the rows, or of their rate. */
  readonly secondsRemaining: number | null;
}

const MS_PER_SECOND = 1_000;

/**
 * How far a job is that runs.
 *
 * @param now real time in milliseconds
 * @example progressOf({ successCount: 400, failCount: 1, rowCount: 1203, startedAt: 0 }, 2_000)
 * // { rowsDone: 401, rowsPerSecond: 201, secondsRemaining: 4 }
 */
export function progressOf(
  { successCount, failCount, rowCount, startedAt }: BatchWork,
  now: number,
): BatchProgress {
  const rowsDone = successCount + failCount;
  const seconds = startedAt === null ? 0 : (now - startedAt) / MS_PER_SECOND;
  const rate = seconds > 0 ? rowsDone / seconds : 0;
  const isKnown = rowCount !== null && rate > 0;
  return {
    rowsDone,
    rowsPerSecond: Math.round(rate),
    secondsRemaining: isKnown ? Math.ceil(Math.max(0, rowCount - rowsDone) / rate) : null,
  };
}

/**
 * What every finished job says, however many of its rows failed.
 *
 * @example successMessage({ successCount: 3, failCount: 0 })
 * // 'Success, 3 records successfully processed, 0 failed'
 */
export function successMessage({ successCount, failCount }: BatchCounts): string {
  return `Success, ${successCount} records successfully processed, ${failCount} failed`;
}

/** The parent as a request names it. */
export interface NamedParent {
  /** The element that names it. */
  readonly path: string;
  readonly value: string;
}

/**
 * Refuses a parent of a job that has none, and a job of line items without one.
 *
 * @example checkNamedParent('lines', null) // throws field.required batchProcess/parentBatchProcess
 */
export function checkNamedParent(kind: UploadKind, parent: NamedParent | null): void {
  if (kind === 'lines' && parent === null) {
    const message = 'a job of line items needs the job of its invoices as parent';
    throw new DomainError('field.required', message, { path: 'batchProcess/parentBatchProcess' });
  }
  if (kind !== 'lines' && parent !== null) {
    throw new DomainError('field.invalid', 'only jobs of line items have a parent', parent);
  }
}

/**
 * Refuses a parent that takes no line items, or takes none any more.
 *
 * @example checkParent({ kind: 'customers', status: 'Draft' }, { path: 'p', value: '7' })
 * // throws field.invalid
 */
export function checkParent(
  { kind, status }: { readonly kind: BatchKind; readonly status: BatchStatus },
  named: NamedParent,
): void {
  if (kind !== 'invoices') {
    throw new DomainError('field.invalid', 'the parent must be a job of invoices', named);
  }
  if (status !== 'Draft') {
    throw new DomainError('field.invalid', 'the parent is finalized already', named);
  }
}
