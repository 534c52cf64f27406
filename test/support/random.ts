/**
 * The library of random tests, with the seed of the run: where the run repeats a file, its
 * properties meet the same input again.
 */
import fc from 'fast-check';
import { LONG_VARIABLE, SEED_VARIABLE } from './records.ts';

/** The long run tries so many times as many cases. */
const LONG_FACTOR = 30;

const { [SEED_VARIABLE]: seed, [LONG_VARIABLE]: long } = process.env;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

/** Of a random test whose cases take long: no shrinking, and the error that ava would not show. */
export const costly = { endOnFailure: true, includeErrorInReport: true } as const;

/** Whether this is the long run, in which nothing is left out. */
export const isLong = long !== undefined;

/** An audit costs more than most steps, and what it finds stays to be found. */
const STEPS_OF_AUDIT = 4;

/** Whether a life is audited after this step, counted from 0; its end is audited by the test. */
export const isAuditedAfter = (index: number): boolean =>
  isLong || index % STEPS_OF_AUDIT === STEPS_OF_AUDIT - 1;

/** How many cases of a random test run, `ofShortRun` of them in the run of all tests. */
export const runs = (ofShortRun: number, ofLongRun = ofShortRun * LONG_FACTOR): number =>
  isLong ? ofLongRun : ofShortRun;

export { fc };
