/** Notes during a transaction what its entry of the audit log will say: its objects, and their changes. */
import type { EntityManager, EventSubscriber } from '@mikro-orm/postgresql';
import { type AuditChange, type AuditedType, changesOf } from '../../domain/access/audit-log.ts';

export interface AuditNotes {
  /** The first object of each type that the transaction has locked or made. */
  readonly objects: Map<AuditedType, number>;
  readonly changes: NotedChange[];
  /** All that it has locked or made: their erasure empties the kept answer. */
  readonly customers: Set<number>;
  /** Erased ones that it has locked: what it writes of them is emptied before it ends. */
  readonly erased: Set<number>;
}

interface NotedChange {
  readonly type: AuditedType;
  readonly id: number;
  readonly change: AuditChange;
}

interface Audited {
  readonly audited: AuditNotes;
}

/** Of several objects of a type the first counts: the one that a call addresses. */
export function noteObject({ audited: { objects } }: Audited, type: AuditedType, id: number): void {
  if (!objects.has(type)) objects.set(type, id);
}

export function noteCustomers({ audited: { customers } }: Audited, ids: Iterable<number>): void {
  for (const id of ids) customers.add(id);
}

/** What the transaction says of it from now on is of an erased one. */
export function forgetCustomer({ audited: { customers } }: Audited, id: number): void {
  customers.delete(id);
}

export function noteChanges(
  { audited }: Audited,
  { type, id }: { readonly type: AuditedType; readonly id: number },
  changes: readonly AuditChange[],
): void {
  audited.changes.push(...changes.map((change) => ({ type, id, change })));
}

/* What the unit of work writes of managed entities. */

const notesOf = new WeakMap<EntityManager, AuditNotes>();

/** From now on each flush of the entity manager notes what it changes. */
export function noteFlushes(em: EntityManager, notes: AuditNotes): void {
  notesOf.set(em, notes);
}

type Values = Readonly<Record<string, unknown>>;

interface Described {
  readonly objectOf: (values: Values) => { readonly type: AuditedType; readonly id: unknown };
  readonly within: (values: Values) => string;
  /** A new one is a change of its object, too. */
  readonly isPart?: boolean;
  /** The only keys that its object shows, and under which names; all of them by default. */
  readonly shows?: Readonly<Record<string, string>>;
}

const whole = (type: AuditedType): Described => ({
  objectOf: ({ id }) => ({ type, id }),
  within: () => '',
});

const idOfEntity = (value: unknown): unknown => (value as Values | undefined)?.['id'];

/** The entities whose changes are noted, by name; others are traces of these changes. */
const described: Readonly<Record<string, Described>> = {
  Customer: whole('customer'),
  SubscriptionOrder: whole('subscriptionOrder'),
  OrderLine: {
    objectOf: ({ order }) => ({ type: 'subscriptionOrder', id: idOfEntity(order) }),
    within: ({ position }) => `orderLineItems[${String(position)}].`,
    isPart: true,
  },
  PaymentPlan: {
    objectOf: ({ customerId: id }) => ({ type: 'customer', id }),
    within: () => 'paymentPlan.',
    isPart: true,
  },
  ServicePause: {
    objectOf: ({ orderId = null, customer }) =>
      orderId === null
        ? { type: 'customer', id: idOfEntity(customer) }
        : { type: 'subscriptionOrder', id: orderId },
    within: () => '',
    isPart: true,
    shows: { until: 'suspendedUntil' },
  },
};

/** What a new part says of itself that it shares with its object. */
const keys: ReadonlySet<string> = new Set([
  'tenantId',
  'id',
  'order',
  'position',
  'customerId',
  'currency',
]);

/** Registered with the ORM: a flush knows what was read, so that noting asks for nothing. */
export const noteFlushed: EventSubscriber = {
  onFlush({ em, uow }) {
    const notes = notesOf.get(em as EntityManager);
    if (notes === undefined) return;
    for (const { meta, type: kind, entity, payload, originalEntity } of uow.getChangeSets()) {
      const of = described[meta.className];
      if (of === undefined || !(kind === 'update' || of.isPart === true)) continue;
      const values = entity as Values;
      const after = kind === 'delete' ? {} : shownIn(of, payload, kind === 'create');
      const before = kind === 'create' ? {} : shownIn(of, (originalEntity ?? {}) as Values, false);
      const within = of.within(values);
      const changes = changesOf(before, after, within);
      if (kind === 'delete' && within !== '') changes.push({ field: within.slice(0, -1) });
      const { type, id } = of.objectOf(values);
      noteChanges({ audited: notes }, { type, id: Number(id) }, changes);
    }
  },
};

function shownIn({ shows }: Described, values: Values, isNew: boolean): Values {
  const entries = Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
    if (shows === undefined) return isNew && keys.has(key) ? [] : [[key, value]];
    const name = shows[key];
    return name === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
