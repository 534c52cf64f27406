/** Trials of a customer, and the records of usage that a trial moves between free and billed days. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { given, type GivenBy } from '../context/insertion.ts';
import { Activity } from '../../entities/usage.ts';

export interface TrialAsked {
  readonly customerId: number;
  readonly contractCode: string;
  /** The order that asks; null: a new one. */
  readonly orderId: number | null;
}

/** Whether the trial of an order `o` counts. */
const isHad = `o.trial_end_date is not null and o.status <> 'Draft'
  and (o.status not in ('Canceled', 'Superseded') or o.ended_on is not null)`;

/**
 * Whether another order of the customer has had the trial of the plan, or has it. Drafts, and orders that
 * never began, do not count. Whoever makes an order holds its customer's lock, so two at once see each
 * other.
 */
export async function hasHadTrial(tx: Tx, asked: TrialAsked): Promise<boolean> {
  const { customerId, contractCode, orderId } = asked;
  const [row] = await tx.query<{ found: boolean }>(
    `select exists (select from subscription_order o
       join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id and p.contract_code = $3
       where o.tenant_id = $1 and o.customer_id = $2 and ${isHad}
         and ($4::bigint is null or o.id <> $4)) as found`,
    [tx.tenantId, customerId, contractCode, orderId],
    'had-trial',
  );
  return row?.found ?? false;
}

/** The contractCodes of the plans whose trial a customer has had, or has. */
export async function trialsHad(tx: Tx, customerId: number): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ code: string }>(
    `select distinct p.contract_code as code from subscription_order o
     join plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id
     where o.tenant_id = $1 and o.customer_id = $2 and ${isHad}`,
    [tx.tenantId, customerId],
    'trials-had',
  );
  return new Set(rows.map(({ code }) => code));
}

/** A day of records of a line that are not corrections of billed ones. */
export interface UsageDay {
  readonly line: number;
  readonly day: IsoDate;
}

/** The days from one on, on which an order has records; a correction counts with its record. */
export function usageDays(
  tx: Tx,
  orderId: number,
  { from, max }: { readonly from: IsoDate; readonly max: number },
): Promise<UsageDay[]> {
  return tx.query<UsageDay & Record<string, unknown>>(
    `select distinct a.order_line_id as line, activity_day(a) as day
     from order_line l join activity a on a.tenant_id = l.tenant_id and a.order_line_id = l.id
     where l.tenant_id = $1 and l.order_id = $2 and activity_day(a) >= $3
     order by 1, 2 limit $4`,
    [tx.tenantId, orderId, from, max],
    'usage-days-of-order',
  );
}

const placed = given(Activity, { line: 'orderLineId', day: 'chargeDate', window: 'windowId' });

/** Moves the records of days into windows, or out of them. */
export function placeUsage(tx: Tx, rows: readonly GivenBy<typeof placed>[]): void {
  if (rows.length === 0) return;
  tx.send(
    `update activity a set window_id = r."window"
     from ${placed.recordset}
     where a.tenant_id = $1 and a.order_line_id = r.line and activity_day(a) = r.day`,
    [tx.tenantId, placed.json(rows)],
    'place-usage',
  );
}

/** The last free days of the orders of lines, whose lines a change of them locks. */
export async function holdTrials(
  tx: Tx,
  lineIds: readonly number[],
): Promise<readonly { readonly id: number; readonly until: IsoDate | null }[]> {
  tx.send(
    'select from order_line where tenant_id = $1 and id = any($2) order by id for key share',
    [tx.tenantId, lineIds],
    'hold-lines-in-trials',
  );
  // A statement of its own, so that it sees what the lock has waited for.
  return tx.query<{ id: number; until: IsoDate | null }>(
    `select l.id, o.trial_end_date as until from order_line l
     join subscription_order o on o.tenant_id = l.tenant_id and o.id = l.order_id
     where l.tenant_id = $1 and l.id = any($2)`,
    [tx.tenantId, lineIds],
    'trials-of-lines',
  );
}
