/**
 * One caller that continues whatever the answers are, and opens a new connection when one is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection, type Connection, type Outgoing, type Target } from '../api/http.ts';

/** The count of missing answers uses this status. */
export const NO_ANSWER = 0;
const RECONNECT_MS = 100;

export interface Lane {
  /** Returns the status, or NO_ANSWER. */
  readonly send: (outgoing: Outgoing) => Promise<number>;
  readonly close: () => void;
}

export function openLane(target: Target): Lane {
  let connection: Connection | undefined;
  return {
    async send(outgoing) {
      try {
        connection ??= await openConnection(target);
        return await connection.send(outgoing);
      } catch {
        connection?.close();
        connection = undefined;
        await sleep(RECONNECT_MS);
        return NO_ANSWER;
      }
    },
    close: () => connection?.close(),
  };
}

/** How often each status was answered. */
export type Statuses = Record<string, number>;

export function countStatus(statuses: Statuses, status: number): void {
  const key = status === NO_ANSWER ? 'none' : String(status);
  statuses[key] = (statuses[key] ?? 0) + 1;
}
