/** An endpoint's details in the Web UI: what waits, what was given up, what comes next. */
import type { CallbackProgress } from './contract-callbacks.ts';
import { backlog, counted, lastOf, secondOf, summaryOf } from './story.ts';

export function factsOf(progress: CallbackProgress): (string | null)[] {
  const { endpoint, waiting, givenUp, oldestAt, failingSince, waitMs, phase } = progress;
  const oldest = oldestAt === null ? '' : `, the oldest since ${secondOf(oldestAt)}`;
  const next = waitMs === 0 ? 'at once' : `at ${secondOf(Date.now() + (waitMs ?? 0))}`;
  const isOff = phase === 'Off';
  return [
    `endpoint: ${endpoint}`,
    failingSince === null ? null : `does not answer since ${secondOf(failingSince)}`,
    waiting === 0 ? null : `${backlog(waiting, 'event')} waiting${oldest}`,
    givenUp === 0 ? null : `${backlog(givenUp, 'event')} given up`,
    givenUp === 0 || isOff ? null : 'the Update resume sends them again, with a reason',
    isOff ? 'off: the tenant file does not name it, or its secret is unset' : null,
    `next: ${waitMs === null ? 'nothing, until there are new events' : `sends ${next}`}`,
  ];
}

/** A slice that found nothing to send leaves no line. */
export function storyWith(story: readonly string[], progress: CallbackProgress): readonly string[] {
  const { delivered, failureCode } = progress;
  if (delivered === 0 && failureCode === null) return story;
  const failure = failureCode === null ? '' : `, then ${failureCode}`;
  const words = `${counted(delivered, 'event')} delivered${failure}`;
  return lastOf(story, [`${secondOf(Date.now())}: ${words}`]);
}

export function waitOf({ phase, failureCode }: CallbackProgress, waitMs: number): string {
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  const then = phase === 'Paused' ? 'then looks whether the endpoint answers' : 'then tries again';
  return summaryOf(`until ${secondOf(Date.now() + waitMs)}, ${then}${failure}`);
}
