/** Lists of objects: their filters, where a page begins, what leads to the next one, and files of all. */
import type { QueryResultRow } from 'pg';
import { z } from 'zod';
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import type { MetadataEntry } from '../../domain/text/metadata.ts';
import {
  type DayRange,
  type FilterName,
  type Filters,
  type ListedTable,
  filtersOf,
} from '../../operations/context/list-filters.ts';
import {
  COUNTED_MAX,
  type ListFilter,
  type ListedFile,
  type ListedPage,
  type Place,
  type WithReference,
} from '../../operations/context/lists.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { Reader } from '../../operations/context/listing.ts';
import type { Encoder } from '../xml/codec.ts';
import { METADATA_PARAMETER, metadataIn } from '../xml/query.ts';
import { mapInSlices } from '../xml/slices.ts';
import { ID_MAX, boolean, date, text } from '../xml/types.ts';
import type { Headed } from './answer.ts';
import { type Column, columnsOf, csvAnswer, refusePage, withReference } from './csv.ts';
import { badRequest } from './errors.ts';
import { extCustomerRef, objectId, page, windows, windowsOf } from './queries.ts';
import { queryDecoder, unselected } from './parameters.ts';
import { plainRoute } from './route-types.ts';
import { type Route, route } from './route.ts';
import { type RouteDependencies, readingMuch } from './services.ts';

type Shape = z.ZodRawShape;
type QueryOf<Own extends Shape> = z.output<z.ZodObject<Own>>;

interface ListShape<Own extends Shape> {
  readonly table: ListedTable;
  /** Its parameters besides those of all lists and the filters of its table. */
  readonly query: Own;
}

export interface ListSpec<
  Own extends Shape,
  Row,
  View,
  FileRow extends QueryResultRow,
  Document,
> extends ListShape<Own> {
  /** Also its path. */
  readonly name: 'customers' | 'orders' | 'invoices' | 'payments' | 'credits' | 'refunds';
  readonly summary: string;
  readonly response: Encoder<Document[]>;
  /** Reads a page in one statement, unless it is counted. */
  readonly isOneStatement?: boolean;
  readonly read: (
    tx: Reader,
    tenant: TenantInfo,
    filter: ListFilter,
    query: QueryOf<Own>,
  ) => Promise<ListedPage<Row, View>>;
  readonly document: (view: View) => Document;
  /** Of one object, for the columns of its file. */
  readonly schema: z.ZodType<object>;
  readonly file: (
    tenant: TenantInfo,
    filter: ListFilter,
    query: QueryOf<Own>,
  ) => ListedFile<FileRow, View & Partial<WithReference>>;
}

/** The route of a list, which is a file with format=csv. */
export function listRoute<
  Own extends Shape,
  Row,
  View extends object,
  FileRow extends QueryResultRow,
  Document extends object,
>(dependencies: RouteDependencies, spec: ListSpec<Own, Row, View, FileRow, Document>): Route {
  const { name, table, summary, response, isOneStatement = false } = spec;
  const columns = once(() => fileColumns(spec.schema));
  return route({
    method: 'GET',
    path: `/${name}`,
    summary,
    right: 'read',
    query: queryOf(spec),
    response: headed(response),
    async handler({ tenant, query: given, url, noteMiss }) {
      const filter = filterOf(dependencies, tenant, { name, table, url }, given);
      const read = { isOneStatement: isOneStatement && !filter.isCounted };
      const found = await readingMuch(dependencies, tenant, read, (tx) =>
        spec.read(tx, tenant, filter, given as unknown as QueryOf<Own>),
      );
      const { customerId = null } = filter;
      if (found.rows.length === 0 && customerId !== null) noteMiss('customer', customerId);
      const documents = await mapInSlices(found.rows, (row) => spec.document(found.view(row)));
      return { result: documents, headers: headersOf({ name, url }, found) };
    },
    streams: {
      csv({ tenant, query: given, url }) {
        refusePage(url);
        const filter = filterOf(dependencies, tenant, { name, table, url }, given);
        const { statement, view } = spec.file(tenant, filter, given as unknown as QueryOf<Own>);
        const written = (row: FileRow): Written => {
          const shown = view(row);
          return { document: spec.document(shown), customerRef: shown.customerRef ?? null };
        };
        const file = { name, columns: columns(), statement, view: written };
        return csvAnswer(dependencies, tenant, file);
      },
    },
  });
}

/** A row of a file: its object, and what the file adds to it. */
interface Written extends WithReference {
  readonly document: object;
}

function fileColumns(schema: z.ZodType<object>): Column<Written>[] {
  const own = columnsOf(schema as z.ZodType<Readonly<Record<string, unknown>>>);
  const ofDocument = own.map(({ name, cellOf }) => ({
    name,
    cellOf: ({ document }: Written) => cellOf(document as Readonly<Record<string, unknown>>),
  }));
  return withReference(ofDocument, ({ customerRef }) => customerRef);
}

/** Walking a schema takes a while, and most processes write no file of it. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

export interface FileSpec<
  Own extends Shape,
  Row extends QueryResultRow,
  View,
> extends ListShape<Own> {
  /** Also its path. */
  readonly name: string;
  readonly columns: () => readonly Column<View>[];
  readonly file: (
    tenant: TenantInfo,
    filter: ListFilter,
    query: QueryOf<Own>,
  ) => ListedFile<Row, View>;
}

/** The route of a file of which there is no list. */
export function fileRoute<Own extends Shape, Row extends QueryResultRow, View>(
  dependencies: RouteDependencies,
  spec: FileSpec<Own, Row, View>,
): Route {
  const { name, table } = spec;
  const decode = queryDecoder(queryOf(spec), unselected);
  return plainRoute({
    method: 'GET',
    under: 'rest',
    path: `/${name}`,
    credentials: 'basic',
    right: 'read',
    isWrite: false,
    body: 'none',
    answer: 'file',
    respond({ tenant, parameters, url }) {
      const given = decode(parameters);
      refuseOtherFormat(parameters['format']);
      refusePage(url);
      const filter = filterOf(dependencies, tenant, { name, table, url }, given);
      const { statement, view } = spec.file(tenant, filter, given as unknown as QueryOf<Own>);
      const file = { name, columns: spec.columns(), statement, view };
      return csvAnswer(dependencies, tenant, file);
    },
  });
}

function refuseOtherFormat(format: string | readonly string[] | undefined): void {
  if (format === 'csv') return;
  throw badRequest('query.format', 'format must be csv here', 'format', String(format ?? ''));
}

const queryOf = <Own extends Shape>({ table, query }: ListShape<Own>) =>
  z.object({ ...page, ...windows, ...query, ...filtersIn(table), ...further });

/** Writes the documents of a list, whose answer has headers. */
function headed<Document>(codec: Encoder<Document[]>): Encoder<Headed<Document[]>> {
  return {
    name: codec.name,
    schema: codec.schema,
    encode: ({ result }) => codec.encode(result),
    encodeInSlices: ({ result }) => codec.encodeInSlices(result),
  };
}

/* The parameters of filters: a row each, and those of all lists. */

const A_RANGE = 'a day, or two days with .. between them of which one may be left out';
const oneDay = date();

/** `2027-01-15`, `2027-01-01..2027-01-31`, `2027-01-01..` or `..2027-01-31`; null: none of them. */
function dayRangeOf(value: string): DayRange | null {
  const [from = '', to = from, ...others] = value.split('..');
  if (others.length > 0 || (from === '' && to === '')) return null;
  const isDay = (day: string): boolean => day === '' || oneDay.safeParse(day).success;
  if (!isDay(from) || !isDay(to)) return null;
  return { from: from === '' ? null : from, to: to === '' ? null : to };
}

const days = () =>
  z
    .string()
    .refine((value) => dayRangeOf(value) !== null, { params: { expected: A_RANGE } })
    .meta({ 'x-expected': A_RANGE })
    .optional()
    .meta({ description: 'A day, or 2027-01-01..2027-01-31, of which one side may be open.' });

const parameters = {
  customerId: { customerId: objectId().optional() },
  extCustomerRef: { extCustomerRef: extCustomerRef().optional() },
  overdue: { overdue: boolean().optional() },
  orderNumber: { orderNumber: text().optional() },
  priceCode: { priceCode: text().optional() },
  invoiceDate: { invoiceDate: days() },
  dueDate: { dueDate: days() },
  effectiveDate: { effectiveDate: days() },
  metadata: { [METADATA_PARAMETER]: text().optional() },
} as const satisfies Readonly<Record<FilterName, Shape>>;

const filtersIn = (table: ListedTable): Shape =>
  Object.assign({}, ...filtersOf(table).map((name) => parameters[name])) as Shape;

const further = {
  count: boolean().default(false),
  after: text().optional().meta({
    description:
      'Only what follows a place: the Link header of a page has that of its last object.',
  }),
};

type Given = QueryOf<typeof page & typeof windows & typeof further> & {
  readonly [Name in Exclude<FilterName, 'metadata'>]?: unknown;
};

interface Asked {
  readonly name: string;
  readonly table: ListedTable;
  readonly url: string;
}

function filterOf(
  dependencies: RouteDependencies,
  tenant: TenantInfo,
  { name, table, url }: Asked,
  query: object,
): ListFilter {
  const given = query as Given;
  return {
    offset: given.offset,
    max: given.max,
    ...windowsOf(given, tenant),
    ...valuesOf(table, given, metadataIn(url)),
    after: placeOf(name, url, given.after),
    isCounted: given.count,
    realNow: new Date(dependencies.realNow()),
  };
}

const daysIn: ReadonlySet<FilterName> = new Set(['invoiceDate', 'dueDate', 'effectiveDate']);

function valuesOf(table: ListedTable, given: Given, entries: readonly MetadataEntry[]): Filters {
  const values = filtersOf(table).map((name) => {
    if (name === 'metadata') return [name, masked(entries)];
    const value = given[name];
    return [name, daysIn.has(name) && typeof value === 'string' ? rangeOf(name, value) : value];
  });
  return Object.fromEntries(values) as Filters;
}

/** Values are stored like that. */
const masked = (entries: readonly MetadataEntry[]): MetadataEntry[] | null =>
  entries.length === 0
    ? null
    : entries.map(({ key, value }) => ({ key, value: maskCardNumbers(value) }));

function rangeOf(name: string, value: string): DayRange | null {
  const range = dayRangeOf(value);
  if (range?.from != null && range.to !== null && range.to < range.from) {
    throw badRequest('query.invalid', `${name} ends before it begins`, name, value);
  }
  return range;
}

/* Where a page begins: after an object, by its sort key and id. */

const CURSOR = /^(\w+) (\d{4}-\d\d-\d\d|\d{0,17}) (\d{1,16})$/;

function cursorOf(name: string, { key, id }: Place): string {
  return Buffer.from(`${name} ${key} ${id}`).toString('base64url');
}

function placeOf(name: string, url: string, cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const [, of, key = '', id = ''] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const isOwn = of === name && Number(id) <= ID_MAX && isKey(name, key);
  if (!isOwn) {
    const message = `after is no place in the list of ${name}; take it from the Link header of a page`;
    throw badRequest('query.invalid', message, 'after', cursor);
  }
  if ((searchOf(url).get('offset') ?? '') !== '') {
    const message = 'offset and after exclude each other';
    throw badRequest('query.invalid', message, 'offset');
  }
  return { key, id: Number(id) };
}

/** No sort key has another form, and each is read as what it is. */
function isKey(name: string, key: string): boolean {
  if (name === 'customers') return key === '';
  if (name === 'orders') return /^\d+$/.test(key);
  return oneDay.safeParse(key).success;
}

function headersOf(
  { name, url }: Pick<Asked, 'name' | 'url'>,
  { next, total }: Pick<ListedPage<unknown, unknown>, 'next' | 'total'>,
): Record<string, string> {
  return {
    ...(total !== null && { 'X-Total-Count': String(Math.min(total, COUNTED_MAX)) }),
    ...(total !== null && total > COUNTED_MAX && { 'X-Total-Count-Limited': 'true' }),
    ...(next !== null && { Link: `<${nextUrl(url, cursorOf(name, next))}>; rel="next"` }),
  };
}

const searchOf = (url: string): URLSearchParams => new URL(url, 'http://list').searchParams;

/** With what the caller selects by; nobody counts twice. */
function nextUrl(url: string, after: string): string {
  const { pathname, searchParams } = new URL(url, 'http://list');
  for (const name of ['offset', 'count', 'after']) searchParams.delete(name);
  searchParams.set('after', after);
  return `${pathname}?${searchParams.toString()}`;
}
