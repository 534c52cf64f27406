/** Reads stored usage records by their references, and inserts and deletes records. */
import type { Decimal } from '../../../domain/money/money.ts';
import type { FreeRecord } from '../../../domain/usage/free.ts';
import type { BilledUsage } from '../../../domain/usage/shares.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { standingStatus } from '../context/invoices.ts';
import { insertText } from '../context/insertion.ts';
import { Activity, type UsageWindow } from '../../entities/usage.ts';
import type { RowOf } from '../../entities/rows.ts';

/** Those of the references that records have, with the ids of these. */
export async function takenRefs(
  tx: Tx,
  refs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (refs.length === 0) return new Map();
  const rows = await tx.query<{ ref: string; id: number }>(
    `select r.ref, a.id from unnest($2::text[]) as r(ref) cross join lateral (
       select id from activity where tenant_id = $1 and ext_ref_id = r.ref limit 1) a`,
    [tx.tenantId, refs],
    'taken-usage-refs',
  );
  return new Map(rows.map(({ ref, id }) => [ref, id]));
}

/** What the records of the billed window `w` share. */
export const sharedJson = `json_build_object('quantity', trim_scale(w.shared_quantity)::text,
  'amount', trim_scale(w.shared_amount)::text, 'lastId', w.last_activity_id,
  'lastAmount', trim_scale(w.last_amount)::text)`;

/**
 * What decides when a record `a` of an order `o` without a window is Processed; null for one with a
 * window, and for an order without a trial.
 *
 * @param timezone the parameter of the tenant's
 */
export const freeJson = (timezone: string): string => `case
  when a.window_id is null and o.trial_end_date is not null then json_build_object(
    'day', case when a.corrects_id is null then a.charge_date else (select c.charge_date from activity c
      where c.tenant_id = a.tenant_id and c.id = a.corrects_id) end,
    'uploadedOn', (a.created_at at time zone ${timezone})::date, 'trialEndDate', o.trial_end_date,
    'status', o.status, 'endDate', o.end_date, 'isAutoRenew', o.is_auto_renew,
    'endedOn', o.ended_on) end`;

export interface CorrectionOfRow {
  readonly id: number;
  readonly quantity: Decimal;
  /** Null if it shares what its window costs. */
  readonly amount: Decimal | null;
}

/** A record that may be corrected, with its window. */
export interface CorrectableRow
  extends
    RowOf<typeof Activity, 'id' | 'quantity' | 'amount'>,
    RowOf<typeof UsageWindow, 'percent'> {
  readonly ref: string;
  readonly lineId: number;
  readonly unitPrice: Decimal | null;
  readonly isCorrection: boolean;
  readonly corrections: readonly CorrectionOfRow[];
  readonly periodIndex: number | null;
  readonly isBilled: boolean;
  /** The invoice that billed it is cancelled, and its window was not rolled back. */
  readonly isCancelled: boolean;
  /** What its billed window's records without an amount share; null if there are none. */
  readonly shared: Omit<BilledUsage, 'currency'> | null;
}

/** The window `w` of a record `a`. */
export const windowOfRecord =
  'left join usage_window w on w.tenant_id = a.tenant_id and w.id = a.window_id';

/** The records with these references. */
export function correctableRows(tx: Tx, refs: readonly string[]): Promise<CorrectableRow[]> {
  if (refs.length === 0) return Promise.resolve([]);
  return tx.query<CorrectableRow & Record<string, unknown>>(
    `select r.ref, a.id, a.order_line_id as line_id, trim_scale(a.quantity)::text as quantity,
       trim_scale(a.amount)::text as amount, trim_scale(a.unit_price)::text as unit_price,
       a.corrects_id is not null as is_correction,
       (select coalesce(json_agg(json_build_object('id', k.id,
            'quantity', trim_scale(k.quantity)::text, 'amount', trim_scale(k.amount)::text)
            order by k.id), '[]')
        from activity k where k.tenant_id = $1 and k.corrects_id = a.id) as corrections,
       w.period_index, w.closed_at is not null as is_billed,
       exists (select from invoice i where i.tenant_id = $1 and i.id = w.invoice_id
         and ${standingStatus('i')} = 'Cancelled') as is_cancelled,
       case when w.last_activity_id is not null then ${sharedJson} end as shared,
       trim_scale(w.percent)::text as percent
     from unnest($2::text[]) as r(ref)
     cross join lateral (
       select * from activity where tenant_id = $1 and ext_ref_id = r.ref limit 1) a
     left join lateral (
       select * from usage_window w where w.tenant_id = $1 and w.id = a.window_id limit 1) w on true`,
    [tx.tenantId, refs],
    'correctable-usage',
  );
}

/** Keeps corrections of these records from each other, and the records from being deleted. */
export function lockRecords(tx: Tx, ids: readonly number[]): void {
  if (ids.length === 0) return;
  tx.send(
    'select from activity where tenant_id = $1 and id = any($2) order by id for no key update',
    [tx.tenantId, ids],
    'lock-usage-records',
  );
}

const columns = [
  'id',
  'customerId',
  'orderLineId',
  'windowId',
  'extRefId',
  'quantity',
  'amount',
  'unitPrice',
  'chargeDate',
  'chargeEndDate',
  'invoiceText',
  'correctsId',
  'amountIsShare',
  'correctsBilled',
  'correctedPercent',
] as const;

export type RecordInsert = RowOf<typeof Activity, (typeof columns)[number]>;

const insertRecordsText = `with made as (${insertText({
  into: Activity,
  columns,
  values: { batchId: '$3', createdAt: '$4' },
  ending:
    'on conflict (tenant_id, ext_ref_id) where ext_ref_id is not null do nothing returning id',
})}) select count(*)::int as count from made`;

/**
 * Inserts the records whose references are free, and returns how many these are. The rows are
 * ordered by reference, so that two uploads of the same references do not deadlock.
 */
export async function insertRecords(
  tx: Tx,
  rows: readonly RecordInsert[],
  { batchId, now }: { readonly batchId: number; readonly now: Date },
): Promise<number> {
  const values = [tx.tenantId, JSON.stringify(rows.map(withoutNulls)), batchId, now];
  const [made] = await tx.query<{ count: number }>(insertRecordsText, values, 'insert-usage');
  return made?.count ?? 0;
}

/** A key that is missing is null, too, and half of the text is nulls. */
function withoutNulls(row: RecordInsert): Partial<RecordInsert> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row)) if (value !== null) kept[key] = value;
  return kept;
}

/** A record that is to be deleted. */
export type DoomedRow = RowOf<typeof Activity, 'id' | 'windowId'>;

/** By its id or its reference. */
export type RecordAddress = { readonly id: number } | { readonly extRefId: string };

export async function findRecord(tx: Tx, address: RecordAddress): Promise<DoomedRow | undefined> {
  const byId = 'id' in address;
  const [row] = await tx.query<DoomedRow & Record<string, unknown>>(
    `select id, window_id from activity
     where tenant_id = $1 and ${byId ? 'id' : 'ext_ref_id'} = $2`,
    [tx.tenantId, byId ? address.id : address.extRefId],
    `find-usage-by-${byId ? 'id' : 'ref'}`,
  );
  return row;
}

/** What decides whether a record may be deleted, once nothing can change it. */
export interface LockedRecord {
  readonly windowId: number | null;
  /** Of a record without a window, of an order with a trial. */
  readonly free: FreeRecord | null;
  readonly isBilled: boolean;
  readonly isCorrected: boolean;
  readonly customerId: number;
  readonly isErased: boolean;
}

/** Locks the window first, as billing does, then the record. */
export async function lockForDeletion(
  tx: Tx,
  { id, windowId }: DoomedRow,
  timezone: string,
): Promise<LockedRecord | undefined> {
  tx.send(
    'select from usage_window where tenant_id = $1 and id = $2 for update',
    [tx.tenantId, windowId],
    'lock-usage-window',
  );
  tx.send(
    'select from activity where tenant_id = $1 and id = $2 for update',
    [tx.tenantId, id],
    'lock-usage-record',
  );
  const [row] = await tx.query<LockedRecord & Record<string, unknown>>(
    `select a.window_id, exists (select from usage_window w
         where w.tenant_id = $1 and w.id = a.window_id and w.closed_at is not null) as is_billed,
       exists (select from activity k
         where k.tenant_id = $1 and k.corrects_id = a.id) as is_corrected,
       ${freeJson('$3')} as free, a.customer_id,
       exists (select from customer c where c.tenant_id = $1 and c.id = a.customer_id
         and c.erased_on is not null) as is_erased
     from activity a
     join order_line l on l.tenant_id = $1 and l.id = a.order_line_id
     join subscription_order o on o.tenant_id = $1 and o.id = l.order_id
     where a.tenant_id = $1 and a.id = $2`,
    [tx.tenantId, id, timezone],
    'locked-usage-record',
  );
  return row;
}

export function deleteRecord(tx: Tx, id: number): void {
  tx.send(
    'delete from activity where tenant_id = $1 and id = $2',
    [tx.tenantId, id],
    'delete-usage',
  );
}
