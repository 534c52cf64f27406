/** Prints the figures of a comparison for people. */
import { parts, type CpuFigures } from '../support/cpu.ts';
import { median } from '../support/median.ts';

/** About a second of calls to one of the two. */
export interface Slice {
  readonly perSecond: number;
  readonly p50Ms: number;
  /** CPU time of a call in milliseconds, with the work that follows it, of each process. */
  readonly cpuMs: CpuFigures;
}

export interface PairedCall {
  readonly scenario: string;
  /** The slices of a round have the same place in both. */
  readonly other: readonly Slice[];
  readonly own: readonly Slice[];
}

export interface PairsFigures {
  readonly against: string;
  readonly connections: number;
  readonly rounds: number;
  readonly calls: readonly PairedCall[];
}

export function reportPairs({ against, connections, rounds, calls }: PairsFigures): string {
  const lines = calls.flatMap(({ scenario, other, own }) => [
    `${scenario}: ${ratioOf(other, own).toFixed(2)} times as many per second`,
    row('there', other),
    row('here', own),
  ]);
  return (
    `Beside ${against}, ${connections} at once, medians of ${rounds} pairs of a second\n` +
    `${lines.join('\n')}\n`
  );
}

/** The median of the pairs' ratios, which is less affected by the machine than that of the rates. */
function ratioOf(other: readonly Slice[], own: readonly Slice[]): number {
  return median(own.map(({ perSecond }, at) => perSecond / (other[at]?.perSecond ?? Number.NaN)));
}

function row(name: string, slices: readonly Slice[]): string {
  const of = (figure: (slice: Slice) => number): number => median(slices.map(figure));
  const cpu = parts.map((part) => `${part} ${of(({ cpuMs }) => cpuMs[part]).toFixed(2)}`);
  const perSecond = of((slice) => slice.perSecond).toFixed(0);
  const p50 = of((slice) => slice.p50Ms).toFixed(1);
  return `  ${name.padEnd(6)} ${perSecond} per second, p50 ${p50} ms, CPU of a call in ms: ${cpu.join(', ')}`;
}
