/** Reports on the ledger: as documents and as CSV, both by the columns of the report. */
import { z } from 'zod';
import {
  columnsOf,
  isReportName,
  reportNames,
  reports,
  type ColumnKind,
  type ReportName,
} from '../../../domain/ledger/reports.ts';
import { formatAmount } from '../../../domain/money/money.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../../domain/text/csv.ts';
import { DomainError } from '../../../domain/errors.ts';
import {
  readReport,
  type ReportAsked,
  type ReportRead,
  type ReportRow,
} from '../../../operations/ledger/report.ts';
import { compile } from '../../xml/codec.ts';
import {
  currency,
  date,
  enumeration,
  integer,
  listOf,
  reference,
  root,
  sum,
  text,
} from '../../xml/types.ts';
import type { Answer } from '../../calls/answer.ts';
import type { Call } from '../../calls/call.ts';
import { badRequest } from '../../calls/errors.ts';
import { type Route, route } from '../../calls/route.ts';
import type { RouteDependencies } from '../../calls/services.ts';

const reportQuery = z.object({
  from: date().optional().meta({ description: 'The first day; not of agedReceivables.' }),
  to: date().optional().meta({ description: 'The last day; not of agedReceivables.' }),
  asOf: date()
    .optional()
    .meta({ description: 'Of agedReceivables: the day at whose end it looks; today by default.' }),
});

type ReportCall = Call<z.output<typeof reportQuery>, undefined>;

export function reportRoutes(dependencies: RouteDependencies): Route[] {
  const read = (call: ReportCall): Promise<ReportRead> =>
    readReport(dependencies, call.tenant, askedOf(call), ({ path, why }) =>
      badRequest('query.invalid', why, call.query.asOf === undefined ? path : 'asOf'),
    );
  return [
    route({
      method: 'GET',
      path: '/report/:name',
      summary: 'A report on the ledger',
      query: reportQuery,
      response: reportCodec,
      isHeavy: true,
      isExport: true,
      handler: async (call) => reportDocument(await read(call)),
      formats: { csv: async (call) => reportCsv(await read(call)) },
    }),
  ];
}

function askedOf({ pathTexts, query }: ReportCall): ReportAsked {
  const name = pathTexts['name'] ?? '';
  if (!isReportName(name)) {
    const message = `there is no report ${name}; the reports are ${reportNames.join(', ')}`;
    throw new DomainError('report.unknown', message, { path: 'name', value: name });
  }
  const isDay = reports[name].time === 'day';
  for (const path of isDay ? (['from', 'to'] as const) : (['asOf'] as const)) {
    if (query[path] !== undefined) {
      throw badRequest('query.unknown', `${path} is no parameter of ${name}`, path);
    }
  }
  if (isDay) return { name, from: null, to: query.asOf ?? null };
  const { from, to } = query;
  if (from !== undefined && to !== undefined) return { name, from, to };
  const path = from === undefined ? 'from' : 'to';
  throw badRequest('query.required', `${name} requires from and to`, path);
}

/* Documents. */

const schemas: Readonly<Record<ColumnKind, () => z.ZodType>> = {
  text: () => text().nullish(),
  customer: () => reference().optional(),
  currency: () => currency().optional(),
  count: () => integer().optional(),
  amount: () => sum().nullish(),
};

/** The columns of all reports, in an order in which each has its own. */
const rowColumns: readonly (readonly [string, ColumnKind])[] = merged(
  reportNames.map((name) => columnsOf(name)),
);

/** Puts each column before the first one of what is there that follows it in its own report. */
function merged(
  all: readonly (readonly (readonly [string, ColumnKind])[])[],
): readonly (readonly [string, ColumnKind])[] {
  const order: (readonly [string, ColumnKind])[] = [];
  for (const columns of all) {
    let place = order.length;
    for (const column of columns.toReversed()) {
      const at = order.findIndex(([key]) => key === column[0]);
      if (at === -1) order.splice(place, 0, column);
      else place = at;
    }
  }
  return order;
}

const reportSchema = z.strictObject({
  name: enumeration(reportNames),
  from: date().nullable(),
  to: date().nullable(),
  asOf: date().nullable(),
  closedTo: date().optional(),
  rows: listOf(
    'row',
    z.strictObject(Object.fromEntries(rowColumns.map(([key, kind]) => [key, schemas[kind]()]))),
  ),
});

const reportCodec = compile(root('report', reportSchema));

function reportDocument(report: ReportRead): z.output<typeof reportSchema> {
  const { name, from, to, closedTo } = report;
  const isDay = reports[name].time === 'day';
  return {
    name,
    from,
    to: isDay ? null : to,
    asOf: isDay ? to : null,
    ...(closedTo === null ? {} : { closedTo }),
    rows: report.rows.map((row) => rowDocument(name, row)),
  };
}

function rowDocument(name: ReportName, row: ReportRow): Record<string, unknown> {
  return Object.fromEntries(
    columnsOf(name).map(([key, kind]) => {
      const value = cellOf(row, key, kind);
      return [key, kind === 'customer' || kind === 'currency' ? { id: value } : value];
    }),
  );
}

/* CSV. */

function reportCsv({ name, rows }: ReportRead): Answer {
  const columns = columnsOf(name);
  const header = columns.map(([key, kind]) => (kind === 'customer' ? `${key}Id` : key));
  const lines = rows.map((row) => csvLine(columns.map(([key, kind]) => cellOf(row, key, kind))));
  return {
    status: 200,
    type: 'text/csv; charset=utf-8',
    headers: {
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
    body: [BYTE_ORDER_MARK + csvLine(header), ...lines].join(''),
  };
}

/* Both. */

function cellOf(row: ReportRow, key: string, kind: ColumnKind): string | number | null {
  const value = row[key] ?? null;
  if (value === null || kind !== 'amount') return value;
  return formatAmount(String(row['currency']), String(value));
}
