/** Sends the queued mails of a tenant, tries again what was deferred, and ends when none is open. */
import {
  condition,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { sendMails } from './activities.ts';
import type { MailProgress } from './activities.ts';
import { nextActionAtKey, phaseKey } from './contract.ts';
import type { TenantInput } from './contract.ts';
import { backlog, counted, detailsOf, lastOf, minuteOf, secondOf, summaryOf } from './story.ts';
import { listenForNudges } from './wakes.ts';

const PASSES_PER_RUN_MAX = 50;

/** For people who look at a workflow that has ended. */
export interface MailEnd {
  readonly sent: number;
  readonly happened: readonly string[];
}

export async function mail(input: TenantInput): Promise<MailEnd> {
  const { title = 'Mails' } = input;
  const nudges = listenForNudges('A mail was queued: look again.');
  let story = lastOf(input.story ?? []);
  let sent = 0;
  for (let passes = 1; ; passes++) {
    nudges.nudged = false;
    const progress = await sendMails(input);
    sent += progress.sent;
    story = lastOf(story, happenedIn(progress));
    const { waitMs } = progress;
    if (waitMs === null && !nudges.nudged) {
      setCurrentDetails(detailsOf(`${title}: Done`, factsOf(progress), story));
      return { sent, happened: story };
    }
    if (waitMs !== null && waitMs > 0 && !nudges.nudged) {
      const at = Date.now() + waitMs;
      showWaiting(at);
      const facts = [`${backlog(progress.open, 'open mail')}, next attempt at ${minuteOf(at)}`];
      setCurrentDetails(detailsOf(`${title}: Waiting`, [...facts, ...factsOf(progress)], story));
      await condition(() => nudges.nudged, waitMs, { summary: summaryOf(`until ${secondOf(at)}`) });
    }
    if (passes >= PASSES_PER_RUN_MAX || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof mail>({ ...input, story });
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

function happenedIn({ sent, deferred, ended }: MailProgress): string[] {
  const counts = [
    ...(sent > 0 ? [`${counted(sent, 'mail')} sent`] : []),
    ...(deferred > 0 ? [`${deferred} deferred`] : []),
    ...(ended > 0 ? [`${ended} not to be sent`] : []),
  ];
  return counts.length === 0 ? [] : [`${secondOf(Date.now())}: ${counts.join(', ')}`];
}

function factsOf({ destination, troubles }: MailProgress): string[] {
  return [`goes to ${destination}`, ...troubles.map(troubleText)];
}

function troubleText({
  mailId,
  kind,
  state,
  code,
  nextAt,
}: MailProgress['troubles'][number]): string {
  const then = nextAt === null ? state : `again at ${minuteOf(nextAt)}`;
  return `mail ${mailId} (${kind}): ${code}, ${then}`;
}
