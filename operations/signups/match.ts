/** Finds the customer that a sign-up reuses. */
import type { Coupon } from '../../domain/discounts/coupon.ts';
import { type MatchFields, matchKeys, matchNames } from '../../domain/signups/signup.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { type LockedCustomer, lockCustomers, refuseErased } from '../context/locks.ts';
import type { TenantInfo } from '../context/context.ts';
import { cardOf } from './pay.ts';
import type { SignupRow } from './signup-row.ts';

/**
 * By extCustomerRef, else by the e-mail address, else by the phone of billing contacts; the lowest
 * id of several. Null if there is none.
 */
export async function findMatch(tx: Tx, fields: MatchFields): Promise<number | null> {
  const { extCustomerRef, email, phone } = matchKeys(fields);
  const [row] = await tx.query<{ id: number | null }>(
    `select coalesce(
       (select id from customer where tenant_id = $1 and ext_customer_ref = $2),
       (select min(customer_id) from contact where tenant_id = $1 and email_key = lower($3)),
       (select min(customer_id) from contact where tenant_id = $1 and phone_key = $4)) as id`,
    [tx.tenantId, extCustomerRef, email, phone],
    'match-of-signup',
  );
  return row?.id ?? null;
}

/** The customer whose contact logs in by that name; null if nobody does. */
export async function findLoginOwner(tx: Tx, login: string): Promise<number | null> {
  const [contact] = await tx.query<{ customerId: number }>(
    'select customer_id from contact where tenant_id = $1 and login = $2',
    [tx.tenantId, login],
    'login-owner',
  );
  return contact?.customerId ?? null;
}

/** A customer may be deleted between the search and its lock. */
const SEARCHES_MAX = 3;

/**
 * Locks what it finds; undefined if there is none. Until this transaction ends, no other sign-up
 * makes a customer that this one would have found. Throws customer.erased.
 */
export async function lockMatch(tx: Tx, fields: MatchFields): Promise<LockedCustomer | undefined> {
  await lockKeys(tx, matchNames(matchKeys(fields)));
  for (let search = 0; search < SEARCHES_MAX; search += 1) {
    const id = await findMatch(tx, fields);
    if (id === null) return undefined;
    const [customer] = await lockCustomers(tx, [id]);
    if (customer) {
      refuseErased(customer);
      return customer;
    }
  }
  throw new Error('the customers that were found are deleted each time');
}

/** In the order of their names, so that two sign-ups do not wait for each other. */
async function lockKeys(tx: Tx, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const key = [`${tx.tenantId} signup ${name}`];
    const [lock] = await tx.query<{ had: boolean }>(
      'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as had',
      key,
      'try-signup-key',
    );
    if (lock?.had === true) continue;
    tx.beforeWaiting();
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', key, 'take-signup-key');
  }
}

/* What proves that a visitor is the customer that a sign-up finds, and what is asked of it otherwise. */

/**
 * `link`: the tenant's site says who it is, and hides that. `mail`: the page of the mail that went to
 * the address that was typed. Null: nothing does yet.
 */
export type Proof = 'link' | 'mail' | null;

export function proofOf({ hideCustomerFields, lastTry }: SignupRow): Proof {
  if (hideCustomerFields) return 'link';
  const isMailed = lastTry?.status === 'confirming' || lastTry?.confirmedAt != null;
  return isMailed ? 'mail' : null;
}

/** A mailbox proves nothing of a phone. */
export function matchFieldsOf(row: SignupRow): MatchFields {
  const { extCustomerRef, email, phone } = row;
  return { extCustomerRef, email, phone: proofOf(row) === 'mail' ? null : phone };
}

/** Whether a try that charges nothing today has to be confirmed by mail before it makes anything. */
export function needsMail({ confirmsFree }: TenantInfo, row: SignupRow): boolean {
  if (confirmsFree === null || proofOf(row) !== null) return false;
  // No charge of zero verifies a bank account.
  const card = cardOf(row);
  return confirmsFree === 'always' || card === null || card.method.debit != null;
}

/** The same of one with a coupon for one order of a customer, whatever it charges. */
export function needsMailForCoupon(
  { confirmsFree }: TenantInfo,
  row: SignupRow,
  coupon: Pick<Coupon, 'oncePerCustomer'> | null,
): boolean {
  return confirmsFree !== null && proofOf(row) === null && coupon?.oncePerCustomer === true;
}

/** The same of one with a trial, which a customer has once: of any other plan it asks for nothing. */
export function mayNeedMailForTrial({ confirmsFree }: TenantInfo, row: SignupRow): boolean {
  return confirmsFree !== null && proofOf(row) === null;
}

/** The same of one that only the customer's own money pays, for which no card speaks. */
export function needsMailForMoney({ confirmsFree }: TenantInfo, row: SignupRow): boolean {
  return confirmsFree !== null && proofOf(row) === null;
}
