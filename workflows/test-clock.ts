/** Moves a tenant's test clock to its target, one due instant after the other. */
import {
  condition,
  continueAsNew,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { advanceClock } from './activities.ts';
import { phaseKey, type ClockProgress, type TenantInput } from './contract/contract.ts';
import { setDetails } from './story/details.ts';
import { lastOf, secondOf, waitText } from './story/story.ts';
import { listenForNudges } from './loops/wakes.ts';

/** Its result says what its details said last. */
export interface ClockEnd {
  readonly now: string | null;
  readonly happened: readonly string[];
}

export async function testClock(input: TenantInput): Promise<ClockEnd> {
  const nudges = listenForNudges('The clock was given a target: look again.');
  const { title = 'Test clock' } = input;
  let story = lastOf(input.story ?? []);
  setDetails(`${title}: Advancing`, [], story);
  for (;;) {
    nudges.nudged = false;
    const progress = await advanceClock(input);
    story = lastOf(story, progress.happened);
    const phase = progress.done ? 'Ready' : 'Advancing';
    setDetails(`${title}: ${phase}`, factsOf(progress), story);
    // A target given while the last one was being reached comes with a nudge of its own.
    if (progress.done && !nudges.nudged) {
      showReady(progress);
      return { now: progress.now, happened: story };
    }
    // Real time: the clock stands still until the tax provider answers.
    const { waitMs = 0 } = progress;
    if (waitMs > 0 && !nudges.nudged) {
      const summary = `until ${secondOf(Date.now() + waitMs)}, then asks the tax provider again`;
      await condition(() => nudges.nudged, waitMs, { summary });
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof testClock>({ ...input, story });
    }
  }
}

/** Older histories do not say what happened: their replays upsert nothing. */
function showReady({ happened }: ClockProgress): void {
  if (happened) upsertSearchAttributes([{ key: phaseKey, value: 'Ready' }]);
}

function factsOf(progress: ClockProgress): (string | null)[] {
  const { done, now, target, behind, paying, waiting = 0 } = progress;
  if (done) return [`the test clock is at ${now}`, 'next: nothing until it is advanced again'];
  return [
    `the test clock is at ${now}`,
    `next: continues to ${target}`,
    behind > 0 ? `orders that have not seen it yet: ${behind}` : null,
    paying > 0 ? `payments under way: ${paying}` : null,
    waiting > 0 ? waitText(waiting) : null,
  ];
}
