/** The alert rules, the dashboard and the runbooks name what there is; Prometheus takes the rules. */
import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { metricsInWords } from '../../cli/metrics.ts';
import { installationMetrics } from '../../operations/figures/metrics.ts';
import type { MetricRow } from '../../providers/metrics/metric.ts';
import { processMetrics } from '../../providers/metrics/table.ts';
import { testFolder } from '../support/folder.ts';

const docs = join(import.meta.dirname, '../../docs');
const folder = join(docs, 'monitoring');
const read = (...names: string[]): string => readFileSync(join(docs, ...names), 'utf8');

const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.object({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const alerts = rules
  .parse(parse(read('monitoring', 'alerts.yaml')))
  .groups.flatMap((group) => group.rules);
const dashboard = z
  .object({
    panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).optional() })),
  })
  .parse(JSON.parse(read('monitoring', 'dashboard.json')));
const ofDashboard = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const expressions = [...alerts.map(({ expr }) => expr), ...ofDashboard];

const rows: readonly MetricRow[] = [...Object.values(processMetrics), ...installationMetrics];
const known = new Set(
  rows.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name],
  ),
);

test('each metric has a name of its own that Prometheus takes, and few labels', (t) => {
  const names = rows.map(({ name }) => name);
  t.is(new Set(names).size, names.length);
  for (const { name, labels, type, help } of rows) {
    t.regex(name, /^sundial_[a-z_]+$/);
    t.is(name.endsWith('_total'), type === 'counter', name);
    t.true(labels.length <= 4, name);
    t.regex(help, /^[A-Z].*\.$/, name);
  }
});

test('rules and dashboard use metrics that exist', (t) => {
  t.true(expressions.length > 60, `${expressions.length} expressions`);
  const unknown = expressions.flatMap((expr) => {
    const patterns = [...expr.matchAll(/__name__=~"([^"]+)"/g)].map(([, it = '']) => it);
    const used = expr.replaceAll(/"[^"]*"/g, '').match(/\bsundial_\w+/g) ?? [];
    t.true(
      patterns.every((it) => [...known].some((name) => new RegExp(`^${it}$`).test(name))),
      expr,
    );
    return used.filter((name) => !known.has(name));
  });
  t.deepEqual(unknown, []);
});

test('each label that they ask for is one of the metric', (t) => {
  const labelsOf = new Map(
    rows.flatMap(({ name, labels }) =>
      ['', '_bucket', '_sum', '_count'].map((end) => [`${name}${end}`, labels] as const),
    ),
  );
  const wrong = expressions.flatMap((expr) =>
    [...expr.matchAll(/\b(sundial_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', matchers = '']) =>
      [...matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)]
        .map(([, label = '']) => label)
        .filter((label) => !labelsOf.get(name)?.includes(label) && label !== 'job')
        .map((label) => `${name}: ${label}`),
    ),
  );
  t.deepEqual(wrong, []);
});

test('each alert has a runbook, which names it, and each runbook an alert', (t) => {
  const index = read('runbooks', 'README.md');
  const pages = readdirSync(join(docs, 'runbooks')).filter((name) => name !== 'README.md');
  t.deepEqual(
    alerts.map(({ annotations }) => annotations.runbook).toSorted(),
    pages.map((name) => `docs/runbooks/${name}`).toSorted(),
  );
  for (const { alert, annotations } of alerts) {
    const name = annotations.runbook.replace('docs/runbooks/', '');
    const page = read('runbooks', name);
    t.true(page.includes(`Alert \`${alert}\`.`), alert);
    for (const title of ['Where to look', 'What to do', 'When it is over']) {
      t.true(page.includes(`\n## ${title}\n`), `${name}: ${title}`);
    }
    t.true(index.includes(`](${name}) | \`${alert}\` |`), `the index has ${name}`);
    const used = page.match(/\bsundial_(?!relay)\w+/g) ?? [];
    // The bare name of a histogram finds nothing.
    t.deepEqual(
      used.filter((each) => !known.has(each)),
      [],
      name,
    );
  }
});

const root = join(docs, '..');
const runbooks = readdirSync(join(docs, 'runbooks')).map((name) => {
  const text = read('runbooks', name);
  const codes = [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return { name, codes };
});

test('each command of a runbook is one of its program, with its options', (t) => {
  let tried = 0;
  for (const { name, codes } of runbooks) {
    for (const code of codes) {
      const [, program, command = '', given = ''] =
        /^npm run (\w+) -- (\S+)(.*)$/s.exec(code) ?? [];
      if (program === undefined) continue;
      const source = readFileSync(join(root, 'cli', `${program}.ts`), 'utf8');
      t.true(source.includes(`case '${command}':`), `${name}: ${code}`);
      for (const [, option] of given.matchAll(/--([a-z-]+)/g)) {
        t.regex(source, new RegExp(`'?${option}'?: (flag|\\{ type:)`), `${name}: ${code}`);
      }
      tried += 1;
    }
  }
  t.true(tried >= 6, `${tried} commands`);
});

/** Texts of lines and refusals: three words or more. */
const sentence = /^[A-Za-z]+(?: [A-Za-z]+){2,}$/;

test('each line of a log, and each refusal, that a runbook names is in the code', (t) => {
  const sources = globSync('{activities,api,db,operations}/**/*.ts', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const named = runbooks.flatMap(({ codes }) =>
    codes.filter((code) => sentence.test(code) && !code.startsWith('npm ')),
  );
  t.true(named.length >= 6, named.join(', '));
  t.deepEqual(
    named.filter((text) => !sources.includes(text)),
    [],
  );
});

test('docs/metrics.md has the tables as npm run metrics prints them', (t) => {
  t.true(read('metrics.md').endsWith(metricsInWords()), 'npm run metrics prints what it lacks');
});

const promtool = spawnSync('promtool', ['--version']).status === 0;

(promtool ? test : test.skip)('Prometheus parses each expression of the dashboard', (t) => {
  const recorded = ofDashboard.map((expr, index) => ({
    record: `dashboard:expression:${index}`,
    // As Grafana fills in its variables.
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$tenant', '.*'),
  }));
  const file = join(testFolder(t), 'dashboard.yaml');
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], {
    encoding: 'utf8',
  });
  t.is(status, 0, stdout + stderr);
  t.regex(stdout, new RegExp(`${recorded.length} rules found`));
  t.notRegex(recorded.map(({ expr }) => expr).join('\n'), /\$/);
});

(promtool ? test : test.skip)('Prometheus takes the rules, and each fires by its symptom', (t) => {
  for (const args of [
    ['check', 'rules', 'alerts.yaml'],
    ['check', 'config', 'prometheus.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: folder,
      encoding: 'utf8',
    });
    t.is(status, 0, `${args.join(' ')}\n${stdout}${stderr}`);
  }
  const tried = read('monitoring', 'alerts.test.yaml');
  for (const { alert } of alerts) t.true(tried.includes(`- name: ${alert}\n`), alert);
});
