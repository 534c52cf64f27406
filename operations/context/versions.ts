/** Whether the object that a change is meant for still is what its caller saw. */
import { DomainError } from '../../domain/errors.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { lockCustomer, lockInvoice, lockOrder, lockPayment } from './locks.ts';
import type { CustomerAddress, NumberedAddress } from './locks.ts';

/** An object that has a version: a customer with its contacts, an order, an invoice, a payment. */
export type Versioned =
  | { readonly kind: 'customer'; readonly address: CustomerAddress }
  | { readonly kind: 'order'; readonly address: NumberedAddress }
  | { readonly kind: 'invoice'; readonly address: NumberedAddress }
  | { readonly kind: 'payment'; readonly id: number };

const tables = {
  customer: 'customer',
  order: 'subscription_order',
  invoice: 'invoice',
  payment: 'payment',
} as const;

/**
 * Locks the object's customer, as its change will, and throws object.changed unless its version is
 * one of those. Throws as the change would when there is no such object.
 */
export async function assertVersion(
  tx: Tx,
  target: Versioned,
  versions: readonly number[],
): Promise<void> {
  const { id } = await locked(tx, target);
  const [row] = await tx.query<{ version: number }>(
    `select version from ${tables[target.kind]} where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
    `version-of-${target.kind}`,
  );
  if (row && versions.includes(row.version)) return;
  throw new DomainError('object.changed', `the ${target.kind} has changed meanwhile`);
}

function locked(tx: Tx, target: Versioned): Promise<{ readonly id: number }> {
  switch (target.kind) {
    case 'customer':
      return lockCustomer(tx, target.address);
    case 'order':
      return lockOrder(tx, target.address);
    case 'invoice':
      return lockInvoice(tx, target.address);
    case 'payment':
      return lockPayment(tx, target.id);
  }
}
