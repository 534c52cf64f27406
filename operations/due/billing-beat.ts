/** The heartbeat of a billing run, which adds its progress to the day's counts. */
import { addAmounts } from '../../domain/money/amounts.ts';
import type { RunCounts } from '../../db/queries/due/billing-runs.ts';

const nothing: RunCounts = { customers: 0, orders: 0, invoices: 0, amounts: {} };

export interface Beat {
  /** The next successful write adds these counts. */
  readonly add: (more: RunCounts) => void;
  /** Writes in the background, unless a write is in progress. */
  readonly beat: () => void;
  /** Writes the rest after the write in progress; returns the day's sums. */
  readonly flush: () => Promise<RunCounts>;
}

/** @param write adds to the day's counts, and returns their sums */
export function makeBeat(write: (more: RunCounts) => Promise<RunCounts>): Beat {
  let pending = nothing;
  let writing: Promise<unknown> | undefined;
  async function writePending(): Promise<RunCounts> {
    const more = pending;
    const total = await write(more);
    // Subtract only now, so that the next write adds what a failed one did not.
    pending = combined(pending, more, -1);
    return total;
  }
  function begin(): Promise<RunCounts> {
    const written = writePending();
    writing = written
      .catch(() => undefined)
      .finally(() => {
        writing = undefined;
      });
    return written;
  }
  return {
    add: (more) => {
      pending = combined(pending, more, 1);
    },
    beat: () => {
      // A failed write is followed by another; a lasting failure also fails the batches.
      if (!writing) begin().catch(() => undefined);
    },
    async flush() {
      while (writing) await writing;
      return begin();
    },
  };
}

function combined(left: RunCounts, right: RunCounts, sign: 1 | -1): RunCounts {
  return {
    customers: left.customers + sign * right.customers,
    orders: left.orders + sign * right.orders,
    invoices: left.invoices + sign * right.invoices,
    amounts: addAmounts(left.amounts ?? {}, right.amounts ?? {}, sign),
  };
}
