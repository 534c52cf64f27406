/** Makes customers and changes them and their contacts. */
import { DomainError } from '../../domain/errors.ts';
import type { TermUnit } from '../../domain/model.ts';
import { isCurrency } from '../../domain/money/money.ts';
import type { ContactColumns } from './contact-input.ts';
import { contactFields, mergeContact, removeContact } from './contact-write.ts';
import { writeCustomer } from './row.ts';
import { searchTextOf } from './search.ts';
import { lockCustomer } from '../context/locks.ts';
import type { CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';

/** Undefined is absent, null is empty. */
export interface CustomerInput {
  readonly name?: string | null | undefined;
  readonly extCustomerRef?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly isBusinessAccount?: boolean | null | undefined;
  readonly paymentTermsValue?: number | null | undefined;
  readonly paymentTermsUnits?: TermUnit | null | undefined;
  readonly currency?: string | null | undefined;
}

export interface NewContacts {
  readonly billing: ContactColumns;
  readonly sales: ContactColumns | null;
}

/** Answers the new customer's id; throws customer.refTaken, or an error that names the element. */
export async function createCustomer(
  { tx, tenant, time }: OperationContext,
  input: CustomerInput,
  contacts: NewContacts,
): Promise<number> {
  const currency = input.currency ?? tenant.currency;
  refuseUnknownCurrency(currency);
  const name = input.name ?? nameFrom(contacts.billing);
  if (name === null) {
    throw new DomainError(
      'field.required',
      'a customer without names in its contact needs a name',
      {
        path: 'customer/name',
      },
    );
  }
  const paymentTermsValue = input.paymentTermsValue ?? null;
  const rows = [{ ...contacts.billing, kind: 'billing' }];
  if (contacts.sales !== null) rows.push({ ...contacts.sales, kind: 'sales' });
  const [made] = await refusingTakenReference(input.extCustomerRef ?? null, () =>
    tx.query<{ id: number }>(
      insertCustomer,
      [
        tx.tenantId,
        name,
        input.extCustomerRef ?? null,
        input.locale ?? null,
        input.isBusinessAccount ?? false,
        paymentTermsValue,
        input.paymentTermsUnits ?? (paymentTermsValue === null ? null : 'Days'),
        currency,
        time.now,
        JSON.stringify(rows),
        searchTextOf({ name, ext_customer_ref: input.extCustomerRef ?? null }, [
          contacts.billing,
          contacts.sales ?? {},
        ]),
      ],
      'insert-customer',
    ),
  );
  if (made === undefined) throw new Error('an inserted customer has no id');
  return made.id;
}

// Customer and contacts in one statement: one round trip for the most frequent of writes.
const insertCustomer = `
  with made as (
    insert into customer (tenant_id, name, status, ext_customer_ref, locale, is_business_account,
      payment_terms_value, payment_terms_units, currency, created_at, updated_at, search_text)
    values ($1, $2, 'Active', $3, $4, $5, $6, $7, $8, $9, $9, $11) returning tenant_id, id),
  contacts as (
    insert into contact (tenant_id, customer_id, kind, ${contactFields.join(', ')})
    select made.tenant_id, made.id, k.kind, ${contactFields.map((field) => `k.${field}`).join(', ')}
    from made, json_to_recordset($10) as k(kind text, ${contactFields.map((field) => `${field} text`).join(', ')}))
  select id from made`;

export interface ContactChanges {
  readonly billing?: ContactColumns | undefined;
  /** Null removes the contact. */
  readonly sales?: ContactColumns | null | undefined;
}

/** Applies a PUT and answers the customer's id. */
export async function updateCustomer(
  context: OperationContext,
  address: CustomerAddress,
  input: CustomerInput,
  contacts: ContactChanges,
): Promise<number> {
  const { tx } = context;
  const customer = await lockCustomer(tx, address);
  if (contacts.billing !== undefined)
    await mergeContact(context, customer.id, 'billing', contacts.billing);
  if (contacts.sales === null) await removeContact(context, customer.id, 'sales');
  else if (contacts.sales !== undefined)
    await mergeContact(context, customer.id, 'sales', contacts.sales);
  const changes: Record<string, unknown> = {};
  if (input.extCustomerRef !== undefined) changes['ext_customer_ref'] = input.extCustomerRef;
  if (input.locale !== undefined) changes['locale'] = input.locale;
  if (input.isBusinessAccount !== undefined) {
    changes['is_business_account'] = input.isBusinessAccount ?? false;
  }
  if (input.name !== undefined)
    changes['name'] = input.name ?? (await defaultName(context, customer.id));
  const currency = input.currency === undefined ? customer.currency : input.currency;
  if (currency !== customer.currency) {
    changes['currency'] = await changedCurrency(context, customer.id, currency);
  }
  await refusingTakenReference(input.extCustomerRef ?? null, () =>
    writeCustomer(context, customer.id, { ...changes, ...termsChanges(input) }),
  );
  return customer.id;
}

/** A value without a unit counts days. */
function termsChanges(input: CustomerInput): Record<string, unknown> {
  const { paymentTermsValue: value, paymentTermsUnits: units } = input;
  const changes: Record<string, unknown> = {};
  if (value !== undefined) changes['payment_terms_value'] = value;
  if (value !== undefined || units !== undefined) {
    changes['payment_terms_units'] = units ?? (value === null ? null : 'Days');
  }
  return changes;
}

async function changedCurrency(
  { tx, tenant }: OperationContext,
  customerId: number,
  sent: string | null,
): Promise<string> {
  const currency = sent ?? tenant.currency;
  refuseUnknownCurrency(currency);
  const used = await tx.query(
    `select 1 where exists (select from subscription_order where customer_id = $1)
        or exists (select from invoice where customer_id = $1)
        or exists (select from payment where customer_id = $1)`,
    [customerId],
  );
  if (used.length > 0) {
    throw new DomainError(
      'field.notEditable',
      'currency/@id is fixed once there are orders, invoices or payments',
      { path: 'customer/currency/@id', value: currency },
    );
  }
  return currency;
}

function refuseUnknownCurrency(currency: string): void {
  if (isCurrency(currency)) return;
  throw new DomainError(
    'field.invalid',
    `currency/@id must be a code of ISO 4217, not ${currency}`,
    {
      path: 'customer/currency/@id',
      value: currency,
    },
  );
}

const NAME_LENGTH_MAX = 255;

/** The company's name, else first and last name, of which each may be as long as the whole. */
function nameFrom(contact: ContactColumns): string | null {
  const { company_name: company, first_name: first, last_name: last } = contact;
  const name = company ?? [first, last].filter(Boolean).join(' ');
  return Array.from(name).slice(0, NAME_LENGTH_MAX).join('').trimEnd() || null;
}

async function defaultName({ tx }: OperationContext, customerId: number): Promise<string> {
  const [contact] = await tx.query<ContactColumns>(
    `select company_name, first_name, last_name from contact
     where customer_id = $1 and kind = 'billing'`,
    [customerId],
  );
  const name = contact === undefined ? null : nameFrom(contact);
  if (name !== null) return name;
  throw new DomainError('field.required', 'a customer without names in its contact needs a name', {
    path: 'customer/name',
  });
}

async function refusingTakenReference<Result>(
  reference: string | null,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const { code, constraint } = error as {
      readonly code?: unknown;
      readonly constraint?: unknown;
    };
    if (code !== '23505' || constraint !== 'customer_tenant_id_ext_customer_ref_key') throw error;
    throw new DomainError('customer.refTaken', `another customer has extCustomerRef ${reference}`, {
      path: 'customer/extCustomerRef',
      value: reference,
    });
  }
}
