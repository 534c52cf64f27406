/** What people see of a batch job in the Temporal Web UI. */
import type { FinishedImport, PreparedImport } from '../activities.ts';
import { phaseKey } from '../contract/contract.ts';
import { setDetails } from './details.ts';
import { counted } from './story.ts';
import { showAttributes } from '../loops/wakes.ts';

export type BatchPhase =
  | 'Waiting for its turn'
  | 'Reading'
  | 'Waiting for line items'
  | 'Staging'
  | 'Waiting for invoices'
  | 'Importing'
  | 'Carrying over'
  | 'Waiting after a fault'
  | 'Finishing'
  | 'Done';

export interface BatchState {
  readonly title: string;
  prepared: PreparedImport | null;
  /** The id of the job of the tenant that is processed before. */
  waitsFor: number | null;
  phase: BatchPhase;
  /** In milliseconds since 1970. */
  beganAt: number;
  /** Rows of the file, or customers whose books are carried over. */
  rowsDone: number;
  /** How many imported passwords wait to be hashed. */
  passwords: number;
  /** The failures by code. */
  readonly codes: Record<string, number>;
  /** Why it waits for a person. */
  fault: string | null;
  isCancelled: boolean;
  isResumed: boolean;
  /** The files of line items that are read. */
  readonly staged: Set<string>;
  isInvoicesDone: boolean;
  isRowsDone: boolean;
  finished: FinishedImport | null;
}

const words = {
  customers: 'customers',
  invoices: 'invoices',
  lines: 'invoice line items',
  init: 'books carried over',
} as const;

export function showBatch(state: BatchState): void {
  const { title, phase, prepared, fault, isCancelled, passwords } = state;
  const shown = isCancelled && phase !== 'Done' ? `${phase}, cancelled` : phase;
  showAttributes([{ key: phaseKey, value: phase }]);
  const facts = [
    phase === 'Waiting for its turn' ? `waits for batch job ${state.waitsFor}` : null,
    prepared === null ? null : words[prepared.kind],
    prepared === null ? null : doneText(state, prepared),
    ...rateText(state),
    ...failureTexts(state),
    passwords === 0 ? null : passwordText(state),
    fault === null ? null : `waits after a fault: ${fault}; the Update resume goes on`,
    endText(state),
  ];
  setDetails(`${title}: ${shown}`, facts, []);
}

function doneText({ rowsDone }: BatchState, { kind, rowCount }: PreparedImport): string {
  return `${rowsDone} of ${counted(rowCount, kind === 'init' ? 'customer' : 'row')} done`;
}

/** `812 rows/s, 12 s remaining` */
function rateText({ rowsDone, beganAt, prepared, phase }: BatchState): string[] {
  const seconds = (Date.now() - beganAt) / 1_000;
  if (phase !== 'Importing' || prepared === null || rowsDone === 0 || seconds <= 0) return [];
  const rate = rowsDone / seconds;
  const left = Math.ceil((prepared.rowCount - rowsDone) / rate);
  return [`${Math.round(rate)} rows/s, ${left} s remaining`];
}

/** Nobody counts them again once the job is over. */
function passwordText({ passwords, phase }: BatchState): string {
  return `${counted(passwords, 'password')} ${phase === 'Done' ? 'left to be hashed' : 'to hash'}`;
}

const CODES_SHOWN_MAX = 10;

/** The most frequent codes first. */
function failureTexts({ codes }: BatchState): string[] {
  return Object.entries(codes)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, CODES_SHOWN_MAX)
    .map(([code, count]) => `${counted(count, 'row')} failed: ${code}`);
}

function endText({ finished }: BatchState): string | null {
  if (finished === null) return null;
  const { status, successes, failures } = finished;
  return `${status}: ${successes} succeeded, ${failures} failed`;
}
