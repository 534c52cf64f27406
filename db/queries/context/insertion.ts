/** Builds what statements take as rows, and those that insert them, from the entities of tables. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Tx } from '../../connection/tenancy.ts';
import {
  columnOf,
  descriptionOf,
  sqlTypeOf,
  type Described,
  type Row,
} from '../../entities/rows.ts';

/** Keys of an entity; or those of a row, each with the entity's key whose type it has. */
type Keys<Entity extends Described> =
  | readonly KeyOf<Entity>[]
  | Readonly<Record<string, KeyOf<Entity>>>;

type KeyOf<Entity extends Described> = keyof Row<Entity> & string;

type ByKey<Entity extends Described, Value> = Readonly<Partial<Record<KeyOf<Entity>, Value>>>;

type Taken<Entity extends Described, Chosen> = Chosen extends readonly (infer Key extends
  KeyOf<Entity>)[]
  ? Pick<Row<Entity>, Key>
  : { readonly [Name in keyof Chosen]: Row<Entity>[Chosen[Name] & KeyOf<Entity>] };

/** What a row has that is no column of its entity: by key the type in SQL. */
type Columns = Readonly<Record<string, Column>>;

/** The type in SQL, with a question mark if the value may be null. */
type Column = SqlType | `${SqlType}?`;

type SqlType = keyof Values;

interface Values {
  readonly bigint: number;
  readonly int: number;
  readonly float8: number;
  readonly numeric: Decimal;
  readonly date: IsoDate;
  readonly text: string;
  readonly boolean: boolean;
  readonly json: unknown;
  readonly 'text[]': readonly string[];
}

type Listed<Types extends Columns> = {
  readonly [Key in keyof Types]: Types[Key] extends `${infer Type extends SqlType}?`
    ? Values[Type] | null
    : Types[Key] extends SqlType
      ? Values[Types[Key]]
      : never;
};

/** Rows that a statement takes as JSON. */
export interface Given<Taken> {
  /** `json_to_recordset($2) as r("orderId" bigint)`: for `from`. */
  readonly recordset: string;
  readonly json: (rows: readonly Taken[]) => string;
}

export type GivenBy<Of> = Of extends Given<infer Taken> ? Taken : never;

/** The parameter that has the rows as JSON, where $1 is the tenant; or a column of another row. */
type RowsAt = `$${number}` | `${string}.${string}`;

interface Options<Types extends Columns> {
  readonly besides?: Types;
  readonly rows?: RowsAt;
}

/**
 * Rows with some columns of an entity, whose names and types they take.
 *
 * @example given(OrderLine, ['id', 'nextPeriodIndex'])
 * @example given(Payment, { id: 'id', wasStatus: 'status' }, { besides: { shows: 'text' } })
 */
export function given<
  Entity extends Described,
  const Chosen extends Keys<Entity>,
  const Types extends Columns = Record<never, never>,
>(
  entity: Entity,
  chosen: Chosen,
  { besides, rows }: Options<Types> = {},
): Given<Taken<Entity, Chosen> & Listed<Types>> {
  return rowsOf({ ...typesOf(entity, chosen), ...besides }, rows);
}

/** Rows of a statement that are no rows of a table, such as what it looks for. */
export const givenOf = <const Types extends Columns>(
  types: Types,
  rows?: `$${number}`,
): Given<Listed<Types>> => rowsOf(types, rows);

const rowsOf = <Taken>(types: Readonly<Record<string, string>>, rows?: RowsAt): Given<Taken> => ({
  recordset: recordsetOf(types, rows),
  json: (taken) => JSON.stringify(taken),
});

function recordsetOf(types: Readonly<Record<string, string>>, rows = '$2'): string {
  const typed = Object.entries(types).map(([key, type]) => `"${key}" ${type.replace('?', '')}`);
  return `json_to_recordset(${rows}) as r(${typed.join(', ')})`;
}

function typesOf<Entity extends Described>(
  entity: Entity,
  chosen: Keys<Entity>,
): Readonly<Record<string, string>> {
  const named = Array.isArray(chosen) ? chosen.map((key) => [key, key]) : Object.entries(chosen);
  return Object.fromEntries(named.map(([name, key]) => [name, sqlTypeOf(entity, key)]));
}

/** An insertion into the table of an entity, whose names and types it takes. */
export interface Insertion<Entity extends Described> {
  readonly into: Entity;
  /** The table's alias, if `ending` needs one. */
  readonly as?: string;
  readonly columns: readonly KeyOf<Entity>[];
  /** What else a row has for other values to read. */
  readonly besides?: Columns;
  /** Further columns, or other values for these: SQL that may read the row `r`. */
  readonly values?: ByKey<Entity, string>;
  /** What follows: on conflict, returning. */
  readonly ending?: string;
}

interface TextInsertion<Entity extends Described> extends Insertion<Entity> {
  /** The parameter that has the rows as JSON; $1 is the tenant. */
  readonly rows?: `$${number}`;
}

/** Called when its module loads, not for each statement. */
export function insertText<Entity extends Described>(insertion: TextInsertion<Entity>): string {
  const { columns, besides, values: others = {}, ending = '', rows } = insertion;
  const own = Object.fromEntries(columns.map((key) => [key, `r."${key}"`]));
  const inserted = Object.entries({ tenantId: '$1', ...own, ...others });
  const types = { ...typesOf(insertion.into, columns), ...besides };
  return `insert into ${tableOf(insertion)} (${inserted.map(([key]) => columnOf(key)).join(', ')})
    select ${inserted.map(([, value]) => value).join(', ')}
    from ${recordsetOf(types, rows)}
    ${ending}`;
}

function tableOf({ into, as }: { readonly into: Described; readonly as?: string }): string {
  const { tableName } = descriptionOf(into);
  return as === undefined ? tableName : `${tableName} as ${as}`;
}

interface Time {
  readonly now: Date;
  readonly today: IsoDate;
}

interface TimedInsertion<Entity extends Described> extends Insertion<Entity> {
  /** Further columns that the transaction's time fills. */
  readonly at?: ByKey<Entity, keyof Time>;
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

type Besides<Of> = Of extends { readonly besides: infer Types extends Columns }
  ? Listed<Types>
  : unknown;

/**
 * @param name the name of the prepared statement
 * @example inserting('x', { into: EventDocument, columns: ['eventId', 'document'] })
 */
export function inserting<Entity extends Described, const Of extends TimedInsertion<Entity>>(
  name: string,
  insertion: Of & { readonly into: Entity },
): Insert<Taken<Entity, Of['columns']> & Besides<Of>, TimeOf<Of>>;
export function inserting(
  name: string,
  { at, ...insertion }: TimedInsertion<Described>,
): Insert<object, [time: Time] | []> {
  const timed: Readonly<Record<string, keyof Time>> = at ?? {};
  const parts = [...new Set(Object.values(timed))];
  const filled = Object.entries(timed).map(([key, part]) => [key, `$${3 + parts.indexOf(part)}`]);
  const values = { ...insertion.values, ...Object.fromEntries(filled) };
  const text = insertText({ ...insertion, values });
  return (tx, rows, time?: Time) => {
    if (rows.length === 0) return;
    const times = parts.map((part) => time?.[part]);
    tx.send(text, [tx.tenantId, JSON.stringify(rows), ...times], name);
  };
}

/** SQL around the parameter of a column, which may be null then. */
type Around = (parameter: string) => string;

/** An insertion of one row, with a parameter for each of its columns. */
interface OneInsertion<Entity extends Described> {
  readonly into: Entity;
  readonly as?: string;
  readonly columns: readonly KeyOf<Entity>[];
  /** Further columns, or SQL around the parameter of one of these. */
  readonly values?: ByKey<Entity, string | Around>;
  readonly ending?: string;
}

export interface OneRow<Inserted> {
  readonly text: string;
  /** The tenant is $1, and the columns follow. */
  readonly values: (tenantId: number, row: Inserted) => unknown[];
  /** The parameter after these. */
  readonly next: `$${number}`;
}

type OneOf<Entity extends Described, Of extends OneInsertion<Entity>> = {
  readonly [Key in Of['columns'][number]]:
    | Row<Entity>[Key]
    | (Of['values'] extends { readonly [Own in Key]: Around } ? null : never);
};

/** For a statement that is awaited, or that another one contains. */
export function oneRow<Entity extends Described, const Of extends OneInsertion<Entity>>(
  insertion: Of & { readonly into: Entity },
): OneRow<OneOf<Entity, Of>>;
export function oneRow(
  insertion: OneInsertion<Described>,
): OneRow<Readonly<Record<string, unknown>>> {
  const { into, ending = '' } = insertion;
  const columns: readonly string[] = insertion.columns;
  const others: Readonly<Record<string, string | Around>> = insertion.values ?? {};
  const parameters = Object.fromEntries(columns.map((key, index) => [key, `$${index + 2}`]));
  const values: Readonly<Record<string, string | Around>> = { ...parameters, ...others };
  const inserted = Object.entries(values).map(([key, value]) => {
    const sql = typeof value === 'string' ? value : value(parameters[key] ?? '');
    return { column: columnOf(key), sql };
  });
  // The driver makes JSON of objects, and arrays of PostgreSQL of arrays.
  const isJson = new Set(columns.filter((key) => sqlTypeOf(into, key).startsWith('json')));
  const sent = (key: string, value: unknown): unknown =>
    isJson.has(key) && value !== null ? JSON.stringify(value) : value;
  return {
    text: `insert into ${tableOf(insertion)} (tenant_id, ${inserted.map(({ column }) => column).join(', ')})
      values ($1, ${inserted.map(({ sql }) => sql).join(', ')}) ${ending}`,
    values: (tenantId, row) => [tenantId, ...columns.map((key) => sent(key, row[key]))],
    next: `$${columns.length + 2}`,
  };
}

/**
 * Inserts one row without waiting for the answer.
 *
 * @example insertingOne('use-form', { into: UsedForm, columns: ['key', 'usedAt'] })
 */
export function insertingOne<Entity extends Described, const Of extends OneInsertion<Entity>>(
  name: string,
  insertion: Of & { readonly into: Entity },
): (tx: Pick<Tx, 'tenantId' | 'send'>, row: OneOf<Entity, Of>) => void;
export function insertingOne(
  name: string,
  insertion: OneInsertion<Described>,
): (tx: Pick<Tx, 'tenantId' | 'send'>, row: Readonly<Record<string, unknown>>) => void {
  const { text, values } = oneRow(insertion);
  return (tx, row) => tx.send(text, values(tx.tenantId, row), name);
}
