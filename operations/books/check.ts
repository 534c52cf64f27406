/** A rule of the books, and the statement that finds the rows at fault. */

export interface Check {
  readonly name: string;
  /** The rule in words. */
  readonly rule: string;
  /** Answers (object, detail); $1 is the tenant. */
  readonly sql: string;
}

/** The balance that a row belongs to, as people know it. */
export const customerOf = (row: string): string =>
  `'customer ' || ${row}.customer_id || ' in ' || ${row}.currency`;
