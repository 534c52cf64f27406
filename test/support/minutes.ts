/** How long a test that goes on for as long as it is told to runs, and the seed of its choices. */
import { SEED_VARIABLE } from './records.ts';

/** Whole minutes, set by `npm run fuzz` and `npm run chaos`. */
export const MINUTES_VARIABLE = 'SUNDIAL_TEST_MINUTES';

const { [SEED_VARIABLE]: seed, [MINUTES_VARIABLE]: minutes } = process.env;

/** Undefined in the runs of all tests, which have a number of steps. */
export const minutesOfRun = minutes === undefined ? undefined : Number(minutes);

export const seedOfRun = Number(seed ?? 1);
