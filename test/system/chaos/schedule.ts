/** Decides what fails, when, and for how long: from a seed alone, so that a run can be repeated. */
import { createDice, seedOf } from '../../support/dice.ts';

/** Killed with SIGKILL, and started again after a while. */
export const mortals = ['worker', 'api', 'temporal', 'postgres'] as const;

/** What fails beside them; each heals after a while. */
export const ailments = [
  'database stalls',
  'database is cut off',
  'engine stalls',
  'engine is cut off',
  'disk is full',
  'gateway stalls',
  'gateway is cut off',
  'gateway loses answers',
  'taxes are silent',
  'taxes are down',
  'taxes are unavailable',
  'taxes are wrong',
  'mails are refused',
  'mails hang',
  'callbacks are refused',
  'callbacks hang',
  'callbacks are cut off',
  'callbacks lie',
] as const;

export type Mortal = (typeof mortals)[number];
export type Ailment = (typeof ailments)[number];

export interface Trouble {
  /** `kill worker`, or an ailment. */
  readonly what: `kill ${Mortal}` | Ailment;
  /** How long it lasts. */
  readonly lastsMs: number;
  /** How long nothing new fails before it: shorter than others last, so that troubles meet. */
  readonly afterMs: number;
}

const LASTS_MS_MIN = 300;
const LASTS_MS_MAX = 6_000;
/** A pool that waits for a connection gives up later than this, and a hung receiver sooner. */
const STALLS_MS_MAX = 14_000;
const AFTER_MS_MAX = 2_500;

export interface ScheduleOptions {
  readonly seed: number;
  /** Not every machine can mount a small disk. */
  readonly hasSmallDisk: boolean;
}

/** The nth trouble of a seed. Half of them kill. */
export function troubleAt(nth: number, { seed, hasSmallDisk }: ScheduleOptions): Trouble {
  const dice = createDice(seedOf(seed, nth));
  const kills = dice.chance(50);
  const mortal = dice.pick(mortals);
  const ailment = dice.pick(ailments.filter((each) => hasSmallDisk || each !== 'disk is full'));
  const longest = /stall|hang|silent/.test(ailment) && !kills ? STALLS_MS_MAX : LASTS_MS_MAX;
  return {
    what: kills ? `kill ${mortal}` : ailment,
    lastsMs: LASTS_MS_MIN + dice.below(longest - LASTS_MS_MIN),
    afterMs: dice.below(AFTER_MS_MAX),
  };
}

/**
 * The troubles of the run of all tests: each part dies once, in the order of the seed, while
 * something else fails.
 */
export function shortSchedule(seed: number): readonly Trouble[] {
  const dice = createDice(seed);
  const beside: readonly Ailment[] = [
    'callbacks lie',
    'database is cut off',
    'gateway loses answers',
    'taxes are down',
  ];
  const order = mortals
    .map((mortal, index) => ({ mortal, ailment: beside[index], by: dice.below(1_000) }))
    .toSorted((a, b) => a.by - b.by);
  return order.flatMap(({ mortal, ailment }): Trouble[] => [
    ...(ailment === undefined ? [] : [{ what: ailment, lastsMs: 1_500, afterMs: 0 }]),
    { what: `kill ${mortal}`, lastsMs: 200 + dice.below(500), afterMs: 500 + dice.below(500) },
  ]);
}
