/** Prints the figures of a comparison for people. */
import { parts, type CpuFigures } from '../support/cpu.ts';
import { median } from '../support/median.ts';

/** A second of calls to one of the two, or a month of renewals. */
export interface Slice {
  readonly perSecond: number;
  /** Null for what has no caller. */
  readonly p50Ms: number | null;
  /** CPU time of each in milliseconds, with the work that follows it, of each process. */
  readonly cpuMs: CpuFigures;
}

export interface Paired {
  readonly scenario: string;
  readonly unit: 'call' | 'invoice';
  /** The slices of a round have the same place in both. */
  readonly other: readonly Slice[];
  readonly own: readonly Slice[];
}

export interface PairsFigures {
  readonly against: string;
  readonly connections: number;
  readonly pairs: readonly Paired[];
}

export function reportPairs({ against, connections, pairs }: PairsFigures): string {
  const lines = pairs.flatMap(({ scenario, unit, other, own }) => [
    `${scenario}, medians of ${own.length} pairs: ${ratioOf(other, own, (slice) => slice.perSecond).toFixed(2)} times as many per second, ` +
      `${ratioOf(other, own, cpuInAll).toFixed(3)} times the CPU`,
    row('there', other, unit),
    row('here', own, unit),
  ]);
  return `Beside ${against}, ${connections} at once\n${lines.join('\n')}\n`;
}

/** The median of the pairs' ratios, which is less affected by the machine than that of the rates. */
function ratioOf(
  other: readonly Slice[],
  own: readonly Slice[],
  of: (slice: Slice) => number,
): number {
  return median(own.flatMap((slice, at) => (other[at] ? [of(slice) / of(other[at])] : [])));
}

const cpuInAll = ({ cpuMs }: Slice): number => parts.reduce((sum, part) => sum + cpuMs[part], 0);

function row(name: string, slices: readonly Slice[], unit: Paired['unit']): string {
  const of = (figure: (slice: Slice) => number): number => median(slices.map(figure));
  const cpu = parts.map((part) => `${part} ${of(({ cpuMs }) => cpuMs[part]).toFixed(2)}`);
  const perSecond = of((slice) => slice.perSecond).toFixed(0);
  const p50 = of((slice) => slice.p50Ms ?? Number.NaN).toFixed(1);
  const wait = unit === 'call' ? `, p50 ${p50} ms` : '';
  return `  ${name.padEnd(6)} ${perSecond} per second${wait}, CPU of each ${unit} in ms: ${cpu.join(', ')}`;
}
