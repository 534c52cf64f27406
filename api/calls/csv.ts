/** Lists as CSV: their columns from the schema of their objects, and the answer, which is a stream. */
import { Readable } from 'node:stream';
import type { QueryResultRow } from 'pg';
import type { z } from 'zod';
import { BYTE_ORDER_MARK, csvLine } from '../../domain/text/csv.ts';
import type { MetadataEntry } from '../../domain/text/metadata.ts';
import { type Statement, rowsInSnapshot } from '../../db/connection/snapshot.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import { type Field, type ObjectPlan, type Plan, compileNode, schemaOf } from '../xml/plan.ts';
import { startSlices } from '../xml/slices.ts';
import type { StreamedAnswer } from './answer.ts';
import { badRequest } from './errors.ts';
import type { RouteDependencies } from './services.ts';

type Cell = string | number | null;

export interface Column<Row> {
  readonly name: string;
  readonly cellOf: (row: Row) => Cell;
}

/* Columns. */

/** An object of an answer, as it is written in XML. */
type Document = Readonly<Record<string, unknown>>;

/** What has no column although it is no list. */
const omitted: ReadonlySet<string> = new Set([
  'salesContact',
  'processorResult',
  'customerFinancials',
  'cursor',
]);
/** What has its elements as columns, by their own names. */
const opened: ReadonlySet<string> = new Set(['billingContact']);

/**
 * A column for each element of an object in the order of the answer: a reference X is XId, a currency
 * its code, and elements within others have both names. Lists have none; metadata is the last.
 */
export function columnsOf<Of extends Document>(schema: z.ZodType<Of>): Column<Of>[] {
  const plan = compileNode(schemaOf(schema));
  if (plan.kind !== 'object') throw new Error('columns are those of an object');
  const id = plan.attributes.has('id') ? [column('id', (of) => of['id'])] : [];
  const metadata = plan.elements.has('metadata')
    ? [column('metadata', ({ metadata: entries }) => jsonOf(entries as readonly MetadataEntry[]))]
    : [];
  return [...id, ...elementsOf(plan), ...metadata];
}

type AnyColumn = Column<Document>;

const column = (name: string, valueOf: (of: Document) => unknown): AnyColumn => ({
  name,
  cellOf: (of) => cell(valueOf(of)),
});

function elementsOf(plan: ObjectPlan, nameOf = (key: string): string => key): AnyColumn[] {
  return writtenIn(plan).flatMap(({ key, plan: inner }) => columnsAt(key, inner, nameOf));
}

const writtenIn = ({ elements }: ObjectPlan): Field[] =>
  [...elements.values()].filter(({ key, writeOnly }) => !writeOnly && !omitted.has(key));

function columnsAt(key: string, plan: Plan, nameOf: (key: string) => string): AnyColumn[] {
  if (plan.kind === 'list') return [];
  if (plan.kind === 'scalar') return [column(nameOf(key), (of) => of[key])];
  const name = nameOf(key);
  const within = ({ name: inner, cellOf }: AnyColumn): AnyColumn => ({
    name: inner,
    cellOf: (of) => cellOf((of[key] ?? {}) as Document),
  });
  const isCode = key === 'currency';
  const id = column(isCode ? name : `${name}Id`, (of) => of['id']);
  if (opened.has(key)) return flattened(plan).map(within);
  const ids = plan.attributes.has('id') ? [id] : [];
  const inner = elementsOf(plan, (each) => `${name}${each[0]?.toUpperCase()}${each.slice(1)}`);
  return [...ids, ...inner].map(within);
}

/** Elements by their own names, and so those of elements within. */
function flattened(plan: ObjectPlan): AnyColumn[] {
  return writtenIn(plan).flatMap(({ key, plan: inner }) =>
    inner.kind === 'object'
      ? flattened(inner).map(({ name, cellOf }) => ({
          name,
          cellOf: (of: Document) => cellOf((of[key] ?? {}) as Document),
        }))
      : columnsAt(key, inner, (name) => name),
  );
}

/** Nothing but scalars has a column. */
function cell(value: unknown): Cell {
  if (typeof value === 'number' || typeof value === 'string') return value;
  return typeof value === 'boolean' ? String(value) : null;
}

/** Written by hand, as JavaScript puts keys that are numbers before others. */
function jsonOf(entries: readonly MetadataEntry[]): string | null {
  if (entries.length === 0) return null;
  const texts = entries.map(({ key, value }) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${texts.join(',')}}`;
}

/** The customer's reference follows its id. */
export function withReference<Row>(
  columns: readonly Column<Row>[],
  referenceOf: (row: Row) => string | null,
): Column<Row>[] {
  const reference = { name: 'extCustomerRef', cellOf: referenceOf };
  return columns.flatMap((each) => (each.name === 'customerId' ? [each, reference] : [each]));
}

/* The answer. */

/** All rows that a file has, each as it is written. */
export interface Export<Row extends QueryResultRow, View> {
  readonly statement: Statement;
  readonly view: (row: Row) => View;
}

export interface CsvFile<Row extends QueryResultRow, View> extends Export<Row, View> {
  /** Without `.csv`. */
  readonly name: string;
  readonly columns: readonly Column<View>[];
}

/**
 * The answer begins with the first rows, so that what fails before them is refused as ever; a fault
 * after them breaks the connection.
 */
export async function csvAnswer<Row extends QueryResultRow, View>(
  { db }: Pick<RouteDependencies, 'db'>,
  { id }: Pick<TenantInfo, 'id'>,
  file: CsvFile<Row, View>,
): Promise<StreamedAnswer> {
  const rows = rowsInSnapshot<Row>(db, id, file.statement);
  const first = await rows.next();
  const body = Readable.from(linesOf(first, rows, file));
  // Also of an answer that nobody has begun to read.
  body.once('close', () => void rows.return().catch(() => undefined));
  return { ...csvHead(file.name), body, bytes: undefined };
}

/** Of a file that is saved, not shown. @param name without `.csv` */
export const csvHead = (name: string) => ({
  status: 200,
  type: 'text/csv; charset=utf-8',
  headers: {
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  },
});

async function* linesOf<Row extends QueryResultRow, View>(
  first: IteratorResult<readonly Row[], void>,
  rows: AsyncGenerator<readonly Row[], void>,
  { columns, view }: CsvFile<Row, View>,
): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK + csvLine(columns.map(({ name }) => name));
  const slices = startSlices();
  for (let part = first; part.done !== true; part = await rows.next()) {
    let lines = '';
    for (const row of part.value) {
      const paused = slices.pause();
      if (paused !== undefined) await paused;
      const shown = view(row);
      lines += csvLine(columns.map(({ cellOf }) => cellOf(shown)));
    }
    yield lines;
  }
}

/** A file has every row. */
const ofPages = ['offset', 'max', 'after', 'count'];

export function refusePage(url: string): void {
  const { searchParams } = new URL(url, 'http://file');
  const given = ofPages.find((name) => (searchParams.get(name) ?? '') !== '');
  if (given === undefined) return;
  const message = `${given} is for pages, and format=csv gives every row`;
  throw badRequest('query.invalid', message, given, searchParams.get(given) ?? '');
}
