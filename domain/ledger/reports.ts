/** The reports on the ledger: which days they take, and their columns. */
import { addMonths, daysFromTo, type IsoDate } from '../calendar/calendar.ts';
import { formatAmount } from '../money/money.ts';
import { BYTE_ORDER_MARK, csvLine } from '../text/csv.ts';

/**
 * `days` takes from and to, `day` the day at whose end it looks, `twoDays` that day and the one that it
 * is compared with.
 */
export type ReportTime = 'days' | 'day' | 'twoDays';

/** Texts are what rows are of; a row without an amount is left out. */
export type ColumnKind = 'text' | 'customer' | 'currency' | 'count' | 'amount';

interface Report {
  readonly time: ReportTime;
  readonly columns: Readonly<Record<string, ColumnKind>>;
}

/** The columns of each report in their order. */
export const reports = {
  agedReceivables: {
    time: 'day',
    columns: {
      customer: 'customer',
      extCustomerRef: 'text',
      currency: 'currency',
      notDue: 'amount',
      days1To30: 'amount',
      days31To60: 'amount',
      days61To90: 'amount',
      daysOver90: 'amount',
      withoutDueDate: 'amount',
      receivables: 'amount',
      unapplied: 'amount',
      carriedOver: 'amount',
      balance: 'amount',
    },
  },
  revenue: {
    time: 'days',
    columns: {
      month: 'text',
      accountingCode: 'text',
      currency: 'currency',
      invoiced: 'amount',
      cancelled: 'amount',
      credited: 'amount',
      revenue: 'amount',
    },
  },
  recognizedRevenue: {
    time: 'days',
    columns: {
      month: 'text',
      accountingCode: 'text',
      currency: 'currency',
      deferredStart: 'amount',
      invoiced: 'amount',
      recognized: 'amount',
      deferredEnd: 'amount',
    },
  },
  tax: {
    time: 'days',
    columns: {
      jurisdiction: 'text',
      taxName: 'text',
      taxPercent: 'text',
      taxCategory: 'text',
      accountingCode: 'text',
      currency: 'currency',
      taxBase: 'amount',
      tax: 'amount',
    },
  },
  payments: {
    time: 'days',
    columns: {
      gateway: 'text',
      paymentMethodType: 'text',
      currency: 'currency',
      paymentCount: 'count',
      payments: 'amount',
      refunds: 'amount',
      reversed: 'amount',
      net: 'amount',
    },
  },
  mrr: {
    time: 'twoDays',
    columns: {
      contractCode: 'text',
      currency: 'currency',
      orders: 'count',
      mrrStart: 'amount',
      new: 'amount',
      expansion: 'amount',
      contraction: 'amount',
      churn: 'amount',
      moved: 'amount',
      mrrEnd: 'amount',
    },
  },
} as const satisfies Readonly<Record<string, Report>>;

export type ReportName = keyof typeof reports;

export const reportNames = Object.keys(reports) as [ReportName, ...ReportName[]];

/** @example isReportName('revenue') // true */
export function isReportName(text: string): text is ReportName {
  return Object.hasOwn(reports, text);
}

/** The columns of a report in their order. @example columnsOf('tax')[0] // ['jurisdiction', 'text'] */
export function columnsOf(name: ReportName): readonly (readonly [string, ColumnKind])[] {
  return Object.entries(reports[name].columns);
}

/** What a caller asks for; null where it leaves a day out. */
export interface ReportAsked {
  readonly name: ReportName;
  readonly from: IsoDate | null;
  /** The last day, or the one at whose end it looks. */
  readonly to: IsoDate | null;
}

/** The days of a report; `day` reports have one. */
export interface ReportDays {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

/**
 * The days of a report: it looks at today, and compares with a month before.
 *
 * @example daysOf({ name: 'mrr', from: null, to: null }, '2027-02-28')
 *   // { from: '2027-01-28', to: '2027-02-28' }
 */
export function daysOf({ name, from, to: last }: ReportAsked, today: IsoDate): ReportDays {
  const to = last ?? today;
  return { from: from ?? (reports[name].time === 'twoDays' ? addMonths(to, -1) : to), to };
}

/** So that the months of a report are at most those of a year. */
export const REPORT_DAYS_MAX = 366;

/**
 * Why days are none of a report; null if they are.
 *
 * @example wrongDays('revenue', { from: '2027-02-01', to: '2027-01-31' }, '2027-03-01')?.path // 'to'
 */
export function wrongDays(
  name: ReportName,
  { from, to }: ReportDays,
  today: IsoDate,
): { readonly path: 'from' | 'to' | 'asOf'; readonly why: string } | null {
  const isDays = reports[name].time === 'days';
  const end = isDays ? 'to' : 'asOf';
  if (isDays && from > today) {
    return { path: 'from', why: `a report begins today or before, ${today}` };
  }
  if (to > today) return { path: end, why: `a report ends today or before, ${today}` };
  if (to < from) return { path: end, why: `${end} is before from` };
  if (!isDays || daysFromTo(from, to) <= REPORT_DAYS_MAX) return null;
  return { path: end, why: `from and to span more than ${REPORT_DAYS_MAX} days` };
}

/* Files. */

/** By the keys of the report's columns. */
export type ReportRow = Readonly<Record<string, string | number | null>>;

/**
 * What a cell shows: amounts with the digits of their currency.
 *
 * @example cellOf({ currency: 'USD', net: '5' }, ['net', 'amount']) // '5.00'
 */
export function cellOf(
  row: ReportRow,
  [key, kind]: readonly [string, ColumnKind],
): string | number | null {
  const value = row[key] ?? null;
  if (value === null || kind !== 'amount') return value;
  return formatAmount(String(row['currency']), String(value));
}

/** The first line of a report as CSV, with the byte order mark. @example headerOf('tax') */
export function headerOf(name: ReportName): string {
  const names = columnsOf(name).map(([key, kind]) => (kind === 'customer' ? `${key}Id` : key));
  return BYTE_ORDER_MARK + csvLine(names);
}

/** A row of a report as CSV. @example lineOf('payments', row) // 'sandbox,CreditCard,USD,1,...' */
export function lineOf(name: ReportName, row: ReportRow): string {
  return csvLine(columnsOf(name).map((column) => cellOf(row, column)));
}
