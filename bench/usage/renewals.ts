/** Renewals of orders with ten records each, and of plain ones, a month each in turns. */
import { runs } from '../billing.ts';
import type { BenchSystem } from '../support/system.ts';
import { record, usageTenant } from './fill.ts';
import { bill, refuseOtherUsage } from './run.ts';

const RECORDS_OF_ORDER = 10;
const MONTHS = 4;

export interface RenewalSlice {
  readonly perSecond: number;
  /** Of an invoice. */
  readonly cpuMs: number;
}

export interface UsageRenewals {
  readonly orders: number;
  readonly recordsOfOrder: number;
  /** The slices of a month have the same place in both. */
  readonly metered: readonly RenewalSlice[];
  readonly plain: readonly RenewalSlice[];
}

export async function usageRenewals(
  system: BenchSystem,
  orders: number,
  say: (line: string) => void,
): Promise<UsageRenewals> {
  const ids = {
    metered: await usageTenant(system, { label: 'metered', orders, contractCode: 'METERED' }),
    plain: await usageTenant(system, { label: 'plain', orders, contractCode: 'GOLD' }),
  };
  const slice = async (name: keyof typeof ids, now: string): Promise<RenewalSlice> => {
    const { seconds, cpuSeconds } = await bill(system, ids[name], now);
    return { perSecond: orders / seconds, cpuMs: (cpuSeconds * 1_000) / orders };
  };
  // Nothing is due on the first day; the next one bills the first fees.
  for (const now of runs.slice(0, 2)) {
    await slice('metered', now);
    await slice('plain', now);
  }
  const slices = { metered: [] as RenewalSlice[], plain: [] as RenewalSlice[] };
  const months = runs.slice(2, 3 + MONTHS);
  for (const [periodIndex, now] of months.entries()) {
    say(`${orders} orders of ${RECORDS_OF_ORDER} records each, and ${orders} plain ones: ${now}`);
    const month = `2027-${String(periodIndex + 1).padStart(2, '0')}-01`;
    const made = { month, periodIndex, records: RECORDS_OF_ORDER };
    await record(system.db, ids.metered, made);
    const names = ['metered', 'plain'] as const;
    for (const name of periodIndex % 2 === 0 ? names : names.toReversed()) {
      const measured = await slice(name, now);
      // The first month makes the statements' plans.
      if (periodIndex > 0) slices[name].push(measured);
    }
  }
  await refuseOtherUsage(system, ids.metered, orders * months.length);
  return { orders, recordsOfOrder: RECORDS_OF_ORDER, ...slices };
}
