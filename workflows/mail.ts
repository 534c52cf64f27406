/** Sends the queued mails of a tenant, tries again what was deferred, and ends when none is open. */
import { continueAsNew } from '@temporalio/workflow';
import { sendMails, type MailProgress } from './activities.ts';
import type { TenantInput } from './contract/contract.ts';
import { passUntilDone } from './loops/passes.ts';
import { counted, minuteOf } from './story/story.ts';
import { listenForNudges } from './loops/wakes.ts';

/** For people who look at a workflow that has ended. */
export interface MailEnd {
  readonly sent: number;
  readonly happened: readonly string[];
}

export async function mail(input: TenantInput): Promise<MailEnd> {
  const nudges = listenForNudges('A mail was queued: look again.');
  const { title = 'Mails' } = input;
  let sent = 0;
  const happened = await passUntilDone<MailProgress>(nudges, {
    title,
    story: input.story,
    async pass() {
      const progress = await sendMails(input);
      sent += progress.sent;
      return progress;
    },
    countsOf,
    factsOf,
    noun: 'open mail',
    again: (story) => continueAsNew<typeof mail>({ ...input, story }),
  });
  return { sent, happened };
}

function countsOf({ sent, deferred, ended }: MailProgress): string[] {
  return [
    ...(sent > 0 ? [`${counted(sent, 'mail')} sent`] : []),
    ...(deferred > 0 ? [`${deferred} deferred`] : []),
    ...(ended > 0 ? [`${ended} not to be sent`] : []),
  ];
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
