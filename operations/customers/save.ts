/** The one way in which customers and contacts are written, whether by a call, a page or a file. */
import assert from 'node:assert';
import { type AuditChange, changesOf } from '../../domain/access/audit-log.ts';
import { customerName } from '../../domain/customers/name.ts';
import { DomainError } from '../../domain/errors.ts';
import { keptLocale } from '../../domain/invoices/formats.ts';
import { type CustomerField, customerFieldNames } from '../../db/entities/columns.ts';
import type { ContactKind, Customer } from '../../db/entities/customers.ts';
import { noteChanges, noteCustomers } from '../../db/connection/audited.ts';
import { violatedKeyOf } from '../../db/connection/faults.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { forgetGuesses, forgetNetworks } from '../../db/queries/access/login-guesses.ts';
import {
  type SavedContact,
  type SavedCustomer,
  type StoredContact,
  type StoredCustomer,
  deleteContacts,
  readStored,
  writeCustomers,
  writePasswords,
} from '../../db/queries/customers/save.ts';
import { endResets } from '../../db/queries/hosted-pages/password-resets.ts';
import { endSessions, lockContacts } from '../../db/queries/hosted-pages/sessions.ts';
import { forgetSealed } from '../../db/queries/imports/rows.ts';
import type { OperationContext } from '../context/context.ts';
import { type CustomerAddress, lockCustomer } from '../context/locks.ts';
import { raise } from '../events/raise.ts';
import { mailContactChange } from './contact-changed.ts';
import { type ContactFields, noContactFields, sent } from './contact-input.ts';
import { searchTextOf } from './search.ts';

type Fields = RowOf<typeof Customer, CustomerField>;

/** Undefined is absent and keeps, null is empty and clears. */
export type CustomerInput = { readonly [Key in CustomerField]?: Fields[Key] | null | undefined };

/** What a contact gets: null removes it. */
type Given = (ContactFields & { readonly id?: number; readonly login?: string | null }) | null;

export interface CustomerChange {
  /** Null for a new customer. */
  readonly before: StoredCustomer | null;
  /** Of a new one, and of a new contact, if it was taken before. */
  readonly id?: number | null;
  readonly fields?: CustomerInput;
  readonly contacts?: { readonly [Kind in ContactKind]?: Given | undefined };
  /** The batch that makes it. */
  readonly importedBy?: number;
}

export interface SaveOptions {
  /** The session in which the password is changed; all others of the customer end. */
  readonly keptSession?: number | undefined;
  /** Whoever changes the e-mail address has shown no password, and may not be the customer. */
  readonly isUnproven?: boolean | undefined;
}

/** This transaction locks the customer; throws customer.unknown. */
export async function lockStored(
  { tx }: OperationContext,
  address: CustomerAddress,
): Promise<StoredCustomer> {
  const { id } = await lockCustomer(tx, address);
  const stored = (await readStored(tx, [id])).get(id);
  assert(stored, 'a locked customer is there');
  return stored;
}

/**
 * Writes a customer, raises its event, and returns its id. Throws customer.refTaken, or
 * contact.usernameTaken with the path of the user name.
 */
export async function saveCustomer(
  context: OperationContext,
  change: CustomerChange,
  { path, ...options }: SaveOptions & { readonly path: string },
): Promise<number> {
  const [id = 0] = await saveCustomers(context, [change], options).catch((error: unknown) => {
    throw refusalOf(error, { path, reference: change.fields?.extCustomerRef ?? null });
  });
  await mailChangeOfCopies(context, change);
  noteChanges(context.tx, { type: 'customer', id }, changesOfCustomer(change));
  const type = change.before === null ? 'customer.created' : 'customer.updated';
  const objectVersion = (change.before?.version ?? 0) + 1;
  raise(context, [{ type, customerId: id, objectId: id, objectVersion }]);
  return id;
}

/** What contacts say is personal: their fields are noted alone. */
function changesOfCustomer({ before, fields = {}, contacts = {} }: CustomerChange): AuditChange[] {
  if (before === null) return [];
  const own = changesOf(before.fields, sent(customerFieldNames, fields));
  const ofContacts = kinds.flatMap((kind): AuditChange[] => {
    const given = contacts[kind];
    if (given === undefined) return [];
    const whole = `${kind}Contact`;
    const stored = before.contacts[kind];
    if (given === null || stored === undefined) return [{ field: whole }];
    return changesOf(stored, given).map(({ field }) => ({
      field: `${whole}.${field === 'passwordHash' ? 'passwd' : field}`,
    }));
  });
  return [...own, ...ofContacts];
}

/** Whoever had the account before learns who else gets its invoices. */
async function mailChangeOfCopies(
  context: OperationContext,
  { before, contacts }: CustomerChange,
): Promise<void> {
  const stored = before?.contacts.billing;
  const copies = contacts?.billing?.emailCc;
  if (stored === undefined || copies === undefined || copies === stored.emailCc) return;
  const { customerId, id: contactId, emailPrimary: address } = stored;
  await mailContactChange(context, { customerId, contactId, address });
}

interface Keys {
  readonly path: string;
  readonly reference: string | null;
}

function refusalOf(error: unknown, { path, reference }: Keys): unknown {
  switch (violatedKeyOf(error)) {
    case 'contact_login':
      return new DomainError('contact.usernameTaken', 'another contact has this username', {
        path,
      });
    case 'customer_tenant_id_ext_customer_ref_key': {
      const where = { path: 'customer/extCustomerRef', value: reference };
      const message = `another customer has extCustomerRef ${reference}`;
      return new DomainError('customer.refTaken', message, where);
    }
    default:
      return error;
  }
}

/** Writes customers, which this transaction has locked if they are there; returns their ids. */
export async function saveCustomers(
  context: OperationContext,
  changes: readonly CustomerChange[],
  options: SaveOptions = {},
): Promise<number[]> {
  const { tx, time } = context;
  const known = changes.flatMap(({ before, contacts = {} }) =>
    before === null ? [] : changesOfContacts(before, contacts),
  );
  if (known.length > 0) await changeContacts(context, known, options);
  const rows = changes.map((change) => rowOf(context, change, options));
  const ids = await writeCustomers(tx, rows, time.now);
  noteCustomers(tx, ids);
  return ids;
}

interface ContactChange {
  readonly customerId: number;
  readonly stored: StoredContact;
  readonly given: Given;
}

/** Of contacts that are there. */
function changesOfContacts(
  before: StoredCustomer,
  contacts: NonNullable<CustomerChange['contacts']>,
): ContactChange[] {
  return kinds.flatMap((kind) => {
    const stored = before.contacts[kind];
    const given = contacts[kind];
    return stored && given !== undefined ? [{ customerId: before.id, stored, given }] : [];
  });
}

async function changeContacts(
  context: OperationContext,
  changes: readonly ContactChange[],
  { keptSession, isUnproven }: SaveOptions,
): Promise<void> {
  const { tx, realNow: at } = context;
  await endAccess(context, changes.filter(endsAccess), keptSession);
  // A link that was mailed to the address of before opens nothing any more.
  const moved = isUnproven ? [] : changes.filter(hasMoved).map(({ stored }) => stored.id);
  if (moved.length > 0) endResets(tx, { contactIds: moved, at });
  const removed = changes.filter(({ given }) => given === null);
  deleteContacts(
    tx,
    removed.map(({ stored }) => stored.id),
  );
  writePasswords(
    tx,
    changes.flatMap(({ stored: { id }, given }) =>
      given?.passwordHash === undefined ? [] : [{ id, passwordHash: given.passwordHash }],
    ),
  );
}

const endsAccess = ({ stored, given }: ContactChange): boolean =>
  given === null ? stored.login !== null : given.passwordHash !== undefined;

const hasMoved = ({ stored, given }: ContactChange): boolean =>
  given?.emailPrimary !== undefined && given.emailPrimary !== stored.emailPrimary;

/** What the password of before has opened ends: links for a new one, and sessions. */
async function endAccess(
  { tx, realNow: at }: OperationContext,
  changes: readonly ContactChange[],
  except: number | null = null,
): Promise<void> {
  if (changes.length === 0) return;
  const contactIds = changes.map(({ stored }) => stored.id);
  // An imported password that is not hashed yet is an older one.
  forgetSealed(tx, contactIds);
  forgetGuesses(tx, contactIds);
  forgetNetworks(tx, contactIds);
  endResets(tx, { contactIds, at });
  lockContacts(tx, contactIds);
  await endSessions(tx, { customerIds: changes.map(({ customerId }) => customerId), at, except });
}

const kinds = ['billing', 'sales'] as const satisfies readonly ContactKind[];

function rowOf(
  { tenant }: OperationContext,
  change: CustomerChange,
  options: SaveOptions,
): SavedCustomer {
  const { before, id = null, contacts = {}, importedBy = null } = change;
  const changed = kinds.flatMap((kind): SavedContact[] => {
    const given = contacts[kind];
    return given ? [contactAfter(kind, before?.contacts[kind], given, options)] : [];
  });
  const all = kinds.flatMap((kind): readonly (SavedContact | StoredContact)[] => {
    const kept = contacts[kind] === null ? undefined : before?.contacts[kind];
    const after = changed.find((each) => each.kind === kind) ?? kept;
    return after === undefined ? [] : [after];
  });
  const billing = all.find(({ kind }) => kind === 'billing');
  const fields = fieldsAfter(change, { billing, currency: tenant.currency });
  const searchText = searchTextOf(fields, all);
  const derived = { searchText, documentLocale: keptLocale(fields.locale) };
  return { id: before?.id ?? id, ...fields, ...derived, importedBy, contacts: changed };
}

interface Defaults {
  readonly billing: SavedContact | StoredContact | undefined;
  readonly currency: string;
}

const noFields = Object.fromEntries(customerFieldNames.map((name) => [name, null])) as {
  readonly [Key in CustomerField]: null;
};

function fieldsAfter(
  { before, fields = {} }: CustomerChange,
  { billing, currency }: Defaults,
): Fields {
  const given = { ...(before === null ? noFields : {}), ...sent(customerFieldNames, fields) };
  const after = { ...noFields, ...before?.fields, ...given };
  const { paymentTermsValue: value, paymentTermsUnits: units } = given;
  return {
    ...after,
    name: after.name ?? defaultName(billing),
    isBusinessAccount: after.isBusinessAccount ?? false,
    currency: after.currency ?? currency,
    ...(value === undefined && units === undefined
      ? {}
      : // A value without a unit is in days.
        { paymentTermsUnits: units ?? (value === null ? null : 'Days') }),
  };
}

function defaultName(contact: Defaults['billing']): string {
  const name = customerName(contact ?? {});
  if (name !== '') return name;
  const text = 'a customer without names in its contact needs a name';
  throw new DomainError('field.required', text, { path: 'customer/name' });
}

function contactAfter(
  kind: ContactKind,
  stored: StoredContact | undefined,
  given: NonNullable<Given>,
  { isUnproven }: SaveOptions,
): SavedContact {
  const { username } = given;
  const renamed =
    username === undefined || username === stored?.username ? {} : { login: username };
  const contact = {
    ...noContactFields,
    id: null,
    login: null,
    resetAddress: null,
    ...stored,
    ...renamed,
    ...given,
    kind,
  };
  if (stored === undefined || given.emailPrimary === undefined) return contact;
  const { resetAddress, emailPrimary } = stored;
  return { ...contact, resetAddress: isUnproven ? (resetAddress ?? emailPrimary ?? '') : null };
}
