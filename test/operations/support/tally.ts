/** Counts how random steps ended, because a step that is always refused would test nothing. */
import type { ExecutionContext } from 'ava';
import { DomainError, type DomainErrorCode } from '../../../domain/errors.ts';

/** The possible results of a kind of step. */
export interface Outlook {
  /** The minimum share of successes among the steps that had something to act on, from 0 to 1. */
  readonly succeeds: number;
  /** The expected codes of refusals; any other code is a fault. */
  readonly refusals: readonly DomainErrorCode[];
}

export type Outlooks<Kind extends string> = Readonly<Record<Kind, Outlook>>;

/** A step had nothing to act on: it is neither a success nor a refusal. */
export const NOTHING_TO_DO = Symbol('nothing to do');

interface Count {
  succeeded: number;
  idle: number;
  readonly refused: Map<DomainErrorCode, number>;
}

export type Tally<Kind extends string> = ReturnType<typeof newTally<Kind>>;

/** `alsoRefused`: codes of refusals that are expected for every kind. */
export function newTally<Kind extends string>(
  outlooks: Outlooks<Kind>,
  { alsoRefused = [] }: { alsoRefused?: readonly DomainErrorCode[] } = {},
) {
  const counts = new Map<Kind, Count>();

  /** Executes a step of a kind; a refusal for a listed reason is not a fault. */
  async function take(kind: Kind, step: () => Promise<unknown>): Promise<void> {
    const count = counts.get(kind) ?? { succeeded: 0, idle: 0, refused: new Map() };
    counts.set(kind, count);
    try {
      if ((await step()) === NOTHING_TO_DO) count.idle += 1;
      else count.succeeded += 1;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { code, message } = error;
      if (![...outlooks[kind].refusals, ...alsoRefused].includes(code)) {
        throw new Error(`${kind} is refused by ${code}, which it never should: ${message}`, {
          cause: error,
        });
      }
      count.refused.set(code, (count.refused.get(code) ?? 0) + 1);
    }
  }

  /**
   * Asserts that each of these kinds succeeded as often as its share says, and was tried; few cases
   * may leave some untried.
   */
  function assertShares(
    t: ExecutionContext,
    kinds: readonly Kind[],
    { of = 1, isEachTried = true } = {},
  ): void {
    for (const kind of kinds) {
      const { succeeded, idle, refused } = counts.get(kind) ?? {
        succeeded: 0,
        idle: 0,
        refused: new Map<DomainErrorCode, number>(),
      };
      const tried = [...refused.values()].reduce((sum, each) => sum + each, succeeded);
      const share = outlooks[kind].succeeds * of;
      // Few tries may all fail by chance: three standard deviations below the share are none.
      const least = share * tried - 3 * Math.sqrt(share * (1 - share) * tried);
      const reasons = [...refused].map(([code, times]) => `${code} ${times}`).join(', ');
      const said = `${kind}: ${succeeded} of ${tried}, idle ${idle}; ${reasons}`;
      t.log(said);
      if (tried === 0 && !isEachTried) continue;
      t.true(tried > 0 && succeeded >= least && (succeeded > 0 || least < 0), said);
    }
  }

  return { take, assertShares };
}
