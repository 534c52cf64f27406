/** Prints the figures of the interface for people. */
import type { Measured } from './client.ts';

export interface Row extends Measured {
  readonly name: string;
  readonly connections: number;
  /** The share of the bare handler's rate, inside the same transaction with row-level security. */
  readonly ofBare: number | null;
  readonly ofUnfenced: number | null;
}

export interface ApiFigures {
  readonly customers: number;
  readonly rows: readonly Row[];
  /** The API's memory, before the first measurement and after each. */
  readonly apiMegabytes: readonly number[];
  /** GET customer, by two API processes with 8 connections each. */
  readonly twoApisPerSecond: number;
}

export function reportApi(figures: ApiFigures): string {
  const { customers, rows, apiMegabytes, twoApisPerSecond } = figures;
  const head = ['', 'at once', 'per s', 'p50 ms', 'p99 ms', 'of bare', 'of unfenced', 'failed'];
  const lines = rows.map((row) => [
    row.name,
    String(row.connections),
    row.perSecond.toFixed(0),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.ofBare?.toFixed(2) ?? '',
    row.ofUnfenced?.toFixed(2) ?? '',
    String(row.failed),
  ]);
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const table = [head, ...lines];
  const widths = head.map((_, column) =>
    Math.max(...table.map((line) => line[column]?.length ?? 0)),
  );
  const text = table.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  const [first] = apiMegabytes;
  const last = apiMegabytes.at(-1);
  return (
    `The interface on ${customers} customers and orders\n${text.join('\n')}\n` +
    `GET customer by two API processes, 8 at once each: ${twoApisPerSecond.toFixed(0)} per second\n` +
    `memory of the API: ${first} MB before, ${last} MB after ${requests} requests, ` +
    `at most ${Math.max(...apiMegabytes)} MB\n`
  );
}
