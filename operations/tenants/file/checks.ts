/** Checks that several parts of a tenant file need. */
import { isGiven } from './loose.ts';
import type { Path, Report } from './mistakes.ts';

export function checkUnique<Item extends object>(
  items: readonly (Item | undefined)[] | undefined,
  key: keyof Item & string,
  path: Path,
  report: Report,
): void {
  const first = new Map<unknown, number>();
  items?.forEach((item, index) => {
    const value = item?.[key];
    if (value === undefined) return;
    const earlier = first.get(value);
    if (earlier === undefined) first.set(value, index);
    else report([...path, index, key], `is also that of number ${earlier} (counted from 0)`);
  });
}

/** A text that names something else in the file. */
export function checkReference(
  name: string | undefined,
  known: ReadonlySet<string | undefined>,
  what: string,
  path: Path,
  report: Report,
): void {
  if (name === undefined || known.has(name)) return;
  report(path, `names ${what} that the file does not have: ${name}`);
}

export function checkDates(
  dates: { readonly startDate?: string | undefined; readonly endDate?: string | undefined },
  path: Path,
  report: Report,
): void {
  const { startDate, endDate } = dates;
  if (startDate === undefined || endDate === undefined || endDate >= startDate) return;
  report([...path, 'endDate'], `is before the startDate ${startDate}`);
}

/** Two keys that say nothing without each other. */
export function checkTogether<Value extends object>(
  value: Value,
  keys: readonly [keyof Value & string, keyof Value & string],
  path: Path,
  report: Report,
): void {
  for (const [key, other] of [keys, keys.toReversed()]) {
    if (key === undefined || other === undefined) continue;
    if (isGiven(value, other) && !isGiven(value, key)) {
      report([...path, key], `is needed together with ${other}`);
    }
  }
}

/** A list in which no value may repeat. */
export function checkRepeats(
  list: readonly (string | number | undefined)[] | undefined,
  path: Path,
  report: Report,
): void {
  list?.forEach((value, index) => {
    if (value === undefined || list.indexOf(value) === index) return;
    report([...path, index], `repeats ${value}`);
  });
}

/** @param pathOf the place of each value by its position */
export function checkIncreasing(
  values: readonly (number | undefined)[] | undefined,
  pathOf: (index: number) => Path,
  report: Report,
): void {
  let highest = 0;
  values?.forEach((value, index) => {
    if (value === undefined) return;
    if (value <= highest) report(pathOf(index), `must be more than the ${highest} before it`);
    highest = Math.max(highest, value);
  });
}
