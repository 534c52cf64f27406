/** Prints the figures of usage for people. */
import { parts } from '../support/cpu.ts';
import { median } from '../support/median.ts';
import type { BesideFigures, BesideRate } from './beside.ts';
import type { LineRow } from './lines.ts';
import type { RenewalSlice, UsageRenewals } from './renewals.ts';
import type { UploadRow } from './uploads.ts';

/** Null for the parts that were not asked for. */
export interface UsageFigures {
  readonly uploads: readonly UploadRow[] | null;
  readonly lines: readonly LineRow[] | null;
  readonly beside: BesideFigures | null;
  readonly renewals: UsageRenewals | null;
}

export function reportUsage({ uploads, lines, beside, renewals }: UsageFigures): string {
  const reported = [
    ...(uploads === null ? [] : ['Uploads of 1,000 records', ...uploads.map(uploadText)]),
    ...(lines === null ? [] : ['Billing of one line', ...lines.map(lineText)]),
    ...(beside === null ? [] : besideText(beside)),
    ...(renewals === null ? [] : renewalsText(renewals)),
  ];
  return `${reported.join('\n')}\n`;
}

function uploadText(row: UploadRow): string {
  const cpu = parts.map((part) => `${part} ${row.cpuMs[part].toFixed(0)}`).join(', ');
  return (
    `  ${row.connections} connections of ${row.tenants} tenants: ` +
    `${row.recordsPerSecond.toFixed(0)} records per second, ${row.ofCopy.toFixed(3)} of one COPY ` +
    `(${row.copiedPerSecond.toFixed(0)}), ${row.ofCopies.toFixed(3)} of as many COPYs at once; ` +
    `p50 ${row.p50Ms.toFixed(0)} ms, of which the wait for the turn ${row.waitedMs.toFixed(0)}; ` +
    `CPU of an upload in ms: ${cpu}; of the COPY of as many rows: ${row.copyCpuMs.toFixed(0)}`
  );
}

function lineText(row: LineRow): string {
  const { seconds, memoryMb, memoryBeforeMb } = row.billed;
  return (
    `  ${row.records} records: ${seconds.toFixed(2)} s, the longest statement ` +
    `${row.statementSeconds.toFixed(2)} s, memory ${memoryBeforeMb} to ${memoryMb} MB; ` +
    `nextInvoice ${row.previewMs.toFixed(0)} ms, activities ${row.listMs.toFixed(0)} ms, ` +
    `once billed ${row.billedListMs.toFixed(0)} ms`
  );
}

function besideText({ orders, records, before, after }: BesideFigures): string[] {
  const ratio = (name: 'full' | 'other', of: keyof BesideRate): string =>
    (after[name][of] / before[name][of]).toFixed(2);
  const rowOf = (name: 'full' | 'other'): string =>
    `  ${name}: uploads ${before[name].recordsPerSecond.toFixed(0)} records per second, then ` +
    `${after[name].recordsPerSecond.toFixed(0)} (${ratio(name, 'recordsPerSecond')}); renewals ` +
    `${before[name].invoicesPerSecond.toFixed(0)} per second, then ` +
    `${after[name].invoicesPerSecond.toFixed(0)} (${ratio(name, 'invoicesPerSecond')}), ` +
    `${ratio(name, 'cpuMs')} times the CPU`;
  return [
    `Before and after one tenant has ${records} unbilled records, ${orders} orders of each`,
    rowOf('full'),
    rowOf('other'),
  ];
}

function renewalsText({ orders, recordsOfOrder, metered, plain }: UsageRenewals): string[] {
  const ratio = (of: (slice: RenewalSlice) => number): string =>
    median(metered.flatMap((it, at) => (plain[at] ? [of(it) / of(plain[at])] : []))).toFixed(3);
  const row = (name: string, slices: readonly RenewalSlice[]): string =>
    `  ${name}: ${median(slices.map((it) => it.perSecond)).toFixed(0)} per second, ` +
    `${median(slices.map((it) => it.cpuMs)).toFixed(3)} ms of CPU each`;
  return [
    `Renewals of ${orders} orders with ${recordsOfOrder} records each and of plain ones: ` +
      `${ratio((it) => it.perSecond)} times as many per second, ${ratio((it) => it.cpuMs)} times the CPU`,
    row('with records', metered),
    row('plain', plain),
  ];
}
