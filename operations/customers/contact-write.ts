/** Creates, changes and deletes the contacts of a customer. */
import { DomainError } from '../../domain/errors.ts';
import type { ContactKind } from '../../db/entities/customers.ts';
import type { OperationContext } from '../context/context.ts';
import type { CustomerAddress } from '../context/locks.ts';
import type { ContactFields } from './contact-input.ts';
import { lockStored, saveCustomer, type SaveOptions } from './save.ts';

/** Changes an existing contact; throws contact.unknown, or customer.unknown. */
export async function updateContact(
  context: OperationContext,
  address: CustomerAddress,
  kind: ContactKind,
  fields: ContactFields,
  options: SaveOptions = {},
): Promise<number> {
  const before = await lockStored(context, address);
  if (!before.contacts[kind]) throw noSuchContact(kind);
  const path = pathOf(kind);
  return saveCustomer(context, { before, contacts: { [kind]: fields } }, { path, ...options });
}

/** Creates a missing contact; throws contact.exists, or customer.unknown. */
export async function addContact(
  context: OperationContext,
  address: CustomerAddress,
  kind: ContactKind,
  fields: ContactFields,
): Promise<number> {
  const before = await lockStored(context, address);
  if (before.contacts[kind]) {
    throw new DomainError('contact.exists', `the customer already has a ${kind} contact`);
  }
  return saveCustomer(context, { before, contacts: { [kind]: fields } }, { path: pathOf(kind) });
}

/** Throws contact.unknown, or customer.unknown. */
export async function deleteContact(
  context: OperationContext,
  address: CustomerAddress,
  kind: ContactKind,
): Promise<void> {
  const before = await lockStored(context, address);
  if (!before.contacts[kind]) throw noSuchContact(kind);
  await saveCustomer(context, { before, contacts: { [kind]: null } }, { path: pathOf(kind) });
}

const pathOf = (kind: ContactKind): string => `${kind}Contact/username`;

function noSuchContact(kind: ContactKind): DomainError {
  return new DomainError('contact.unknown', `the customer has no ${kind} contact`);
}
