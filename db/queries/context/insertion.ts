/** Builds what statements take as rows, and those that insert them, each from one list of columns. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Decimal } from '../../../domain/money/decimal.ts';
import type { Tx } from '../../connection/tenancy.ts';
import {
  columnOf,
  descriptionOf,
  sqlTypeOf,
  type Described,
  type Row,
} from '../../entities/rows.ts';

export interface Insertion {
  /** The table, with an alias if `ending` needs one. */
  readonly into: string;
  /** By the keys of a row; a column has the name of its key in snake case. */
  readonly columns: Columns;
  /**
   * Further columns, or other values for these: SQL that may read the row `r`. Null for a key that
   * only other values read.
   */
  readonly values?: Readonly<Record<string, string | null>>;
  /** What follows: on conflict, returning. */
  readonly ending?: string;
  /** The parameter that has the rows as JSON; $1 is the tenant. */
  readonly rows?: `$${number}`;
}

export type Columns = Readonly<Record<string, Column>>;

/** The type in SQL, with a question mark if the value may be null. */
export type Column = SqlType | `${SqlType}?` | Narrowed<unknown>;

type SqlType = keyof Values;

interface Values {
  readonly bigint: number;
  readonly int: number;
  readonly smallint: number;
  readonly float8: number;
  readonly numeric: Decimal;
  readonly date: IsoDate;
  readonly timestamptz: Date;
  readonly text: string;
  readonly boolean: boolean;
  readonly json: object;
  readonly jsonb: object;
  readonly 'int[]': readonly number[];
  readonly 'bigint[]': readonly number[];
  readonly 'text[]': readonly string[];
}

type Narrowed<Value> = SqlType & { readonly narrowed: Value };

/** A column that has only some values of its type. */
export const only = <Value>(type: SqlType): Narrowed<Value> => type as Narrowed<Value>;

/** A row that has a value for each of the columns. */
export type RowOf<Listed extends Columns> = {
  readonly [Key in keyof Listed]: ValueOf<Listed[Key]>;
};

type ValueOf<Listed extends Column> =
  Listed extends Narrowed<infer Value>
    ? Value
    : Listed extends `${infer Type extends SqlType}?`
      ? Values[Type] | null
      : Listed extends SqlType
        ? Values[Listed]
        : never;

/** Called when its module loads, not for each statement. */
export function insertText(insertion: Insertion): string {
  const { into, columns, values: others = {}, ending = '', rows = '$2' } = insertion;
  const keys = Object.keys(columns);
  const own = Object.fromEntries(keys.map((key) => [key, `r."${key}"`]));
  const inserted = Object.entries({ tenantId: '$1', ...own, ...others }).filter(
    ([, value]) => value !== null,
  );
  return `insert into ${into} (${inserted.map(([key]) => columnOf(key)).join(', ')})
    select ${inserted.map(([, value]) => value).join(', ')}
    from ${recordset(columns, rows)}
    ${ending}`;
}

function recordset(columns: Columns, rows: string): string {
  const typed = Object.entries(columns).map(([key, type]) => `"${key}" ${type.replace('?', '')}`);
  return `json_to_recordset(${rows}) as r(${typed.join(', ')})`;
}

/** Rows that a statement takes as JSON. */
export interface Given<Taken> {
  /** `json_to_recordset($2) as r("orderId" bigint)`: for `from`. */
  readonly recordset: string;
  readonly json: (rows: readonly Taken[]) => string;
}

export type GivenBy<Of> = Of extends Given<infer Taken> ? Taken : never;

/**
 * Rows with some columns of an entity, whose names and types they take.
 *
 * @example given(OrderLine, ['id', 'nextPeriodIndex'])
 */
export function given<
  Entity extends Described,
  const Key extends keyof Row<Entity> & string,
  const Listed extends Columns = Record<never, never>,
>(
  entity: Entity,
  keys: readonly Key[],
  { besides, rows = '$2' }: { readonly besides?: Listed; readonly rows?: `$${number}` } = {},
): Given<Pick<Row<Entity>, Key> & RowOf<Listed>> {
  const columns = { ...typesOf(entity, keys), ...besides };
  return { recordset: recordset(columns, rows), json: (taken) => JSON.stringify(taken) };
}

const typesOf = (entity: Described, keys: readonly string[]): Columns =>
  Object.fromEntries(keys.map((key) => [key, sqlTypeOf(entity, key) as SqlType]));

interface Time {
  readonly now: Date;
  readonly today: IsoDate;
}

interface SentInsertion extends Omit<Insertion, 'rows'> {
  /** Further columns that the transaction's time fills. */
  readonly at?: Readonly<Record<string, keyof Time>>;
}

/** An insertion into the table of an entity, whose names and types it takes. */
interface EntityInsertion<Entity extends Described> extends Omit<
  SentInsertion,
  'into' | 'columns'
> {
  readonly into: Entity;
  readonly columns: readonly (keyof Row<Entity>)[];
  /** What else a row has for other values to read. */
  readonly besides?: Columns;
}

/** Inserts rows without waiting for the answer. */
export type Insert<Inserted, Timed extends readonly [time: Time] | readonly []> = (
  tx: Pick<Tx, 'tenantId' | 'send'>,
  rows: readonly Inserted[],
  ...time: Timed
) => void;

/** The rows that a function inserts. */
export type InsertedBy<Inserts> =
  Inserts extends Insert<infer Inserted, infer _Timed> ? Inserted : never;

type TimeOf<Of> = Of extends { readonly at: object } ? [time: Time] : [];

type Besides<Of> = Of extends { readonly besides: infer Listed extends Columns }
  ? RowOf<Listed>
  : unknown;

/**
 * @param name the name of the prepared statement
 * @example inserting('x', { into: EventDocument, columns: ['eventId', 'document'] })
 */
export function inserting<Entity extends Described, const Of extends EntityInsertion<Entity>>(
  name: string,
  insertion: Of & { readonly into: Entity },
): Insert<Pick<Row<Entity>, Of['columns'][number]> & Besides<Of>, TimeOf<Of>>;
export function inserting<const Of extends SentInsertion>(
  name: string,
  insertion: Of,
): Insert<RowOf<Of['columns']>, TimeOf<Of>>;
export function inserting(
  name: string,
  given: SentInsertion | EntityInsertion<Described>,
): Insert<object, [time: Time] | []> {
  const insertion = isOfEntity(given) ? typed(given) : given;
  const { at = {}, values } = insertion;
  const parts = [...new Set(Object.values(at))];
  const timed = Object.entries(at).map(([column, part]) => [column, `$${3 + parts.indexOf(part)}`]);
  const text = insertText({ ...insertion, values: { ...values, ...Object.fromEntries(timed) } });
  return (tx, rows, time?: Time) => {
    if (rows.length === 0) return;
    const values = parts.map((part) => time?.[part]);
    tx.send(text, [tx.tenantId, JSON.stringify(rows), ...values], name);
  };
}

const isOfEntity = (
  given: SentInsertion | EntityInsertion<Described>,
): given is EntityInsertion<Described> => typeof given.into !== 'string';

function typed({ besides, ...insertion }: EntityInsertion<Described>): SentInsertion {
  const { into, columns } = insertion;
  const readOnly = Object.keys(besides ?? {}).map((key) => [key, null]);
  return {
    ...insertion,
    into: descriptionOf(into).tableName,
    columns: { ...typesOf(into, columns), ...besides },
    values: { ...Object.fromEntries(readOnly), ...insertion.values },
  };
}
