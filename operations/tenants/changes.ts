/** Compares a tenant file with the stored one, and describes the changes. */
import { isDeepStrictEqual } from 'node:util';
import type { StoredFile } from './stored.ts';

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

const wholes = [
  'name',
  'timezone',
  'currency',
  'address',
  'taxId',
  'logo',
  'paymentTerms',
  'numbering',
  'settings',
  'gateway',
  'tax',
  'dunning',
  'notifications',
  'retention',
  'hostedPages',
] as const satisfies readonly (keyof StoredFile)[];

/** Users, product offerings and plans are rows, and compared with these. */
export function fileChanges(before: StoredFile | undefined, after: StoredFile): Change[] {
  const changes: Change[] = [];
  for (const key of before ? wholes : []) {
    if (!isSame(before?.[key], after[key])) changes.push({ subject: key, change: 'changed' });
  }
  const compare = <Item>(
    what: string,
    list: (file: StoredFile) => readonly Item[],
    nameOf: (item: Item) => string,
  ) => {
    const items = { before: before ? list(before) : [], after: list(after) };
    changes.push(...listChanges({ what, nameOf, ...items }));
  };
  compare(
    'callback',
    (file) => file.callbacks,
    (it) => it.url,
  );
  compare(
    'coupon',
    (file) => file.coupons,
    (it) => it.code,
  );
  compare(
    'commissionPlan',
    (file) => file.commissionPlans,
    (it) => it.commissionCode,
  );
  compare(
    'salesAgent',
    (file) => file.salesAgents,
    (it) => it.code,
  );
  compare(
    'selfServiceProfile',
    (file) => file.selfServiceProfiles,
    (it) => it.id,
  );
  return changes;
}

interface Lists<Item> {
  readonly what: string;
  readonly before: readonly Item[];
  readonly after: readonly Item[];
  readonly nameOf: (item: Item) => string;
}

function listChanges<Item>({ what, before, after, nameOf }: Lists<Item>): Change[] {
  const old = new Map(before.map((item) => [nameOf(item), item]));
  const names = new Set(after.map(nameOf));
  const changes = after.flatMap((item) => {
    const name = nameOf(item);
    const earlier = old.get(name);
    if (earlier !== undefined && isSame(earlier, item)) return [];
    return [{ subject: `${what} ${name}`, change: earlier === undefined ? 'created' : 'changed' }];
  });
  const gone = [...old.keys()].filter((name) => !names.has(name));
  return [...changes, ...gone.map((name) => ({ subject: `${what} ${name}`, change: 'removed' }))];
}

/** Whatever the order of keys, which jsonb does not keep. */
export function isSame(before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(plain(before), plain(after));
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
