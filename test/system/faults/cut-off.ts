/**
 * Everything that a worker does, cut off at each boundary of each of its transactions and at each
 * call to the outside. Then it goes on, and at the end everything is as if nothing had happened: the
 * same rows in every table, the same money moved, the same mails and callbacks arrived.
 */
import type { TestFn } from 'ava';
import { faultsOf } from './faults.ts';
import { openWalk, type Lived } from './walk.ts';
import type { World } from './world.ts';

/** A world is run some hundred times. */
const WALK_MS_MAX = 20 * 60_000;

/** Failures that nobody handles: each would end a worker. */
const unhandled: string[] = [];
process.on('unhandledRejection', (error) => void unhandled.push(String(error)));

const cameOf = ({ made, outside }: Lived): string => JSON.stringify([made, outside]);

/** A test for each of the worlds, and one of them all. */
export function cutOffEverywhere(test: TestFn, worlds: readonly World[]): void {
  let walked = 0;
  for (const world of worlds) {
    test.serial(`${world.name}: the same comes of it wherever it is cut off`, async (t) => {
      t.timeout(WALK_MS_MAX);
      const walk = await openWalk(t);
      const clean = await walk.live(world);
      const { transactions, calls } = clean;
      const idle = world.of.filter(
        (name) => !name.endsWith('Pass') && !calls.includes(`activity.${name}`),
      );
      t.deepEqual(idle, [], 'its activities run');
      const rows = Object.keys(clean.made).length;
      t.is(rows === 0, world.isReading === true, 'something comes of it');
      const wrong: string[] = [];
      for (const fault of faultsOf(transactions, calls)) {
        const lived = await walk.live(world, fault).catch((error: unknown) => String(error));
        const isEnded = typeof lived === 'string';
        if (!isEnded && !lived.isFaulty) continue;
        walked += 1;
        const came = isEnded ? lived : cameOf(lived);
        if (came !== cameOf(clean)) wrong.push(`${fault.where}: ${came}`);
        wrong.push(...unhandled.splice(0).map((each) => `${fault.where}: unhandled ${each}`));
      }
      t.deepEqual(wrong, [], cameOf(clean));
      t.deepEqual(await walk.faults(), []);
      t.log(`${transactions} transactions, ${calls.length} calls`);
    });
  }

  test.serial('the walk came to boundaries of every world', (t) => {
    t.log(`${walked} boundaries of ${worlds.length} worlds`);
    t.true(walked > worlds.length * 3);
  });
}
