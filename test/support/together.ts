/**
 * Runs the test files of a folder in one process: most of a file's CPU time is loading the product
 * and running it for the first time. AVA has a process for each file, and all tests of a process
 * must be declared at once. So these files get the `test` below instead of AVA's, which declares
 * nothing before the last file has been loaded.
 */
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ava, { type ExecutionContext } from 'ava';
import { bulkhead } from 'cockatiel';
import { filesTogether, TITLE_MARK } from './processes.ts';
import { fileOfTest } from './records.ts';

export { registerCompletionHandler } from 'ava';

/** Enough to wait at once; a test among many would wait longer than the limits in it allow. */
const TESTS_AT_ONCE = 4;

const root = join(import.meta.dirname, '../..');
let turns = bulkhead(TESTS_AT_ONCE, Infinity);
const declarations: (() => void)[] = [];
/** The file that is being loaded, for the titles of its tests. */
let loading = { file: '', name: '' };

/** @param folder the folder of its caller, a file `together.test.ts` */
export async function together(folder: string, testsAtOnce = TESTS_AT_ONCE): Promise<void> {
  turns = bulkhead(testsAtOnce, Infinity);
  const files = filesTogether(relative(root, folder));
  const urlOf = (file: string): string => pathToFileURL(join(root, file)).href;
  const urls = new Set(files.map(urlOf));
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'ava' && urls.has(context.parentURL ?? '')
        ? { url: import.meta.url, shortCircuit: true }
        : next(specifier, context),
  });
  for (const file of files) {
    const name = relative(folder, join(root, file)).replace(/\.test\.ts$/, '');
    loading = { file, name };
    await import(urlOf(file));
  }
  hooks.deregister();
  for (const declare of declarations) declare();
}

type Run = (t: ExecutionContext) => PromiseLike<void> | void;
type Declare = (title: string, run: Run) => void;

/** Two files may have tests of the same title. */
function later(declare: Declare): Declare {
  return (title, run) => {
    const [full, file] = [`${loading.name}${TITLE_MARK}${title}`, loading.file];
    declarations.push(() => declare(full, (t) => fileOfTest.run(file, () => run(t))));
  };
}

const inTurn =
  (run: Run): Run =>
  (t) =>
    turns.execute(async () => await run(t));

/** A hook may have no title. */
const laterHook =
  (declare: Declare) =>
  (...args: [Run] | [string, Run]): void =>
    args.length === 1 ? later(declare)('hook', args[0]) : later(declare)(...args);

/** AVA's `test`, as far as these files use it; hooks for each test would reach those of others. */
// oxlint-disable-next-line import/no-default-export -- it takes the place of AVA's
export default Object.assign(
  later((title, run) => ava(title, inTurn(run))),
  {
    skip: later(ava.skip),
    before: laterHook(ava.before),
    after: Object.assign(laterHook(ava.after), { always: laterHook(ava.after.always) }),
    serial: Object.assign(later(ava.serial), {
      skip: later(ava.serial.skip),
      before: laterHook(ava.serial.before),
    }),
  },
);
