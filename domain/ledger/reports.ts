/** The reports on the ledger: which days they take, and their columns. */
import { daysFromTo, type IsoDate } from '../calendar/calendar.ts';

/** `days` takes from and to, `day` the day at whose end it looks. */
export type ReportTime = 'days' | 'day';

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

/** So that the months of a report are at most those of a year. */
export const REPORT_DAYS_MAX = 366;

/**
 * Why days are none of a report; null if they are.
 *
 * @example wrongDays({ from: '2027-02-01', to: '2027-01-31' }, '2027-03-01')?.path // 'to'
 */
export function wrongDays(
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
  today: IsoDate,
): { readonly path: 'from' | 'to'; readonly why: string } | null {
  if (from > today) return { path: 'from', why: `a report begins today or before, ${today}` };
  if (to > today) return { path: 'to', why: `a report ends today or before, ${today}` };
  if (to < from) return { path: 'to', why: 'to is before from' };
  if (daysFromTo(from, to) <= REPORT_DAYS_MAX) return null;
  return { path: 'to', why: `from and to span more than ${REPORT_DAYS_MAX} days` };
}
