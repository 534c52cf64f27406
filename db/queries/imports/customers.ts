/** Writes imported customers, some hundred in each statement. */
import type { TermUnit } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { PasswordToHash } from '../../entities/imports.ts';
import { CustomerBalance, LedgerEntry } from '../../entities/ledger.ts';
import { inserting, type InsertedBy } from '../context/insertion.ts';

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
  const rows = await tx.query<{ login: string; customer_id: number }>(
    'select login, customer_id from contact where tenant_id = $1 and login = any($2)',
    [tx.tenantId, logins],
    'login-owners',
  );
  return new Map(rows.map(({ login, customer_id }) => [login, customer_id]));
}

export const insertCustomers = inserting('insert-imported-customers', {
  into: 'customer',
  columns: {
    id: 'bigint',
    name: 'text',
    ext_customer_ref: 'text',
    locale: 'text?',
    payment_terms_value: 'int?',
    payment_terms_units: 'text?',
    currency: 'text',
    search_text: 'text',
    imported_by: 'bigint',
  },
  values: { status: `'Active'` },
  at: { created_at: 'now', updated_at: 'now' },
});

export type CustomerInsert = InsertedBy<typeof insertCustomers>;

/** The fields of a contact that a row of customers has. */
const contactFields = {
  username: 'text?',
  first_name: 'text?',
  last_name: 'text?',
  company_name: 'text?',
  email_primary: 'text?',
  work_phone: 'text?',
  street1: 'text?',
  street2: 'text?',
  city: 'text?',
  state: 'text?',
  zip: 'text?',
  country: 'text?',
  country_code: 'text?',
} as const;

export const insertContacts = inserting('insert-imported-contacts', {
  into: 'contact',
  columns: { id: 'bigint', customer_id: 'bigint', ...contactFields },
  values: { kind: `'billing'`, login: 'r.username' },
});

export type ContactInsert = InsertedBy<typeof insertContacts>;
export type ContactFields = Omit<ContactInsert, 'id' | 'customer_id'>;

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
  at: { entered_on: 'today', entered_at: 'now' },
});

/** Adds to balances, and makes those that a customer lacks. */
export const addToBalances = inserting('add-to-balances', {
  into: CustomerBalance,
  columns: ['customerId', 'currency', 'balance'],
  ending: `on conflict (tenant_id, customer_id, currency)
    do update set balance = customer_balance.balance + excluded.balance`,
});

export interface StoredCustomer extends ContactFields {
  readonly id: number;
  readonly name: string;
  readonly ext_customer_ref: string;
  readonly currency: string;
  /** Of the billing contact; null if the customer has none. */
  readonly contact_id: number | null;
  /** What the other contact adds to the search text. */
  readonly sales: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly companyName: string | null;
    readonly emailPrimary: string | null;
    readonly workPhone: string | null;
  } | null;
}

const fieldNames = Object.keys(contactFields);

/** This transaction must have locked the customers. */
export function readCustomers(tx: Tx, ids: readonly number[]): Promise<StoredCustomer[]> {
  return tx.query<StoredCustomer & Record<string, unknown>>(
    `select c.id, c.name, c.ext_customer_ref, c.currency, k.id as contact_id,
       ${fieldNames.map((name) => `k.${name}`).join(', ')},
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

export interface CustomerChange {
  readonly id: number;
  readonly name: string;
  readonly search_text: string;
  /** Null keeps what is stored. */
  readonly locale: string | null;
  readonly payment_terms_value: number | null;
  readonly payment_terms_units: TermUnit | null;
}

export function changeCustomers(tx: Tx, rows: readonly CustomerChange[], now: Date): void {
  if (rows.length === 0) return;
  tx.send(
    `update customer c set name = r.name, search_text = r.search_text,
       locale = coalesce(r.locale, c.locale),
       payment_terms_value = coalesce(r.payment_terms_value, c.payment_terms_value),
       payment_terms_units = coalesce(r.payment_terms_units, c.payment_terms_units,
         case when r.payment_terms_value is not null then 'Days' end),
       updated_at = $3, version = c.version + 1
     from json_to_recordset($2) as r(id bigint, name text, search_text text, locale text,
       payment_terms_value int, payment_terms_units text)
     where c.tenant_id = $1 and c.id = r.id`,
    [tx.tenantId, JSON.stringify(rows), now],
    'change-imported-customers',
  );
}

export interface ContactChange extends ContactFields {
  readonly id: number;
  /** The user name is a new one. */
  readonly has_login: boolean;
}

/** The fields that are given; an old password ends with a new user name. */
export function changeContacts(tx: Tx, rows: readonly ContactChange[]): void {
  if (rows.length === 0) return;
  const set = fieldNames.map((name) => `${name} = coalesce(r.${name}, k.${name})`).join(', ');
  tx.send(
    `update contact k set ${set}, login = case when r.has_login then r.username else k.login end,
       password_hash = case when r.has_login then null else k.password_hash end,
       reset_address = case when r.email_primary is null then k.reset_address end
     from json_to_recordset($2) as r(id bigint, has_login boolean,
       ${fieldNames.map((name) => `${name} text`).join(', ')})
     where k.tenant_id = $1 and k.id = r.id`,
    [tx.tenantId, JSON.stringify(rows)],
    'change-imported-contacts',
  );
}
