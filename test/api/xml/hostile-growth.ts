/**
 * Entry: prints for each hostile document whether four times its length costs about four times the
 * CPU, and otherwise how many times. Below the limits on elements all of it is read; far beyond
 * them most is skipped.
 *
 * It measures CPU, not time, and takes the least of many rounds: other work on the machine makes
 * single rounds more expensive, but a quadratic cost is 16 times as high in every round.
 */
import { documents, readingOf } from './hostile-documents.ts';

const KIB = 1024;
const LENGTHS = [48 * KIB, 2048 * KIB] as const;
const TIMES = 4;
/**
 * Between the 4 of a linear cost and the 16 of a quadratic one, of which a part is linear as well.
 */
const GROWTH_MAX = 7;
/** Warm-up rounds, which are more expensive because nothing is compiled yet. */
const ROUNDS_MIN = 5;
const ROUNDS_MAX = 40;
/** A cost that is still this high is not measured again. */
const CPU_MICROSECONDS_MAX = 4_000_000;
/** A round is long enough to be measured. */
const ROUND_MICROSECONDS_MIN = 10_000;

/** User and system time together: the kernel measures their sum, and only estimates each part. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function cpuOf(work: () => void): number {
  const before = cpuNow();
  work();
  return cpuNow() - before;
}

/** The CPU of one reading, in microseconds. */
function costOf(document: Uint8Array, times: number): number {
  const cpu = cpuOf(() => {
    for (let time = 0; time < times; time += 1) readingOf(document);
  });
  return cpu / times;
}

/** How often a document is read in a round. */
function timesFor(document: Uint8Array): number {
  let times = 1;
  while (costOf(document, times) * times < ROUND_MICROSECONDS_MIN) times *= 2;
  return times;
}

/** The least growth of many rounds; it stops at the first that is small enough. */
function growthOf(make: (bytes: number) => string, bytes: number): number {
  const [short, long] = [bytes, bytes * TIMES].map((each) => Buffer.from(make(each))) as [
    Buffer,
    Buffer,
  ];
  const times = timesFor(short);
  let [least, leastOfLong] = [Infinity, Infinity];
  const began = cpuNow();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    least = Math.min(least, costOf(short, times));
    leastOfLong = Math.min(leastOfLong, costOf(long, Math.ceil(times / TIMES)));
    if (round + 1 >= ROUNDS_MIN && leastOfLong <= least * GROWTH_MAX) break;
    if (cpuNow() - began > CPU_MICROSECONDS_MAX) break;
  }
  return leastOfLong / least;
}

for (const [name, make] of Object.entries(documents)) {
  for (const bytes of LENGTHS) {
    const growth = growthOf(make, bytes);
    console.log(`${name} from ${bytes / KIB} KiB`, growth <= GROWTH_MAX ? 'fits' : growth);
  }
}
