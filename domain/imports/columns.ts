/** Checks the columns that the first line of an import file names. */
import { ImportFileFault, type FileFaultReason } from './file-fault.ts';

/** What the result file adds to the columns that were sent, in this order. */
export const RESULT_COLUMNS = ['importLine', 'importStatus', 'importId', 'importError'] as const;

/** A message names so many columns at most. */
const TOLD_MAX = 40;

/** The columns that a kind of file may have, and the one that it must have. */
export interface ColumnRules {
  readonly known: readonly string[];
  readonly key: string;
  /** The known column that a name resembles most; null if it resembles none. */
  readonly nearest: (name: string) => string | null;
}

/**
 * Throws an ImportFileFault that says all that is wrong with the first line: columns that are
 * unknown, repeated or without a name, and a missing key column. It names columns by their place,
 * because the line may be a row, whose cells may be passwords.
 *
 * @example checkColumns(['notes', 'invoiceNumber'], { known: ['invoiceNumber', 'notes'],
 *   key: 'invoiceNumber', nearest: () => null })
 */
export function checkColumns(columns: readonly string[], rules: ColumnRules): void {
  const { known, key } = rules;
  const isHeader = columns.some((name) => known.includes(name) || rules.nearest(name) !== null);
  if (!isHeader) {
    const text = `The first line names no column that is known; ${quoted(key)} is needed.`;
    throw new ImportFileFault('header', joined([text, separatorText(columns)]));
  }
  const faults = columns.flatMap((name, index) => faultOf(columns, { name, index }, rules));
  const isWithoutKey = !columns.includes(key);
  if (isWithoutKey) {
    faults.push({ reason: 'noKeyColumn', text: `The file has no column ${quoted(key)}.` });
  }
  const [first] = faults;
  if (first === undefined) return;
  const texts = faults.slice(0, TOLD_MAX).map(({ text }) => text);
  const more = faults.length - texts.length;
  throw new ImportFileFault(
    first.reason,
    joined([
      ...texts,
      more > 0 && `There are ${more} more.`,
      separatorText(columns),
      columns.some(isOfResult) &&
        `Remove the columns ${RESULT_COLUMNS.join(', ')} of a result file.`,
      faults.some(({ reason }) => reason === 'unknownColumn') && `Known are ${known.join(', ')}.`,
    ]),
  );
}

interface ColumnFault {
  readonly reason: FileFaultReason;
  readonly text: string;
}

function faultOf(
  columns: readonly string[],
  { name, index }: { readonly name: string; readonly index: number },
  { known, nearest }: ColumnRules,
): ColumnFault[] {
  const place = placeOf(index);
  if (known.includes(name)) {
    const first = columns.indexOf(name);
    if (first === index) return [];
    const text = `The column ${quoted(name)} is repeated: ${placeOf(first)} and ${place}.`;
    return [{ reason: 'repeatedColumn', text }];
  }
  if (name.trim() === '') {
    return [{ reason: 'unknownColumn', text: `Column ${place} has no name.` }];
  }
  const near = nearest(name);
  const hint = near === null ? '.' : `; did you mean ${quoted(near)}?`;
  return [{ reason: 'unknownColumn', text: `Column ${place} is unknown${hint}` }];
}

const isOfResult = (name: string): boolean => RESULT_COLUMNS.some((added) => added === name);

/** By what is between the names if it is no comma. */
const separators = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
] as const;

function separatorText(columns: readonly string[]): string | false {
  const found = separators.find(([separator]) => columns.some((name) => name.includes(separator)));
  return found !== undefined && `Its cells are separated by ${found[1]}; commas are needed.`;
}

/** `28 (AB)`: the place as people count it, and as spreadsheets do. */
function placeOf(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS.length)) {
    letters = `${LETTERS[(rest - 1) % LETTERS.length]}${letters}`;
  }
  return `${index + 1} (${letters})`;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const quoted = (name: string): string => JSON.stringify(name);

const joined = (texts: readonly (string | false)[]): string => texts.filter(Boolean).join(' ');
