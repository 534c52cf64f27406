/** Makes, changes and removes the contacts of a customer. */
import { DomainError } from '../../domain/errors.ts';
import type { ContactColumns } from './contact-input.ts';
import type { ContactKind } from './read.ts';
import { writeCustomer } from './row.ts';
import { lockCustomer } from '../context/locks.ts';
import type { CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';

export const contactFields = [
  'username',
  'password_hash',
  'first_name',
  'last_name',
  'company_name',
  'email_primary',
  'work_phone',
  'street1',
  'street2',
  'city',
  'state',
  'zip',
  'country',
  'country_code',
];

/** Changes a contact that is there; throws contact.unknown, or customer.unknown. */
export async function updateContact(
  context: OperationContext,
  address: CustomerAddress,
  kind: ContactKind,
  columns: ContactColumns,
): Promise<number> {
  const { id } = await lockCustomer(context.tx, address);
  if (!(await isThere(context, id, kind))) throw noSuchContact(kind);
  await mergeContact(context, id, kind, columns);
  await writeCustomer(context, id, {});
  return id;
}

/** Makes a contact that is not there yet; throws contact.exists, or customer.unknown. */
export async function addContact(
  context: OperationContext,
  address: CustomerAddress,
  kind: ContactKind,
  columns: ContactColumns,
): Promise<number> {
  const { id } = await lockCustomer(context.tx, address);
  if (await isThere(context, id, kind)) {
    throw new DomainError('contact.exists', `the customer has a ${kind} contact already`);
  }
  await mergeContact(context, id, kind, columns);
  await writeCustomer(context, id, {});
  return id;
}

/** Throws contact.unknown, or customer.unknown. */
export async function deleteContact(
  context: OperationContext,
  address: CustomerAddress,
  kind: ContactKind,
): Promise<void> {
  const { id } = await lockCustomer(context.tx, address);
  if (!(await isThere(context, id, kind))) throw noSuchContact(kind);
  await removeContact(context, id, kind);
  await writeCustomer(context, id, {});
}

function noSuchContact(kind: ContactKind): DomainError {
  return new DomainError('contact.unknown', `the customer has no ${kind} contact`);
}

async function isThere(
  { tx }: OperationContext,
  customerId: number,
  kind: ContactKind,
): Promise<boolean> {
  const there = await tx.query(
    'select 1 from contact where customer_id = $1 and kind = $2',
    [customerId, kind],
    'contact-is-there',
  );
  return there.length > 0;
}

/** Makes or changes a contact of a customer that this transaction has locked. */
export async function mergeContact(
  { tx }: OperationContext,
  customerId: number,
  kind: ContactKind,
  columns: ContactColumns,
): Promise<void> {
  const names = contactFields.filter((field) => Object.hasOwn(columns, field));
  const values = names.map((field) => columns[field]);
  const placeholders = names.map((_, index) => `, $${index + 4}`).join('');
  const update = names.map((field) => `${field} = excluded.${field}`).join(', ');
  await tx.query(
    `insert into contact (tenant_id, customer_id, kind${names.map((field) => `, ${field}`).join('')})
     values ($1, $2, $3${placeholders})
     on conflict (tenant_id, customer_id, kind) do ${update === '' ? 'nothing' : `update set ${update}`}`,
    [tx.tenantId, customerId, kind, ...values],
  );
}

export async function removeContact(
  { tx }: OperationContext,
  customerId: number,
  kind: ContactKind,
): Promise<void> {
  await tx.query('delete from contact where customer_id = $1 and kind = $2', [customerId, kind]);
}
