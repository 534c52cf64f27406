/** Statements that compare a column with keys: of one key they are other statements than of many. */
import type { QueryResultRow } from 'pg';
import type { Tx } from '../../connection/tenancy.ts';

/** A statement for these keys. */
export interface Keyed {
  readonly text: string;
  /** The parameter that `are` names. */
  readonly key: number | readonly number[] | null;
  /** Of the prepared statement. */
  readonly name: string;
}

/** Sends a statement whose first parameter are the keys. */
export const ask = <Row extends QueryResultRow>(
  tx: Pick<Tx, 'query'>,
  { text, key, name }: Keyed,
  ...values: readonly unknown[]
): Promise<Row[]> => tx.query<Row>(text, [key, ...values], name);

/**
 * Builds both statements when its module loads. What a list costs depends on its length, so PostgreSQL
 * plans such a statement anew each time, which takes longer than to execute it for one object; of a
 * single key it keeps the plan.
 *
 * @param name the name of the prepared statement
 * @param textOf `are('$1')` is the comparison with the keys, which follows the column
 * @example keyed('x', (are) => `select from customer where id ${are('$1')}`)([17]).key // 17
 */
export function keyed(
  name: string,
  textOf: (are: (parameter: `$${number}`) => string) => string,
): (keys: readonly number[]) => Keyed {
  const one = textOf((parameter) => `= ${parameter}`);
  const many = textOf((parameter) => `= any(${parameter})`);
  return (keys) =>
    keys.length === 1
      ? { text: one, key: keys[0] ?? null, name: `${name}-of-one` }
      : { text: many, key: keys, name };
}
