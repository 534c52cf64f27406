/** A refused Update: it fails, with its reason in one line, and without a stack. */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { ExecutionContext } from 'ava';

export async function refusedUpdate(
  t: ExecutionContext,
  asked: Promise<unknown>,
  why: string | RegExp,
): Promise<void> {
  const { cause } = await t.throwsAsync(asked, { instanceOf: WorkflowUpdateFailedError });
  if (!(cause instanceof ApplicationFailure)) return t.fail(String(cause));
  if (typeof why === 'string') t.is(cause.message, why);
  else t.regex(cause.message, why);
  // As the engine stores it, and the Web UI shows it.
  t.is(cause.stack, '');
  t.is(cause.cause, undefined);
  t.true(cause.nonRetryable);
}
