/**
 * What the documentation shows works when pasted: every page as it is served, example by example
 * in its order, against a new tenant. `-- --record` writes the answers anew, `-- --record guides/coupons`
 * those of the pages that it names.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { formPageOf, hrefOf } from '../../../api/docs/calls.ts';
import { documentsOf } from '../../../api/docs/documents.ts';
import {
  answerFile,
  answersFolder,
  referenceOn,
  stepsIn,
  stepsOf,
} from '../../../api/docs/examples/examples.ts';
import { guideText, guides } from '../../../api/docs/pages/guides.ts';
import { scriptOf } from '../../../api/docs/examples/shell.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { isLong } from '../../support/random.ts';
import { startSystem } from '../../support/system.ts';
import { routes } from '../../support/xsd.ts';
import { examplesShown, openShell, textOf } from './pasting.ts';

const system = await startSystem();

if (process.argv.includes('--record')) await record();

const pages = [...documentsOf(routes)].flatMap(([path, { type }]) =>
  type.startsWith('text/html') ? [path] : [],
);
const served = await Promise.all(
  pages.map(async (path) => ({ path, html: await (await fetch(system.apiUrl + path)).text() })),
);
const withExamples = served.filter(({ html }) => examplesShown(html).length > 0);
/** Each example costs programs: of calls, the run of all tests pastes one page in so many. */
const PASTED = 12;
const codesSeen = new Set<string>();
/** Guides, and pages that show an error that no page before shows. */
const pasted = withExamples.filter(({ path, html }, index) => {
  const codes = examplesShown(html).flatMap(({ answer }) => codesIn(answer));
  const isNew = codes.some((code) => !codesSeen.has(code));
  const isPasted = isLong || isNew || !path.startsWith('/docs/calls/') || index % PASTED === 0;
  if (isPasted) for (const code of codes) codesSeen.add(code);
  return isPasted;
});

/** One tenant for all pages. */
const later = await openShell(system, { testClock: '2027-06-15T12:00:00Z', isAtOwnAddress: true });

for (const { path, html } of pasted) {
  test.serial(`${path} answers as shown when its examples are pasted in order`, async (t) => {
    for (const shown of Object.values(Object.groupBy(examplesShown(html), ({ page }) => page))) {
      const { paste } = await openShell(system);
      const said = await paste((shown ?? []).map(({ script }) => script));
      for (const [index, { name, status, answer }] of (shown ?? []).entries()) {
        const { statuses = [], answer: printed = '' } = said[index] ?? {};
        t.true(
          statuses.slice(0, -1).every((each) => each < 300),
          `${name}: its preparation is answered ${statuses.join(', ')}`,
        );
        t.is(statuses.at(-1), status, `${name}: ${printed}`);
        t.is(printed, answer, name);
        for (const code of codesIn(answer)) noteAsserted(code);
      }
    }
  });
}

/** The run of all tests pastes one page in so many once more. */
const ONCE_MORE = 24;
const onceMore = withExamples.filter((_, index) => isLong || index % ONCE_MORE === 0);

for (const { path } of onceMore) {
  test.serial(
    `${path} pastes after the clock has gone on, read at the tenant's own address`,
    async (t) => {
      const shown = examplesShown(await later.read(path));
      const said = await later.paste(shown.map(({ script }) => script));
      t.deepEqual(
        said.map(({ statuses }) => statuses.at(-1)),
        shown.map(({ status, script }, index) =>
          // A clock that has much to do may still be at it when the call has waited long enough.
          script.includes('wait=true') && said[index]?.statuses.at(-1) === 202 ? 202 : status,
        ),
      );
    },
  );
}

test.serial(
  'a preparation stops at its first error, shows it, and makes no further call',
  async (t) => {
    const { paste } = await openShell(system, { auth: 'api@demo:wrong' });
    const { html = '' } = withExamples.find(({ path }) => path.endsWith('/post-payments')) ?? {};
    const shown = examplesShown(html);
    const long = shown.find(({ script }) => script.split("prepare '").length > 2);
    const [said] = await paste([long?.script ?? '']);
    t.deepEqual(said?.statuses, [401]);
    t.is(said?.answer, '');
    t.regex(
      said?.errors ?? '',
      /Failed: A customer with a billing contact\n.*<error code="auth.invalid"/s,
    );
  },
);

test('every call has a page with examples, and so have the guides that show calls', (t) => {
  const paths = new Set(withExamples.map(({ path }) => path));
  const hrefs = new Set(routes.map(hrefOf));
  for (const href of hrefs) t.true(paths.has(href), href);
  t.true(withExamples.length > hrefs.size + 4);
});

test('curl is shown in examples only, and no example names an id', (t) => {
  for (const { path, html } of served) {
    // Texts for operators have commands of any kind.
    if (!/^\/docs($|\/guides\/|\/calls\/)/.test(path)) continue;
    const rest = html.replaceAll(/<section class="example".*?<\/section>/gs, '');
    const codes = [...rest.matchAll(/<pre [^>]*><code>(.*?)<\/code><\/pre>/gs)];
    for (const [, code = ''] of codes) t.notRegex(textOf(code), /^\s*curl /m, path);
    for (const { name, script } of examplesShown(html)) {
      t.notRegex(script, /\/\d+[/?"]|id="\d|Number=\d|Id=\d/, name);
    }
  }
});

test('pages have customers of their own, so that they can be pasted into one tenant', (t) => {
  const references = recordedPages().map(({ page }) => referenceOn(page));
  t.is(new Set(references).size, references.length);
});

function codesIn(answer: string): string[] {
  return [...answer.matchAll(/<error code="([^"]+)"/g)].map(([, code = '']) => code);
}

function recordedPages() {
  return [
    ...routes.map((route) => ({ page: formPageOf(route), steps: stepsOf(route) })),
    ...['index', ...guides, 'errors'].map((name) => ({
      page: `guides/${name}`,
      steps: stepsIn(guideText(name)),
    })),
  ];
}

async function record(): Promise<void> {
  const named = process.argv.filter((each) => /^(guides|calls)\//.test(each));
  const isNamed = (page: string): boolean => named.length === 0 || named.includes(page);
  if (named.length === 0) rmSync(answersFolder, { recursive: true, force: true });
  for (const { page, steps } of recordedPages().filter((each) => isNamed(each.page))) {
    rmSync(join(answersFolder, page), { recursive: true, force: true });
    const { paste } = await openShell(system);
    const scripts = steps.map((step) => scriptOf(step, referenceOn(page)));
    const said = await paste(scripts.map(({ preparation, call }) => `${preparation}\n\n${call}\n`));
    for (const [index, step] of steps.entries()) {
      const file = answerFile(page, step);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${said[index]?.answer}\n`);
    }
  }
}
