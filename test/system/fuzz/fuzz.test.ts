/**
 * Hostile calls to every route: none fails or hangs, memory and files do not grow, and what is
 * refused has stored nothing. `npm run fuzz -- --minutes 10 --seed 7` goes on for longer.
 */
import test from 'ava';
import pino from 'pino';
import { errorSerializers } from '../../../operations/context/describe-error.ts';
import { minutesOfRun, seedOfRun } from '../../support/minutes.ts';
import { runs } from '../../support/random.ts';
import { testStorage } from '../../support/storage.ts';
import { fuzz, type Tally } from './fuzz.ts';
import { until } from '../../support/until.ts';
import { seeRows } from './seen-rows.ts';
import { openWorld } from './world.ts';

/** In each turn, as many as some seconds have time for. */
const CASES = 2_500;
/** The run of all tests has one; the long one has more, and another seed. */
const TURNS = runs(1, 12);
/** What a case leaves behind in caches that have limits is less. */
const GROWN_BYTES_MAX = 1_000;

const failures: string[] = [];
const done = new Set<string>();
const log = pino(
  { level: 'info', serializers: errorSerializers },
  {
    write(line: string) {
      if (line.includes('"level":50')) failures.push(line);
      const [, requestId] = /"requestId":"(fuzz-\d+)".*"msg":"request"/.exec(line) ?? [];
      if (requestId !== undefined) done.add(requestId);
    },
  },
);

const storage = testStorage();
const worlds = await openWorld({ log, storage });
const seen = await seeRows(worlds.api.asOwner);
const fuzzing = {
  seed: seedOfRun,
  worlds,
  seen,
  storage,
  failures: () => failures.splice(0),
  logged: (requestId: string) =>
    until('its call is done', () => Promise.resolve(done.delete(requestId))),
};
let from = 0;

const turns = Array.from({ length: minutesOfRun ?? TURNS }, (_, n) => n + 1);

for (const turn of turns) {
  const title = minutesOfRun === undefined ? `${CASES} hostile calls` : 'a minute of hostile calls';
  test.serial(
    `${turn}: ${title} fail nothing, hang nowhere, and leave nothing behind`,
    async (t) => {
      t.timeout(600_000);
      const end = Date.now() + 60_000;
      const goesOn = (cases: number): boolean =>
        minutesOfRun === undefined ? cases < CASES : Date.now() < end;
      const tally = await fuzz(fuzzing, { from, goesOn });
      from += tally.cases;
      t.log(`seed ${seedOfRun}: ${told(tally)}`);
      t.is(tally.findings.length, 0, tally.findings.join('\n\n'));
      t.true(tally.grownBytes < GROWN_BYTES_MAX, `${tally.grownBytes} bytes stayed of each call`);
      // Not only noise: many calls are right enough to be carried out.
      t.true((tally.byStatus['2xx'] ?? 0) > tally.cases / 10);
    },
  );
}

const told = ({ cases, byStatus, byRoute, grownBytes }: Tally): string =>
  `${cases} calls of ${byRoute.size} routes, ${Object.entries(byStatus)
    .map(([status, count]) => `${count} ${status}`)
    .toSorted()
    .join(', ')}; ${Math.round(grownBytes)} bytes of each stayed`;
