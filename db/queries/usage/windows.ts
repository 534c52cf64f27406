/** Makes and locks the windows of usage records. */
import type { Decimal } from '../../../domain/money/money.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { given, type GivenBy } from '../context/insertion.ts';
import { UsageWindow } from '../../entities/usage.ts';

const windows = given(UsageWindow, { line: 'orderLineId', period: 'periodIndex' });

/** A window by its line and period. */
export type WindowKey = GivenBy<typeof windows>;

export interface LockedWindow extends WindowKey {
  readonly id: number;
  /** It was billed before it was locked, and takes no record. */
  readonly isClosed: boolean;
}

/** In the order in which all locks of windows are taken. */
export function inOrderOfLocks<Key extends WindowKey>(keys: Iterable<Key>): Key[] {
  return [...keys].toSorted((a, b) => a.line - b.line || a.period - b.period);
}

/**
 * Makes the windows that are missing, and holds all of them open until the transaction ends: billing
 * locks a window before it closes it. Uploads to one window do not wait for each other.
 *
 * @param keys in order of locks
 */
export function holdWindows(tx: Tx, keys: readonly WindowKey[]): Promise<LockedWindow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  const rows = windows.json(keys);
  tx.send(
    // A line that is being deleted is waited for; then it has no window.
    `insert into usage_window (tenant_id, order_line_id, period_index)
     select $1, r.line, r.period from ${windows.recordset}
     join order_line l on l.tenant_id = $1 and l.id = r.line
     where not exists (select from usage_window w where w.tenant_id = $1
       and w.order_line_id = r.line and w.period_index = r.period)
     order by r.line, r.period for key share of l
     on conflict (tenant_id, order_line_id, period_index) do nothing`,
    [tx.tenantId, rows],
    'make-usage-windows',
  );
  return tx.query<LockedWindow & Record<string, unknown>>(
    `select w.id, w.order_line_id as line, w.period_index as period,
       w.closed_at is not null as is_closed
     from ${windows.recordset}
     join usage_window w on w.tenant_id = $1 and w.order_line_id = r.line
       and w.period_index = r.period
     order by w.order_line_id, w.period_index for key share of w`,
    [tx.tenantId, rows],
    'hold-usage-windows',
  );
}

export interface PricesOfWindow extends WindowKey {
  readonly prices: readonly Decimal[];
}

/** The unit prices of the windows' records, each once; it skips from price to price in the index. */
export function pricesOfWindows(
  tx: Tx,
  keys: readonly WindowKey[],
  pricesMax: number,
): Promise<PricesOfWindow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return tx.query<PricesOfWindow & Record<string, unknown>>(
    `select r.line, r.period, array(
       with recursive found as (
         select 1 as nth, (select min(a.unit_price) from activity a
           where a.tenant_id = $1 and a.window_id = w.id) as price
         union all
         select f.nth + 1, (select min(a.unit_price) from activity a
           where a.tenant_id = $1 and a.window_id = w.id and a.unit_price > f.price)
         from found f where f.price is not null and f.nth < $3)
       select trim_scale(price)::text from found where price is not null) as prices
     from ${windows.recordset}
     join usage_window w on w.tenant_id = $1 and w.order_line_id = r.line
       and w.period_index = r.period`,
    [tx.tenantId, windows.json(keys), pricesMax + 1],
    'prices-of-usage-windows',
  );
}
