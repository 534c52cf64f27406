/** Bills one customer at once, as part of what its caller does: generateInvoice in all its forms. */
import assert from 'node:assert';
import type { IsoDate } from '../domain/model.ts';
import { loadOrders, type OrderRow } from '../db/queries/billing-load.ts';
import type { InvoiceInsert } from '../db/queries/billing-write.ts';
import { lockCustomers, store } from './billing.ts';
import { settle } from './billing/settle.ts';
import { planVersions } from './plans.ts';
import type { Services, Work } from './services.ts';

/** An order of the same transaction that is not inserted yet. */
export interface MadeOrder {
  readonly row: OrderRow;
  /** Sends it, with its number; called when all else is known. */
  readonly insert: () => void;
}

export interface GenerateOptions {
  /** Of the order that is being made the next due date is billed too, though it lies ahead. */
  readonly isForced?: boolean;
  readonly made?: MadeOrder;
  /** The payment that has the invoices made for it. */
  readonly forPaymentId?: number;
}

/**
 * Bills one customer, locked by this transaction already, at once: all that is due of it. Throws
 * where the billing run would hold the customer.
 */
export async function generateInvoices(
  services: Services,
  work: Work,
  customerId: number,
  { isForced = false, made, forPaymentId }: GenerateOptions = {},
): Promise<readonly InvoiceInsert[]> {
  const { tx, moment } = work;
  const { today } = moment;
  const [, [customer], rows] = await Promise.all([
    tx.query(
      `update subscription_order set bill_on = $2
       where customer_id = $1 and next_billable_date <= $2 and bill_on > $2`,
      [customerId, today],
      'bill-today',
    ),
    lockCustomers(tx, [customerId], true),
    loadOrders(tx, { customerIds: [customerId], actionBy: today }),
  ]);
  assert(customer, 'the customer is locked by the caller');
  if (made !== undefined) {
    const row = billedToday(made.row, today);
    if (isForced || actsBy(row, today)) rows.push(row);
  }
  const plans = await planVersions(
    services.db,
    tx,
    rows.map((row) => row.plan_id),
  );
  const tenantTerms = work.tenant.paymentTerms;
  const forcedOrderId = isForced ? made?.row.id : undefined;
  const settlement = settle({ customer, rows, plans, tenantTerms, today, forcedOrderId });
  return store(work, [settlement], { before: made?.insert, forPaymentId });
}

/** What the statement above does to stored orders. */
function billedToday(row: OrderRow, today: IsoDate): OrderRow {
  const { next_billable_date: next, bill_on: billOn } = row;
  const isDue = next !== null && next <= today && billOn !== null && billOn > today;
  return isDue ? { ...row, bill_on: today } : row;
}

function actsBy({ bill_on: billOn, transition_on: transitionOn }: OrderRow, day: IsoDate): boolean {
  return (billOn !== null && billOn <= day) || (transitionOn !== null && transitionOn <= day);
}
