/**
 * Measures metered usage: uploads beside PostgreSQL's COPY, the billing of lines with many records,
 * what many records cost others, and renewals of orders with some records.
 */
import { benchOfSystem, type Asked } from './support/run.ts';
import type { BenchSystem } from './support/system.ts';
import { beside } from './usage/beside.ts';
import { lines } from './usage/lines.ts';
import { usageRenewals } from './usage/renewals.ts';
import { reportUsage, type UsageFigures } from './usage/report.ts';
import { uploads } from './usage/uploads.ts';

const parts = ['uploads', 'lines', 'beside', 'renewals'] as const;
type Part = (typeof parts)[number];

export const isUsagePart = (name: string): name is Part => parts.some((part) => part === name);

// The log has how long heavy calls have waited.
export const usage = benchOfSystem({ measure, report: reportUsage, logLevel: 'info' });

async function measure(
  system: BenchSystem,
  { orders, records, part, say }: Asked,
): Promise<UsageFigures> {
  const isAsked = (name: Part): boolean => part === undefined || part === name;
  return {
    uploads: isAsked('uploads') ? await uploads(system, say) : null,
    renewals: isAsked('renewals') ? await usageRenewals(system, orders, say) : null,
    lines: isAsked('lines') ? await lines(system, records, say) : null,
    beside: isAsked('beside') ? await beside(system, { orders, records, say }) : null,
  };
}
