/**
 * Entry of `npm run bench -- NAME`: measures a part of Sundial against its bare cost, in one run.
 */
import '../cli/node-version.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measured, type Bench, type Sizes } from './harness/scenario.ts';
import { interruption, startBenchSystem, type BenchSystem } from './harness/system.ts';
import { textOf } from './harness/tables.ts';
import { scenarios } from './scenarios.ts';

class Misuse extends Error {}

async function main(): Promise<void> {
  const names = new Set(Object.values(scenarios).flatMap(({ sizes }) => Object.keys(sizes)));
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...Object.fromEntries([...names].map((name) => [name, { type: 'string' as const }])),
      against: { type: 'string' },
      part: { type: 'string' },
      brief: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { help, json, brief, part, against, ...given } = values;
  if (help) {
    process.stdout.write(helpText());
    return;
  }
  const name = positionals[0] ?? '';
  const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined;
  if (!scenario || (name === 'pairs' && against === undefined)) throw new Misuse(helpText());
  if (part !== undefined && !scenario.parts?.includes(part)) throw new Misuse(helpText());
  const asked = { ...(brief ? scenario.brief : {}), ...sizesOf(scenario.sizes, given) };
  const interrupted = interruption();
  const say = (line: string): void => void (json || process.stderr.write(`${line}\n`));
  let started: Promise<BenchSystem> | undefined;
  const bench: Bench = {
    say,
    part,
    against: against === undefined ? undefined : resolve(against),
    cleanups: [],
    system: () => {
      if (!started) {
        say('Starting PostgreSQL (durable commits), Temporal, worker, API');
        started = startBenchSystem(scenario.environment);
      }
      return started;
    },
  };
  try {
    const tables = await Promise.race([measured(scenario, bench, asked), interrupted]);
    process.stdout.write(json ? `${JSON.stringify(tables, null, 2)}\n` : textOf(tables));
  } finally {
    await (await started)?.stop();
  }
}

/** A list has commas. */
function sizesOf(sizes: Sizes, given: Readonly<Record<string, unknown>>): Sizes {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const size = sizes[name];
      if (size === undefined) throw new Misuse(helpText());
      const counts = String(value).split(',').map(countOf);
      return [name, typeof size === 'number' ? (counts[0] ?? size) : counts];
    }),
  );
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Misuse(helpText());
  return count;
}

function helpText(): string {
  const each = Object.entries(scenarios).map(([name, { about, parts = [], sizes }]) => {
    const options = Object.entries(sizes).map(([size, value]) => `[--${size} ${String(value)}]`);
    const own = [
      ...(name === 'pairs' ? ['--against FOLDER'] : []),
      ...(parts.length > 0 ? [`[--part ${parts.join('|')}]`] : []),
    ];
    return `${name} ${[...own, ...options].join(' ')}\n    ${about}\n`;
  });
  return `npm run bench -- NAME [OPTIONS] [--brief] [--json]

Starts PostgreSQL and Temporal of its own in a temporary folder, measures, and removes them.
--brief takes the smallest sizes, with which one sees that it works; --json prints the figures as JSON.
FOLDER is another checkout, in which npm ci has been run. The names, with their sizes by default:

${each.join('\n')}`;
}

try {
  await main();
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isMisuse = error instanceof Misuse || code.startsWith('ERR_PARSE_ARGS');
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${isMisuse ? message : (stack ?? message)}\n`);
  process.exitCode = 1;
}
