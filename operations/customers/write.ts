/** Creates and changes customers, by calls and sign-ups. */
import { DomainError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money/money.ts';
import type { StoredCustomer } from '../../db/queries/customers/save.ts';
import type { OperationContext } from '../context/context.ts';
import type { CustomerAddress } from '../context/locks.ts';
import type { ContactFields } from './contact-input.ts';
import { lockStored, saveCustomer, type CustomerInput } from './save.ts';

export interface NewContacts {
  readonly billing: ContactFields;
  readonly sales: ContactFields | null;
}

export interface NewCustomerOptions {
  /** An id that was taken before. */
  readonly id?: number | null;
}

const at = { path: 'customer/billingContact/username' };

/** Returns the new customer's id; throws customer.refTaken, or an error that names the element. */
export async function createCustomer(
  context: OperationContext,
  fields: CustomerInput,
  { billing, sales }: NewContacts,
  { id = null }: NewCustomerOptions = {},
): Promise<number> {
  refuseUnknownCurrency(fields.currency ?? context.tenant.currency);
  const contacts = { billing, sales: sales ?? undefined };
  return saveCustomer(context, { before: null, id, fields, contacts }, at);
}

export interface ContactChanges {
  readonly billing?: ContactFields | undefined;
  /** Null removes the contact. */
  readonly sales?: ContactFields | null | undefined;
}

/** Applies a PUT and returns the customer's id. */
export async function updateCustomer(
  context: OperationContext,
  address: CustomerAddress,
  fields: CustomerInput,
  contacts: ContactChanges,
): Promise<number> {
  const before = await lockStored(context, address);
  await refuseOtherCurrency(context, before, fields);
  return saveCustomer(context, { before, fields, contacts }, at);
}

async function refuseOtherCurrency(
  { tx, tenant }: OperationContext,
  { id, fields: before }: StoredCustomer,
  { currency: given }: CustomerInput,
): Promise<void> {
  const currency = given === undefined ? before.currency : (given ?? tenant.currency);
  if (currency === before.currency) return;
  refuseUnknownCurrency(currency);
  const used = await tx.query(
    `select 1 where exists (select from subscription_order where customer_id = $1)
        or exists (select from invoice where customer_id = $1)
        or exists (select from payment where customer_id = $1)
        or exists (select from payment_plan where customer_id = $1)`,
    [id],
  );
  if (used.length === 0) return;
  throw new DomainError(
    'field.notEditable',
    'currency/@id is fixed once there are orders, invoices, payments or a payment plan',
    { path: 'customer/currency/@id', value: currency },
  );
}

function refuseUnknownCurrency(currency: string): void {
  if (isCurrency(currency)) return;
  const message = `currency/@id must be a code of ISO 4217, not ${currency}`;
  throw new DomainError('field.invalid', message, {
    path: 'customer/currency/@id',
    value: currency,
  });
}
