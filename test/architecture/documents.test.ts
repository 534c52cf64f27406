/** The Markdown documents name only files, headings and commands that exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';

const root = join(import.meta.dirname, '../..');

/** The project's own files and folders, from the root. */
const paths = globSync('**', { cwd: root, exclude: ['node_modules', '.git', '.data'] });
const tops = new Set(paths.filter((path) => !path.includes('/')));

const documents = ['*.md', 'docs/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted()
  .map((name) => ({ name, text: read(name) }));

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The text without its blocks of code. */
function proseOf(text: string): string {
  return text.replaceAll(/^```[^]*?^```/gm, '');
}

/** The words of inline code that are a path below a folder of the project, or the name of a file. */
function pathsIn(text: string): string[] {
  return [...proseOf(text).matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(' '))
    .map((word) => word.replace(/[,;:/]+$/, ''))
    .filter((word) => /^[\w.@-]+(\/[\w.@-]+)*$/.test(word) && !/[A-Z]{2,}/.test(word))
    .filter((word) => {
      const [top = ''] = word.split('/');
      return (word.includes('/') && tops.has(top)) || /\.(ts|mjs|md|ya?ml)$/.test(word);
    });
}

/** A document may name a file by the end of its path. */
function isThere(path: string): boolean {
  return paths.some((each) => each === path || each.endsWith(`/${path}`));
}

/** The anchors of a document's headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Whether the target of a link in that document exists; addresses are not checked. */
function leadsSomewhere(document: string, target: string): boolean {
  if (/^(https?:|mailto:|\/)/.test(target)) return true;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || anchorsOf(read(file)).has(anchor);
}

/** `document: finding` for everything that `find` returns. */
function findings(find: (document: (typeof documents)[number]) => readonly string[]): string[] {
  return documents.flatMap((document) => find(document).map((each) => `${document.name}: ${each}`));
}

test('documents name only files that exist', (t) => {
  t.true(documents.length > 20);
  t.deepEqual(
    findings(({ text }) => pathsIn(text).filter((path) => !isThere(path))),
    [],
  );
  const wrong =
    'Look at `docs/nothing.md`, `test/replay/` or `api/http/nothing.ts`, not `README.md`.';
  t.deepEqual(
    pathsIn(wrong).filter((path) => !isThere(path)),
    ['docs/nothing.md', 'test/replay', 'api/http/nothing.ts'],
  );
});

test('documents link only to files and headings that exist', (t) => {
  t.deepEqual(
    findings(({ name, text }) =>
      [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !leadsSomewhere(name, target)),
    ),
    [],
  );
  t.true(leadsSomewhere('docs/held-customers.md', 'architecture.md#payments'));
  t.false(leadsSomewhere('docs/held-customers.md', 'architecture.md#nothing'));
});

test('documents name only npm scripts and benchmarks that exist', (t) => {
  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const benches = read('bench/scenarios.ts');
  t.deepEqual(
    findings(({ text }) => [
      ...[...text.matchAll(/npm run ([a-z][\w:-]*)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !(name in scripts)),
      ...[...text.matchAll(/npm run bench -- ([a-z][a-z-]*)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !new RegExp(`\\n  '?${name}'?(?:: \\w+)?,\\n`).test(benches)),
    ]),
    [],
  );
});

/** The folders below a line of the drawing: `  a/  b/   what they are`, indented below their own. */
function drawnFolders(drawing: string): string[] {
  const found: string[] = [];
  const above: string[] = [];
  for (const line of drawing.split('\n')) {
    const [names = ''] = /^ *(?:[\w.-]+\/(?: {1,2}|$))+/.exec(line) ?? [];
    const depth = (line.length - line.trimStart().length) / 2;
    for (const name of names.trim().split(/ +/).filter(Boolean)) {
      above.splice(depth, above.length, name);
      found.push(above.join('').replace(/\/$/, ''));
    }
  }
  return found;
}

test('the drawing of the house has every folder of the product', (t) => {
  const [, drawing = ''] =
    /^## Layout$[^]*?^```\n([^]*?)^```/m.exec(read('docs/architecture.md')) ?? [];
  const drawn = drawnFolders(drawing);
  const folders = new Set(
    globSync('{api,workflows,activities,operations,domain,db,providers,cli}/**/*.ts', { cwd: root })
      .map((file) => dirname(file))
      .filter((folder) => !drawn.includes(folder)),
  );
  t.deepEqual([...folders], []);
  t.deepEqual(
    drawn.filter((folder) => !existsSync(join(root, folder))),
    [],
  );
});
