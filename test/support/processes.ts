/** Which test files share a process: those of each folder that has a file `together.test.ts`. */
import { globSync } from 'node:fs';
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Runs the files of its folder: see together.ts. */
const TOGETHER = 'together.test.ts';

/** They take long, measure the time, the memory or the code of a process, or have limits of some 100 ms. */
const alone: ReadonlySet<string> = new Set([
  'test/api/docs/page.test.ts',
  'test/api/docs/pasted.test.ts',
  'test/api/http/entered.test.ts',
  'test/cli/containers/end.test.ts',
  'test/cli/first-hour/first-hour.test.ts',
  'test/cli/full-disk.test.ts',
  'test/cli/start.test.ts',
  'test/providers/callbacks/post.test.ts',
  'test/providers/invoice-documents/drawing.test.ts',
  'test/operations/imports/memory.test.ts',
  'test/providers/storage/memory.test.ts',
  'test/workflows/callbacks/callbacks.test.ts',
  'test/workflows/imports/batch-import.test.ts',
  'test/workflows/orders/run-length.test.ts',
  'test/workflows/outbox/relay.test.ts',
  'test/workflows/payments/gateway-rate.test.ts',
  'test/workflows/payments/payment.test.ts',
  'test/workflows/payments/resolve.test.ts',
  'test/workflows/payments/unknown.test.ts',
]);

/**
 * They kill processes, cut connections, or send hostile input, and wait for what others make of it. The run of
 * all tests keeps a small case of each; `npm run test:long` runs them.
 */
const LONG: readonly string[] = [
  'test/system/chaos',
  'test/system/crash',
  'test/system/faults',
  'test/system/fuzz',
  'test/system/topology',
  'test/system/upgrades',
];
/** What the run of all tests keeps of them; where they are long themselves, they leave most of it out. */
const SMALL: ReadonlySet<string> = new Set([
  'test/system/chaos/chaos.test.ts',
  'test/system/crash/answer.test.ts',
  'test/system/crash/payment.test.ts',
  'test/system/faults/calls.test.ts',
  'test/system/fuzz/fuzz.test.ts',
]);
/** In the long run they try many random cases with another seed, every page, or every benchmark. */
const LONGER: readonly string[] = [
  'test/properties/**/*.test.ts',
  'test/system/timeline/{splits,autopay,payment-plans}.test.ts',
  'test/api/pages/page.test.ts',
  'test/api/xml/{hostile,libxml2}.test.ts',
  'test/api/docs/page.test.ts',
  'test/api/docs/pasted.test.ts',
  'test/bench/scenarios.test.ts',
  'test/cli/start.test.ts',
  'test/cli/first-hour/first-hour.test.ts',
  'test/domain/billing/notes.test.ts',
  'test/operations/ledger/mrr.test.ts',
  'test/providers/invoice-documents/{figure-fonts,ubl-rules}.test.ts',
  'test/system/recovery/servers.test.ts',
  'test/system/recovery/replica.test.ts',
  'test/system/pages/account*.test.ts',
  'test/workflows/engine/web-ui.test.ts',
];

/** What takes longest, in this order: begun last, it would run on alone at the end. */
const LONGEST: readonly string[] = [
  // Of the long run.
  'test/system/faults',
  'test/properties/same-change.test.ts',
  'test/system/crash/imports.test.ts',
  'test/properties/next-invoices.test.ts',
  // Of both.
  'test/system/chaos',
  'test/system/crash',
  'test/operations/together.test.ts',
  'test/properties',
  'test/workflows/together.test.ts',
  'test/cli/first-hour',
  'test/operations/books',
  'test/api/docs/pa',
  'test/cli/start.test.ts',
  'test/system',
  'test/api/together.test.ts',
  'test/bench',
  'test/operations/billing',
  'test/api/access',
  'test/providers/together.test.ts',
  'test/cli/together.test.ts',
  'test/operations/orders',
  'test/api/pages',
  'test/api/self-service',
  'test/api/calls',
  'test/providers/invoice-documents',
  'test/operations/dunning',
  'test/operations/tenants',
  'test/clients',
  'test/api/signups',
  'test/operations/collection',
  'test/workflows',
  'test/cli',
  'test/support',
];

/** The place of a process in the order in which they begin. */
export function rankOf(file: string): number {
  const path = relative(root, file);
  const rank = LONGEST.findIndex((each) => path.startsWith(each));
  return rank === -1 ? LONGEST.length : rank;
}

/** Between the name of a file and the title of a test in it. */
export const TITLE_MARK = ' › ';

export const isTogether = (file: string): boolean => basename(file) === TOGETHER;

const folders = globSync(`test/**/${TOGETHER}`, { cwd: root }).map(dirname);

/**
 * The files of a folder, without those of the folders in it that have a process of their own.
 * Paths are from the root of the repository.
 */
export function filesTogether(folder: string): readonly string[] {
  const apart = folders.filter((each) => each.startsWith(`${folder}/`));
  return globSync(`${folder}/**/*.test.ts`, { cwd: root })
    .filter((file) => !isTogether(file) && !alone.has(file))
    .filter((file) => !apart.some((each) => file.startsWith(`${each}/`)))
    .toSorted();
}

/** The file as whose process it runs; itself if it has one of its own. */
export function processOf(file: string): string {
  const folder = folders.find((each) => filesTogether(each).includes(file));
  return folder === undefined ? file : join(folder, TOGETHER);
}

/** AVA's patterns for a run. A file that its arguments name gets a process of its own. */
export function testFiles(chosen: readonly string[]): readonly string[] {
  // AVA selects tests by lines: `a.test.ts:12`.
  const paths = chosen.map((argument) =>
    relative(root, resolve(argument.replace(/:[\d,-]+$/, ''))),
  );
  const isNamed = (file: string) => paths.some((path) => matchesGlob(file, path));
  const left = folders.flatMap(filesTogether).filter((file) => !isNamed(file));
  const namesLong = paths.some((path) => LONG.some((folder) => path.startsWith(folder)));
  return [
    'test/**/*.test.ts',
    ...left.map((file) => `!${file}`),
    ...(namesLong ? [] : leftToTheLongRun().map((file) => `!${file}`)),
  ];
}

const leftToTheLongRun = (): readonly string[] =>
  LONG.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root })).filter(
    (file) => !SMALL.has(file),
  );

/** AVA's patterns for the long run, in which each property has a process of its own. */
export const longFiles: readonly string[] = [
  ...LONG.map((folder) => `${folder}/**/*.test.ts`),
  ...LONGER,
  `!**/${TOGETHER}`,
];
