/** Customers that wait for their tax provider, each until its next try; all times are real. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { WrittenAddress } from '../../../domain/tax/documents.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { RowOf } from '../../entities/rows.ts';
import { TaxWait, TaxAnswer } from '../../entities/taxes.ts';
import { insertText, inserting } from '../context/insertion.ts';
import { pauseAfter } from '../tax-records/calls.ts';

/** Tries that are due within this time are made together. */
export const TOGETHER_MS = 5_000;

/** Whether a customer `c` waits for a later try than now, which the SQL gives. */
export const waitsAt = (now: string): string => `exists (
  select from tax_wait w where w.tenant_id = c.tenant_id and w.customer_id = c.id
    and w.next_try_at > ${now}::timestamptz + interval '${TOGETHER_MS} milliseconds')`;

/** With the provider's code, or ours: `timeout`. */
export type PutOff = RowOf<typeof TaxWait, 'customerId' | 'code'>;

const putOffText = insertText({
  into: TaxWait,
  as: 'w',
  columns: ['customerId', 'code'],
  values: { since: '$3', tries: '1', nextTryAt: `$3::timestamptz + ${pauseAfter('0')}` },
  ending: `on conflict (tenant_id, customer_id) do update set code = excluded.code,
    tries = w.tries + 1, next_try_at = $3::timestamptz + ${pauseAfter('w.tries')}`,
});

/** The provider was asked in vain. */
export function putOff(tx: Tx, waits: readonly PutOff[], now: Date): void {
  if (waits.length === 0) return;
  tx.send(putOffText, [tx.tenantId, JSON.stringify(waits), now], 'put-off');
}

/** They are to be asked about at once, by the billing run. */
export function awaitAnswers(tx: Tx, customerIds: readonly number[], now: Date): void {
  tx.send(
    `insert into tax_wait (tenant_id, customer_id, code, since, tries, next_try_at)
     select $1, id, 'not_asked', $3, 0, $3 from unnest($2::bigint[]) id
     on conflict (tenant_id, customer_id) do nothing`,
    [tx.tenantId, customerIds, now],
    'await-answers',
  );
}

/** They have been billed. */
export function endWaits(tx: Tx, customerIds: readonly number[]): void {
  if (customerIds.length === 0) return;
  tx.send(
    'delete from tax_wait where tenant_id = $1 and customer_id = any($2)',
    [tx.tenantId, customerIds],
    'end-waits',
  );
}

/** Whether the customer had waited. */
export async function endWait(tx: Tx, customerId: number): Promise<boolean> {
  const ended = await tx.query(
    'delete from tax_wait where tenant_id = $1 and customer_id = $2 returning customer_id',
    [tx.tenantId, customerId],
    'end-wait',
  );
  return ended.length > 0;
}

/** Customers that are held, or have nothing due any more, wait for nothing. */
export function endIdleWaits(tx: Tx, today: IsoDate): void {
  tx.send(
    `delete from tax_wait w where w.tenant_id = $1 and not exists (
       select from customer c join subscription_order o
         on o.tenant_id = c.tenant_id and o.customer_id = c.id
       where c.tenant_id = w.tenant_id and c.id = w.customer_id and c.billing_held_at is null
         and o.next_action_on <= $2)`,
    [tx.tenantId, today],
    'end-idle-waits',
  );
}

export interface TaxWaits {
  readonly customers: number;
  /** The first failure of those that wait; null if none does. */
  readonly since: Date | null;
  readonly nextTryAt: Date | null;
}

export async function readTaxWaits(tx: Tx): Promise<TaxWaits> {
  const [row] = await tx.query<TaxWaits & Record<string, unknown>>(
    `select count(*)::int as customers, min(since) as since, min(next_try_at) as next_try_at
     from tax_wait where tenant_id = $1`,
    [tx.tenantId],
    'tax-waits',
  );
  return row ?? { customers: 0, since: null, nextTryAt: null };
}

/* Stores and reads what tax providers answered, by customer and document. */

type StoredAnswer = RowOf<typeof TaxAnswer, 'customerId' | 'documentHash' | 'answer'>;

/** Those to documents of these customers of that day and later. */
export function readTaxAnswers(
  tx: Tx,
  customerIds: readonly number[],
  from: IsoDate,
): Promise<StoredAnswer[]> {
  return tx.query<StoredAnswer & Record<string, unknown>>(
    `select customer_id, document_hash, answer
     from tax_answer where tenant_id = $1 and customer_id = any($2) and invoice_date >= $3`,
    [tx.tenantId, customerIds, from],
    'tax-answers',
  );
}

/** A later answer to the same document takes the place of an earlier one. */
export const writeTaxAnswers = inserting('write-tax-answers', {
  into: TaxAnswer,
  columns: ['customerId', 'invoiceDate', 'documentHash', 'answer'],
  // In one order, so that two processes that ask the same do not deadlock.
  ending: `order by 2, 3, 4
    on conflict (tenant_id, customer_id, invoice_date, document_hash)
      do update set answer = excluded.answer, answered_at = excluded.answered_at`,
});

/* Reads the addresses of billing contacts, by which customers are taxed. */

/** By customer; one without a billing contact has none. */
export async function readTaxAddresses(
  tx: Tx,
  customerIds: readonly number[],
): Promise<ReadonlyMap<number, WrittenAddress>> {
  if (customerIds.length === 0) return new Map();
  const rows = await tx.query<WrittenAddress & { readonly id: number }>(
    `select customer_id as id, street1, street2, city, state, zip, country,
       country_code
     from contact where customer_id = any($1) and kind = 'billing'`,
    [customerIds],
    'tax-addresses',
  );
  return new Map(rows.map(({ id, ...address }) => [id, address]));
}
