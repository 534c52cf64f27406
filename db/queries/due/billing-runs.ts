/** A tenant's billing runs: one row a day, whose heartbeat shows that a run is active. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { BillingRun } from '../../entities/processes.ts';
import type { RowOf } from '../../entities/rows.ts';
import { oneRow } from '../context/insertion.ts';

/** Real time, on the database's clock: long enough for a batch that waits for locks. */
const HEARTBEAT_FRESH_SECONDS = 15;

export type RunState = 'none' | 'running' | 'stale' | 'finished';

export async function readRunState(tx: Tx, runOn: IsoDate): Promise<RunState> {
  const [row] = await tx.query<{ state: RunState }>(
    `select case when finished_at is not null then 'finished'
                 when heartbeat_at > clock_timestamp() - make_interval(secs => $3) then 'running'
                 else 'stale' end as state
     from billing_run where tenant_id = $1 and run_on = $2`,
    [tx.tenantId, runOn, HEARTBEAT_FRESH_SECONDS],
    'readRunState',
  );
  return row?.state ?? 'none';
}

export interface RunCounts extends RowOf<typeof BillingRun, 'customers' | 'orders' | 'invoices'> {
  /** The sums of the invoices, by currency. */
  readonly amounts?: Readonly<Record<string, Decimal>>;
}

const beat = oneRow({
  into: BillingRun,
  as: 'r',
  columns: ['runOn', 'customers', 'orders', 'invoices', 'amounts'],
  values: { startedAt: 'clock_timestamp()', heartbeatAt: 'clock_timestamp()' },
  ending: `on conflict (tenant_id, run_on) do update set
      heartbeat_at = clock_timestamp(), customers = r.customers + excluded.customers,
      orders = r.orders + excluded.orders, invoices = r.invoices + excluded.invoices,
      amounts = (
        select coalesce(jsonb_object_agg(each.key, each.total::text), '{}') from (
          select key, sum(value::numeric) as total from (
            select * from jsonb_each_text(r.amounts)
            union all select * from jsonb_each_text(excluded.amounts)) entry
          group by key) each)
    returning customers, orders, invoices, amounts`,
});

/** Adds to the day's counts, updates the heartbeat, and returns the sums. */
export async function beatRun(
  tx: Tx,
  runOn: IsoDate,
  more: RunCounts,
): Promise<Required<RunCounts>> {
  const counts = { ...more, runOn, amounts: more.amounts ?? {} };
  const [row] = await tx.query<Required<RunCounts>>(
    beat.text,
    beat.values(tx.tenantId, counts),
    'beatRun',
  );
  if (!row) throw new Error(`the run of ${runOn} was not written`);
  return row;
}

const clockRun = oneRow({
  into: BillingRun,
  as: 'r',
  columns: ['runOn', 'startedAt', 'heartbeatAt', 'finishedAt', 'customers', 'orders', 'invoices'],
  values: {
    held: `(select count(*)::int from customer
      where tenant_id = $1 and billing_held_at is not null)`,
  },
  ending: `on conflict (tenant_id, run_on) do update set
      heartbeat_at = excluded.heartbeat_at, finished_at = excluded.finished_at,
      customers = r.customers + excluded.customers, orders = r.orders + excluded.orders,
      invoices = r.invoices + excluded.invoices, held = excluded.held`,
});

export interface ClockRun
  extends RowOf<typeof BillingRun, 'runOn' | 'startedAt'>, Omit<RunCounts, 'amounts'> {
  readonly finishedAt: Date;
}

/** What a test clock has billed on a day of its own, for people to see; adds to what it did before. A worker that dies before leaves none. */
export function noteClockRun(tx: Tx, run: ClockRun): void {
  const { finishedAt: heartbeatAt, customers, orders, invoices } = run;
  const { runOn, startedAt, finishedAt } = run;
  const row = { runOn, startedAt, heartbeatAt, finishedAt, customers, orders, invoices };
  tx.send(clockRun.text, clockRun.values(tx.tenantId, row), 'note-clock-run');
}

export interface HeldShown {
  readonly customerId: string;
  readonly customerRef: string | null;
  readonly code: string;
}

export interface HeldCustomers {
  readonly held: number;
  /** The first of them by id. */
  readonly heldCustomers: readonly HeldShown[];
}

/** Returns the customers held from billing: their number, and the first of them. */
export async function finishRun(tx: Tx, runOn: IsoDate, shownMax = 0): Promise<HeldCustomers> {
  const held = await countHeldCustomers(tx);
  await tx.query(
    `update billing_run set heartbeat_at = clock_timestamp(), finished_at = clock_timestamp(),
       held = $3
     where tenant_id = $1 and run_on = $2`,
    [tx.tenantId, runOn, held],
  );
  if (held === 0) return { held, heldCustomers: [] };
  const heldCustomers = await tx.query<HeldShown>(
    `select id::text as customer_id, ext_customer_ref as customer_ref,
            coalesce(billing_held_code, 'unknown') as code
     from customer where tenant_id = $1 and billing_held_at is not null
     order by customer.id limit $2`,
    [tx.tenantId, shownMax],
  );
  return { held, heldCustomers };
}

export async function countHeldCustomers(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*) from customer where tenant_id = $1 and billing_held_at is not null',
    [tx.tenantId],
  );
  return row?.count ?? 0;
}
