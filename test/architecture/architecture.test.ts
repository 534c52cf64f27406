/** Holds the arrows of the design: who may import whom, who may read the environment or a clock. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import test from 'ava';

const root = join(import.meta.dirname, '../..');
const layers = [
  'api',
  'activities',
  'workflows',
  'operations',
  'domain',
  'db',
  'providers',
  'cli',
  'bench',
] as const;

/** What each layer may import of the others; itself always. A file stands for itself alone. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  db: ['domain'],
  operations: ['domain', 'db', 'providers', 'workflows/contract.ts'],
  // Types only: nothing of an activity is bundled.
  workflows: ['activities/activities.ts'],
  activities: [
    'operations',
    'domain/errors.ts',
    'providers',
    'workflows',
    'config.ts',
    'db/database.ts',
    'cli/node-version.ts',
  ],
  api: [
    'operations',
    'domain',
    'providers',
    'workflows/contract.ts',
    'config.ts',
    'db/database.ts',
    'db/faults.ts',
    'db/tenancy.ts',
    'db/turns.ts',
    'cli/node-version.ts',
  ],
  // The database for the sandbox gateway, whose rows are its own: it stands for another company's.
  providers: ['domain', 'config.ts', 'db/database.ts', 'db/tenancy.ts', 'db/turns.ts'],
  cli: ['operations', 'providers', 'domain', 'db', 'config.ts'],
  bench: [
    'operations',
    'providers',
    'domain',
    'db',
    'api',
    'config.ts',
    'cli',
    'workflows/contract.ts',
  ],
};

interface Source {
  readonly file: string;
  readonly layer: string;
  readonly text: string;
  /** Paths from the root, of the project's own files, and names of packages. */
  readonly imports: readonly string[];
}

function sources(): Source[] {
  return layers.flatMap((layer) =>
    filesOf(join(root, layer)).map((path) => {
      const text = readFileSync(path, 'utf8');
      const found = [
        ...text.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'/gm),
      ];
      const imports = found.map(([, from, plain]) => {
        const name = from ?? plain ?? '';
        return name.startsWith('.') ? relative(root, resolve(dirname(path), name)) : name;
      });
      return { file: relative(root, path), layer, text, imports };
    }),
  );
}

function filesOf(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesOf(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

const all = sources();

test('imports follow the arrows of the design', (t) => {
  const wrong: string[] = [];
  for (const { file, layer, imports } of all) {
    const allowed = [layer, ...(arrows[layer] ?? [])];
    for (const name of imports) {
      const own = layers.find((other) => name.startsWith(`${other}/`)) ?? ownFile(name);
      if (own === undefined) continue;
      if (!allowed.some((each) => name === each || name.startsWith(`${each}/`))) {
        wrong.push(`${file} imports ${name}`);
      }
    }
  }
  t.deepEqual(wrong, []);
});

function ownFile(name: string): string | undefined {
  return name === 'config.ts' ? name : undefined;
}

test('domain imports no package and knows no clock, no chance and no environment', (t) => {
  const forbidden = /\bDate\.now\b|new Date\(\)|Math\.random|randomUUID|Temporal\.Now|process\./;
  for (const { file, text, imports } of all.filter(({ layer }) => layer === 'domain')) {
    const packages = imports.filter((name) => !name.startsWith('domain/'));
    t.deepEqual(
      packages.filter((name) => name !== 'node:assert'),
      [],
      file,
    );
    t.notRegex(text, forbidden, file);
  }
});

test('workflow code imports the SDK and its own contract only, activities as types', (t) => {
  for (const { file, text, imports } of all.filter(({ layer }) => layer === 'workflows')) {
    const others = imports.filter((name) => !/^(workflows\/|@temporalio\/)/.test(name));
    t.true(
      others.every((name) => name.startsWith('activities/')),
      `${file}: ${others.join(', ')}`,
    );
    t.notRegex(text, /^import (?!type\b)[^;]*from '\.\.\/activities/m, file);
    t.notRegex(text, /Temporal\.Now|process\.env|Math\.random/, file);
  }
});

test('only config.ts reads the environment', (t) => {
  for (const { file, text } of all.filter(({ layer }) => layer !== 'bench')) {
    t.notRegex(text, /process\.env/, file);
  }
});

test('the interface takes a connection in its turn only', (t) => {
  for (const { file, text } of all.filter(({ layer }) => layer === 'api')) {
    t.notRegex(text, /\.pool\.(query|connect)\b/, file);
  }
});

test('operations and api write no SQL that names another tenant', (t) => {
  for (const { file, text } of all.filter(({ layer }) => /^(operations|api|db)$/.test(layer))) {
    if (file === 'db/tenancy.ts' || file.startsWith('db/migrations/')) continue;
    t.notRegex(text, /set_config\('app\.tenant'/, file);
  }
});

test('a file opens with a sentence that says what it is for', (t) => {
  const silent = all.filter(({ text }) => !/^(#!.*\n)?\/\*\*/.test(text)).map(({ file }) => file);
  t.deepEqual(silent, []);
});

test('files stay short enough to read: 300 lines at most, migrations apart', (t) => {
  const long = all
    .filter(({ file }) => !file.startsWith('db/migrations/'))
    .filter(({ text }) => text.split('\n').length > 300)
    .map(({ file, text }) => `${file}: ${text.split('\n').length}`);
  t.deepEqual(long, []);
});
