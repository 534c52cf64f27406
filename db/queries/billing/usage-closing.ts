/** Closes usage windows that were billed, or passed without records. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Decimal } from '../../../domain/money/decimal.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { WindowKey } from './usage-windows.ts';
import { given } from '../context/insertion.ts';
import { UsageWindow } from '../../entities/usage.ts';

/** What becomes of a window: closed, with what it was billed for, or without records. */
export interface WindowClose extends WindowKey {
  readonly billed: BilledWindow | null;
}

export interface BilledWindow {
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

export interface SharedWindow {
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
