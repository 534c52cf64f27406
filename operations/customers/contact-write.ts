/** Creates, changes and deletes the contacts of a customer. */
import { DomainError } from '../../domain/errors.ts';
import type { Customer } from '../../db/entities/customers.ts';
import {
  contactOf,
  loadCustomer,
  putContact,
  refusingTakenUsername,
  removeContact,
  saveUpdated,
  type PutOptions,
} from './aggregate.ts';
import type { ContactFields } from './contact-input.ts';
import type { ContactKind } from './read.ts';
import { lockCustomer, type CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';

/** Changes an existing contact; throws contact.unknown, or customer.unknown. */
export async function updateContact(
  context: OperationContext,
  address: CustomerAddress,
  kind: ContactKind,
  fields: ContactFields,
  options: PutOptions = {},
): Promise<number> {
  const customer = await addressed(context, address);
  if (!contactOf(customer, kind)) throw noSuchContact(kind);
  return putAndSave(context, customer, { kind, fields, ...options });
}

/** Creates a missing contact; throws contact.exists, or customer.unknown. */
export async function addContact(
  context: OperationContext,
  address: CustomerAddress,
  kind: ContactKind,
  fields: ContactFields,
): Promise<number> {
  const customer = await addressed(context, address);
  if (contactOf(customer, kind)) {
    throw new DomainError('contact.exists', `the customer already has a ${kind} contact`);
  }
  return putAndSave(context, customer, { kind, fields });
}

/** Throws contact.unknown, or customer.unknown. */
export async function deleteContact(
  context: OperationContext,
  address: CustomerAddress,
  kind: ContactKind,
): Promise<void> {
  const customer = await addressed(context, address);
  if (!contactOf(customer, kind)) throw noSuchContact(kind);
  await removeContact(context, customer, kind);
  await saveUpdated(context, customer);
}

/** Throws contact.usernameTaken. */
async function putAndSave(
  context: OperationContext,
  customer: Customer,
  put: Parameters<typeof putContact>[2],
): Promise<number> {
  await putContact(context, customer, put);
  await refusingTakenUsername(`${put.kind}Contact/username`, () => saveUpdated(context, customer));
  return customer.id;
}

async function addressed(context: OperationContext, address: CustomerAddress): Promise<Customer> {
  const { id } = await lockCustomer(context.tx, address);
  return loadCustomer(context, id);
}

function noSuchContact(kind: ContactKind): DomainError {
  return new DomainError('contact.unknown', `the customer has no ${kind} contact`);
}
