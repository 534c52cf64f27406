/** Writes imported customers, some hundred in each statement. */
import type { Tx } from '../../connection/tenancy.ts';
import { PasswordToHash } from '../../entities/imports.ts';
import { CustomerBalance, LedgerEntry } from '../../entities/payments.ts';
import { type RowOf, columnOf } from '../../entities/rows.ts';
import { type GivenBy, type InsertedBy, given, inserting } from '../context/insertion.ts';
import { Contact, Customer } from '../../entities/customers.ts';

/** The ids of customers by their reference. */
export async function readByReference(
  tx: Tx,
  references: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ id: number; reference: string }>(
    `select id, ext_customer_ref as reference from customer
     where tenant_id = $1 and ext_customer_ref = any($2)`,
    [tx.tenantId, references],
    'customers-by-reference',
  );
  return new Map(rows.map(({ id, reference }) => [reference, id]));
}

/** The customers by whose billing contacts these user names are taken. */
export async function readLoginOwners(
  tx: Tx,
  logins: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (logins.length === 0) return new Map();
  const rows = await tx.query<{ login: string; customerId: number }>(
    'select login, customer_id from contact where tenant_id = $1 and login = any($2)',
    [tx.tenantId, logins],
    'login-owners',
  );
  return new Map(rows.map(({ login, customerId }) => [login, customerId]));
}

export const insertCustomers = inserting('insert-imported-customers', {
  into: Customer,
  columns: [
    'id',
    'name',
    'extCustomerRef',
    'locale',
    'paymentTermsValue',
    'paymentTermsUnits',
    'currency',
    'searchText',
    'importedBy',
  ],
  values: { status: `'Active'` },
  at: { createdAt: 'now', updatedAt: 'now' },
});

export type CustomerInsert = InsertedBy<typeof insertCustomers>;

/** The fields of a contact that a row of customers has. */
const contactFields = [
  'username',
  'firstName',
  'lastName',
  'companyName',
  'emailPrimary',
  'workPhone',
  'street1',
  'street2',
  'city',
  'state',
  'zip',
  'country',
  'countryCode',
] as const;

export const insertContacts = inserting('insert-imported-contacts', {
  into: Contact,
  columns: ['id', 'customerId', ...contactFields],
  values: { kind: `'billing'`, login: 'r.username' },
});

export type ContactInsert = InsertedBy<typeof insertContacts>;
export type ContactFields = RowOf<typeof Contact, (typeof contactFields)[number]>;

/** Replaces what waits for the same contact. */
export const insertSealed = inserting('insert-sealed-passwords', {
  into: PasswordToHash,
  columns: ['contactId', 'batchId', 'sealed'],
  ending: `on conflict (tenant_id, contact_id)
    do update set sealed = excluded.sealed, batch_id = excluded.batch_id`,
});

export const insertOpenings = inserting('insert-opening-balances', {
  into: LedgerEntry,
  columns: ['customerId', 'currency', 'amount', 'paymentId'],
  values: { kind: `'openingBalance'` },
  at: { enteredOn: 'today', enteredAt: 'now' },
});

/** Adds to balances, and makes those that a customer lacks. */
export const addToBalances = inserting('add-to-balances', {
  into: CustomerBalance,
  columns: ['customerId', 'currency', 'balance'],
  ending: `on conflict (tenant_id, customer_id, currency)
    do update set balance = customer_balance.balance + excluded.balance`,
});

export interface StoredCustomer
  extends ContactFields, RowOf<typeof Customer, 'id' | 'name' | 'currency'> {
  readonly extCustomerRef: string;
  /** Of the billing contact; null if the customer has none. */
  readonly contactId: number | null;
  /** What the other contact adds to the search text. */
  readonly sales: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly companyName: string | null;
    readonly emailPrimary: string | null;
    readonly workPhone: string | null;
  } | null;
}

/** A field of the contact `k`: what the row `r` gives, or what is stored. */
const replaced = (name: string): string =>
  `${columnOf(name)} = coalesce(r."${name}", k.${columnOf(name)})`;

/** This transaction must have locked the customers. */
export function readCustomers(tx: Tx, ids: readonly number[]): Promise<StoredCustomer[]> {
  return tx.query<StoredCustomer & Record<string, unknown>>(
    `select c.id, c.name, c.ext_customer_ref, c.currency, k.id as contact_id,
       ${contactFields.map((name) => `k.${columnOf(name)}`).join(', ')},
       (select json_build_object('firstName', s.first_name, 'lastName', s.last_name,
          'companyName', s.company_name, 'emailPrimary', s.email_primary, 'workPhone', s.work_phone)
        from contact s where s.tenant_id = c.tenant_id and s.customer_id = c.id
          and s.kind = 'sales') as sales
     from customer c
     left join contact k on k.tenant_id = c.tenant_id and k.customer_id = c.id
       and k.kind = 'billing'
     where c.tenant_id = $1 and c.id = any($2)`,
    [tx.tenantId, ids],
    'read-imported-customers',
  );
}

const changedCustomers = given(Customer, [
  'id',
  'name',
  'searchText',
  // Null keeps what is stored.
  'locale',
  'paymentTermsValue',
  'paymentTermsUnits',
]);

export type CustomerChange = GivenBy<typeof changedCustomers>;

export function changeCustomers(tx: Tx, rows: readonly CustomerChange[], now: Date): void {
  if (rows.length === 0) return;
  tx.send(
    `update customer c set name = r.name, search_text = r."searchText",
       locale = coalesce(r.locale, c.locale),
       payment_terms_value = coalesce(r."paymentTermsValue", c.payment_terms_value),
       payment_terms_units = coalesce(r."paymentTermsUnits", c.payment_terms_units,
         case when r."paymentTermsValue" is not null then 'Days' end),
       updated_at = $3, version = c.version + 1
     from ${changedCustomers.recordset}
     where c.tenant_id = $1 and c.id = r.id`,
    [tx.tenantId, changedCustomers.json(rows), now],
    'change-imported-customers',
  );
}

const changedContacts = given(Contact, ['id', ...contactFields], {
  // Whether the user name is a new one.
  besides: { hasLogin: 'boolean' },
});

export type ContactChange = GivenBy<typeof changedContacts>;

/** The fields that are given; an old password ends with a new user name. */
export function changeContacts(tx: Tx, rows: readonly ContactChange[]): void {
  if (rows.length === 0) return;
  const set = contactFields.map(replaced).join(', ');
  tx.send(
    `update contact k set ${set}, login = case when r."hasLogin" then r.username else k.login end,
       password_hash = case when r."hasLogin" then null else k.password_hash end,
       reset_address = case when r."emailPrimary" is null then k.reset_address end
     from ${changedContacts.recordset}
     where k.tenant_id = $1 and k.id = r.id`,
    [tx.tenantId, changedContacts.json(rows)],
    'change-imported-contacts',
  );
}
