/** Cancels an invoice: reverses its amount, and on request suspends or cancels its orders. */
import { DomainError } from '../../domain/errors.ts';
import { add, negate } from '../../domain/money/money.ts';
import type { Decimal, InvoiceStatus, IsoDate } from '../../domain/model.ts';
import { canEdit, lastDayIfCancelled, type OrderTerms } from '../../domain/orders/status.ts';
import {
  hasOpenCorrections,
  lockWindowsOf,
  reopenWindows,
  voidPeriods,
} from '../../db/queries/billing/roll-back.ts';
import { insertLedger, upsertBalances } from '../../db/queries/billing/write.ts';
import { enteredOf } from '../../db/queries/context/invoices.ts';
import { restorePenalties } from '../../db/queries/ageing/penalties.ts';
import { endRetriesOfClosed } from '../../db/queries/collection/attempts.ts';
import { isCredited, voidCarriedCredits } from '../../db/queries/payments/charge-credits.ts';
import { voidTaxRecord } from '../../db/queries/tax-records/records.ts';
import { cancelSuccessors } from '../../db/queries/standing/changes.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { lockInvoice, type InvoiceAddress } from '../context/locks.ts';
import { reviewDebts } from '../ageing/dunning.ts';
import { allocateUnapplied } from '../allocation/allocate.ts';
import { creditUnusedDays } from '../payments/credit-unused.ts';
import { reverseAllocations } from '../allocation/reverse.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';

export interface CancelOptions {
  /** All Active orders of the invoice become Suspended. */
  readonly suspendOrders: boolean;
  /** All orders of the invoice become Canceled, and never bill again. */
  readonly cancelOrders: boolean;
  /** What exactly this invoice billed is due again, from the next 00:00 on. */
  readonly rollbackBillingPeriod: boolean;
  /** Also what money of the customer has paid already: a sign-up that failed. */
  readonly alsoPaid?: boolean;
}

/**
 * Throws invoice.unknown, invoice.credited, invoice.notCancellable, or field.invalid for
 * contradictory flags.
 */
export async function cancelInvoice(
  dependencies: Dependencies,
  context: OperationContext,
  address: InvoiceAddress,
  options: CancelOptions,
): Promise<void> {
  refuseContradictions(options);
  const { tx } = context;
  const { id, customer } = await lockInvoice(tx, address);
  await reverse(context, id, options);
  raise(context, [{ type: 'invoice.cancelled', customerId: customer.id, objectId: id }]);
  // Money that was paid on it is unapplied again, and allocated to other open invoices.
  await allocateUnapplied(context, [customer.id]);
  const orders = await tx.query<{ id: number }>(
    `select distinct order_id as id from invoice_line
     where invoice_id = $1 and order_id is not null order by 1`,
    [id],
  );
  const orderIds = orders.map((order) => order.id);
  if (options.rollbackBillingPeriod) rollBack(context, id);
  const suspended = options.suspendOrders ? await suspendActive(context, orderIds) : [];
  const { moved, ended, others } = options.cancelOrders
    ? await cancelOrders(context, orderIds)
    : { moved: [], ended: [], others: [] };
  if (options.rollbackBillingPeriod || options.suspendOrders || options.cancelOrders) {
    const updated = new Set([...suspended, ...moved]);
    await rescheduleOrders(context, { orderIds: [...orderIds, ...others] }, { updated });
  }
  await creditUnusedDays(dependencies, context, ended);
  await reviewDebts(context, [customer.id]);
}

function refuseContradictions(options: CancelOptions): void {
  const { suspendOrders, cancelOrders, rollbackBillingPeriod } = options;
  if (suspendOrders && cancelOrders) {
    throw new DomainError('field.invalid', 'suspendOrders and cancelOrders exclude each other', {
      path: 'suspendOrders',
    });
  }
  if (rollbackBillingPeriod && (suspendOrders || cancelOrders)) {
    throw new DomainError(
      'field.invalid',
      'rollbackBillingPeriod excludes suspendOrders and cancelOrders',
      { path: 'rollbackBillingPeriod' },
    );
  }
}

async function reverse(
  context: OperationContext,
  id: number,
  { alsoPaid = false, rollbackBillingPeriod }: CancelOptions,
): Promise<void> {
  const { tx, time } = context;
  const [invoice] = await tx.query<{
    status: InvoiceStatus;
    customer_id: number;
    currency: string;
    amount: Decimal;
    balance: Decimal;
    last_total_due: Decimal;
  }>(
    `select i.status, i.customer_id, i.currency, ${enteredOf('i')} as amount, b.balance,
            b.last_total_due
     from invoice i join customer_balance b on b.customer_id = i.customer_id
      and b.currency = i.currency and b.tenant_id = i.tenant_id
     where i.id = $1 for no key update of i`,
    [id],
  );
  if (invoice?.status !== 'CarriedOver' && (await isCredited(tx, id))) {
    throw new DomainError(
      'invoice.credited',
      'unused days or corrected records of the invoice were credited, so it cannot be cancelled',
    );
  }
  if (
    invoice === undefined ||
    !(invoice.status === 'Outstanding' || (alsoPaid && invoice.status === 'Paid'))
  ) {
    throw new DomainError(
      'invoice.notCancellable',
      `only an Outstanding invoice can be cancelled, this one is ${invoice?.status}`,
    );
  }
  await keepCorrections(tx, id, rollbackBillingPeriod);
  await reverseAllocations(context, { invoiceId: id });
  const { customer_id: customerId, currency, last_total_due: lastTotalDue } = invoice;
  const amount = negate(invoice.amount);
  const entry = {
    customerId,
    currency,
    kind: 'invoiceCancelled',
    amount,
    invoiceId: id,
  } as const;
  insertLedger(tx, [entry], time);
  const balance = add(invoice.balance, amount);
  upsertBalances(tx, [{ customerId, currency, balance, lastTotalDue }]);
  await tx.query(
    `update invoice set status = 'Cancelled', outstanding_balance = 0, autopay_on = null,
       version = version + 1, updated_at = $2 where id = $1`,
    [id, time.now],
  );
  endRetriesOfClosed(tx, [id], time);
  voidTaxRecord(tx, id);
}

/** What corrections are to give back must be paid, unless a rollback joins them with their records. */
async function keepCorrections(tx: Tx, invoiceId: number, isRolledBack: boolean): Promise<void> {
  lockWindowsOf(tx, invoiceId);
  if (isRolledBack || !(await hasOpenCorrections(tx, invoiceId))) return;
  const message = 'corrections of its usage are still to be billed: roll its billing period back';
  throw new DomainError('invoice.credited', message);
}

function rollBack({ tx, time }: OperationContext, invoiceId: number): void {
  restorePenalties(tx, invoiceId);
  voidPeriods(tx, invoiceId, time.now);
  reopenWindows(tx, invoiceId);
  voidCarriedCredits(tx, invoiceId, time.now);
}

/** Returns the orders that it suspended. */
async function suspendActive(
  { tx, time }: OperationContext,
  orderIds: readonly number[],
): Promise<readonly number[]> {
  const suspended = await tx.query<{ id: number }>(
    `with suspended as (
       update subscription_order set status = 'Suspended'
       where id = any($1) and status = 'Active' returning tenant_id, id, customer_id)
     insert into service_pause (tenant_id, customer_id, order_id, suspended_on)
     select tenant_id, customer_id, id, $2 from suspended returning order_id as id`,
    [orderIds, time.today],
  );
  return suspended.map(({ id }) => id);
}

/** Cancels orders whose invoices are cancelled, in any status. */
export async function cancelOrdersAlone(
  dependencies: Dependencies,
  context: OperationContext,
  orderIds: readonly number[],
): Promise<void> {
  const { moved, ended, others } = await cancelOrders(context, orderIds);
  const updated = new Set(moved);
  await rescheduleOrders(context, { orderIds: [...orderIds, ...others] }, { updated });
  await creditUnusedDays(dependencies, context, ended);
}

interface CancelledOrders {
  /** The orders whose status changed. */
  readonly moved: readonly number[];
  /** Those of them that had not ended. */
  readonly ended: readonly number[];
  /** Orders that waited to replace one of them. */
  readonly others: readonly number[];
}

/** Cancels orders in any status; an ended one keeps its last day. */
async function cancelOrders(
  { tx, time }: OperationContext,
  orderIds: readonly number[],
): Promise<CancelledOrders> {
  const orders = await tx.query<EndingOrder>(
    `select id, status, start_date as "startDate", end_date as "endDate",
       is_auto_renew as "isAutoRenew", term_start as "termStart",
       term_first_end as "termFirstEnd", ended_on as "endedOn",
       previous_order_id is not null and status = 'Provisioning' as "awaitsChange"
     from subscription_order where id = any($1) order by id`,
    [orderIds],
    'orders-to-cancel',
  );
  const rows = orders.map((order) => {
    const { id, status, endDate, endedOn } = order;
    if (status === 'Canceled' || status === 'Superseded') return { id, endDate, endedOn };
    const lastDay = lastDayIfCancelled(order, time.today);
    return { id, endDate: lastDay, endedOn: lastDay };
  });
  tx.send(
    `update subscription_order o set status = 'Canceled', bills_nothing_more = true,
       end_date = r."endDate", ended_on = r."endedOn"
     from json_to_recordset($2) as r(id bigint, "endDate" date, "endedOn" date)
     where o.tenant_id = $1 and o.id = r.id`,
    [tx.tenantId, JSON.stringify(rows)],
    'cancel-orders',
  );
  const ended = orders.filter(({ status }) => canEdit(status)).map(({ id }) => id);
  const moved = orders.filter(({ status }) => status !== 'Canceled').map(({ id }) => id);
  const others = await cancelSuccessors(tx, orderIds);
  return { moved: [...moved, ...others], ended, others };
}

interface EndingOrder extends Omit<OrderTerms, 'changeOn'>, Record<string, unknown> {
  readonly id: number;
  readonly endedOn: IsoDate | null;
}
