/**
 * Checks the architecture: which layer and which subject may import which, that imports have no
 * circles, and who may read the environment or a clock. The linter checks the sizes of files and
 * functions.
 */
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
  'messages',
  'db',
  'providers',
  'cli',
  'bench',
] as const;

/**
 * What operations know of the outside: types, errors and pure functions. The entry points choose
 * the adapters behind them.
 */
const ports = [
  'providers/callbacks/address.ts',
  'providers/callbacks/line.ts',
  'providers/callbacks/signature.ts',
  'providers/gateway/gateway.ts',
  'providers/invoice-documents/logo.ts',
  'providers/invoice-documents/ubl.ts',
  'providers/mail/mailer.ts',
  'providers/mail/templates.ts',
  'providers/metrics/metric.ts',
  'providers/storage/storage.ts',
  'providers/tax/tax-provider.ts',
  'providers/vault.ts',
];

/**
 * The other layers that each layer may import, besides itself. A name of a file stands for that
 * file alone.
 */
const layerArrows: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  messages: ['domain/text'],
  db: ['domain'],
  operations: [
    'domain',
    'messages/messages.ts',
    'db',
    ...ports,
    // Operations know the client of Temporal; one place connects it.
    'providers/temporal/connect.ts',
    'workflows/contract/billing-run.ts',
    'workflows/contract/contract.ts',
    'workflows/contract/dunning.ts',
    'workflows/contract/imports.ts',
    // What people see of a workflow, before its first look as after it.
    'workflows/story/shown.ts',
    'workflows/story/story.ts',
  ],
  // Types only: the bundle contains nothing of an activity.
  workflows: ['activities/activities.ts', 'activities/callbacks.ts', 'activities/imports.ts'],
  activities: [
    'operations',
    'domain/errors.ts',
    'providers',
    'workflows',
    'config.ts',
    'db/connection',
    'cli/node-version.ts',
    // A callback is the interface speaking: its body is the answer of a GET.
    'api/resources/callbacks/documents.ts',
    // The cells of an import are elements of the interface.
    'api/resources/imports/rows.ts',
  ],
  api: [
    'operations',
    'domain',
    'messages/messages.ts',
    'providers',
    'workflows/contract/contract.ts',
    'config.ts',
    'db/connection',
    'cli/node-version.ts',
  ],
  // The sandbox gateway has its own rows, because it acts like another company's database.
  providers: [
    'domain',
    'messages/messages.ts',
    'config.ts',
    'db/connection',
    'db/entities/gateways.ts',
    'db/entities/rows.ts',
    'db/entities/sealed.ts',
    'db/queries/context/insertion.ts',
  ],
  cli: [
    'operations',
    'providers',
    'domain',
    'db',
    'config.ts',
    // What a customer has of us is the interface speaking: the answers of its GETs.
    'api/resources/personal-data/export.ts',
  ],
  bench: [
    'operations',
    'providers',
    'domain',
    'db',
    'api',
    'config.ts',
    'cli',
    // Further workers, whose settings differ.
    'activities/run-worker.ts',
    'workflows/contract/contract.ts',
  ],
};

/**
 * The subjects of a layer in order: each may import those before it. A subject that is not listed
 * fails the test, so a new folder must be added here.
 */
const subjectOrder: Readonly<Record<string, readonly string[]>> = {
  domain: [
    // The second calculator repeats no error of the first: it imports nothing.
    'recompute',
    'text',
    'money',
    'calendar',
    'events',
    'access',
    'customers',
    'plans',
    'standing',
    'tax',
    'discounts',
    'usage',
    'billing',
    'commissions',
    'orders',
    'invoices',
    'payments',
    'callbacks',
    'dunning',
    'mail',
    'payment-plans',
    'imports',
    'hosted-pages',
    'signups',
    'self-service',
    'ledger',
  ],
  operations: [
    'context',
    'workflow-kinds',
    'outbox',
    'events',
    'metadata',
    'access',
    'tenants',
    'plans',
    'tax',
    'discounts',
    'commissions',
    'standing',
    'ageing',
    'allocation',
    'hosted-pages',
    'payment-methods',
    'collection',
    'billing',
    'usage',
    'refunds',
    'payments',
    'gateway-calls',
    'action-links',
    'wakes',
    'invoices',
    'orders',
    'customers',
    'dunning',
    'payment-plans',
    'imports',
    'signups',
    'self-service',
    'pay-links',
    'callbacks',
    'mail',
    'tax-records',
    'feed',
    'due',
    'rehearsals',
    'clock',
    'processes',
    'figures',
    'ledger',
    'books',
    'operator',
  ],
  'db/queries': [
    'context',
    'parties',
    'access',
    'customers',
    'invoices',
    'outbox',
    'events',
    'standing',
    'ageing',
    'discounts',
    'commissions',
    'tax-records',
    'billing',
    'usage',
    'collection',
    'payments',
    'orders',
    'dunning',
    'imports',
    'hosted-pages',
    'callbacks',
    'mail',
    'due',
    'clock',
    'processes',
    'figures',
    'ledger',
    'operator',
  ],
  'api/resources': [
    'access',
    'events',
    'plans',
    'customers',
    'payer-action',
    'payment-methods',
    'payments',
    'gateway-calls',
    'payment-plans',
    'invoices',
    'orders',
    'metadata',
    'usage',
    'commissions',
    'imports',
    'signups',
    'self-service',
    'pay-links',
    'notifications',
    'clock',
    'callbacks',
    'ledger',
    'personal-data',
  ],
};

interface Source {
  readonly file: string;
  readonly layer: string;
  readonly text: string;
  /** Paths of the project's own files, from the root, and names of packages. */
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

test('a layer imports only the layers that it may import', (t) => {
  const wrong: string[] = [];
  for (const { file, layer, imports } of all) {
    const allowed = [layer, ...(layerArrows[layer] ?? [])];
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

test('a port opens no file, no connection and no process', (t) => {
  const pure = /^(domain\/.*|fast-xml-parser|ipaddr\.js|node:(crypto|net|stream|zlib))$/;
  for (const { file, imports } of all.filter((source) => ports.includes(source.file))) {
    t.deepEqual(
      imports.filter((name) => !pure.test(name) && !ports.includes(name)),
      [],
      file,
    );
  }
});

function ownFile(name: string): string | undefined {
  return name === 'config.ts' ? name : undefined;
}

test('a subject imports only the subjects before it', (t) => {
  const wrong: string[] = [];
  let arrows = 0;
  for (const [layer, order] of Object.entries(subjectOrder)) {
    for (const { file, imports } of all.filter((source) => subjectOf(layer, source.file))) {
      const from = subjectOf(layer, file) ?? '';
      if (!order.includes(from)) wrong.push(`${file}: the subject ${from} has no place`);
      for (const name of imports) {
        const to = subjectOf(layer, name);
        if (to === undefined || to === from) continue;
        arrows += 1;
        if (order.indexOf(to) > order.indexOf(from)) wrong.push(`${file} imports ${name}`);
      }
    }
  }
  t.deepEqual(wrong, []);
  t.true(arrows > 100, `${arrows} arrows between subjects were seen`);
});

/** The folder of the layer that contains a file; undefined for a file at its top or elsewhere. */
function subjectOf(layer: string, file: string): string | undefined {
  if (!file.startsWith(`${layer}/`)) return undefined;
  const [subject, ...rest] = file.slice(layer.length + 1).split('/');
  return rest.length === 0 ? undefined : subject;
}

test('only files without a subject are at the top of a layer', (t) => {
  const top = all
    .map(({ file }) => file)
    .filter((file) => /^(api|operations|domain|db)\/[^/]+$/.test(file));
  t.deepEqual(top.toSorted(), ['api/main.ts', 'domain/error-codes.ts', 'domain/errors.ts']);
});

test('no file imports itself through other files, including imports of types', (t) => {
  const importsOf = new Map(all.map(({ file, imports }) => [file, imports]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const begun = path.indexOf(file);
    if (begun >= 0) circles.push([...path.slice(begun), file].join(' → '));
    if (begun >= 0 || done.has(file)) return;
    for (const next of importsOf.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const { file } of all) visit(file, []);
  t.deepEqual(circles, []);
});

test('nothing is imported while the program runs, but large packages and migrations', (t) => {
  // The packages take 35 and 58 MB, which processes without their tenants or a bucket keep, and what
  // traces need is for those who have a collector.
  const openers = [
    'providers/tax/avatax/avatax.ts',
    'providers/storage/open-storage.ts',
    'providers/traces/open-traces.ts',
    'db/connection/migrate.ts',
  ];
  for (const { file, text } of all) {
    if (openers.includes(file)) continue;
    t.notRegex(text, /\bimport\((?!\))/, file);
  }
});

test('config imports the standard library and packages only', (t) => {
  const parts = readdirSync(join(root, 'config')).map((name) => `config/${name}`);
  for (const file of ['config.ts', ...parts]) {
    const text = readFileSync(join(root, file), 'utf8');
    const names = [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name);
    t.true(names.length > 0);
    const others = names.filter((name) => !/^(zod|leven|node:.*|\.\/[^.]+\.ts)$/.test(name));
    t.deepEqual(others, [], file);
  }
});

test('one place connects to Temporal', (t) => {
  const connecting = /\b(?:Native)?Connection\.(?:connect|lazy)\b|new WorkflowClient\(/;
  const found = all.filter(({ text }) => connecting.test(text)).map(({ file }) => file);
  const places = ['providers/temporal/connect-worker.ts', 'providers/temporal/connect.ts'];
  t.deepEqual(found.toSorted(), places);
});

test('domain imports no package and uses no clock, randomness or environment', (t) => {
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

test('operations and api write no SQL that names another tenant', (t) => {
  for (const { file, text } of all.filter(({ layer }) => /^(operations|api|db)$/.test(layer))) {
    if (file === 'db/connection/tenancy.ts' || file.startsWith('db/migrations/')) continue;
    t.notRegex(text, /set_config\('app\.tenant'/, file);
  }
});

/** They describe the rows, write them, take usage into them, or check the rows themselves. */
const knowBilledRows = [
  'db/entities/',
  'db/migrations/',
  'db/queries/billing/',
  'db/queries/usage/',
  'operations/books/checks/invoices.ts',
  'operations/books/checks/usage.ts',
];

test('what was billed is read by the view of periods and usage windows alone', (t) => {
  for (const { file, text } of all.filter(({ layer }) => /^(operations|api|db)$/.test(layer))) {
    if (knowBilledRows.some((known) => file.startsWith(known))) continue;
    t.notRegex(text, /\b(billed_period|usage_window)\b/, file);
  }
});

test('every file opens with a sentence that says what it is for', (t) => {
  const silent = all.filter(({ text }) => !/^(#!.*\n)?\/\*\*/.test(text)).map(({ file }) => file);
  t.deepEqual(silent, []);
});
