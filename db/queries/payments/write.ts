/** Writes the ledger entries of payments, answers of gateways, and payment methods. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { insertText, insertingOne } from '../context/insertion.ts';
import type { RowOf } from '../../entities/rows.ts';
import { LedgerEntry, PaymentMethod } from '../../entities/payments.ts';
import { ProcessorResult } from '../../entities/gateways.ts';

const entryColumns = ['customerId', 'currency', 'kind', 'amount', 'paymentId'] as const;

/** With the withdrawal that the entry records. */
export type PaymentEntry = RowOf<typeof LedgerEntry, (typeof entryColumns)[number]> &
  Partial<RowOf<typeof LedgerEntry, 'withdrawalId'>>;

const enterText = `with entered as (${insertText({
  into: LedgerEntry,
  columns: [...entryColumns, 'withdrawalId'],
  values: { enteredOn: '$3', enteredAt: '$4' },
  ending: 'returning customer_id, currency, amount',
})})
  insert into customer_balance (tenant_id, customer_id, currency, balance)
  select $1, customer_id, currency, sum(amount) from entered group by 2, 3
  on conflict (tenant_id, customer_id, currency)
  do update set balance = customer_balance.balance + excluded.balance`;

/** Adds ledger entries, and updates the balances that sum them; the customers are locked. */
export function enterPayments(
  tx: Tx,
  rows: readonly PaymentEntry[],
  at: { readonly now: Date; readonly today: IsoDate },
): void {
  tx.send(enterText, [tx.tenantId, JSON.stringify(rows), at.today, at.now], 'enter-payments');
}

export const insertResult = insertingOne('insert-result', {
  into: ProcessorResult,
  columns: [
    'paymentId',
    'processor',
    'processorRequestType',
    'transactionId',
    'isSuccess',
    'isError',
    'isHardDecline',
    'errorCode',
    'errorMessage',
    'statusCode',
    'statusMessage',
    'amount',
    'secondaryAmount',
    'currency',
    'avsCode',
    'cvvCode',
    'approvalCode',
    'responseTimeMs',
    'createdAt',
  ],
});

/** Stores a method that is not on file yet. */
export const insertMethod = insertingOne('insert-method', {
  into: PaymentMethod,
  columns: [
    'id',
    'customerId',
    'type',
    'gateway',
    'token',
    'brand',
    'lastFour',
    'expiry',
    'debit',
    'country',
    'mandate',
    'createdAt',
    'updatedAt',
  ],
});

export interface OnFile {
  readonly customerId: number;
  readonly methodId: number;
  readonly preference: number;
}

/** Takes the methods with these preferences off file; payments may still refer to them. */
export function takeOffFile(
  tx: Tx,
  { customerId, preferences }: { readonly customerId: number; readonly preferences: Preferences },
  now: Date,
): void {
  tx.send(
    `update payment_method set autopay_preference = null, updated_at = $4
     where tenant_id = $1 and customer_id = $2 and autopay_preference = any($3)`,
    [tx.tenantId, customerId, preferences, now],
    'take-off-file',
  );
}

type Preferences = readonly number[];

/** Replaces a method on file. */
export function putOnFile(tx: Tx, method: OnFile, now: Date): void {
  const { customerId, methodId, preference } = method;
  takeOffFile(tx, { customerId, preferences: [preference] }, now);
  tx.send(
    `update payment_method set autopay_preference = $3, updated_at = $4
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, methodId, preference, now],
    'put-on-file',
  );
}

/** Puts kept methods on file, the first one with preference 1; no other is there. */
export function numberMethods(tx: Tx, ids: readonly number[], now: Date): void {
  tx.send(
    `update payment_method m set autopay_preference = r.preference, updated_at = $3
     from unnest($2::bigint[]) with ordinality r(id, preference)
     where m.tenant_id = $1 and m.id = r.id`,
    [tx.tenantId, ids, now],
    'number-methods',
  );
}

/** The gateway said that the method will never work again. */
export function markHardDeclined(tx: Tx, methodId: number, now: Date): void {
  tx.send(
    `update payment_method set hard_declined_at = coalesce(hard_declined_at, $3), updated_at = $3
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, methodId, now],
    'mark-hard-declined',
  );
}

export type GatewayNews = RowOf<typeof PaymentMethod, 'brand' | 'lastFour' | 'expiry'>;

interface Today {
  readonly now: Date;
  readonly today: IsoDate;
}

/**
 * The gateway has changed what is known of the method: a decline for ever of before holds no longer.
 * False if that was known already.
 */
export async function renewMethod(
  tx: Tx,
  methodId: number,
  { brand, lastFour, expiry }: GatewayNews,
  { now, today }: Today,
): Promise<boolean> {
  const renewed = await tx.query(
    `update payment_method set brand = $3, last_four = $4, expiry = $5, hard_declined_at = null,
       gateway_updated = $6, updated_at = $7
     where tenant_id = $1 and id = $2
       and (brand, last_four, expiry) is distinct from ($3::text, $4::text, $5::date)
     returning id`,
    [tx.tenantId, methodId, brand, lastFour, expiry, today, now],
    'renew-method',
  );
  return renewed.length > 0;
}

/** The gateway does not charge the method any more: it is gone, or its mandate revoked. */
export async function revokeMethod(
  tx: Tx,
  methodId: number,
  { now, today }: Today,
): Promise<boolean> {
  const revoked = await tx.query(
    `update payment_method set hard_declined_at = $3, gateway_updated = $4, updated_at = $3
     where tenant_id = $1 and id = $2 and hard_declined_at is null returning id`,
    [tx.tenantId, methodId, now, today],
    'revoke-method',
  );
  return revoked.length > 0;
}
