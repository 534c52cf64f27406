/**
 * Entry: the customers, in a separate process. Reads measurements to run as JSON lines from its
 * input, and prints the result of each.
 */
import { createInterface } from 'node:readline';
import type { PageAnswer, PagesTarget } from './browser.ts';
import { figuresOf, run, type PagesMeasured } from './figures.ts';
import { page, start, submit, type Link } from './signer.ts';

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

type Step = (target: PagesTarget, link: Link) => Promise<PageAnswer>;

const LINKS = 50;

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

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await measure(JSON.parse(line)))}\n`);
}
