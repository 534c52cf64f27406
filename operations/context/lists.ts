/** Pages of the lists that filters, cursors and counts are for: their conditions, order and ends. */
import assert from 'node:assert';
import type { Described } from '../../db/entities/rows.ts';
import type { TenantInfo } from './context.ts';
import { type Filters, type ListedTable, conditionsOf } from './list-filters.ts';
import {
  type Conditions,
  PAGE_DEFAULT,
  type Page,
  type Reader,
  type TimeWindows,
  startConditions,
} from './listing.ts';

/** After which object a page begins: its sort key as text, and its id. */
export interface Place {
  readonly key: string;
  readonly id: number;
}

/** What a page of a list is asked for. */
export interface ListFilter extends Page, TimeWindows, Filters {
  readonly after?: Place | null;
  /** Whether to count what the filters select, up to COUNTED_MAX. */
  readonly isCounted?: boolean;
  /** For what is overdue, in a tenant without a test clock. */
  readonly realNow?: Date;
}

/** Beyond it nobody counts. */
export const COUNTED_MAX = 10_000;

/** How a list is sorted. */
interface Sort {
  /** With its alias. */
  readonly from: string;
  readonly alias: string;
  readonly order: string;
  /** The sort key of a row as text; '' of those that are sorted by id alone. */
  readonly key: string;
  /** What comes after a place, with the placeholders of its values. */
  readonly after: (place: Place, value: (value: unknown) => string) => string;
}

/** An instant as a whole number of microseconds, which no text of a time zone changes. */
const micros = (column: string): string =>
  `(extract(epoch from ${column}) * 1000000)::bigint::text`;
const instant = (key: string): string =>
  `(timestamptz 'epoch' + ${key}::bigint * interval '1 microsecond')`;

const sorts: Readonly<Record<ListedTable, Sort>> = {
  customers: {
    from: 'customer c',
    alias: 'c',
    order: 'c.id',
    key: `''`,
    after: ({ id }, value) => `c.id > ${value(id)}`,
  },
  orders: {
    from: 'subscription_order o',
    alias: 'o',
    order: 'o.created_at desc, o.id desc',
    key: micros('o.created_at'),
    after: ({ key, id }, value) => `(o.created_at, o.id) < (${instant(value(key))}, ${value(id)})`,
  },
  invoices: {
    from: 'invoice i',
    alias: 'i',
    order: 'i.due_date desc, i.id desc',
    key: 'i.due_date::text',
    after: ({ key, id }, value) => `(i.due_date, i.id) < (${value(key)}::date, ${value(id)})`,
  },
  payments: {
    from: 'payment p',
    alias: 'p',
    order: 'p.effective_date desc, p.id desc',
    key: 'p.effective_date::text',
    after: ({ key, id }, value) => `(p.effective_date, p.id) < (${value(key)}::date, ${value(id)})`,
  },
};

/** Columns of each row of a page besides those of its view. */
export interface PageColumns {
  /** How many rows there are from the first of the page on, one beyond the page at most. */
  readonly listed: number;
  /** @see Place */
  readonly placeKey: string;
}

/** The conditions of a list, to which its own may be added, and the statements made of them. */
export interface ListStatements<Entity extends Described> extends Conditions<Entity> {
  /** Selects the columns of the page's rows, and `listed`; called last. */
  readonly page: () => ListPage;
  /** Selects all rows, for a file, as `page` does those of a page. */
  readonly all: () => string;
  /** Its values are those before `page` is called. */
  readonly count: () => string;
  readonly order: string;
  /** What the columns of a page's rows end with. */
  readonly pageColumns: string;
}

export interface ListPage {
  readonly text: string;
  /** Of the statement that reads it, which PostgreSQL then plans once; undefined where the filters decide how. */
  readonly name: string | undefined;
}

export function startList<Entity extends Described>(
  table: ListedTable,
  { timezone }: Pick<TenantInfo, 'timezone'>,
  filter: ListFilter,
): ListStatements<Entity> {
  const { from, alias, order, key, after } = sorts[table];
  const conditions = startConditions<Entity>(alias);
  const { value } = conditions;
  // The first value, which the columns of most lists read.
  const zone = value(timezone);
  const now = (): string =>
    `coalesce((select k.now from test_clock k), ${value(filter.realNow ?? new Date())}::timestamptz)`;
  const today = (): string => `(${now()} at time zone ${zone})::date`;
  for (const each of conditionsOf(table, filter, { value, today })) conditions.addText(each);
  conditions.addWindows(filter);
  return {
    ...conditions,
    order,
    pageColumns: `${alias}.listed, ${key} as place_key`,
    count: () => `select count(*)::int as count from (
      select from ${from} ${conditions.where(`${zone}::text is not null`)} limit ${COUNTED_MAX + 1}) x`,
    all: () => `select * from ${from} ${conditions.where(`${zone}::text is not null`)}`,
    page() {
      const place = filter.after ?? null;
      const { max, offset } = filter;
      const isPlain = conditions.where() === '' && max === PAGE_DEFAULT;
      const name = isPlain ? nameOf(table, place, offset) : undefined;
      if (place !== null) conditions.addText(after(place, value));
      // One row beyond the page shows whether more follow; it is not built. The numbers are written
      // out: only so does a plan for all values know how few rows are read. Of an offset within a
      // select PostgreSQL assumes the same for each, so it keeps the plan.
      const skipped =
        name === undefined || offset === 0 ? integer(offset) : `(select ${value(offset)}::bigint)`;
      const text = `select ${alias}.*, (count(*) over ())::int as listed from (
          select * from ${from} ${conditions.where(`${zone}::text is not null`)} order by ${order}
          limit ${integer(max + 1)} offset ${skipped}) ${alias}
        order by ${order} limit ${integer(max)}`;
      return { text, name };
    },
  };
}

/** Of the statement of a page without filters: each way to say where it begins is another one. */
function nameOf(table: ListedTable, place: Place | null, offset: number): string | undefined {
  if (offset === 0) return `list-${table}-${place === null ? 'first' : 'next'}`;
  return place === null ? `list-${table}-offset` : undefined;
}

function integer(value: number): string {
  assert(Number.isSafeInteger(value));
  return String(value);
}

/** A page of a list; the views are built later, after the connection is released. */
export interface ListedPage<Row, View> {
  readonly rows: readonly Row[];
  readonly view: (row: Row) => View;
  /** The last object of the page if more follow. */
  readonly next: Place | null;
  /** How many there are in all, up to one more than COUNTED_MAX; null if nobody asked. */
  readonly total: number | null;
}

/** The statement of all objects that a list's filters select, for a file, and their views. */
export interface ListedFile<Row, View> {
  readonly statement: { readonly text: string; readonly values: readonly unknown[] };
  readonly view: (row: Row) => View;
}

/** Of the customer of a row of a file. */
export interface WithReference {
  readonly customerRef: string | null;
}

/** The customer's reference as it is today. */
export const referenceOf = (alias: string): string => `(select r.ext_customer_ref from customer r
  where r.tenant_id = ${alias}.tenant_id and r.id = ${alias}.customer_id) as customer_ref`;

/** Where the page after this one begins. */
export function nextOf(rows: readonly (PageColumns & { readonly id: number })[]): Place | null {
  const last = rows.at(-1);
  if (last === undefined || last.listed <= rows.length) return null;
  return { key: last.placeKey, id: last.id };
}

/** Counts before the page is read, if that was asked for. */
export async function totalOf<Entity extends Described>(
  tx: Reader,
  { isCounted = false }: ListFilter,
  { count, values }: ListStatements<Entity>,
): Promise<number | null> {
  if (!isCounted) return null;
  const [row] = await tx.query<{ count: number }>(count(), [...values]);
  return row?.count ?? 0;
}
