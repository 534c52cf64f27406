/** Prints the figures of commissions for people. */
import { parts, type CpuFigures } from '../support/cpu.ts';
import { median } from '../support/median.ts';

export interface PaidMonth {
  readonly hasAgents: boolean;
  /** Invoices that were made and have paid themselves. */
  readonly perSecond: number;
  /** Seconds for an invoice. */
  readonly cpu: CpuFigures;
}

export interface CommissionFigures {
  readonly orders: number;
  /** In turns. */
  readonly months: readonly PaidMonth[];
}

const MS = 1_000;

export function reportCommissions({ orders, months }: CommissionFigures): string {
  const rows = [false, true].map((hasAgents) => {
    const own = months.filter((month) => month.hasAgents === hasAgents);
    const perSecond = median(own.map((month) => month.perSecond));
    const cpuMs = median(own.map(({ cpu }) => MS * totalOf(cpu)));
    return { hasAgents, perSecond, cpuMs, own };
  });
  const [plain, linked] = rows;
  const lines = rows.map(
    ({ hasAgents, perSecond, cpuMs }) =>
      `${hasAgents ? 'with an agent on each' : 'without agents'}`.padEnd(24) +
      perSecond.toFixed(1).padStart(8) +
      cpuMs.toFixed(2).padStart(12),
  );
  const ratio = (linked?.perSecond ?? 0) / (plain?.perSecond ?? 1);
  const cpu = (linked?.cpuMs ?? 0) / (plain?.cpuMs ?? 1);
  return [
    `Months of ${orders} orders that pay themselves (medians of ${plain?.own.length} pairs)`,
    `${''.padEnd(24)}   per s   CPU in ms`,
    ...lines,
    `with agents              ${ratio.toFixed(2)} of the rate, ${cpu.toFixed(2)} of the CPU`,
    '',
  ].join('\n');
}

function totalOf(cpu: CpuFigures): number {
  return parts.reduce((total, part) => total + cpu[part], 0);
}
