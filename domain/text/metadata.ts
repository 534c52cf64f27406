/** What integrators note on objects: texts by keys of their own. */

/** The texts by their keys; an object without any has null in its place. */
export type Metadata = Readonly<Record<string, string>>;

export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

/** What has metadata; credits and refunds are payments. @example metadataKinds.includes('order') // true */
export const metadataKinds = ['customer', 'order', 'invoice', 'payment'] as const;
export type MetadataKind = (typeof metadataKinds)[number];

export const METADATA_ENTRIES_MAX = 20;
export const METADATA_VALUE_LENGTH_MAX = 500;

/** A key, and what of a parameter `metadata.KEY` follows the dot. */
export const metadataKey = /^[A-Za-z0-9_.-]{1,40}$/;

/**
 * The entries of a request, whose keys differ; null if there are none.
 *
 * @example metadataOf([{ key: 'crm', value: 'A-1' }]) // { crm: 'A-1' }
 */
export function metadataOf(entries: readonly MetadataEntry[]): Metadata | null {
  if (entries.length === 0) return null;
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

/**
 * The entries by ascending key, whatever order the database keeps them in.
 *
 * @example entriesOf({ po: '7', crm: 'A-1' }) // [{ key: 'crm', value: 'A-1' }, { key: 'po', value: '7' }]
 */
export function entriesOf(metadata: Metadata | null | undefined): MetadataEntry[] {
  return Object.entries(metadata ?? {})
    .map(([key, value]) => ({ key, value }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/** The orders of an invoice, or of anything else that takes their metadata. */
interface OrderWithMetadata {
  readonly id: number;
  readonly metadata?: Metadata | null;
}

/**
 * What an invoice takes of its orders: the entries of all, of a key that several have that of the
 * lowest order, and of more than 20 the first by key. Null if no order has any.
 *
 * @example metadataOfOrders([{ id: 8, metadata: { crm: 'B' } }, { id: 7, metadata: { crm: 'A' } }])
 *   // { crm: 'A' }
 */
export function metadataOfOrders(orders: readonly OrderWithMetadata[]): Metadata | null {
  const having = orders.filter(({ metadata }) => metadata != null);
  if (having.length === 0) return null;
  // The lowest order comes last, so that its entries replace those of the others.
  const descending = having.toSorted((one, other) => other.id - one.id);
  const all = metadataOf(descending.flatMap(({ metadata }) => entriesOf(metadata)));
  return metadataOf(entriesOf(all).slice(0, METADATA_ENTRIES_MAX));
}

/**
 * Whether both say the same, in whatever order.
 *
 * @example isSameMetadata({ crm: 'A-1' }, null) // false
 */
export function isSameMetadata(one: Metadata | null, other: Metadata | null): boolean {
  return JSON.stringify(entriesOf(one)) === JSON.stringify(entriesOf(other));
}
