/** What the process that supervises the workflows remembers between its passes. */
import type { KindFigures, SupervisionFigures } from '../../db/queries/processes/supervision.ts';
import type { NamedRun } from '../outbox/reconcile.ts';

/** A workflow that was nudged because no row needs it has this long to end by itself. */
const ENDS_WITHIN_MS = 60_000;
/** The most workflows that are nudged, and the most whose starts are remembered. */
const REMEMBERED_MAX = 1_000;
/** What ends again and again is started after longer and longer pauses. */
const AGAIN_AFTER_MS = 60_000;
const AGAIN_AFTER_MS_MAX = 3_600_000;

type Counts = { -readonly [Key in keyof KindFigures]: KindFigures[Key] };

export interface Watch {
  /** Names the process. */
  readonly holder: string;
  readonly starts: Starts;
  readonly nudged: Nudged;
  /** When the last sweep began, by the database's clock; null before the first one. */
  sweptAt: number | null;
  /** Until when ended workflows were looked at, by the same clock. */
  endingsUntil: number | null;
  /** Of `performance.now()`. */
  lookedAtMs: number;
  /** When the engine's mark was raised; of the same clock. */
  markedAtMs: number;
  /** By kind; null before it supervises. */
  kinds: Map<string, Counts> | null;
  /** Running workflows of unknown tenants, and tenants that failed, of the sweep under way. */
  unknown: number;
  failed: number;
}

/** @param endsWithinMs how long a nudged workflow has to end by itself */
export function newWatch(holder: string, endsWithinMs = ENDS_WITHIN_MS): Watch {
  return {
    holder,
    starts: newStarts(),
    nudged: newNudged(endsWithinMs),
    sweptAt: null,
    endingsUntil: null,
    lookedAtMs: 0,
    markedAtMs: -Infinity,
    kinds: null,
    unknown: 0,
    failed: 0,
  };
}

/** The figures of a kind, from zero. */
export function countsOf({ kinds }: Watch, kind: string): Counts {
  const counts = kinds?.get(kind) ?? {
    needed: 0,
    missing: 0,
    unneeded: 0,
    restarted: 0,
    ended: 0,
  };
  kinds?.set(kind, counts);
  return counts;
}

/** A sweep counts anew; the sums since there is supervision stay. */
export function beginSweep(watch: Watch): void {
  watch.unknown = 0;
  watch.failed = 0;
  for (const each of watch.kinds?.values() ?? []) {
    Object.assign(each, { needed: 0, missing: 0, unneeded: 0 });
  }
}

export function figuresOf(
  { failed, unknown, kinds }: Watch,
  swept: Pick<SupervisionFigures, 'sweptAt' | 'tenants' | 'milliseconds'>,
): SupervisionFigures {
  return { ...swept, failed, unknown, kinds: Object.fromEntries(kinds ?? []) };
}

type Starts = ReturnType<typeof newStarts>;

/** How often workflows were started again lately: one that ends at once delays no other. */
function newStarts() {
  const last = new Map<string, { readonly count: number; readonly at: number }>();
  const waiting = new Set<string>();
  const pauseOf = (count: number): number =>
    Math.min(AGAIN_AFTER_MS * 2 ** (count - 1), AGAIN_AFTER_MS_MAX);
  return {
    /** The engine did not take it: `due` has it later. */
    wait: (workflowId: string): unknown => waiting.add(workflowId),
    /** What may not yet waits, too. */
    may(workflowId: string): boolean {
      const before = last.get(workflowId);
      if (before === undefined || performance.now() - before.at >= pauseOf(before.count)) {
        return true;
      }
      waiting.add(workflowId);
      return false;
    },
    note(workflowId: string): void {
      const at = performance.now();
      const before = last.get(workflowId);
      const isLately = before !== undefined && at - before.at < 2 * AGAIN_AFTER_MS_MAX;
      last.delete(workflowId);
      last.set(workflowId, { count: isLately ? before.count + 1 : 1, at });
      for (const [oldest] of last) {
        if (last.size <= REMEMBERED_MAX) break;
        last.delete(oldest);
      }
    },
    /** What had to wait. */
    due(): readonly string[] {
      const due = [...waiting];
      waiting.clear();
      return due;
    },
  };
}

type Nudged = ReturnType<typeof newNudged>;

/** Workflows that no row needs, and that were nudged so that they see it. */
function newNudged(endsWithinMs: number) {
  let nudged: { readonly run: NamedRun; readonly at: number }[] = [];
  return {
    left: (): number => Math.max(0, REMEMBERED_MAX - nudged.length),
    note(runs: readonly NamedRun[]): void {
      nudged.push(...runs.map((run) => ({ run, at: performance.now() })));
    },
    /** Those that had their time. */
    due(): readonly NamedRun[] {
      const now = performance.now();
      const due = nudged.filter(({ at }) => now - at >= endsWithinMs);
      nudged = nudged.filter((each) => !due.includes(each));
      return due.map(({ run }) => run);
    },
  };
}
