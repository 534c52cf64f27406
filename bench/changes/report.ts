/** Prints the figures of change orders for people. */
import { median } from '../support/median.ts';

/** A second of calls. */
export interface CallSlice {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

/** The slices of a turn have the same place in both. */
export interface ChangesFigures {
  readonly orders: number;
  readonly connections: number;
  readonly changes: readonly CallSlice[];
  /** POST order with its invoice. */
  readonly orderCalls: readonly CallSlice[];
  /** Pending changes that one billing run carried out. */
  readonly changedPerSecond: number;
}

export function reportChanges(figures: ChangesFigures): string {
  const { orders, connections, changes, orderCalls, changedPerSecond } = figures;
  const row = (name: string, slices: readonly CallSlice[]): string =>
    `  ${name}: p50 ${of(slices, 'p50Ms').toFixed(1)} ms, p99 ${of(slices, 'p99Ms').toFixed(1)} ms, ` +
    `${of(slices, 'perSecond').toFixed(0)} per second\n`;
  const ratio = (figure: 'p50Ms' | 'p99Ms'): string =>
    median(changes.map((slice, at) => slice[figure] / (orderCalls[at]?.[figure] ?? 1))).toFixed(2);
  return (
    `POST changeOrder beside POST order, both with invoice, ${connections} at once ` +
    `(medians of ${changes.length} pairs)\n` +
    row('POST changeOrder', changes) +
    row('POST order', orderCalls) +
    `  ratio of p50: ${ratio('p50Ms')}, of p99: ${ratio('p99Ms')}\n` +
    `A billing run that carries out ${orders} pending changes: ` +
    `${changedPerSecond.toFixed(0)} per second\n`
  );
}

function of(slices: readonly CallSlice[], figure: keyof CallSlice): number {
  return median(slices.map((slice) => slice[figure]));
}
