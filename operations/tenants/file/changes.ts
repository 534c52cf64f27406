/** Compares the parts of a tenant file with the stored ones, and describes the changes. */
import { isDeepStrictEqual } from 'node:util';
import type { AuditChange } from '../../../domain/access/audit-log.ts';

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

/* The same for the audit log, as fields of the file. */

interface PartValues {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * `plan GOLD: version 2` is the field `plans[GOLD]`; of a part that changes as a whole, each value is
 * one.
 */
export function fieldsOf(
  key: string,
  changes: readonly Change[],
  { before, after }: PartValues,
): AuditChange[] {
  return changes.flatMap(({ subject, change }) => {
    if (subject === key) return valuesIn(key, before, after);
    const [, name = subject] = /^(?:mail template|\S+) (.+)$/.exec(subject) ?? [];
    return [{ field: `${key}[${name}]`, after: change }];
  });
}

const SECRET = /secret|password|token|key|sealed/i;

function valuesIn(field: string, before: unknown, after: unknown): AuditChange[] {
  if (isSame(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => valuesIn(`${field}.${name}`, before[name], after[name]));
  }
  const [old, now] = [shown(before), shown(after)];
  if (SECRET.test(field) || old === null || now === null) return [{ field }];
  return [
    {
      field,
      ...(old === undefined ? {} : { before: old }),
      ...(now === undefined ? {} : { after: now }),
    },
  ];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined: absent; null: it has parts that may be secrets. */
function shown(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return JSON.stringify(value);
  }
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? null : JSON.stringify(value);
}
