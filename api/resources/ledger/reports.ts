/** Reports: as documents, as CSV and as jobs that write the CSV, all by the columns of the report. */
import { z } from 'zod';
import {
  cellOf,
  columnsOf,
  headerOf,
  isReportName,
  lineOf,
  reportNames,
  reports,
  type ColumnKind,
  type ReportAsked,
  type ReportName,
  type ReportRow,
  type ReportTime,
} from '../../../domain/ledger/reports.ts';
import { DomainError } from '../../../domain/errors.ts';
import { readBatch } from '../../../operations/imports/read.ts';
import { createReport } from '../../../operations/ledger/report-job.ts';
import {
  readReport,
  type RefusalOfDays,
  type ReportRead,
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
import { csvHead } from '../../calls/csv.ts';
import { badRequest } from '../../calls/errors.ts';
import { type Route, route, writeRoute } from '../../calls/route.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { batchDocument } from '../imports/mapping.ts';
import { continuing } from '../imports/routes.ts';
import { batchCodec } from '../imports/schema.ts';

const reportQuery = z.object({
  from: date()
    .optional()
    .meta({ description: 'The first day; of mrr the day that it compares, a month before asOf.' }),
  to: date().optional().meta({ description: 'The last day; not of agedReceivables and mrr.' }),
  asOf: date().optional().meta({
    description: 'Of agedReceivables and mrr: the day at whose end it looks; today by default.',
  }),
});

type ReportCall = Pick<Call<z.output<typeof reportQuery>, undefined>, 'pathTexts' | 'query'>;

export function reportRoutes(dependencies: RouteDependencies): Route[] {
  const read = (call: ReportCall & Pick<Call<unknown, unknown>, 'tenant'>): Promise<ReportRead> =>
    readReport(dependencies, call.tenant, askedOf(call), refusal);
  return [
    route({
      method: 'GET',
      path: '/report/:name',
      summary: 'A report on the ledger, or on recurring revenue',
      right: 'read',
      query: reportQuery,
      response: reportCodec,
      isHeavy: true,
      isExport: true,
      handler: async (call) => reportDocument(await read(call)),
      formats: { csv: async (call) => reportCsv(await read(call)) },
    }),
    writeRoute(dependencies, {
      method: 'POST',
      path: '/report/:name',
      summary: 'Write a report to a file, however long it takes',
      audited: 'batchProcess',
      right: 'read',
      status: 202,
      query: reportQuery,
      response: batchCodec,
      continues: { ...continuing(dependencies, 202), wait: () => Promise.resolve(false) },
      handler: (call) =>
        call.write(async (context) => {
          const id = await createReport(context, askedOf(call), refusal);
          return batchDocument(await readBatch(dependencies, context.finalQuery, { id }));
        }),
    }),
  ];
}

const refusal: RefusalOfDays = ({ path, why }) => badRequest('query.invalid', why, path);

/** The parameters that a report takes, and those that it requires. */
const parametersOf: Readonly<Record<ReportTime, readonly ('from' | 'to' | 'asOf')[]>> = {
  days: ['from', 'to'],
  day: ['asOf'],
  twoDays: ['from', 'asOf'],
};

function askedOf({ pathTexts, query }: ReportCall): ReportAsked {
  const name = pathTexts['name'] ?? '';
  if (!isReportName(name)) {
    const message = `there is no report ${name}; the reports are ${reportNames.join(', ')}`;
    throw new DomainError('report.unknown', message, { path: 'name', value: name });
  }
  const { time } = reports[name];
  const taken = parametersOf[time];
  for (const path of ['from', 'to', 'asOf'] as const) {
    if (query[path] !== undefined && !taken.includes(path)) {
      throw badRequest('query.unknown', `${path} is no parameter of ${name}`, path);
    }
  }
  const missing = time === 'days' ? taken.find((path) => query[path] === undefined) : undefined;
  if (missing !== undefined) {
    throw badRequest('query.required', `${name} requires from and to`, missing);
  }
  const { from = null, to, asOf } = query;
  return { name, from, to: to ?? asOf ?? null };
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
  const isDays = reports[name].time === 'days';
  return {
    name,
    from,
    to: isDays ? to : null,
    asOf: isDays ? null : to,
    ...(closedTo === null ? {} : { closedTo }),
    rows: report.rows.map((row) => rowDocument(name, row)),
  };
}

function rowDocument(name: ReportName, row: ReportRow): Record<string, unknown> {
  return Object.fromEntries(
    columnsOf(name).map(([key, kind]) => {
      const value = cellOf(row, [key, kind]);
      return [key, kind === 'customer' || kind === 'currency' ? { id: value } : value];
    }),
  );
}

/* CSV. */

function reportCsv({ name, rows }: ReportRead): Answer {
  const body = [headerOf(name), ...rows.map((row) => lineOf(name, row))].join('');
  return { ...csvHead(name), body };
}
