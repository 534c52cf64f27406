/** Asserts a refusal by its code and the element that it names; its text may change. */
import type { ExecutionContext } from 'ava';
import { DomainError, type DomainErrorCode } from '../../../domain/errors.ts';
import { noteAsserted } from '../../support/asserted.ts';

export async function refused(
  t: ExecutionContext,
  operation: Promise<unknown>,
  code: DomainErrorCode,
  path: string | null = null,
): Promise<void> {
  const error = await t.throwsAsync(operation, { instanceOf: DomainError });
  t.is(error.code, code, error.message);
  noteAsserted(code);
  if (path !== null) t.is(error.path, path);
}
