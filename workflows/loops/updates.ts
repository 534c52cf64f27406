/** The Updates that people send: the id of a request, and refusals in one line. */
import { ActivityFailure, ApplicationFailure, currentUpdateInfo } from '@temporalio/workflow';

/** The same each time that its sender, or the engine, repeats an Update. */
export function requestIdOfUpdate(): string {
  return currentUpdateInfo()?.id ?? '';
}

/** A failure that says why, and nothing else: a stack would name files of the server. */
export function refusal(why: string, code = 'update.refused'): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(why, code);
  failure.stack = '';
  return failure;
}

/** The refusal that the operation of an activity has decided. */
export function refusalOf({ cause, message }: ActivityFailure): ApplicationFailure {
  const code = cause instanceof ApplicationFailure ? cause.type : null;
  return refusal(cause?.message ?? message, code ?? undefined);
}

/**
 * What an Update fails with whose activity has failed. The activity is awaited where it is called:
 * a promise in between would change the order of commands, and older histories would not replay.
 */
export function asRefusal(error: unknown): unknown {
  return error instanceof ActivityFailure ? refusalOf(error) : error;
}

/* Validates the reason that a person gives with an Update, and the person's name. */

const REASON_LENGTH_MAX = 255;
const longNumber = /(?:\d[ .-]{0,3}){13}/;

const NAME_LENGTH_MAX = 100;

/** What a person gives with an Update. */
export interface Given {
  readonly reason: string;
  /** Who sends it, for the audit log. Older histories lack it. */
  readonly by?: string | undefined;
}

/** Throws an error for the person; refused Updates are not in the history. */
export function assertGiven(given: Partial<Given> | null | undefined): void {
  const { reason, by } = given ?? {};
  assertReason(reason);
  if (typeof by !== 'string' || by.trim() === '' || by.length > NAME_LENGTH_MAX) {
    throw refusal(`by is required, your name in at most ${NAME_LENGTH_MAX} characters`);
  }
}

export const trimmed = ({ reason, by }: Given): Given => ({
  reason: reason.trim(),
  ...(by === undefined ? {} : { by: by.trim() }),
});

function assertReason(reason: unknown): void {
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > REASON_LENGTH_MAX) {
    throw refusal(`reason is required, in at most ${REASON_LENGTH_MAX} characters`);
  }
  if (longNumber.test(reason)) throw refusal('reason must not hold the number of a card');
}
