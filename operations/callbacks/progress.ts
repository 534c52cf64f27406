/** What an endpoint waits for, as its workflow shows it. */
import type { EndpointRow, Outlook } from '../../db/queries/callbacks/read.ts';
import type { CallbackProgress } from '../../workflows/contract-callbacks.ts';

export interface Looked extends Outlook {
  readonly delivered: number;
  /** There are events that nobody has looked at. */
  readonly hasNew: boolean;
  readonly now: number;
}

export function progressOf(endpoint: EndpointRow, looked: Looked): CallbackProgress {
  const { delivered, waiting, givenUp, oldestAt } = looked;
  const { isOn, lastError, failingSince } = endpoint;
  const nextAt = nextOf(endpoint, looked);
  const isOver = nextAt === null && (givenUp === 0 || !isOn);
  return {
    done: isOver,
    phase: phaseOf(endpoint, looked, nextAt),
    // Without its path, which may contain a token.
    endpoint: new URL(endpoint.url).host,
    delivered,
    waiting,
    givenUp,
    failureCode: waiting > 0 || failingSince !== null ? lastError : null,
    waitMs: nextAt === null ? null : Math.max(0, nextAt - looked.now),
    oldestAt: oldestAt?.getTime() ?? null,
    failingSince: failingSince?.getTime() ?? null,
  };
}

/** The instant of the next look; null if there is nothing to wait for. */
function nextOf({ isOn, pausedUntil }: EndpointRow, looked: Looked): number | null {
  const { hasNew, waiting, retryAt, now } = looked;
  if (!hasNew && waiting === 0) return null;
  if (!isOn) return now;
  const paused = pausedUntil?.getTime() ?? 0;
  if (hasNew) return Math.max(paused, now);
  return Math.max(paused, retryAt?.getTime() ?? now);
}

function phaseOf(
  { isOn, pausedUntil }: EndpointRow,
  { now, givenUp }: Looked,
  nextAt: number | null,
): CallbackProgress['phase'] {
  if (!isOn) return 'Off';
  if (nextAt === null) return givenUp > 0 ? 'GivenUp' : 'Done';
  if (pausedUntil !== null && pausedUntil.getTime() > now) return 'Paused';
  return nextAt > now ? 'Retrying' : 'Delivering';
}
