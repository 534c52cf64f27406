/** Reads and writes what people give of customers and of their contacts: any number at once. */
import type { Tx } from '../../connection/tenancy.ts';
import {
  type ContactField,
  type CustomerField,
  contactFieldNames,
  customerFieldNames,
} from '../../entities/columns.ts';
import { Contact, type ContactKind, Customer } from '../../entities/customers.ts';
import { type RowOf, columnOf } from '../../entities/rows.ts';
import { type GivenBy, given } from '../context/insertion.ts';

export interface StoredCustomer extends RowOf<typeof Customer, 'id' | 'version'> {
  readonly fields: RowOf<typeof Customer, CustomerField>;
  readonly contacts: Readonly<Partial<Record<ContactKind, StoredContact>>>;
}

export type StoredContact = RowOf<
  typeof Contact,
  'customerId' | 'kind' | 'id' | 'login' | 'resetAddress' | ContactField
>;

const customerColumns = columnsOf(customerFieldNames);
const contactColumns = columnsOf(contactFieldNames);

/** By id. This transaction must have locked the customers, so that nobody else writes this. */
export async function readStored(
  tx: Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredCustomer>> {
  const [customers, contacts] = await Promise.all([
    tx.query<RowOf<typeof Customer, 'id' | 'version' | CustomerField>>(
      `select id, version, ${customerColumns} from customer where tenant_id = $1 and id = any($2)`,
      [tx.tenantId, ids],
      'stored-customers',
    ),
    tx.query<StoredContact & Record<string, unknown>>(
      `select customer_id, kind, id, login, reset_address, ${contactColumns} from contact
       where tenant_id = $1 and customer_id = any($2)`,
      [tx.tenantId, ids],
      'stored-contacts',
    ),
  ]);
  const byCustomer = Map.groupBy(contacts, ({ customerId }) => customerId);
  return new Map(
    customers.map(({ id, version, ...fields }) => {
      const own = (byCustomer.get(id) ?? []).map((contact) => [contact.kind, contact]);
      return [id, { id, version, fields, contacts: Object.fromEntries(own) }];
    }),
  );
}

/** A new customer or contact has an id that was taken before, or none. */
const newId = { id: 'bigint?' } as const;

/** What follows from the rest. */
const derived = ['searchText', 'documentLocale'] as const;

const customers = given(Customer, [...customerFieldNames, ...derived, 'importedBy'], {
  besides: { ...newId, contacts: 'json' },
});

const contacts = given(
  Contact,
  ['kind', ...contactFieldNames, 'login', 'passwordHash', 'resetAddress'],
  { besides: newId, rows: 'c.contacts' },
);

export type SavedContact = GivenBy<typeof contacts>;

export interface SavedCustomer extends Omit<GivenBy<typeof customers>, 'contacts'> {
  /** Those that are made or changed. */
  readonly contacts: readonly SavedContact[];
}

const changedInCustomer = [...customerFieldNames, ...derived];
const changedInContact = [...contactFieldNames, 'login', 'resetAddress'];

// Keys are inserted in order, so that imports at the same time do not wait for each other's.
const save = `
  with c as (
    select coalesce(r.id, nextval('id_seq')) as customer_id, r.* from ${customers.recordset}),
  saved as (
    insert into customer as s (tenant_id, id, status, imported_by, created_at, updated_at,
      ${columnsOf(changedInCustomer)})
    select $1, c.customer_id, 'Active', c."importedBy", $3, $3, ${valuesOf('c', changedInCustomer)}
    from c order by c."extCustomerRef"
    on conflict (tenant_id, id) do update
    set version = s.version + 1, updated_at = $3, ${replacing(changedInCustomer)}),
  saved_contacts as (
    insert into contact (tenant_id, id, customer_id, kind, password_hash,
      ${columnsOf(changedInContact)})
    select $1, coalesce(r.id, nextval('id_seq')), c.customer_id, r.kind, r."passwordHash",
      ${valuesOf('r', changedInContact)}
    from c, ${contacts.recordset} order by r.login
    on conflict (tenant_id, id) do update set ${replacing(changedInContact)})
  select customer_id as id from c`;

/**
 * Makes customers, and writes changed ones with their next version; returns their ids, in order.
 * The password of a contact that is there stays.
 */
export async function writeCustomers(
  tx: Tx,
  rows: readonly SavedCustomer[],
  now: Date,
): Promise<number[]> {
  const values = [tx.tenantId, JSON.stringify(rows), now];
  const saved = await tx.query<{ id: number }>(save, values, 'save-customers');
  return saved.map(({ id }) => id);
}

const passwords = given(Contact, ['id', 'passwordHash']);

export function writePasswords(tx: Tx, rows: readonly GivenBy<typeof passwords>[]): void {
  if (rows.length === 0) return;
  tx.send(
    `update contact k set password_hash = r."passwordHash" from ${passwords.recordset}
     where k.tenant_id = $1 and k.id = r.id`,
    [tx.tenantId, passwords.json(rows)],
    'passwords-of-contacts',
  );
}

export function deleteContacts(tx: Tx, ids: readonly number[]): void {
  if (ids.length === 0) return;
  tx.send('delete from contact where tenant_id = $1 and id = any($2)', [tx.tenantId, ids]);
}

function columnsOf(keys: readonly string[]): string {
  return keys.map(columnOf).join(', ');
}

function valuesOf(row: string, keys: readonly string[]): string {
  return keys.map((key) => `${row}."${key}"`).join(', ');
}

function replacing(keys: readonly string[]): string {
  return keys.map((key) => `${columnOf(key)} = excluded.${columnOf(key)}`).join(', ');
}
