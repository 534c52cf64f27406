/** The loop of workflows that pass over a tenant's queued rows until none is open. */
import { condition, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { nextActionAtKey, phaseKey } from '../contract/contract.ts';
import { setDetails } from '../story/details.ts';
import { backlog, lastOf, minuteOf, secondOf, summaryOf } from '../story/story.ts';
import type { Nudges } from './wakes.ts';

const PASSES_PER_RUN_MAX = 50;

/** What a pass leaves. */
export interface Pass {
  /** COUNTED_MAX + 1 stands for any more. */
  readonly open: number;
  /** Until the next row is due, in milliseconds; null if none is open. */
  readonly waitMs: number | null;
}

export interface PassLoop<Progress extends Pass> {
  readonly title: string;
  /** What an earlier run of the workflow has told. */
  readonly story: readonly string[] | undefined;
  readonly pass: () => Promise<Progress>;
  /** `3 mails sent`, `1 deferred`; nothing for a pass that did nothing. */
  readonly countsOf: (progress: Progress) => readonly string[];
  readonly factsOf: (progress: Progress) => readonly string[];
  /** `open mail` */
  readonly noun: string;
  /** What the details say between two passes; without it they stay as they are. */
  readonly busyPhase?: string;
  /** Continues as new; the next run begins with a pass, so no nudge is lost. */
  readonly again: (story: readonly string[]) => Promise<never>;
}

/** Passes and waits until nothing is open and no nudge came meanwhile; returns what happened last. */
export async function passUntilDone<Progress extends Pass>(
  nudges: Nudges,
  loop: PassLoop<Progress>,
): Promise<readonly string[]> {
  const { title, factsOf, noun, busyPhase } = loop;
  let story = lastOf(loop.story ?? []);
  for (let passes = 1; ; passes++) {
    nudges.nudged = false;
    const progress = await loop.pass();
    story = lastOf(story, happenedIn(loop.countsOf(progress)));
    const { waitMs } = progress;
    const open = backlog(progress.open, noun);
    const show = (phase: string, facts: readonly string[]): void =>
      setDetails(`${title}: ${phase}`, [...facts, ...factsOf(progress)], story);
    if (waitMs === null && !nudges.nudged) {
      show('Done', []);
      return story;
    }
    if (waitMs !== null && waitMs > 0 && !nudges.nudged) {
      const at = Date.now() + waitMs;
      showWaiting(at);
      show('Waiting', [`${open}, next attempt at ${minuteOf(at)}`]);
      await condition(() => nudges.nudged, waitMs, { summary: summaryOf(`until ${secondOf(at)}`) });
    } else if (busyPhase !== undefined) show(busyPhase, [open]);
    if (passes >= PASSES_PER_RUN_MAX || workflowInfo().continueAsNewSuggested) {
      await loop.again(story);
    }
  }
}

/** Only a workflow that waits shows when: most of them end after one pass. */
function showWaiting(at: number): void {
  const known = workflowInfo().typedSearchAttributes;
  upsertSearchAttributes([
    ...(known.get(phaseKey) === 'Waiting' ? [] : [{ key: phaseKey, value: 'Waiting' as const }]),
    { key: nextActionAtKey, value: new Date(at) },
  ]);
}

function happenedIn(counts: readonly string[]): string[] {
  return counts.length === 0 ? [] : [`${secondOf(Date.now())}: ${counts.join(', ')}`];
}
