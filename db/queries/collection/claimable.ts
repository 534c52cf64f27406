/** Which collection attempts may be claimed. */
import { notHeld } from '../ageing/retries.ts';

/**
 * The condition of an attempt that may be claimed up to the day, an SQL expression. A claim reads
 * it to find its candidates, and again under their customers' locks, as they may have moved.
 */
export const isClaimable = (a: string, day: string): string =>
  `${a}.state = 'due' and ${a}.due_on <= ${day} and (${a}.kind <> 'retry' or ${notHeld(a)})`;
