/** Orders with what the records of their usage windows come to. */
import type { CorrectedLines } from '../../domain/billing/corrected.ts';
import type { WindowSums } from '../../db/queries/billing/usage-windows.ts';
import { correctedLines } from '../../db/queries/billing/corrected-usage.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { RateCustomerInput } from '../../domain/billing/open-orders.ts';

/** A window that is to be billed, with what its records come to. */
export interface ReadWindow extends WindowSums {
  readonly lineId: number;
  readonly periodIndex: number;
  /** Null if it was not locked. */
  readonly id: number | null;
}

export const noRecords: WindowSums = { sums: null, lastId: null };

/** Windows that were locked are stored by then, whoever opened them. */
export function withSums(
  input: RateCustomerInput,
  read: ReadonlyMap<number, readonly ReadWindow[]>,
): RateCustomerInput {
  const rows = input.rows.map((row) => {
    const lines = row.lines.map((line) => {
      const found = read.get(line.id);
      if (found === undefined) return line;
      const byPeriod = new Map((line.windows ?? []).map((each) => [each.periodIndex, each]));
      for (const { periodIndex, sums, lastId, ...window } of found) {
        const id = window.id ?? byPeriod.get(periodIndex)?.id;
        if (id === undefined) continue;
        byPeriod.set(periodIndex, { id, periodIndex, isClosed: false, sums, lastId });
      }
      const windows = [...byPeriod.values()].toSorted(
        (one, other) => one.periodIndex - other.periodIndex,
      );
      return { ...line, windows };
    });
    return { ...row, lines };
  });
  return { ...input, rows };
}

/** The invoices that billed the records which windows correct. */
export function correctedBy(tx: Tx, windows: readonly WindowSums[]): Promise<CorrectedLines> {
  const ids = windows.flatMap(({ sums }) => (sums?.corrections ?? []).map((each) => each.of));
  return correctedLines(tx, [...new Set(ids)]);
}
