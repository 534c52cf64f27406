/** Bills one customer at once, as part of what its caller does: generateInvoice in all its forms. */
import assert from 'node:assert';
import type { IsoDate } from '../domain/model.ts';
import { RATED_CHARGES_MAX } from '../domain/order-limits.ts';
import { loadDueOrders, type OrderRow } from '../db/queries/billing-load.ts';
import type { InvoiceInsert } from '../db/queries/billing-write.ts';
import { lockCustomers, store } from './billing.ts';
import { settle } from './billing/settle.ts';
import { tellPayers } from './payments/pay-today.ts';
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
 * Bills one customer, locked by this transaction already, at once: what is due of it, or as much as
 * one transaction bills; the rest waits for the next day's run, or for another call. Throws where
 * the billing run would hold the customer.
 */
export async function generateInvoices(
  services: Services,
  work: Work,
  customerId: number,
  { isForced = false, made, forPaymentId }: GenerateOptions = {},
): Promise<readonly InvoiceInsert[]> {
  const { tx, moment } = work;
  const { today } = moment;
  const [[customer], { rows, cut }] = await Promise.all([
    lockCustomers(tx, [customerId], true),
    loadDueOrders(tx, {
      customerIds: [customerId],
      by: today,
      atOnce: true,
      linesMax: RATED_CHARGES_MAX,
    }),
  ]);
  assert(customer, 'the customer is locked by the caller');
  if (made !== undefined) {
    if (isForced || actsBy(made.row, today)) rows.push(made.row);
  }
  const plans = await planVersions(
    services.db,
    tx,
    rows.map((row) => row.plan_id),
  );
  const tenantTerms = work.tenant.paymentTerms;
  const forcedOrderId = isForced ? made?.row.id : undefined;
  const settlement = settle({
    customer,
    rows,
    plans,
    tenantTerms,
    today,
    restOn: cut?.restOn ?? null,
    atOnce: true,
    forcedOrderId,
  });
  const invoices = await store(work, [settlement], { before: made?.insert, forPaymentId });
  tellPayers(work, invoices);
  return invoices;
}

function actsBy(row: OrderRow, day: IsoDate): boolean {
  return [row.next_billable_date, row.transition_on].some((on) => on !== null && on <= day);
}
