/** Writes rows as CSV by RFC 4180. */

/**
 * Begins a file that spreadsheets open: without it they take UTF-8 for the encoding of the machine.
 *
 * @example BYTE_ORDER_MARK + csvLine(['name'])
 */
export const BYTE_ORDER_MARK = '\uFEFF';

const LINE_END = '\r\n';
const number = /^[+-]?\d+(?:\.\d+)?$/;

type Cells = readonly (string | number | null)[];

/**
 * One line of cells, which no spreadsheet takes for formulas: a cell that begins with = + - @, a tab
 * or a carriage return, and is no number, gets a leading apostrophe.
 *
 * @example csvLine(['-2.70', '=1+1', 'a "b", c', null]) // `-2.70,'=1+1,"a ""b"", c",\r\n`
 */
export function csvLine(cells: Cells): string {
  return lineOf(cells, (text) =>
    /^[=+\-@\t\r]/.test(text) && !number.test(text) ? `'${text}` : text,
  );
}

/**
 * One line of cells, which a parser reads as they are: for files that are sent back to Sundial.
 *
 * @example exactCsvLine(['=1+1', 'a "b"', null]) // `=1+1,"a ""b""",\r\n`
 */
export function exactCsvLine(cells: Cells): string {
  return lineOf(cells, (text) => text);
}

function lineOf(cells: Cells, safe: (text: string) => string): string {
  return cells.map((cell) => quoted(safe(String(cell ?? '')))).join(',') + LINE_END;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
