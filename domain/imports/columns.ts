/** Checks the columns that the first line of an import file names. */
import { ImportFileFault } from './file-fault.ts';

/** What the result file adds to the columns that were sent, in this order. */
export const RESULT_COLUMNS = ['importLine', 'importStatus', 'importId', 'importError'] as const;

const SHOWN_NAME_CHARACTERS = 50;

/** The columns that a kind of file may have, and the one that it must have. */
export interface ColumnRules {
  readonly known: readonly string[];
  readonly key: string;
}

/**
 * Throws an ImportFileFault for a column that is unknown, repeated or without a name, and for a
 * missing key column. It repeats nothing of a line that names no column.
 *
 * @example checkColumns(['notes', 'invoiceNumber'], { known: ['invoiceNumber', 'notes'],
 *   key: 'invoiceNumber' })
 */
export function checkColumns(columns: readonly string[], { known, key }: ColumnRules): void {
  // It may be the first row of a file without columns, and quote a password.
  if (!columns.some((name) => known.some((each) => name.includes(each)))) {
    const message = `The first line names no column that is known; ${shown(key)} is needed.`;
    throw new ImportFileFault('header', message);
  }
  const firstAt = new Map<string, number>();
  for (const [index, name] of columns.entries()) {
    if (!known.includes(name)) {
      throw new ImportFileFault('unknownColumn', unknownText(name, index + 1));
    }
    const first = firstAt.get(name);
    if (first !== undefined) {
      const which = `${shown(name)} is repeated: it is column ${first} and column ${index + 1}`;
      throw new ImportFileFault('repeatedColumn', `The column ${which}.`);
    }
    firstAt.set(name, index + 1);
  }
  if (!firstAt.has(key)) {
    throw new ImportFileFault('noKeyColumn', `The file has no column ${shown(key)}.`);
  }
}

function unknownText(name: string, position: number): string {
  if (name === '') return `Column ${position} has no name.`;
  const unknown = `The column ${shown(name)} is unknown.`;
  if (RESULT_COLUMNS.some((added) => added === name)) {
    return `${unknown} Remove the columns ${RESULT_COLUMNS.join(', ')} of a result file.`;
  }
  return /[;\t]/.test(name) ? `${unknown} Commas separate the columns of a file.` : unknown;
}

function shown(name: string): string {
  const isLong = name.length > SHOWN_NAME_CHARACTERS;
  return JSON.stringify(isLong ? `${name.slice(0, SHOWN_NAME_CHARACTERS)}...` : name);
}
