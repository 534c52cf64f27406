/** Moves a tenant's test clock to its target, one due instant after the other. */
import { continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { advanceClock } from './activities.ts';
import { nudge } from './contract.ts';
import type { TenantInput } from './contract.ts';

export async function testClock(input: TenantInput): Promise<void> {
  let nudged = false;
  setHandler(
    nudge,
    () => {
      nudged = true;
    },
    { description: 'The clock was given a target: look again.' },
  );
  for (;;) {
    nudged = false;
    const progress = await advanceClock(input);
    // A target given while the last one was being reached comes with a nudge of its own.
    if (progress.done && !nudged) return;
    setCurrentDetails(
      `Now ${progress.now}, on the way to ${progress.target}; ` +
        `${progress.behind} orders have not yet seen it, ` +
        `${progress.paying} payments under way`,
    );
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof testClock>(input);
  }
}
