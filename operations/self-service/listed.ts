/** A page of a list that goes on: the row after it is read, but not shown. */

export interface ListedPage<Row> {
  readonly rows: readonly Row[];
  /** The id of the last row, after which the next page begins; null if this is the last page. */
  readonly next: number | null;
}

/** The rows of a page. */
export const LISTED_MAX = 50;

/** @param rows up to one more than a page has */
export function listedOf<Row extends { readonly id: number }>(
  rows: readonly Row[],
): ListedPage<Row> {
  const shown = rows.slice(0, LISTED_MAX);
  return { rows: shown, next: rows.length > LISTED_MAX ? (shown.at(-1)?.id ?? null) : null };
}
