/** Checks that an object is still the version that its caller read. */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { DomainError } from '../../domain/errors.ts';
import type { PaymentType } from '../../domain/payments/allocation.ts';
import { lockBatch, type BatchAddress } from './batch-lock.ts';
import { kinds, type VersionedKind } from './kinds.ts';
import {
  lockCustomer,
  lockInvoice,
  lockOrder,
  lockPayment,
  lockPaymentPlan,
  type CustomerAddress,
  type InvoiceAddress,
  type NumberedAddress,
} from './locks.ts';
import { onceFor } from './timed-cache.ts';

/** The address of an object of each versioned kind. */
interface Addresses {
  readonly customer: CustomerAddress;
  readonly order: NumberedAddress;
  readonly invoice: InvoiceAddress;
  readonly payment: { readonly id: number; readonly type?: PaymentType };
  /** Its customer's. */
  readonly paymentPlan: CustomerAddress;
  readonly batch: BatchAddress;
  readonly signup: { readonly id: number };
}

/** An object that has a version: a customer with its contacts, an order, an invoice, a payment, a job, a signup. */
export type Versioned<Name extends VersionedKind = VersionedKind> = {
  [Each in Name]: { readonly kind: Each; readonly address: Addresses[Each] };
}[Name];

type Lockers = {
  readonly [Name in VersionedKind]: (
    tx: Tx,
    address: Addresses[Name],
  ) => Promise<{ readonly id: number }>;
};

/** Each locks the customer of the addressed object, or the job itself, which has none. */
export const lockers: Lockers = {
  // Its erasure may be repeated; other changes refuse an erased one.
  customer: (tx, address) => lockCustomer(tx, address, { erased: 'taken' }),
  order: lockOrder,
  invoice: lockInvoice,
  payment: (tx, { id, type }) => lockPayment(tx, id, type),
  paymentPlan: lockPaymentPlan,
  batch: lockBatch,
  signup: lockSignupId,
};

/** No call names a version of a signup yet. */
async function lockSignupId(tx: Tx, { id }: Addresses['signup']): Promise<{ readonly id: number }> {
  const [found] = await tx.query<{ id: number }>(
    'select id from signup where tenant_id = $1 and id = $2 for update',
    [tx.tenantId, id],
    'lock-signup-version',
  );
  if (found) return found;
  throw new DomainError('signup.unknown', `there is no signup ${id}`, { value: String(id), id });
}

/**
 * Locks what the change will lock, and throws object.changed unless its version is
 * one of those. Throws like the change if there is no such object.
 */
export async function assertVersion(
  tx: Tx,
  target: Versioned,
  versions: readonly number[],
): Promise<void> {
  const { id } = await locked(tx, target);
  const [row] = await tx.query<{ version: number }>(
    `select version from ${kinds[target.kind].table} where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
    `version-of-${target.kind}`,
  );
  if (row && versions.includes(row.version)) return;
  throw new DomainError('object.changed', `the ${target.kind} has changed meanwhile`);
}

function locked<Name extends VersionedKind>(tx: Tx, { kind, address }: Versioned<Name>) {
  return lockers[kind](tx, address);
}

/* Rows that never change once made, such as versions of plans: a process reads each of them once. */

const CACHED_VERSIONS_MAX = 10_000;

/** Those of these ids that exist; `db` is the database that the transaction belongs to. */
type VersionsById<Version> = (
  db: Database,
  tx: Pick<Tx, 'query'>,
  ids: Iterable<number>,
) => Promise<ReadonlyMap<number, Version>>;

/** Keeps what `read` returns; ids are unique over all tenants of a database. */
export function versionsById<Version extends { readonly id: number }>(
  read: (tx: Pick<Tx, 'query'>, ids: readonly number[]) => Promise<readonly Version[]>,
): VersionsById<Version> {
  const cacheFor = onceFor(
    (_db: Database) => new LRUCache<number, Version>({ max: CACHED_VERSIONS_MAX }),
  );
  return async (db, tx, ids) => {
    const cache = cacheFor(db);
    const found = new Map<number, Version>();
    const missing: number[] = [];
    for (const id of new Set(ids)) {
      const version = cache.get(id);
      if (version) found.set(id, version);
      else missing.push(id);
    }
    for (const version of missing.length > 0 ? await read(tx, missing) : []) {
      cache.set(version.id, version);
      found.set(version.id, version);
    }
    return found;
  };
}
