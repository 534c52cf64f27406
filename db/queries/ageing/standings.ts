/** Reads and writes how customers stand: status, pauses, dunning. Set-based, under their locks. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { AgeingRules, Threshold } from '../../../domain/dunning/ageing.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { Customer, CustomerTransition } from '../../entities/customers.ts';
import { Dunning, DunningRules } from '../../entities/collection.ts';
import type { RowOf } from '../../entities/rows.ts';
import { type GivenBy, type InsertedBy, given, inserting, oneRow } from '../context/insertion.ts';
import { movedInOn } from '../context/invoices.ts';
import { retryRemains } from './due.ts';

/** A customer, with its dunning if it ever had one. */
export interface StandingRow
  extends
    RowOf<typeof Customer, 'id' | 'status'>,
    RowOf<
      typeof Dunning,
      | 'heldReason'
      | 'forgivenOn'
      | 'nextStepOn'
      /** When its step was found due beside a payment under way, for which it waits. */
      | 'waitsSince'
    > {
  readonly isByHand: boolean;
  /** The dueDate of the oldest open invoice. */
  readonly oldestDueOn: IsoDate | null;
  /** The day on which an import moved that invoice in; null if it was made here. */
  readonly oldestMovedInOn: IsoDate | null;
  /** A declined automatic payment of it is to be tried again, or is under way. */
  readonly hasRetry: boolean;
  readonly isOpen: boolean;
  /** An import opened it, and the run of its next step begins it. */
  readonly awaitsRun: boolean;
  readonly isHeld: boolean;
}

const columns = `c.id, c.status, c.status_by_hand as is_by_hand, oldest.due_on as oldest_due_on,
  oldest.moved_in_on as oldest_moved_in_on,
  retry.remains as has_retry,
  coalesce(d.opened_on is not null and d.closed_on is null, false) as is_open,
  coalesce(d.awaits_run and d.closed_on is null, false) as awaits_run,
  d.held_on is not null as is_held, d.held_reason, d.forgiven_on, d.next_step_on, d.waits_since`;

const standings = `
  select ${columns} from customer c
  left join dunning d on d.tenant_id = c.tenant_id and d.customer_id = c.id
  left join lateral (
    select i.due_date as due_on, ${movedInOn('i')} as moved_in_on from invoice i
    where i.tenant_id = c.tenant_id and i.customer_id = c.id and i.status = 'Outstanding'
    -- Of those due on the same day one made here counts, else the one that is here the longest.
    order by i.due_date, i.is_imported, i.created_at limit 1) oldest on true
  cross join lateral (
    select exists (select from collection_attempt a
      where a.tenant_id = c.tenant_id and a.customer_id = c.id and ${retryRemains('a')}) as remains
    ) retry
  where c.tenant_id = $1 and c.id = any($2)`;

/** Those of the customers that have an open dunning or should have one, ascending. */
export function readIndebted(
  tx: Tx,
  customerIds: readonly number[],
  today: IsoDate,
): Promise<StandingRow[]> {
  return tx.query<StandingRow & Record<string, unknown>>(
    `${standings} and (oldest.due_on < $3 or retry.remains
       or (d.opened_on is not null and d.closed_on is null))
     order by c.id`,
    [tx.tenantId, customerIds, today],
    'read-indebted',
  );
}

/** Opens, closes and reschedules; a row that stays as it is gets no new version. */
export const writeDunnings = inserting('write-dunnings', {
  into: Dunning,
  as: 'd',
  columns: [
    'customerId',
    /** Null if it stays open. */
    'closedOn',
    'nextStepOn',
    /** It has no workflow before its next run, so its version stays one that nobody has to see. */
    'awaitsRun',
    /** When money in processing held back its step; null if none does today. */
    'aidedOn',
  ],
  at: { openedOn: 'today', createdAt: 'now', updatedAt: 'now' },
  values: { version: 'case when r."awaitsRun" then 0 else 1 end' },
  ending: `on conflict (tenant_id, customer_id) do update set
    opened_on = case when d.closed_on is null then d.opened_on else excluded.opened_on end,
    closed_on = excluded.closed_on, next_step_on = excluded.next_step_on,
    waits_since = case when excluded.next_step_on = d.next_step_on then d.waits_since end,
    aided_on = coalesce(excluded.aided_on, d.aided_on),
    held_on = case when excluded.closed_on is null then d.held_on end,
    held_reason = case when excluded.closed_on is null then d.held_reason end,
    awaits_run = excluded.awaits_run,
    version = d.version + case when excluded.awaits_run then 0 else 1 end,
    updated_at = excluded.updated_at`,
});

/** The dunning of a customer after a change. */
export type DunningWrite = InsertedBy<typeof writeDunnings>;

/** Their steps are due, and wait for payments under way from now on. */
export function noteWaits(tx: Tx, customerIds: readonly number[], now: Date): void {
  if (customerIds.length === 0) return;
  tx.send(
    `update dunning set waits_since = $3, version = version + 1, updated_at = $3
     where tenant_id = $1 and customer_id = any($2)`,
    [tx.tenantId, customerIds, now],
    'note-waits',
  );
}

/** What their workflows show has changed, although the rows stay as they are; those begin now. */
export function touchDunnings(tx: Tx, customerIds: readonly number[], now: Date): void {
  if (customerIds.length === 0) return;
  tx.send(
    `update dunning set awaits_run = false, version = version + 1, updated_at = $3
     where tenant_id = $1 and customer_id = any($2)`,
    [tx.tenantId, customerIds, now],
    'touch-dunnings',
  );
}

/** Records transitions by ageing, in the order of their ids. */
export const writeTransitions = inserting('insert-transitions', {
  into: CustomerTransition,
  columns: ['id', 'customerId', 'previousStatus', 'newStatus'],
  at: { transitionedOn: 'today', transitionedAt: 'now' },
  values: { cause: `'ageing'` },
});

const statuses = given(Customer, ['id', 'status']);

export type StatusWrite = GivenBy<typeof statuses>;

export function writeStatuses(tx: Tx, rows: readonly StatusWrite[], now: Date): void {
  tx.send(
    `update customer c set status = r.status, version = c.version + 1, updated_at = $3
     from ${statuses.recordset}
     where c.tenant_id = $1 and c.id = r.id`,
    [tx.tenantId, statuses.json(rows), now],
    'write-statuses',
  );
}

/** Pauses the service of all orders of these customers; an open pause stays open. */
export function pauseService(tx: Tx, customerIds: readonly number[], today: IsoDate): void {
  if (customerIds.length === 0) return;
  tx.send(
    `insert into service_pause (tenant_id, customer_id, suspended_on)
     select $1, id, $3 from unnest($2::bigint[]) id
     on conflict (tenant_id, customer_id) where resumed_on is null and order_id is null
     do nothing`,
    [tx.tenantId, customerIds, today],
    'pause-service',
  );
}

export function resumeService(tx: Tx, customerIds: readonly number[], today: IsoDate): void {
  if (customerIds.length === 0) return;
  tx.send(
    `update service_pause set resumed_on = $3
     where tenant_id = $1 and customer_id = any($2) and order_id is null and resumed_on is null`,
    [tx.tenantId, customerIds, today],
    'resume-service',
  );
}

/** Thresholds that the customer's invoices have reached by today do not count any more. */
export function forgive(
  tx: Tx,
  customerId: number,
  { now, today }: { readonly now: Date; readonly today: IsoDate },
): void {
  tx.send(
    `update dunning set forgiven_on = $3, version = version + 1, updated_at = $4
     where tenant_id = $1 and customer_id = $2 and closed_on is null`,
    [tx.tenantId, customerId, today, now],
    'forgive-dunning',
  );
}

/** A tenant's thresholds in force, and the day up to which its runs have applied them. */
export interface RulesRow extends AgeingRules {
  /** The last day whose statuses are complete. */
  readonly agedOn: IsoDate;
}

export async function readRules(tx: Pick<Tx, 'tenantId' | 'query'>): Promise<RulesRow> {
  const [row] = await tx.query<RowOf<typeof DunningRules, 'thresholds' | 'inForceOn' | 'agedOn'>>(
    'select thresholds, in_force_on, aged_on from dunning_rules where tenant_id = $1',
    [tx.tenantId],
    'read-dunning-rules',
  );
  if (!row) throw new Error(`tenant ${tx.tenantId} has no dunning rules`);
  return { thresholds: row.thresholds, inForceOn: row.inForceOn, agedOn: row.agedOn };
}

/** The statuses of the day are complete: what changes later waits for the next day. */
export async function noteAged(tx: Tx, today: IsoDate): Promise<void> {
  await tx.query(
    'update dunning_rules set aged_on = $2 where tenant_id = $1 and aged_on < $2',
    [tx.tenantId, today],
    'note-aged',
  );
}

const firstRules = oneRow({
  into: DunningRules,
  as: 'r',
  columns: ['thresholds', 'inForceOn', 'agedOn'],
});

/** Applying a tenant file: the first thresholds, or others, which the next run applies first. */
export async function keepRules(
  tx: Tx,
  thresholds: readonly Threshold[],
  { today, firstRunOn }: { readonly today: IsoDate; readonly firstRunOn: IsoDate },
): Promise<void> {
  const first = { thresholds, inForceOn: today, agedOn: today };
  const values = [...firstRules.values(tx.tenantId, first), firstRunOn];
  const changed = await tx.query(
    `${firstRules.text}
     on conflict (tenant_id) do update
     set thresholds = excluded.thresholds, in_force_on = ${firstRules.next}
     where r.thresholds <> excluded.thresholds
     returning tenant_id`,
    values,
  );
  if (changed.length === 0) return;
  await tx.query(
    `with open as (
       select customer_id from dunning
       where tenant_id = $1 and closed_on is null and held_on is null and not awaits_run
       order by customer_id for update)
     update dunning d set next_step_on = least(d.next_step_on, $2), version = d.version + 1
     from open where d.tenant_id = $1 and d.customer_id = open.customer_id`,
    [tx.tenantId, firstRunOn],
  );
}
