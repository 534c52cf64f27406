/**
 * Everything that a worker does, cut off at each boundary of each of its transactions and at each call to the
 * outside. Then it goes on, and at the end everything is as if nothing had happened: the same rows
 * in every table, the same money moved, the same mails and callbacks arrived.
 */
import test from 'ava';
import { faultsOf } from './faults.ts';
import { openWalk } from './walk.ts';
import { worlds } from './worlds.ts';

/** A world is run some hundred times. */
const WALK_MS_MAX = 20 * 60_000;

let walked = 0;

for (const world of worlds) {
  test.serial(`${world.name}: the same comes of it wherever it is cut off`, async (t) => {
    t.timeout(WALK_MS_MAX);
    const walk = await openWalk(t);
    const { made, outside, ...clean } = await walk.live(world);
    const idle = world.of.filter(
      (name) => !name.endsWith('Pass') && !clean.calls.includes(`activity.${name}`),
    );
    t.deepEqual(idle, [], 'its activities run');
    t.not(Object.keys(made).length, 0, 'something comes of it');
    const wrong: string[] = [];
    for (const fault of faultsOf(clean.transactions, clean.calls)) {
      try {
        const lived = await walk.live(world, fault);
        if (!lived.isFaulty) continue;
        walked += 1;
        const got = JSON.stringify([lived.made, lived.outside]);
        if (got === JSON.stringify([made, outside])) continue;
        wrong.push(`${fault.where}: ${got}`);
      } catch (error) {
        wrong.push(`${fault.where}: ${String(error)}`);
      }
    }
    t.deepEqual(wrong, [], JSON.stringify([made, outside]));
    t.deepEqual(await walk.faults(), []);
    t.log(`${clean.transactions} transactions, ${clean.calls.length} calls`);
  });
}

test.serial('the walk came to boundaries of every world', (t) => {
  t.log(`${walked} boundaries of ${worlds.length} worlds`);
  t.true(walked > worlds.length * 3);
});
