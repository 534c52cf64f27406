/** Creates and changes customers and their contacts. */
import { DomainError } from '../../domain/errors.ts';
import { customerName } from '../../domain/customers/name.ts';
import type { TermUnit } from '../../domain/calendar/terms.ts';
import { isCurrency } from '../../domain/money/money.ts';
import { violatedKeyOf } from '../../db/connection/faults.ts';
import { Contact, Customer } from '../../db/entities/customers.ts';
import { insertText, oneRow } from '../../db/queries/context/insertion.ts';
import {
  contactOf,
  loadCustomer,
  putContact,
  refusingTakenUsername,
  removeContact,
  saveUpdated,
} from './aggregate.ts';
import { contactFieldNames, type ContactFields } from './contact-input.ts';
import { searchTextOf } from './search.ts';
import { lockCustomer, type CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';

/** Undefined is absent, null is empty. */
export interface CustomerInput {
  readonly name?: string | null | undefined;
  readonly extCustomerRef?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly isBusinessAccount?: boolean | null | undefined;
  readonly paymentTermsValue?: number | null | undefined;
  readonly paymentTermsUnits?: TermUnit | null | undefined;
  readonly currency?: string | null | undefined;
  readonly taxId?: string | null | undefined;
}

export interface NewContacts {
  readonly billing: ContactFields;
  readonly sales: ContactFields | null;
}

export interface NewCustomerOptions {
  /** An id that was taken before. */
  readonly id?: number | null;
}

/** Returns the new customer's id; throws customer.refTaken, or an error that names the element. */
export async function createCustomer(
  context: OperationContext,
  input: CustomerInput,
  { billing, sales }: NewContacts,
  { id: ownId = null }: NewCustomerOptions = {},
): Promise<number> {
  const { tx, tenant, time } = context;
  const currency = input.currency ?? tenant.currency;
  refuseUnknownCurrency(currency);
  const name = input.name ?? (customerName(billing) || null);
  if (name === null) throw nameMissing();
  const paymentTermsValue = input.paymentTermsValue ?? null;
  const contacts = [
    { ...billing, kind: 'billing' },
    ...(sales === null ? [] : [{ ...sales, kind: 'sales' }]),
  ];
  const extCustomerRef = input.extCustomerRef ?? null;
  const row = {
    id: ownId,
    name,
    status: 'Active' as const,
    extCustomerRef,
    locale: input.locale ?? null,
    isBusinessAccount: input.isBusinessAccount ?? false,
    paymentTermsValue,
    paymentTermsUnits: input.paymentTermsUnits ?? (paymentTermsValue === null ? null : 'Days'),
    currency,
    taxId: input.taxId ?? null,
    searchText: searchTextOf({ name, extCustomerRef }, [billing, sales ?? {}]),
    createdAt: time.now,
    updatedAt: time.now,
  };
  const values = [...customerRow.values(tx.tenantId, row), JSON.stringify(contacts)];
  const [made] = await refusingTakenKeys(extCustomerRef, () =>
    tx.query<{ id: number }>(insertCustomer, values, 'insert-customer'),
  );
  if (made === undefined) throw new Error('an inserted customer has no id');
  const { id } = made;
  raise(context, [{ type: 'customer.created', customerId: id, objectId: id, objectVersion: 1 }]);
  return id;
}

const customerRow = oneRow({
  into: Customer,
  columns: [
    'id',
    'name',
    'status',
    'extCustomerRef',
    'locale',
    'isBusinessAccount',
    'paymentTermsValue',
    'paymentTermsUnits',
    'currency',
    'taxId',
    'searchText',
    'createdAt',
    'updatedAt',
  ],
  values: { id: (given) => `coalesce(${given}, nextval('id_seq'))` },
  ending: 'returning id',
});

// One statement for the most frequent of writes: the EntityManager takes three times the CPU for it.
const insertCustomer = `
  with made as (
    ${customerRow.text}),
  contacts as (
    ${insertText({
      into: Contact,
      rows: customerRow.next,
      columns: ['kind', ...contactFieldNames],
      values: { customerId: '(select id from made)', login: 'r.username' },
    })})
  select id from made`;

export interface ContactChanges {
  readonly billing?: ContactFields | undefined;
  /** Null removes the contact. */
  readonly sales?: ContactFields | null | undefined;
}

/** Applies a PUT and returns the customer's id. */
export async function updateCustomer(
  context: OperationContext,
  address: CustomerAddress,
  input: CustomerInput,
  contacts: ContactChanges,
): Promise<number> {
  const { id } = await lockCustomer(context.tx, address);
  const customer = await loadCustomer(context, id);
  if (contacts.billing !== undefined) {
    await putContact(context, customer, { kind: 'billing', fields: contacts.billing });
  }
  if (contacts.sales === null) await removeContact(context, customer, 'sales');
  else if (contacts.sales !== undefined) {
    await putContact(context, customer, { kind: 'sales', fields: contacts.sales });
  }
  if (input.extCustomerRef !== undefined) customer.extCustomerRef = input.extCustomerRef;
  if (input.locale !== undefined) customer.locale = input.locale;
  if (input.taxId !== undefined) customer.taxId = input.taxId;
  if (input.isBusinessAccount !== undefined) {
    customer.isBusinessAccount = input.isBusinessAccount ?? false;
  }
  if (input.name !== undefined) customer.name = input.name ?? defaultName(customer);
  const currency = input.currency === undefined ? customer.currency : input.currency;
  if (currency !== customer.currency) {
    customer.currency = await changedCurrency(context, id, currency);
  }
  changeTerms(customer, input);
  await refusingTakenKeys(input.extCustomerRef ?? null, () => saveUpdated(context, customer));
  return id;
}

/** A value without a unit is in days. */
function changeTerms(customer: Customer, input: CustomerInput): void {
  const { paymentTermsValue: value, paymentTermsUnits: units } = input;
  if (value !== undefined) customer.paymentTermsValue = value;
  if (value !== undefined || units !== undefined) {
    customer.paymentTermsUnits = units ?? (value === null ? null : 'Days');
  }
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
        or exists (select from payment where customer_id = $1)
        or exists (select from payment_plan where customer_id = $1)`,
    [customerId],
  );
  if (used.length > 0) {
    throw new DomainError(
      'field.notEditable',
      'currency/@id is fixed once there are orders, invoices, payments or a payment plan',
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

function defaultName(customer: Customer): string {
  const contact = contactOf(customer, 'billing');
  const name = customerName(contact ?? {});
  if (name === '') throw nameMissing();
  return name;
}

function nameMissing(): DomainError {
  const text = 'a customer without names in its contact needs a name';
  return new DomainError('field.required', text, { path: 'customer/name' });
}

async function refusingTakenKeys<Result>(
  reference: string | null,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await refusingTakenUsername('customer/billingContact/username', write);
  } catch (error) {
    if (violatedKeyOf(error) !== 'customer_tenant_id_ext_customer_ref_key') throw error;
    throw new DomainError('customer.refTaken', `another customer has extCustomerRef ${reference}`, {
      path: 'customer/extCustomerRef',
      value: reference,
    });
  }
}
