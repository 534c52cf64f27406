/** Prints the figures of invoices that a tax provider taxes for people. */
import { median } from '../support/median.ts';

export interface TaxedMonth {
  /** From the advance of the clock until all invoices exist, and until all are recorded. */
  readonly billedMs: number;
  readonly recordedMs: number;
  /** The worker's memory after it. */
  readonly workerMb: number;
}

export interface TaxesFigures {
  readonly orders: number;
  /** What the provider takes for a call. */
  readonly callMs: number;
  readonly months: readonly TaxedMonth[];
}

export function reportTaxes({ orders, callMs, months }: TaxesFigures): string {
  const billedMs = median(months.map((month) => month.billedMs));
  const recordedMs = median(months.map((month) => month.recordedMs));
  return (
    `Renewals of ${orders} orders that a tax provider taxes, which takes ${callMs} ms for each call ` +
    `(medians of ${months.length} months)\n` +
    `  ${((orders / billedMs) * 1_000).toFixed(0)} invoices per second until all are billed\n` +
    `  all are recorded after ${(recordedMs / billedMs).toFixed(2)} times as long\n` +
    `  the worker's memory after each month: ${months.map(({ workerMb }) => workerMb).join(', ')} MB\n`
  );
}
