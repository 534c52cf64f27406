/** Notes during a transaction what its entry of the audit log will say: its objects, and their changes. */
import type { EntityManager, EventSubscriber } from '@mikro-orm/postgresql';
import { type AuditChange, changesOf } from '../../domain/access/audit-log.ts';

/** As events name them, and users. */
export type AuditedType = string;

export interface AuditNotes {
  /** The first object of each type that the transaction has locked or made. */
  readonly objects: Map<AuditedType, number>;
  readonly changes: NotedChange[];
  /** All that it has locked or made: their erasure empties the kept answer. */
  readonly customers: Set<number>;
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
  readonly type: AuditedType;
  /** The entity's key for the id of the object, which differs for parts of it. */
  readonly idOf: (values: Values) => unknown;
  readonly within: (values: Values) => string;
  /** A new one is a change of its object, too. */
  readonly isPart?: boolean;
}

const whole = (type: AuditedType): Described => ({ type, idOf: ({ id }) => id, within: () => '' });

const idOfEntity = (value: unknown): unknown => (value as Values | undefined)?.['id'];

/** The entities whose changes are noted, by name; others are traces of these changes. */
const described: Readonly<Record<string, Described>> = {
  Customer: whole('customer'),
  SubscriptionOrder: whole('subscriptionOrder'),
  OrderLine: {
    type: 'subscriptionOrder',
    idOf: ({ order }) => idOfEntity(order),
    within: ({ position }) => `orderLineItems[${String(position)}].`,
    isPart: true,
  },
  PaymentPlan: {
    type: 'customer',
    idOf: ({ customerId }) => customerId,
    within: () => 'paymentPlan.',
  },
};

/** What a new part says of itself that it shares with its object. */
const keys: ReadonlySet<string> = new Set(['tenantId', 'id', 'order', 'position']);

/** Registered with the ORM: a flush knows what was read, so that noting asks for nothing. */
export const noteFlushed: EventSubscriber = {
  onFlush({ em, uow }) {
    const notes = notesOf.get(em as EntityManager);
    if (notes === undefined) return;
    for (const { meta, type: kind, entity, payload, originalEntity } of uow.getChangeSets()) {
      const of = described[meta.className];
      if (of === undefined || !(kind === 'update' || of.isPart === true)) continue;
      const values = entity as Values;
      const after = Object.entries(kind === 'delete' ? {} : payload).filter(
        ([key]) => kind === 'update' || !keys.has(key),
      );
      const before = kind === 'create' ? {} : ((originalEntity ?? {}) as Values);
      const changes = changesOf(before, Object.fromEntries(after), of.within(values));
      if (kind === 'delete') changes.push({ field: of.within(values).slice(0, -1) });
      const { type } = of;
      noteChanges({ audited: notes }, { type, id: Number(of.idOf(values)) }, changes);
    }
  },
};
