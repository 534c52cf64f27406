/** Builds what becomes of usage windows that were billed. */
import assert from 'node:assert';
import type { UsageSubTotal } from '../../domain/billing/charges.ts';
import type { UsageWindow } from '../../domain/billing/due-charges.ts';
import type { DraftInvoice } from '../../domain/billing/total.ts';
import { minorDigits } from '../../domain/money/money.ts';
import type { OrderBilling } from '../../domain/billing/rate-customer.ts';
import type { LineWindow } from '../../domain/standing/window.ts';
import type { WindowClose } from '../../db/queries/billing/usage-closing.ts';

/** A stored window. */
type WindowRow = LineWindow & Required<Pick<LineWindow, 'id'>>;

/** The stored window of each that was due. */
export type WindowRowOf = (window: UsageWindow) => WindowRow;

export function windowRowsOf(orders: readonly Pick<OrderBilling, 'row'>[]): WindowRowOf {
  const rows = new Map<string, LineWindow>();
  for (const { row } of orders) {
    for (const { id, windows = [] } of row.lines) {
      for (const each of windows) rows.set(`${id} ${each.periodIndex}`, each);
    }
  }
  return ({ line, periodIndex }) => {
    const row = rows.get(`${line.id} ${periodIndex}`);
    assert(row?.id !== undefined, 'a window with records is stored, and was read');
    return { ...row, id: row.id };
  };
}

/** The windows that an invoice bills, closed; each has one subtotal. */
export function closedBy(
  { lines, currency }: DraftInvoice,
  invoiceId: number,
  rowOf: WindowRowOf,
): ReadonlyMap<UsageWindow, WindowClose> {
  const digits = minorDigits(currency);
  const subTotals = lines.flatMap(({ charges }) =>
    charges.flatMap(({ charge }) => (charge.kind === 'usageSubTotal' ? [charge] : [])),
  );
  return new Map(
    subTotals.map((subTotal) => {
      const { window } = subTotal;
      const { quantity, amount, percent } = subTotal;
      const shared = sharedOf(subTotal, rowOf(window), digits);
      const { from, to, ofPeriod } = window;
      const billed = { invoiceId, from, to, ofPeriod, quantity, amount, percent, shared };
      return [window, { ...keyOf(window), billed }];
    }),
  );
}

function sharedOf({ shared }: UsageSubTotal, { lastId = null }: WindowRow, digits: number) {
  if (shared === null) return null;
  assert(lastId !== null, 'what records share has a last one');
  const { quantity, amount } = shared;
  return { quantity, amount, digits, lastId };
}

/** A window that passes without records. */
export function passed(window: UsageWindow): WindowClose {
  return { ...keyOf(window), billed: null };
}

function keyOf({ line, periodIndex }: UsageWindow) {
  return { lineId: line.id, periodIndex };
}
