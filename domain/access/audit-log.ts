/** What an entry of the audit log says, and the hash that chains it to the one before. */
import { eventObjects } from '../events/events.ts';

/** The values of `action`. The CHECK of `audit_log.action` has the same list. */
export const auditActions = [
  'write',
  'export',
  'command',
  'refused',
  'foreignId',
  'foreignHost',
  'userSuspended',
  'userEnabled',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** What an entry may be about: the objects of events, and those that have no events. */
export const auditedTypes = [
  ...new Set(Object.values(eventObjects)),
  'activity',
  'callbacks',
  'event',
  'paymentPlan',
  'user',
] as const;
export type AuditedType = (typeof auditedTypes)[number];

/** A field that a write has changed; of personal elements and secrets, the field alone. */
export interface AuditChange {
  readonly field: string;
  readonly before?: string;
  readonly after?: string;
}

/** The hash before that of the first entry. */
export const NO_HASH = '0'.repeat(64);

/** An entry as it is shown. */
export interface ChainedEntry {
  readonly sequence: number;
  readonly at: string;
  readonly action: string;
  readonly username: string | null;
  readonly userId: number | null;
  readonly address: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly objectType: string | null;
  readonly objectId: number | null;
  readonly changes: readonly AuditChange[];
}

/**
 * The text whose SHA-256 is the hash of an entry: its values in lines, of which an absent one is
 * empty.
 *
 * @example auditText(NO_HASH, entry) // '000…0\n1\n2027-01-15T12:00:03.120Z\nwrite\n…'
 */
export function auditText(previousHash: string, entry: ChainedEntry): string {
  const values = [
    previousHash,
    entry.sequence,
    entry.at,
    entry.action,
    entry.username,
    entry.userId,
    entry.address,
    entry.method,
    entry.path,
    entry.status,
    entry.code,
    entry.requestId,
    entry.objectType,
    entry.objectId,
    ...entry.changes.flatMap(({ field, before, after }) => [field, before, after]),
  ];
  return values.map((value) => String(value ?? '').replaceAll('\n', ' ')).join('\n');
}

/* The changes of an object, field by field. */

const CHANGES_MAX = 50;
const VALUE_LENGTH_MAX = 255;

/** Fields that may name a person, hold what people wrote, or are secrets: their values are not noted. */
const unshown: ReadonlySet<string> = new Set([
  'name',
  'extCustomerRef',
  'taxId',
  'purchaseOrder',
  'electronicAddress',
  'buyerReference',
  'metadata',
  'jobCode',
  'invoiceText',
  'invoiceNotes',
  'notes',
  'cancelReason',
  'billingHeldText',
]);

/** What is derived from other fields, or counts for the machinery alone. */
const derived: ReadonlySet<string> = new Set([
  'version',
  'updatedAt',
  'createdAt',
  'searchText',
  'documentLocale',
  'partyId',
  'statusByHand',
  'billsNothingMore',
  'nextBillableDate',
  'billOn',
  'transitionOn',
  'nextActionOn',
  'takesPenalties',
  'trialNoticed',
  'renewalNoticed',
  'priceNoticed',
  'hasNewMetadata',
  'nextPeriodIndex',
  'earlierPrices',
  'couponPeriodsBefore',
  'penaltySince',
  'anchor',
  'firstPeriod',
]);

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of `after` that differ from those of `before`, by their names; what is null is absent.
 *
 * @example changesOf({ paymentTermsValue: 30 }, { paymentTermsValue: 45 })
 * // [{ field: 'paymentTermsValue', before: '30', after: '45' }]
 */
export function changesOf(before: Fields, after: Fields, within = ''): AuditChange[] {
  return Object.keys(after).flatMap((key) => {
    if (derived.has(key)) return [];
    const [old, now] = [valueOf(before[key]), valueOf(after[key])];
    if (old === now) return [];
    return [changeOf({ key, field: within + key, before: old, after: now })];
  });
}

interface Values {
  readonly key: string;
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function changeOf({ key, field, before, after }: Values): AuditChange {
  if (unshown.has(key)) return { field };
  return {
    field,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

function valueOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * What the fields were at first and are at last, of changes in the order in which they were made. A
 * field that is again as it was has not changed.
 *
 * @example mergedChanges([
 *   { field: 'status', before: 'Paid', after: 'Outstanding' },
 *   { field: 'status', before: 'Outstanding', after: 'Cancelled' },
 * ]) // [{ field: 'status', before: 'Paid', after: 'Cancelled' }]
 */
export function mergedChanges(changes: readonly AuditChange[]): AuditChange[] {
  const merged = new Map<string, AuditChange>();
  for (const change of changes) {
    const first = merged.get(change.field);
    const { field } = change;
    if (first === undefined) merged.set(field, change);
    else if (isAlone(first) || isAlone(change)) merged.set(field, { field });
    else if (first.before === change.after) merged.delete(field);
    else {
      const { before } = first;
      const { after } = change;
      merged.set(field, {
        field,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      });
    }
  }
  return [...merged.values()];
}

const isAlone = ({ before, after }: AuditChange): boolean =>
  before === undefined && after === undefined;

/**
 * As they are stored: the first fifty, in texts that are not too long.
 *
 * @example storedChanges([]) // null
 */
export function storedChanges(changes: readonly AuditChange[]): AuditChange[] | null {
  if (changes.length === 0) return null;
  return changes.slice(0, CHANGES_MAX).map(({ field, before, after }): AuditChange => ({
    field: cut(field),
    ...(before === undefined ? {} : { before: cut(before) }),
    ...(after === undefined ? {} : { after: cut(after) }),
  }));
}

/** PostgreSQL cannot store a zero byte, nor half of a pair. */
const cut = (text: string): string =>
  text.replaceAll('\u0000', '').slice(0, VALUE_LENGTH_MAX).toWellFormed();
