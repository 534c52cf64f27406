/** Prints the figures of a renewal for people. */
import type { Costs } from './costs.ts';

export interface Figures {
  readonly orders: number;
  /** From the request to the last invoice committed. */
  readonly invoicesMs: number;
  /** From then until every workflow waits for its next period. */
  readonly followersMs: number;
  /** The same run with nothing due. */
  readonly emptyRunMs: number;
  /** The same rows by set-based SQL on two connections. */
  readonly bareMs: number;
  /** Wakes of cached workflows with a local activity that does nothing, and one upsert. */
  readonly bareWakesPerSecond: number;
  readonly costs: Costs;
  readonly historyBytesPerPeriod: number;
  readonly historyEventsPerPeriod: number;
  readonly memoryMegabytes: Readonly<Record<'api' | 'worker' | 'postgres' | 'temporal', number>>;
}

export function report(figures: Figures): string {
  const { orders, invoicesMs, emptyRunMs, bareMs, followersMs, bareWakesPerSecond, costs } =
    figures;
  const memory = figures.memoryMegabytes;
  const netMs = Math.max(invoicesMs - emptyRunMs, 0);
  const rows: readonly (readonly [string, string])[] = [
    ['until all invoices exist', `${seconds(invoicesMs)}, ${perSecond(orders, invoicesMs)}`],
    ['of which an empty run', seconds(emptyRunMs)],
    ['without it', `${perSecond(orders, netMs)}, ${(netMs / orders).toFixed(3)} ms each`],
    ['the same rows by bare SQL', `${seconds(bareMs)}, ${perSecond(orders, bareMs)}`],
    [
      'share of the bare rate',
      `${(bareMs / invoicesMs).toFixed(2)} (${(bareMs / netMs).toFixed(2)} without the empty run)`,
    ],
    [
      'until every workflow has woken',
      `${seconds(followersMs)} more, ${perSecond(orders, followersMs)}`,
    ],
    [
      'the engine by itself, cached',
      `${Math.round(bareWakesPerSecond)} per second, of which the wakes reach ` +
        `${(orders / (followersMs / 1000) / bareWakesPerSecond).toFixed(2)}`,
    ],
    ['statements per invoice', costs.statements.toFixed(2)],
    ['commits per invoice', costs.commits.toFixed(3)],
    ['bytes of write-ahead log per invoice', costs.walBytes.toFixed(0)],
    [
      'history per period and order',
      `${figures.historyBytesPerPeriod.toFixed(0)} bytes, ${figures.historyEventsPerPeriod.toFixed(1)} events`,
    ],
    [
      'memory',
      `API ${memory.api} MB, worker ${memory.worker} MB, PostgreSQL ${memory.postgres} MB, Temporal ${memory.temporal} MB`,
    ],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => `${label.padEnd(width)}  ${value}`);
  return `Renewal of ${orders} orders (medians)\n${lines.join('\n')}\n`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function perSecond(count: number, ms: number): string {
  return `${Math.round(count / (ms / 1000))} per second`;
}
