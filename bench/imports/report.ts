/** Prints the figures of imports for people. */
import type { NormalMeasured } from '../soak/normal.ts';
import { parts, type CpuFigures } from '../support/cpu.ts';
import type { Memory } from './watch.ts';

export interface ImportRates {
  /** Of all files. */
  readonly rows: number;
  readonly uploadSeconds: number;
  /** From finalize to the end, with the check before and the result file after the rows. */
  readonly seconds: number;
  /** Of the rows that it wrote. */
  readonly copySeconds: number;
  /** Megabytes above idle, at most. */
  readonly memory: Memory;
  /** Of 1,000 rows, in milliseconds. */
  readonly cpuMs: CpuFigures;
}

export interface LargeFile {
  readonly megabytes: number;
  readonly uploadSeconds: number;
  readonly seconds: number;
  /** Megabytes above idle, at most. */
  readonly memory: Memory;
}

export interface ImportFigures {
  readonly customers: number;
  readonly ofCustomers: ImportRates;
  readonly ofInvoices: ImportRates;
  readonly large: LargeFile;
  /** Orders of another tenant, without an import and beside one of customers. */
  readonly quiet: NormalMeasured;
  readonly beside: NormalMeasured;
}

export function reportImports(figures: ImportFigures): string {
  const { customers, ofCustomers, ofInvoices, large, quiet, beside } = figures;
  return [
    `Imports of ${customers} customers, and of as many invoices with their line items`,
    rates('customers', ofCustomers),
    rates('invoices and line items', ofInvoices),
    `a file of ${large.megabytes} MB: uploaded in ${large.uploadSeconds.toFixed(1)} s, read in ` +
      `${large.seconds.toFixed(1)} s; memory above idle: API ${large.memory.api} MB, worker ` +
      `${large.memory.worker} MB`,
    `POST order of another tenant: p50 ${ms(quiet.p50Ms)}, p99 ${ms(quiet.p99Ms)}; beside an import ` +
      `p50 ${ms(beside.p50Ms)}, p99 ${ms(beside.p99Ms)}, ` +
      `${(beside.p99Ms / quiet.p99Ms).toFixed(2)} times the p99`,
    '',
  ].join('\n');
}

function rates(what: string, each: ImportRates): string {
  const { rows, seconds, uploadSeconds, copySeconds, memory, cpuMs } = each;
  const cpu = parts.map((part) => `${part} ${cpuMs[part].toFixed(0)}`).join(', ');
  return (
    `${what}: ${(rows / seconds).toFixed(0)} rows per second, ` +
    `${(copySeconds / seconds).toFixed(3)} of COPY (${(rows / copySeconds).toFixed(0)}); ` +
    `the upload took ${uploadSeconds.toFixed(1)} s; memory above idle: API ${memory.api} MB, worker ` +
    `${memory.worker} MB; CPU of 1,000 rows in ms: ${cpu}`
  );
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;
