/** How a command ends: with exit code 1, and its mistake in words, if it fails. */
import { OperatorError } from '../operator-error.ts';

/** @param isKnown of other errors, whose message says enough; what is left is a bug, printed with its stack */
export async function runCommand(
  main: () => Promise<void>,
  isKnown: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    await main();
  } catch (error) {
    const { message, stack, code } = error as NodeJS.ErrnoException;
    const isExpected = error instanceof OperatorError || isKnown(error);
    process.stderr.write(`${isExpected ? message || code : (stack ?? String(error))}\n`);
    process.exitCode = 1;
  }
}

/** Errors of the network, the system or the server with such a code. */
export const withCode =
  (codes: RegExp) =>
  (error: unknown): boolean =>
    error instanceof Error && 'code' in error && codes.test(String(error.code));
