/**
 * Locks customers, the first lock of every write: the one that a call addresses, itself or by one of
 * its objects, or a batch.
 */
import { termsOf, type Terms, type TermUnit } from '../../domain/calendar/terms.ts';
import { DomainError } from '../../domain/errors.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import type { PaymentType } from '../../domain/payments/allocation.ts';
import { noteObject } from '../../db/connection/audited.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { keyed } from '../../db/queries/context/keyed.ts';

/** By id or by the customer's reference. */
export type CustomerAddress = { readonly id: number } | { readonly extCustomerRef: string };

export interface LockedCustomer {
  readonly id: number;
  readonly status: CustomerStatus;
  readonly currency: string;
  readonly paymentTerms: Terms | null;
  readonly purchaseOrder: string | null;
  /** It is held from billing. */
  readonly isHeld: boolean;
  /** Why. */
  readonly heldCode: string | null;
  /** Nothing that names it is written any more: see `refuseErased`. */
  readonly isErased: boolean;
}

/** A call, a page or a file names an erased customer; what gateways say of its money is still booked. */
export function refuseErased({ id, isErased }: Pick<LockedCustomer, 'id' | 'isErased'>): void {
  if (!isErased) return;
  throw new DomainError('customer.erased', `customer ${id} is erased, so nothing is written of it`);
}

interface LockOptions {
  /** `taken`: the write is none of a caller's. */
  readonly erased?: 'refused' | 'taken';
}

/** Locks the addressed customer until the transaction ends; throws customer.unknown, customer.erased. */
export async function lockCustomer(
  tx: Tx,
  address: CustomerAddress,
  { erased = 'refused' }: LockOptions = {},
): Promise<LockedCustomer> {
  const customer = await lockedCustomer(tx, address);
  noteObject(tx, 'customer', customer.id);
  noteLocked(tx, [customer]);
  if (erased === 'refused') refuseErased(customer);
  return customer;
}

/** What is kept of a call says nothing of an erased one, and what is written of it is emptied. */
function noteLocked({ audited }: Tx, locked: readonly LockedCustomer[]): void {
  for (const { id, isErased } of locked) (isErased ? audited.erased : audited.customers).add(id);
}

async function lockedCustomer(tx: Tx, address: CustomerAddress): Promise<LockedCustomer> {
  const [free] = await selectCustomer(tx, address, 'lock-free');
  if (free) return free;
  // Another transaction has the lock, or there is no such customer.
  await findCustomer(tx, address);
  tx.beforeWaiting();
  return known(await selectCustomer(tx, address, 'lock'), address);
}

/** Reads the customer without a lock. */
export async function findCustomer(tx: Tx, address: CustomerAddress): Promise<LockedCustomer> {
  return known(await selectCustomer(tx, address, 'find'), address);
}

/** The same for checks before a write; throws customer.erased, too. */
export async function findWritable(tx: Tx, address: CustomerAddress): Promise<LockedCustomer> {
  const customer = await findCustomer(tx, address);
  refuseErased(customer);
  return customer;
}

// `for update` would also wait for the key-share lock of every child's insert.
const locking = {
  'lock-free': 'for no key update skip locked',
  lock: 'for no key update',
  find: '',
} as const;

function selectCustomer(
  tx: Tx,
  address: CustomerAddress,
  how: keyof typeof locking,
): Promise<LockedCustomer[]> {
  const byId = 'id' in address;
  return read(tx, [byId ? address.id : address.extCustomerRef], {
    text: `${byId ? 'id' : 'ext_customer_ref'} = $1 ${locking[how]}`,
    name: `${how}-customer-by-${byId ? 'id' : 'ref'}`,
  });
}

/** Reads a batch without locks, by ascending id. */
export function findCustomers(tx: Tx, ids: readonly number[]): Promise<LockedCustomer[]> {
  return readBatch(tx, ids, 'find');
}

const batches = {
  find: batchBy('find'),
  lock: batchBy('lock'),
  'lock-free': batchBy('lock-free'),
} as const;

function batchBy(how: keyof typeof locking) {
  return keyed(`${how}-customers`, (are) => `id ${are('$1')} order by id ${locking[how]}`);
}

function readBatch(
  tx: Tx,
  ids: readonly number[],
  how: keyof typeof batches,
): Promise<LockedCustomer[]> {
  const { key, ...statement } = batches[how](ids);
  return read(tx, [key], statement);
}

/**
 * Locks a batch, by ascending id, and returns the customers that it locked. Without `wait` it skips
 * those that another transaction has locked.
 */
export async function lockCustomers(
  tx: Tx,
  ids: readonly number[],
  { wait }: { readonly wait: boolean } = { wait: true },
): Promise<LockedCustomer[]> {
  const locked = await readBatch(tx, ids, wait ? 'lock' : 'lock-free');
  noteLocked(tx, locked);
  return locked;
}

async function read(
  tx: Tx,
  values: readonly unknown[],
  { text, name }: { readonly text: string; readonly name: string },
): Promise<LockedCustomer[]> {
  const rows = await tx.query<CustomerRow & Record<string, unknown>>(
    `select id, status, currency, billing_held_at is not null as is_held,
            case when billing_held_at is not null then coalesce(billing_held_code, 'unknown') end
              as held_code,
            payment_terms_value as value, payment_terms_units as units, purchase_order,
            erased_on is not null as is_erased
     from customer where ${text}`,
    values,
    name,
  );
  return rows.map(({ value, units, ...row }) => ({ ...row, paymentTerms: termsOf(value, units) }));
}

interface CustomerRow extends Omit<LockedCustomer, 'paymentTerms'> {
  readonly value: number | null;
  readonly units: TermUnit | null;
}

function known([customer]: readonly LockedCustomer[], address: CustomerAddress): LockedCustomer {
  if (customer) return customer;
  const byId = 'id' in address;
  const named = byId ? `id ${address.id}` : `extCustomerRef ${address.extCustomerRef}`;
  throw new DomainError('customer.unknown', `there is no customer with ${named}`, {
    value: String(byId ? address.id : address.extCustomerRef),
    id: byId ? address.id : null,
  });
}

/** An order, by id or by the user-facing number. */
export type NumberedAddress = { readonly id: number } | { readonly number: number };

/** An invoice, by id or by the user-facing number, which is any text of an imported one. */
export type InvoiceAddress = { readonly id: number } | { readonly number: string };

export interface Addressed {
  readonly id: number;
  readonly customer: LockedCustomer;
}

/** Locks the customer of the addressed order; throws order.unknown. */
export async function lockOrder(tx: Tx, address: NumberedAddress): Promise<Addressed> {
  const owned = await ownerOfOrder(tx, address);
  noteObject(tx, 'subscriptionOrder', owned.id);
  return lockOwner(tx, owned);
}

/** Reads the customer of the addressed order without a lock; throws order.unknown. */
export async function findOrder(tx: Tx, address: NumberedAddress): Promise<Addressed> {
  const { id, customerId } = await ownerOfOrder(tx, address);
  return { id, customer: await findCustomer(tx, { id: customerId }) };
}

/** Locks the customer of the addressed invoice; throws invoice.unknown. */
export async function lockInvoice(tx: Tx, address: InvoiceAddress): Promise<Addressed> {
  const [from, values] =
    'id' in address
      ? ['invoice where id = $1', [address.id]]
      : ['invoice where invoice_number = $1', [address.number]];
  const owned = await ownerIn(tx, { kind: 'invoice', address, from, values });
  noteObject(tx, 'invoice', owned.id);
  return lockOwner(tx, owned);
}

interface Owned {
  readonly id: number;
  readonly customerId: number;
}

async function lockOwner(tx: Tx, { id, customerId }: Owned): Promise<Addressed> {
  return { id, customer: await lockCustomer(tx, { id: customerId }) };
}

function ownerOfOrder(tx: Tx, address: NumberedAddress): Promise<Owned> {
  const [column, value] = 'id' in address ? ['id', address.id] : ['order_number', address.number];
  const from = `subscription_order where ${column} = $1`;
  return ownerIn(tx, { kind: 'order', address, from, values: [value] });
}

interface Search {
  readonly kind: 'order' | 'invoice';
  readonly address: NumberedAddress | InvoiceAddress;
  /** The object, as a table with a condition. */
  readonly from: string;
  readonly values: readonly unknown[];
}

async function ownerIn(tx: Tx, { kind, address, from, values }: Search): Promise<Owned> {
  const [row] = await tx.query<Owned & Record<string, unknown>>(
    `select id, customer_id from ${from}`,
    values,
    `${kind}-address-by-${'id' in address ? 'id' : 'number'}`,
  );
  if (!row) throw unknown(kind, address);
  return row;
}

/** Locks the customer of the addressed payment, credit or refund, which must be of that type. */
export async function lockPayment(
  tx: Tx,
  id: number,
  type: PaymentType = 'Payment',
): Promise<{ readonly id: number; readonly customerId: number }> {
  const [payment] = await tx.query<{ customerId: number }>(
    'select customer_id from payment where id = $1 and payment_type = $2',
    [id, type],
    'customer-of-payment',
  );
  if (!payment) {
    throw new DomainError('payment.unknown', `there is no ${type.toLowerCase()} with id ${id}`, {
      value: String(id),
      id,
    });
  }
  noteObject(tx, 'payment', id);
  await lockCustomer(tx, { id: payment.customerId });
  return { id, ...payment };
}

export interface AddressedPlan extends Addressed {
  readonly isEnabled: boolean;
}

/** Locks the customer, and returns its newest payment plan; throws paymentPlan.unknown. */
export async function lockPaymentPlan(tx: Tx, address: CustomerAddress): Promise<AddressedPlan> {
  const customer = await lockCustomer(tx, address);
  const [plan] = await tx.query<{ id: number; isEnabled: boolean }>(
    `select id, is_enabled from payment_plan
     where customer_id = $1 order by id desc limit 1`,
    [customer.id],
    'newest-payment-plan',
  );
  if (plan) return { ...plan, customer };
  throw new DomainError('paymentPlan.unknown', 'the customer has no payment plan');
}

export function unknown(kind: Search['kind'], address: Search['address']): DomainError {
  const named = 'id' in address ? `id ${address.id}` : `${kind}Number ${address.number}`;
  return new DomainError(`${kind}.unknown`, `there is no ${kind} with ${named}`, {
    value: String('id' in address ? address.id : address.number),
    id: 'id' in address ? address.id : null,
  });
}
