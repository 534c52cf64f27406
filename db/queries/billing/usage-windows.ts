/** Reads, opens and locks usage windows for billing, and sums their records in PostgreSQL. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { LineWindow, UsageSums } from '../../../domain/standing/line.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { UsageWindow } from '../../entities/usage.ts';
import { given, givenOf, type GivenBy } from '../context/insertion.ts';
import type { WindowRow } from './load.ts';

/** A statement of billing ends after the window with which it has read so many records. */
const SUMMED_RECORDS_MAX = 1_000_000;
/** Of one line that has ended. */
const LATE_WINDOWS_MAX = 100;

const choices = givenOf({
  lineId: 'bigint',
  // The line's pointer.
  from: 'int',
  // The last period whose open window is wanted.
  upTo: 'int',
  // The line's last period, after which windows count if they have records; null if it continues.
  last: 'int?',
});

/** The windows of a line that its billing depends on. */
export type WindowChoice = GivenBy<typeof choices>;

/** Their sums are not read. By line, in the order of their periods. */
export async function readWindows(
  tx: Tx,
  chosen: readonly WindowChoice[],
): Promise<ReadonlyMap<number, readonly WindowRow[]>> {
  const rows = await tx.query<WindowRow & { readonly line: number }>(
    `select r."lineId" as line, w.id, w.period_index,
       w.closed_at is not null as is_closed, null as sums, null as last_id
     from ${choices.recordset}
     cross join lateral (
       select * from usage_window w
       where w.tenant_id = $1 and w.order_line_id = r."lineId" and w.period_index >= r."from"
         and (w.closed_at is not null or w.period_index <= coalesce(r.last, r."upTo"))
       union all
       (select * from usage_window w
        where w.tenant_id = $1 and w.order_line_id = r."lineId" and w.period_index >= r."from"
          and w.closed_at is null and w.period_index > r.last
          and exists (select from activity a where a.tenant_id = $1 and a.window_id = w.id)
        order by w.period_index limit ${LATE_WINDOWS_MAX})) w
     order by line, w.period_index`,
    [tx.tenantId, choices.json(chosen)],
    'usage-windows',
  );
  return Map.groupBy(rows, ({ line }) => line);
}

const windowKeys = given(UsageWindow, { lineId: 'orderLineId', periodIndex: 'periodIndex' });

/** A window by its line and period. */
export type WindowKey = GivenBy<typeof windowKeys>;

export interface LockedWindow {
  readonly id: number;
  readonly isClosed: boolean;
}

/**
 * Locks windows until the transaction ends, so that no upload adds a record; opens those that nobody
 * has opened. Uploads do both in the same order. Returns them in the order of the keys.
 */
export async function lockWindows(
  tx: Tx,
  keys: readonly WindowKey[],
): Promise<readonly LockedWindow[]> {
  const json = windowKeys.json(keys);
  tx.send(
    `insert into usage_window (tenant_id, order_line_id, period_index)
     select $1, r."lineId", r."periodIndex"
     from ${windowKeys.recordset}
     order by 2, 3 on conflict do nothing`,
    [tx.tenantId, json],
    'open-usage-windows',
  );
  return tx.query<LockedWindow & Record<string, unknown>>(
    `with locked as (
       select w.id, w.order_line_id, w.period_index, w.closed_at
       from ${windowKeys.recordset}
       join usage_window w on w.tenant_id = $1 and w.order_line_id = r."lineId"
         and w.period_index = r."periodIndex"
       order by w.order_line_id, w.period_index for update of w)
     select l.id, l.closed_at is not null as is_closed from json_array_elements($2) with ordinality k(key, place)
     join locked l on l.order_line_id = (k.key->>'lineId')::bigint
       and l.period_index = (k.key->>'periodIndex')::int
     order by k.place`,
    [tx.tenantId, json],
    'lock-usage-windows',
  );
}

const endedLines = given(
  UsageWindow,
  { lineId: 'orderLineId', periodIndex: 'periodIndex' },
  // A superseded line's last window also has the records that are dated after it.
  { besides: { endedOn: 'date', isSuperseded: 'boolean' } },
);

/** A line that has ended, with its first open window from its last period on. */
export type EndedLine = GivenBy<typeof endedLines>;

/**
 * Settles the records dated after the end of their line: those of a Superseded order go to its last
 * window, others to none. Their windows must be locked.
 */
export function settleEnded(tx: Tx, lines: readonly EndedLine[]): void {
  if (lines.length === 0) return;
  tx.send(
    `update activity a set window_id = case when r."isSuperseded" then t.id end
     from ${endedLines.recordset}
     join usage_window t on t.tenant_id = $1 and t.order_line_id = r."lineId"
       and t.period_index = r."periodIndex"
     join usage_window w on w.tenant_id = $1 and w.order_line_id = r."lineId"
       and w.period_index >= r."periodIndex" and w.closed_at is null
     where a.tenant_id = $1 and a.window_id = w.id and case when r."isSuperseded" then w.id <> t.id
       -- A call for each record of a million would take long.
       when a.corrects_id is null then a.charge_date > r."endedOn"
       else activity_day(a) > r."endedOn" end`,
    [tx.tenantId, endedLines.json(lines)],
    'settle-ended-usage',
  );
}

export interface SummedWindow extends WindowKey {
  /** Records of later days do not count; null if all do. */
  readonly until: IsoDate | null;
}

export interface WindowSums {
  /** Null without records. */
  readonly sums: LineWindow['sums'];
  /** The last of the records that share what is priced by quantity; null if there are none. */
  readonly lastId: number | null;
}

/**
 * What the records of windows come to, in the order of the windows; at least of the first one. If it
 * is of fewer, there are too many records for one statement.
 */
export async function sumWindows(
  tx: Tx,
  windows: readonly SummedWindow[],
  recordsMax = SUMMED_RECORDS_MAX,
): Promise<WindowSums[]> {
  const rows = await tx.query<{ sums: readonly SumRow[] }>(
    'select sums from usage_sums($1, $2, $3, $4) order by place',
    [
      windows.map(({ lineId }) => lineId),
      windows.map(({ periodIndex }) => periodIndex),
      windows.map(({ until }) => until),
      recordsMax,
    ],
    'sum-usage-windows',
  );
  return rows.map(({ sums }) => sumsOf(sums));
}

interface SumRow {
  readonly kind: 'quantity' | 'supplied' | 'correction';
  readonly price: Decimal | null;
  /** Of corrections of billed records: the window of these. */
  readonly of: number | null;
  readonly quantity: Decimal;
  readonly amount: Decimal | null;
  /** The day, in days since 1970, and the id of the last record; null of other kinds. */
  readonly last: readonly [day: number, id: number] | null;
}

function sumsOf(rows: readonly SumRow[]): WindowSums {
  if (rows.length === 0) return { sums: null, lastId: null };
  const quantities = rows.filter(({ kind }) => kind === 'quantity');
  const supplied = rows.find(({ kind }) => kind === 'supplied');
  const sums: UsageSums = {
    quantities: quantities.map(({ price: unitPrice, quantity }) => ({ unitPrice, quantity })),
    supplied:
      supplied === undefined
        ? null
        : { quantity: supplied.quantity, amount: supplied.amount ?? '0' },
    corrections: rows
      .filter(({ kind }) => kind === 'correction')
      .map(({ price: percent, of, quantity, amount }) => ({
        of: of ?? 0,
        percent,
        quantity,
        amount: amount ?? '0',
      })),
  };
  return { sums, lastId: quantities.length === 0 ? null : lastOf(quantities) };
}

/** The id of the last record of all. */
function lastOf(rows: readonly SumRow[]): number | null {
  const lasts = rows.flatMap(({ last }) => (last === null ? [] : [last]));
  const [, id] = lasts.reduce((one, other) => (isLater(one, other) ? one : other));
  return id;
}

function isLater(
  one: readonly [day: number, id: number],
  other: readonly [day: number, id: number],
): boolean {
  return one[0] === other[0] ? one[1] > other[1] : one[0] > other[0];
}

/* Closes usage windows that were billed, or passed without records. */

/** What becomes of a window: closed, with what it was billed for, or without records. */
export interface WindowClose extends WindowKey {
  readonly billed: BilledWindow | null;
}

interface BilledWindow {
  readonly invoiceId: number;
  /** The days of its charges, and the order's period with the last one. */
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly ofPeriod: number;
  readonly quantity: Decimal;
  readonly amount: Decimal;
  readonly percent: Decimal | null;
  /** Null if no record is priced by its quantity. */
  readonly shared: SharedWindow | null;
}

interface SharedWindow {
  readonly quantity: Decimal;
  readonly amount: Decimal;
  /** Of the currency. */
  readonly digits: number;
  readonly lastId: number;
}

const closed = given(
  UsageWindow,
  {
    lineId: 'orderLineId',
    periodIndex: 'periodIndex',
    invoiceId: 'invoiceId',
    from: 'billedFrom',
    to: 'billedTo',
    ofPeriod: 'ofPeriod',
    quantity: 'quantity',
    amount: 'amount',
    percent: 'percent',
    sharedQuantity: 'sharedQuantity',
    sharedAmount: 'sharedAmount',
    lastId: 'lastActivityId',
  },
  // Of the currency.
  { besides: { digits: 'int?' } },
);

/** The last record takes what the rounded shares of all others leave. @see lastAmountOf */
export function closeWindows(tx: Tx, windows: readonly WindowClose[], now: Date): void {
  if (windows.length === 0) return;
  tx.send(
    `update usage_window w set closed_at = $3, invoice_id = r."invoiceId", billed_from = r."from",
       billed_to = r."to", of_period = r."ofPeriod", quantity = r.quantity, amount = r.amount,
       percent = r.percent, shared_quantity = r."sharedQuantity", shared_amount = r."sharedAmount", last_activity_id = r."lastId",
       last_amount = r."sharedAmount" - round((rounded.sum
         - (select usage_share(m.amount, l.quantity, r."sharedQuantity")
            from activity l where l.tenant_id = $1 and l.id = r."lastId")) / m.unit, r.digits)
     from ${closed.recordset}
     join usage_window k on k.tenant_id = $1 and k.order_line_id = r."lineId"
       and k.period_index = r."periodIndex"
     cross join lateral (select 10::numeric ^ r.digits as unit,
       r."sharedAmount" * 10::numeric ^ r.digits as amount) m
     cross join lateral (
       select sum(g.count * usage_share(m.amount, g.quantity, r."sharedQuantity"))
       from (select a.quantity, count(*) from activity a
             where r."lastId" is not null and a.tenant_id = $1 and a.window_id = k.id
               and a.amount is null
             group by a.quantity) g) rounded
     where w.tenant_id = $1 and w.id = k.id`,
    [tx.tenantId, JSON.stringify(windows.map(columnsOf)), now],
    'close-usage-windows',
  );
}

function columnsOf({ lineId, periodIndex, billed }: WindowClose) {
  if (billed === null) return { lineId, periodIndex };
  const { shared, ...sums } = billed;
  return {
    lineId,
    periodIndex,
    ...sums,
    sharedQuantity: shared?.quantity ?? null,
    sharedAmount: shared?.amount ?? null,
    digits: shared?.digits ?? null,
    lastId: shared?.lastId ?? null,
  };
}

/* Finds usage windows for the audit: open ones with something to bill, and closed ones without an invoice. */

const usageLines = givenOf({
  lineId: 'bigint',
  // Null if all its records are billed.
  until: 'date?',
});

/** A usage line; records dated after its end are never billed. */
export type LineUsage = GivenBy<typeof usageLines>;

/** Whatever the pointers of the lines say; by line and period. */
export function unbilledWindows(tx: Tx, lines: readonly LineUsage[]): Promise<WindowKey[]> {
  // One probe of an index each, whatever the planner believes of the number of records.
  return tx.query<WindowKey & Record<string, unknown>>(
    `select r."lineId", w.period_index
     from ${usageLines.recordset}
     cross join lateral (
       select * from usage_window own
       where own.tenant_id = $1 and own.order_line_id = r."lineId" and own.closed_at is null
       order by own.period_index limit all) w
     cross join lateral (
       select from activity a
       where a.tenant_id = $1 and a.window_id = w.id
         and (r.until is null or activity_day(a) <= r.until) limit 1) a
     order by 1, 2`,
    [tx.tenantId, usageLines.json(lines)],
    'unbilled-usage-windows',
  );
}

interface PassedWindow extends WindowKey {
  /** The tenant's day. */
  readonly closedOn: IsoDate;
}

/** The windows of lines that closed without records. */
export function passedWindows(tx: Tx, lineIds: readonly number[]): Promise<PassedWindow[]> {
  return tx.query<PassedWindow & Record<string, unknown>>(
    `select w.order_line_id as line_id, w.period_index,
       (w.closed_at at time zone t.timezone)::date as closed_on
     from usage_window w join tenant t on t.id = w.tenant_id
     where w.tenant_id = $1 and w.order_line_id = any($2) and w.closed_at is not null
       and w.invoice_id is null
     order by 1, 2`,
    [tx.tenantId, lineIds],
    'passed-usage-windows',
  );
}
