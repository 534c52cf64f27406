/**
 * The library of random tests, with the seed of the run: where the run repeats a file, its
 * properties meet the same input again.
 */
import fc from 'fast-check';
import { SEED_VARIABLE } from './records.ts';

const seed = process.env[SEED_VARIABLE];
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

/** Of a random test whose cases take long: no shrinking, and the error that ava would not show. */
export const costly = { endOnFailure: true, includeErrorInReport: true } as const;

export { fc };
