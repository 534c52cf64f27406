/** Compares the parts of a tenant file with the stored ones, and describes the changes. */
import { isDeepStrictEqual } from 'node:util';

export interface Change {
  /** `plan GOLD`, `settings`. */
  readonly subject: string;
  /** `version 2`, `disabled`. */
  readonly change: string;
}

/** One line for people. @example changeText({ subject: 'plan GOLD', change: 'version 2' }) */
export function changeText({ subject, change }: Change): string {
  return `${subject}: ${change}`;
}

/** Compares a list item by item. @param what `coupon` */
export function itemChanges<Item>(what: string, nameOf: (item: Item) => string) {
  return (before: readonly Item[] = [], after: readonly Item[] = []): Change[] => {
    const old = new Map(before.map((item) => [nameOf(item), item]));
    const names = new Set(after.map(nameOf));
    const changes = after.flatMap((item) => {
      const name = nameOf(item);
      const earlier = old.get(name);
      if (earlier !== undefined && isSame(earlier, item)) return [];
      const change = earlier === undefined ? 'created' : 'changed';
      return [{ subject: `${what} ${name}`, change }];
    });
    const gone = [...old.keys()].filter((name) => !names.has(name));
    return [...changes, ...gone.map((name) => ({ subject: `${what} ${name}`, change: 'removed' }))];
  };
}

/** Whatever the order of keys, which jsonb does not keep. */
export function isSame(before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(plain(before), plain(after));
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
