/** Runs steps of visitors side by side, and counts how long their answers took. */
import type { PageAnswer } from './browser.ts';

export interface PagesMeasured {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  readonly seconds: number;
}

/** Each of these answers is what a browser goes on with. */
const isGood = ({ status }: PageAnswer): boolean => status === 200 || status === 303;

/** So many at once, one after the other in each lane. */
export async function run(perform: () => Promise<PageAnswer>, lanes: number, forMs: number) {
  const answers: PageAnswer[] = [];
  const until = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < until) answers.push(await perform());
    }),
  );
  return answers;
}

export function figuresOf(answers: readonly PageAnswer[], tookMs: number): PagesMeasured {
  const sorted = Float64Array.from(answers, ({ ms }) => ms).toSorted();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  const failed = answers.filter((each) => !isGood(each)).length;
  const seconds = tookMs / 1_000;
  return { requests: answers.length, p50Ms: at(0.5), p99Ms: at(0.99), failed, seconds };
}
