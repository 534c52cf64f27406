/** Prints the figures of a scenario as tables. */

/** Figures and words by the title of their column; the first column names the row. */
export type Row = Readonly<Record<string, string | number>>;

export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

export function textOf(tables: readonly Table[]): string {
  return tables.map(({ title, rows }) => `${title}\n${linesOf(rows).join('\n')}\n`).join('\n');
}

function linesOf(rows: readonly Row[]): string[] {
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [titles, ...rows.map((row) => titles.map((title) => cellOf(row[title])))];
  const widths = titles.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Three digits that matter; counts as they are, and nothing for a ratio of nothing. */
function cellOf(value: string | number = ''): string {
  if (typeof value === 'string' || Number.isInteger(value)) return String(value);
  if (!Number.isFinite(value)) return '';
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
