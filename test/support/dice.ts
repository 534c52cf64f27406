/** Random choices that the seed of a run repeats, where a library of random tests would be too slow. */

export interface Dice {
  /** A whole number from 0 to one less than the limit. */
  readonly below: (limit: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** True in so many of a hundred cases. */
  readonly chance: (percent: number) => boolean;
}

/** The same seed gives the same choices, in the same order (mulberry32). */
export function createDice(seed: number): Dice {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error('there is nothing to choose from');
      return items[below(items.length)] as Item;
    },
    chance: (percent) => next() * 100 < percent,
  };
}

/** For the nth of the things that a seed gives, whatever came before it. */
export const seedOf = (seed: number, nth: number): number =>
  Math.imul(seed ^ Math.imul(nth + 1, 0x9e3779b1), 0x85ebca6b) | 0;
