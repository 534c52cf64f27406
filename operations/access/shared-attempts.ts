/** What all processes count together, beside what this one counts: a few statements each. */
import { createHash } from 'node:crypto';
import type { Database } from '../../db/connection/database.ts';
import {
  beginAttempt,
  endAttempt,
  type Attempt,
  type CountedAttempts,
} from '../../db/queries/access/attempt-windows.ts';

export type { CountedAttempts } from '../../db/queries/access/attempt-windows.ts';

export interface SharedAttempts {
  readonly begin: (attempt: Attempt) => Promise<readonly CountedAttempts[]>;
  readonly end: (attempt: Attempt, isFailure: boolean) => Promise<void>;
}

/** What is counted apart: a user of the interface and a customer may have one name. */
export type Counted = 'users' | 'contacts' | 'forms' | 'requests' | 'operators';

export function sharedAttempts(db: Pick<Database, 'ask'>, counted: Counted): SharedAttempts {
  const apart = ({ tenantId, keys }: Attempt): Attempt => ({
    tenantId,
    keys: keys.map((key) => createHash('sha256').update(counted).update(key).digest()),
  });
  return {
    begin: (attempt) => beginAttempt(db, apart(attempt)),
    end: (attempt, isFailure) => endAttempt(db, apart(attempt), isFailure),
  };
}

/** The wait if too many attempts are in progress, since some of them may succeed. */
const BUSY_WAIT_SECONDS = 1;

/** Seconds that an attempt has to wait, which is counted already; 0 if it is within the limit. */
export function waitOf(
  { failures, underWay, secondsLeft }: CountedAttempts,
  failuresMax: number,
): number {
  if (failures + underWay <= failuresMax) return 0;
  return failures < failuresMax ? BUSY_WAIT_SECONDS : secondsLeft;
}

/** The same of what is counted at once and never ends: a form, a request. */
export const waitBeyond = (
  { failures, underWay, secondsLeft }: CountedAttempts,
  max: number,
): number => (failures + underWay > max ? secondsLeft : 0);

/** Whether an attempt is the only one of its window. */
export const isAlone = ({ failures, underWay }: CountedAttempts): boolean =>
  failures + underWay === 1;
