/** What proves that a visitor is the customer that a sign-up finds, and what is asked of it otherwise. */
import type { MatchFields } from '../../domain/signups/match.ts';
import type { TenantInfo } from '../context/context.ts';
import { cardOf } from './pay.ts';
import type { SignupRow } from './signup-row.ts';

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
  return confirmsFree === 'always' || cardOf(row) === null;
}

/** The same of one that only the customer's own money pays, for which no card speaks. */
export function needsMailForMoney({ confirmsFree }: TenantInfo, row: SignupRow): boolean {
  return confirmsFree !== null && proofOf(row) === null;
}
