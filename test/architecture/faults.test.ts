/** Everything that a worker does is in the walk that cuts it off: `test/system/faults`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { worlds } from '../system/faults/worlds.ts';

const root = join(import.meta.dirname, '../..');
const walked = new Set<string>(worlds.flatMap((world) => world.of));
const factory = /^export function (create\w*Activities)\(/gm;
const pass = /^export (?:async )?function (\w+Pass)\(/gm;
type Factory = (...given: readonly object[]) => object;

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);
const left = (names: readonly string[]): string[] => names.filter((name) => !walked.has(name));

/** Of every function `create…Activities` the keys of what it creates. */
async function allActivities(): Promise<string[]> {
  const all: string[] = [];
  for (const path of globSync('activities/*.ts', { cwd: root })) {
    const names = namesIn(read(path), factory);
    if (names.length === 0) continue;
    const module = (await import(join(root, path))) as Readonly<Record<string, Factory>>;
    // Nothing is called before an activity runs.
    const given = { cachedWorkflows: 1 };
    for (const name of names) all.push(...Object.keys(module[name]?.(given, given, given) ?? {}));
  }
  return [...new Set(all)];
}

test('each activity is in a world in which it is cut off', async (t) => {
  const all = await allActivities();
  t.true(all.length > 20);
  t.deepEqual(left(all), []);
});

test('so is the pass of each loop', (t) => {
  const loops = globSync('operations/**/*.ts', { cwd: root })
    .map((path) => ({ path, text: read(path) }))
    .filter(({ text }) => text.includes('startLoop(') && !text.includes('function startLoop('));
  t.true(loops.length > 5);
  for (const { path, text } of loops) {
    const passes = namesIn(text, pass);
    t.is(passes.length, 1, `${path} exports what a pass does`);
    t.deepEqual(left(passes), [], path);
  }
});
