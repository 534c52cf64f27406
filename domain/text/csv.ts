/** Writes rows as CSV by RFC 4180, whose cells no spreadsheet takes for formulas. */

const LINE_END = '\r\n';
const number = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * One line of cells. A cell that begins with = + - @ and is no number gets a leading apostrophe.
 *
 * @example csvLine(['-2.70', '=1+1', 'a "b", c', null]) // `-2.70,'=1+1,"a ""b"", c",\r\n`
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells.map((cell) => csvCell(cell === null ? '' : String(cell))).join(',') + LINE_END;
}

function csvCell(text: string): string {
  const safe = /^[=+\-@]/.test(text) && !number.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
