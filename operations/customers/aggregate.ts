/** A customer with its contacts, as one aggregate: read whole, changed and written back. */
import { DomainError } from '../../domain/errors.ts';
import { violatedKeyOf } from '../../db/connection/faults.ts';
import { Contact, Customer } from '../../db/entities/customers.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { forgetGuesses, forgetNetworks } from '../../db/queries/access/login-guesses.ts';
import { endResets } from '../../db/queries/hosted-pages/password-resets.ts';
import { endSessions, lockContactOfSessions } from '../../db/queries/hosted-pages/sessions.ts';
import { forgetSealed } from '../../db/queries/imports/rows.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { type ContactFields, noContactFields } from './contact-input.ts';
import type { ContactKind } from './read.ts';
import { searchTextOf } from './search.ts';

/** This transaction must have locked the customer, whose version it increments. */
export function loadCustomer({ tx }: OperationContext, id: number): Promise<Customer> {
  return tx.em.findOneOrFail(
    Customer,
    { tenantId: tx.tenantId, id },
    { populate: ['contacts'], refresh: true },
  );
}

/** Writes a changed customer, its search text, and its next version. */
export async function saveCustomer(
  { tx, time }: OperationContext,
  customer: Customer,
): Promise<void> {
  customer.searchText = searchTextOf(customer, byKind(customer.contacts.getItems()));
  customer.updatedAt = time.now;
  // This does not use `version()` of the ORM, which counts changed columns, because every requested
  // change counts here.
  customer.version += 1;
  await tx.flush();
}

/** Throws contact.usernameTaken if the write gives a contact the username of another one. */
export async function refusingTakenUsername<Result>(
  path: string,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (violatedKeyOf(error) !== 'contact_login') throw error;
    throw new DomainError('contact.usernameTaken', 'another contact has this username', { path });
  }
}

/** The same for a change that the customer's document shows. */
export async function saveUpdated(context: OperationContext, customer: Customer): Promise<void> {
  await saveCustomer(context, customer);
  const { id, version: objectVersion } = customer;
  raise(context, [{ type: 'customer.updated', customerId: id, objectId: id, objectVersion }]);
}

export function contactOf(customer: Customer, kind: ContactKind): Contact | undefined {
  return customer.contacts.getItems().find((contact) => contact.kind === kind);
}

export interface PutOptions {
  /** The session in which the password is changed; all others of the customer end. */
  readonly keptSession?: number;
  /** Whoever changes the e-mail address has shown no password, and may not be the customer. */
  readonly isUnproven?: boolean;
}

interface Put extends PutOptions {
  readonly kind: ContactKind;
  readonly fields: ContactFields;
}

/** Creates the contact, or changes the fields that were sent. */
export async function putContact(
  context: OperationContext,
  customer: Customer,
  { kind, fields, keptSession, isUnproven = false }: Put,
): Promise<void> {
  const { tx } = context;
  const stored = contactOf(customer, kind);
  if (stored) {
    const { username } = fields;
    if (username !== undefined && username !== stored.username) stored.login = username;
    if (fields.passwordHash !== undefined) await endAccess(context, stored, keptSession);
    if (fields.emailPrimary !== undefined) moveAddress(context, stored, { ...fields, isUnproven });
    Object.assign(stored, fields);
    return;
  }
  const [id = 0] = await takeIds(tx, 1);
  const { tenantId } = tx;
  const login = fields.username ?? null;
  tx.em.create(Contact, { ...noContactFields, ...fields, login, tenantId, id, customer, kind });
}

function moveAddress(
  { tx, realNow: at }: Pick<OperationContext, 'tx' | 'realNow'>,
  stored: Contact,
  { emailPrimary, isUnproven }: ContactFields & { readonly isUnproven: boolean },
): void {
  const { id, resetAddress, emailPrimary: before } = stored;
  stored.resetAddress = isUnproven ? (resetAddress ?? before ?? '') : null;
  // A link that was mailed to the address of before opens nothing any more.
  if (!isUnproven && emailPrimary !== before) endResets(tx, { contactIds: [id], at });
}

/** Whoever came in by its password has no session any more. */
export async function removeContact(
  context: OperationContext,
  customer: Customer,
  kind: ContactKind,
): Promise<void> {
  const stored = contactOf(customer, kind);
  if (stored === undefined) return;
  if (stored.login !== null) await endAccess(context, stored);
  customer.contacts.remove(stored);
}

/** What the password of before has opened ends: links for a new one, and sessions. */
async function endAccess(
  { tx, realNow: at }: Pick<OperationContext, 'tx' | 'realNow'>,
  { id: contactId, customer }: Contact,
  keptSession: number | null = null,
): Promise<void> {
  // An imported password that is not hashed yet is an older one.
  forgetSealed(tx, contactId);
  forgetGuesses(tx, [contactId]);
  forgetNetworks(tx, [contactId]);
  endResets(tx, { contactIds: [contactId], at });
  lockContactOfSessions(tx, contactId);
  await endSessions(tx, { customerIds: [customer.id], at, except: keptSession });
}

function byKind(contacts: readonly Contact[]): readonly Contact[] {
  return contacts.toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
}
