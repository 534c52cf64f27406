/** The place of a row in the ledger: where a reader goes on, whatever was committed meanwhile. */

/**
 * Rows are read in rounds. A round has what had ended when it began, and not when the round before
 * began; inside it facts are ordered by the transaction that wrote them, and by their ids. What
 * commits meanwhile is of a later round, however low its transaction's number is.
 */
export interface LedgerPlace {
  /** What earlier rounds have had, as a snapshot of PostgreSQL; null in the first round. */
  readonly since: string | null;
  /** What this round has. */
  readonly until: string;
  /** The fact of the row, and the row's place in its entry, from 1. */
  readonly transaction: string;
  readonly factId: number;
  readonly row: number;
}

const snapshot = String.raw`\d{1,20}:\d{1,20}:(?:\d{1,20}(?:,\d{1,20})*)?`;
const form = new RegExp(
  `^(${snapshot})?;(${snapshot});(\\d{1,20});([1-9]\\d{0,15});([1-9]\\d{0,5})$`,
);

/**
 * The place as text that callers send back.
 *
 * @example placeOf(cursorOf(place)) // the same place
 */
export function cursorOf({ since, until, transaction, factId, row }: LedgerPlace): string {
  const text = [since ?? '', until, transaction, factId, row].join(';');
  return Buffer.from(text).toString('base64url');
}

/**
 * The place that a cursor names; null if it is none.
 *
 * @example placeOf('k3x9') // null
 */
export function placeOf(cursor: string): LedgerPlace | null {
  const parts = form.exec(Buffer.from(cursor, 'base64url').toString());
  const [, since, until, transaction, factId, row] = parts ?? [];
  if (until === undefined || transaction === undefined) return null;
  const own = { transaction, factId: Number(factId), row: Number(row) };
  return { since: since ?? null, until, ...own };
}
