/**
 * Entry: the customers, in a separate process. Reads measurements to run as JSON lines from its
 * input, and prints the result of each.
 */
import { createInterface } from 'node:readline';
import { page, start, submit, type Link, type PageAnswer, type PagesTarget } from './signer.ts';

export type PagesStep = 'start' | 'page' | 'submit';

export type PagesAssignment =
  | {
      readonly step: PagesStep;
      readonly target: PagesTarget;
      readonly connections: number;
      readonly warmMs: number;
      readonly measureMs: number;
    }
  /** So many at once, from the start of each to the answer to its form. */
  | { readonly signups: number; readonly target: PagesTarget };

export interface PagesMeasured {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  readonly seconds: number;
}

type Step = (target: PagesTarget, link: Link) => Promise<PageAnswer>;

const LINKS = 50;

/** Each of these answers is what a browser goes on with. */
const isGood = ({ status }: PageAnswer): boolean => status === 200 || status === 303;

async function submitted(target: PagesTarget): Promise<PageAnswer> {
  const { link } = await start(target);
  const { body } = await page(target, link);
  return submit(target, link, body);
}

async function stepOf(name: PagesStep, target: PagesTarget): Promise<Step> {
  if (name === 'start') return start;
  if (name === 'submit') return submitted;
  const links: Link[] = [];
  for (let each = 0; each < LINKS; each += 1) links.push((await start(target)).link);
  let next = 0;
  return (at) => page(at, links[(next += 1) % LINKS] ?? { path: '/', tracking: '' });
}

async function measure(assignment: PagesAssignment): Promise<PagesMeasured> {
  const { target } = assignment;
  if ('signups' in assignment) {
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: assignment.signups }, () => submitted(target)),
    );
    return figuresOf(answers, performance.now() - began);
  }
  const { step, connections, warmMs, measureMs } = assignment;
  const perform = await stepOf(step, target);
  const once = (): Promise<PageAnswer> => perform(target, { path: '', tracking: '' });
  await run(once, connections, warmMs);
  const began = performance.now();
  const answers = await run(once, connections, measureMs);
  return figuresOf(answers, performance.now() - began);
}

async function run(perform: () => Promise<PageAnswer>, lanes: number, forMs: number) {
  const answers: PageAnswer[] = [];
  const until = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < until) answers.push(await perform());
    }),
  );
  return answers;
}

function figuresOf(answers: readonly PageAnswer[], tookMs: number): PagesMeasured {
  const sorted = Float64Array.from(answers, ({ ms }) => ms).toSorted();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  const failed = answers.filter((each) => !isGood(each)).length;
  const seconds = tookMs / 1_000;
  return { requests: answers.length, p50Ms: at(0.5), p99Ms: at(0.99), failed, seconds };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await measure(JSON.parse(line)))}\n`);
}
