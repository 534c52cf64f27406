/** Finds usage windows for the audit: open ones with something to bill, and closed ones without an invoice. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { WindowKey } from './usage-windows.ts';
import { givenOf, type GivenBy } from '../context/insertion.ts';

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

export interface PassedWindow extends WindowKey {
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
