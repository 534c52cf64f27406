/** Lists the faults of uploaded records in one error, each with its record and element. */
import { DomainError, DomainErrors } from '../errors.ts';
import type { FaultOfRecord } from './placing.ts';

/** A call with more faults repeats one mistake many times. */
export const FAULTS_MAX = 100;

/**
 * Throws one error of all faults, if there are any.
 *
 * @example refuseFaults([]) // nothing
 */
export function refuseFaults(faults: readonly FaultOfRecord[]): void {
  const [first, ...others] = faults.map(({ index, code, element, message, value }) => {
    const nth = index + 1;
    const path = `list/activity[${nth}]/${element}`;
    return new DomainError(code, `activity ${nth}: ${message}`, { path, value });
  });
  if (first) throw new DomainErrors([first, ...others]);
}
