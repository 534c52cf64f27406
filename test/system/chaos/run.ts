/** Puts a load on a machine, and makes troubles happen to it, one after another and at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Machine } from './machine.ts';
import type { Outside } from './outside.ts';
import { mortals, type Mortal, type Trouble } from './schedule.ts';

const REVIVE_AGAIN_MS = 500;
const REVIVE_MAX = 60;

export interface Troubled {
  /** How often each happened. */
  readonly counts: ReadonlyMap<string, number>;
  /** Parts that ended by themselves, which a supervisor would start again. */
  readonly ended: readonly string[];
}

export interface Troubles {
  readonly next: () => Trouble | undefined;
  /** What happens is told as it happens. */
  readonly say: (line: string) => void;
}

/** Returns once everything has healed and runs. */
export async function trouble(
  { machine, outside }: { readonly machine: Machine; readonly outside: Outside },
  { next, say }: Troubles,
): Promise<Troubled> {
  const counts = new Map<string, number>();
  const ended: string[] = [];
  const underWay = new Map<string, Promise<void>>();
  for (let each = next(); each !== undefined; each = next()) {
    await sleep(each.afterMs);
    const { what } = each;
    // What fails already fails no more by failing twice.
    if (underWay.has(what)) continue;
    counts.set(what, (counts.get(what) ?? 0) + 1);
    say(`${what} for ${each.lastsMs} ms`);
    const ending = happen(machine, outside, each).finally(() => underWay.delete(what));
    underWay.set(what, ending);
    await reviveEnded(machine, underWay, ended);
  }
  await Promise.all(underWay.values());
  for (const mortal of ['postgres', 'temporal', 'worker', 'api'] as const) {
    await revived(machine, mortal);
  }
  return { counts, ended };
}

async function happen(
  machine: Machine,
  outside: Outside,
  { what, lastsMs }: Trouble,
): Promise<void> {
  const mortal = mortals.find((each) => what === `kill ${each}`);
  if (mortal !== undefined) {
    await machine.kill(mortal);
    await sleep(lastsMs);
    await revived(machine, mortal);
    return;
  }
  const ailment = what as Exclude<typeof what, `kill ${Mortal}`>;
  const heal = machine.ail(ailment) ?? outside.ail(ailment);
  if (heal === undefined) throw new Error(`nothing does this: ${what}`);
  await sleep(lastsMs);
  heal();
}

/** A supervisor does this; here it waits for nobody. */
async function reviveEnded(
  machine: Machine,
  underWay: ReadonlyMap<string, Promise<void>>,
  ended: string[],
): Promise<void> {
  for (const mortal of mortals) {
    if (machine.runs(mortal) || underWay.has(`kill ${mortal}`)) continue;
    ended.push(mortal);
    await revived(machine, mortal);
  }
}

/** Its database, its engine or its disk may be away meanwhile. */
async function revived(machine: Machine, mortal: Mortal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await machine.revive(mortal);
      return;
    } catch (error) {
      if (tries === REVIVE_MAX) throw error;
      await sleep(REVIVE_AGAIN_MS);
    }
  }
}
