/**
 * A mistake of the operator's, whose message says what to do: a process prints it without a stack, and
 * does not try again.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
