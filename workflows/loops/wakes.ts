/** What workflows that look at their rows share: nudges, the loop of looks and sleeps, what they show. */
import {
  allHandlersFinished,
  condition,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { SLEEP_MS_MAX, nudge } from '../contract/contract.ts';
import type { Shown } from '../story/shown.ts';
import { setDetails } from '../story/details.ts';
import { minuteOf, summaryOf } from '../story/story.ts';

export const LOOKS_PER_RUN_MAX = 24;

/** Whether a nudge, or an Update that has changed rows, came since the last look began. */
export interface Nudges {
  nudged: boolean;
}

/**
 * @param description what has changed, for people who would send the signal
 * @param state set by each nudge
 */
export function listenForNudges(description: string, state: Nudges = { nudged: false }): Nudges {
  setHandler(
    nudge,
    () => {
      state.nudged = true;
    },
    { description },
  );
  return state;
}

/** What a look answers. */
export interface Look {
  /** What has happened since the look before, oldest first. */
  readonly happened?: readonly string[];
  /** How long to sleep, in milliseconds; null means until a nudge. */
  readonly waitMs: number | null;
  readonly ended: boolean;
}

export interface LookLoop<Found extends Look> {
  /** Why the first look of the run is made. */
  readonly first: string;
  /** @param why what the history shows beside the look */
  readonly look: (why: string) => Promise<Found>;
  readonly show: (found: Found) => void;
  /** `bills on 2027-02-15`; null if nothing is in sight. */
  readonly nextOf: (found: Found) => string | null;
  /** Why a look is made when the sleep is over; without it the next step's time has come. */
  readonly whyAwake?: (found: Found) => string | null;
  /** What a timer's summary says last. */
  readonly beforeSleep?: (found: Found) => string;
  readonly looksMax?: (found: Found) => number | null;
  /** Continues as new; the next run begins by looking, so no nudge is lost. */
  readonly again: () => Promise<never>;
}

/** Looks, shows and sleeps, until a look finds that it has ended and no nudge came meanwhile. */
export async function lookUntilEnded<Found extends Look>(
  state: Nudges,
  loop: LookLoop<Found>,
): Promise<Found> {
  let why = loop.first;
  for (let looks = 1; ; looks += 1) {
    state.nudged = false;
    const found = await loop.look(why);
    loop.show(found);
    if (found.ended) {
      await condition(allHandlersFinished);
      if (!state.nudged) return found;
    } else await sleep(state, loop, found);
    why = whyNext(state, loop, found);
    const looksMax = loop.looksMax?.(found) ?? LOOKS_PER_RUN_MAX;
    if (looks >= looksMax || workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await loop.again();
    }
  }
}

async function sleep<Found extends Look>(
  state: Nudges,
  { nextOf, beforeSleep }: LookLoop<Found>,
  found: Found,
): Promise<void> {
  const { waitMs } = found;
  if (waitMs === null) return condition(() => state.nudged);
  const sleepMs = Math.min(waitMs, SLEEP_MS_MAX);
  const next = sleepMs < waitMs ? null : nextOf(found);
  const then = `until ${minuteOf(Date.now() + sleepMs)}, then ${next ?? 'looks again'}`;
  const summary = summaryOf(`${then}${beforeSleep?.(found) ?? ''}`);
  await condition(() => state.nudged, sleepMs, { summary });
}

function whyNext<Found extends Look>(
  { nudged }: Nudges,
  { nextOf, whyAwake }: LookLoop<Found>,
  found: Found,
): string {
  const next = nextOf(found);
  if (nudged) return nudgedText(found, next);
  const own = whyAwake?.(found) ?? null;
  if (own !== null) return own;
  const isTime = next !== null && (found.waitMs ?? 0) <= SLEEP_MS_MAX;
  return isTime ? `its time has come: ${next}` : 'looks again';
}

/** `was nudged; before: 2027-01-15: invoice 1001, 78.95 USD; next was: bills on 2027-02-15` */
function nudgedText({ happened = [] }: Look, next: string | null): string {
  const last = happened.at(-1);
  const before = last === undefined ? '' : `; before: ${last}`;
  return `was nudged${before}${next === null ? '' : `; next was: ${next}`}`;
}

/** Why the first look of a run is made. */
export function whyFirst(noun: string): string {
  const isContinued = workflowInfo().continuedFromExecutionRunId !== undefined;
  return isContinued ? 'looks again, in a new run' : `looks at the ${noun} for the first time`;
}

/** Shows the details, and the search attributes that have changed. */
export function showDetails(title: string, shown: Shown, story: readonly string[]): void {
  showAttributes(shown.attributes);
  setDetails(`${title}: ${shown.state}`, shown.facts, story);
}

/** Changes the search attributes that have another value: each change is an event of the history. */
export function showAttributes(wanted: readonly SearchAttributeUpdatePair[]): void {
  const known = workflowInfo().typedSearchAttributes;
  const changed = wanted.filter(({ key, value }) => plain(known.get(key)) !== plain(value));
  if (changed.length > 0) upsertSearchAttributes(changed);
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : (value ?? null);
}
