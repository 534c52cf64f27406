/** Prints the figures of invoices that a tax provider taxes for people. */
import { median } from '../support/median.ts';

export interface TaxedMonth {
  /** From the advance of the clock until all invoices exist, and until all are recorded. */
  readonly billedMs: number;
  readonly recordedMs: number;
}

export interface TaxesFigures {
  readonly orders: number;
  /** What the provider takes for a call. */
  readonly callMs: number;
  readonly months: readonly TaxedMonth[];
  /** Of a process, after each further month that it has asked about and billed. */
  readonly memoryMb: readonly number[];
}

export function reportTaxes({ orders, callMs, months, memoryMb }: TaxesFigures): string {
  const billedMs = median(months.map((month) => month.billedMs));
  const recordedMs = median(months.map((month) => month.recordedMs));
  return (
    `Renewals of ${orders} orders that a tax provider taxes, which takes ${callMs} ms for each call ` +
    `(medians of ${months.length} months)\n` +
    `  ${((orders / billedMs) * 1_000).toFixed(0)} invoices per second until all are billed\n` +
    `  all are recorded after ${(recordedMs / billedMs).toFixed(2)} times as long\n` +
    `  memory of a process after each of ${memoryMb.length} further months: ${memoryMb.join(', ')} MB\n`
  );
}
