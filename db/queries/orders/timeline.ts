/** Reads what happened to an order, and what is to happen; of each part the newest rows only. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { CustomerStatus } from '../../../domain/customers/status.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import { noticeKinds } from '../../../domain/events/notices.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { paysItself } from '../collection/attempts.ts';
import { noteOf } from '../context/invoices.ts';
import { cancellationNumberOf } from '../invoices/cancellations.ts';
import {
  neighbours,
  usageOfInvoice,
  usageSubTotal,
  wokenCoupon,
  type BilledUsage,
  type NeighbourRow,
  type WokenCoupon,
} from './wake.ts';
import type { SubscriptionOrder } from '../../entities/orders.ts';
import type { ServicePause } from '../../entities/customers.ts';
import type { Notice } from '../../entities/events.ts';
import type { RowOf } from '../../entities/rows.ts';

/** How many rows of each part are read. */
export const TIMELINE_ENTRIES_MAX = 200;

export interface TimelineOrder
  extends
    NeighbourRow,
    RowOf<
      typeof SubscriptionOrder,
      | 'id'
      | 'customerId'
      | 'planId'
      | 'endedOn'
      | 'termStart'
      | 'termFirstEnd'
      | 'keptEndDate'
      | 'isAutoRenew'
      | 'billOn'
      | 'transitionOn'
      | 'earlierPrices'
    > {
  readonly customerStatus: CustomerStatus;
  readonly createdOn: IsoDate;
  readonly updatedOn: IsoDate;
  readonly heldCode: string | null;
  readonly heldOn: IsoDate | null;
  readonly coupon: WokenCoupon | null;
}

export interface PauseRow extends RowOf<typeof ServicePause, 'id' | 'suspendedOn' | 'resumedOn'> {
  /** Of all orders of the customer. */
  readonly isOfCustomer: boolean;
}

export interface InvoiceRow {
  readonly id: number;
  readonly number: string;
  /** Of a credit note: the number of the invoice of which it gives back. */
  readonly noteOf: string | null;
  readonly date: IsoDate;
  readonly currency: string;
  readonly amount: Decimal;
  /** What the order's lines of it sum to. */
  readonly part: Decimal;
  readonly open: Decimal;
  /** The day on which it pays itself. */
  readonly paysOn: IsoDate | null;
  readonly cancelled: {
    readonly id: number;
    readonly on: IsoDate;
    /** The number of its document. */
    readonly number: string | null;
  } | null;
  readonly retry: { readonly on: IsoDate; readonly attempt: number } | null;
  /** What was announced to be debited of it. */
  readonly debits?: readonly AnnouncedRow[] | null;
}

interface AnnouncedRow {
  readonly id: number;
  readonly on: IsoDate;
  readonly debitOn: IsoDate;
  readonly amount: Decimal;
}

/** A usage window that an invoice bills. */
export interface UsageRow extends BilledUsage {
  /** The invoice. */
  readonly id: number;
  readonly date: IsoDate;
  readonly number: string;
  readonly currency: string;
}

/** Money that was allocated to an invoice, or taken back from it, or a payment that was declined. */
export interface PaymentRow {
  readonly id: number;
  readonly on: IsoDate;
  readonly paymentId: number;
  readonly type: 'Payment' | 'Credit' | 'Refund';
  readonly isDeclined: boolean;
  /** Negative if it was taken back from the invoice. */
  readonly amount: Decimal;
  readonly currency: string;
  readonly invoice: string;
}

/** A payment of an invoice of the order that waits for its payer. */
export interface WaitingRow {
  readonly id: number;
  /** Since when, and the day on which it is declined unless he confirms it. */
  readonly on: IsoDate;
  readonly untilOn: IsoDate;
  readonly amount: Decimal;
  readonly currency: string;
}

type Address = { readonly id: number } | { readonly number: number };

export async function readTimelineOrder(
  tx: Tx,
  timezone: string,
  address: Address,
): Promise<TimelineOrder | undefined> {
  const byId = 'id' in address;
  const day = (column: string) => `(${column} at time zone $2)::date::text`;
  const [row] = await tx.query<TimelineOrder & Record<string, unknown>>(
    `select o.id, o.customer_id, c.status as customer_status, o.plan_id,
            ${day('o.created_at')} as created_on,
            ${day('o.updated_at')} as updated_on, ${neighbours}, o.ended_on,
            o.term_start, o.term_first_end, o.kept_end_date, o.is_auto_renew, o.bill_on, o.transition_on,
            o.earlier_prices,
            case when c.billing_held_at is not null
                 then coalesce(c.billing_held_code, 'unknown') end as held_code,
            ${day('c.billing_held_at')} as held_on, ${wokenCoupon} as coupon
     from subscription_order o
     join customer c on c.tenant_id = o.tenant_id and c.id = o.customer_id
     where o.tenant_id = $1 and ${byId ? 'o.id' : 'o.order_number'} = $3`,
    [tx.tenantId, timezone, byId ? address.id : address.number],
    byId ? 'timeline-order-by-id' : 'timeline-order-by-number',
  );
  return row;
}

/** The pauses of an order, and those of its customer. */
export async function readTimelinePauses(
  tx: Tx,
  { id, customerId }: Pick<TimelineOrder, 'id' | 'customerId'>,
): Promise<PauseRow[]> {
  const newest = (condition: string) =>
    `(select id, order_id is null as is_of_customer, suspended_on, resumed_on
      from service_pause where tenant_id = $1 and ${condition}
      order by suspended_on desc, id desc limit ${TIMELINE_ENTRIES_MAX})`;
  return tx.query<PauseRow & Record<string, unknown>>(
    `${newest('order_id = $2')} union all ${newest('customer_id = $3 and order_id is null')}`,
    [tx.tenantId, id, customerId],
    'timeline-pauses',
  );
}

export type NoticeRow = RowOf<typeof Notice, 'kind' | 'onDate' | 'noticedOn'>;

/** The dates of an order that were announced. */
export function readTimelineNotices(tx: Tx, orderId: number): Promise<NoticeRow[]> {
  return tx.query<NoticeRow & Record<string, unknown>>(
    `select kind, on_date, noticed_on from notice
     where tenant_id = $1 and kind = any($3) and object_id = $2
     order by on_date desc limit ${TIMELINE_ENTRIES_MAX}`,
    [tx.tenantId, orderId, noticeKinds],
    'timeline-notices',
  );
}

/** The invoices of an order's newest lines, materialized because each part of the timeline reads them. */
const invoices = `made as materialized (
  select m.tenant_id, m.invoice_id, sum(m.line_amount_total) as part from (
    select l.tenant_id, l.invoice_id, l.line_amount_total from invoice_line l
    where l.tenant_id = $1 and l.order_id = $2
    order by l.id desc limit ${TIMELINE_ENTRIES_MAX}) m
  group by m.tenant_id, m.invoice_id)`;

/** One probe each, whatever the statistics say. */
const invoiceOfMade = `cross join lateral (
  select own.* from invoice own
  where own.tenant_id = made.tenant_id and own.id = made.invoice_id limit 1) i`;

export async function readTimelineInvoices(tx: Tx, orderId: number): Promise<InvoiceRow[]> {
  return tx.query<InvoiceRow & Record<string, unknown>>(
    `with ${invoices}
     select i.id, i.invoice_number as number, ${noteOf('i')} as note_of,
            i.invoice_date as date, i.currency,
            i.current_amount_due::text as amount, made.part::text as part,
            i.outstanding_balance::text as open,
            case when ${paysItself('i')} then i.autopay_on end as pays_on,
            (select json_build_object('id', e.id, 'on', e.entered_on,
               'number', ${cancellationNumberOf('i')}) from ledger_entry e
             where e.tenant_id = i.tenant_id and e.invoice_id = i.id
               and e.kind = 'invoiceCancelled') as cancelled,
            (select json_build_object('on', a.due_on, 'attempt', a.attempt)
             from collection_attempt a
             where a.tenant_id = i.tenant_id and a.invoice_id = i.id and a.state = 'due') as retry,
            (select json_agg(json_build_object('id', n.id, 'on', n.announced_on,
               'debitOn', n.debit_on, 'amount', n.amount::text) order by n.id) from debit_notice n
             where n.tenant_id = i.tenant_id and n.invoice_id = i.id) as debits
     from made ${invoiceOfMade}`,
    [tx.tenantId, orderId],
    'timeline-invoices',
  );
}

/** The usage on the same invoices, in their order. */
export async function readTimelineUsage(tx: Tx, orderId: number): Promise<UsageRow[]> {
  const rows = await tx.query<UsageRow & Record<string, unknown>>(
    `with ${invoices}
     select u.id, u.date, u.number, u.currency, u.quantity, u."unitOfMeasure", u."priceCode", u.amount
     from (
       select i.id, i.invoice_date as date, i.invoice_number as number, i.currency, ${usageSubTotal},
              c.id as place
       from made ${invoiceOfMade}
       cross join lateral (
         select c.* from ${usageOfInvoice} and n.order_id = $2
         order by c.id desc limit ${TIMELINE_ENTRIES_MAX}) c
       order by i.id desc, c.id desc limit ${TIMELINE_ENTRIES_MAX}) u
     order by u.id, u.place`,
    [tx.tenantId, orderId],
    'timeline-usage',
  );
  return rows;
}

/** What was paid on the same invoices, and the automatic payments of them that were declined. */
export async function readTimelinePayments(
  tx: Tx,
  timezone: string,
  orderId: number,
): Promise<PaymentRow[]> {
  return tx.query<PaymentRow & Record<string, unknown>>(
    `with ${invoices}
     (select a.id, (a.created_at at time zone $3)::date::text as "on", a.payment_id,
             p.payment_type as type, false as is_declined, a.amount_applied::text as amount,
             p.currency, i.invoice_number as invoice
      from made
      cross join lateral (
        select n.* from invoice_payment n
        where n.tenant_id = made.tenant_id and n.invoice_id = made.invoice_id
        order by n.id desc limit ${TIMELINE_ENTRIES_MAX}) a
      join payment p on p.tenant_id = a.tenant_id and p.id = a.payment_id
      ${invoiceOfMade}
      order by a.id desc limit ${TIMELINE_ENTRIES_MAX})
     union all
     (select p.id, (p.updated_at at time zone $3)::date::text, p.id, p.payment_type, true,
             p.amount::text, p.currency, i.invoice_number
      from made
      join payment p on p.tenant_id = made.tenant_id and p.autopay_invoice_id = made.invoice_id
       and p.status = 'Declined'
      ${invoiceOfMade}
      order by p.id desc limit ${TIMELINE_ENTRIES_MAX})`,
    [tx.tenantId, orderId, timezone],
    'timeline-payments',
  );
}

export function readTimelineWaiting(
  tx: Tx,
  timezone: string,
  orderId: number,
): Promise<WaitingRow[]> {
  return tx.query<WaitingRow & Record<string, unknown>>(
    `select p.id, (p.updated_at at time zone $3)::date::text as "on",
       coalesce(p.gateway_news_on, (p.action_ends_at at time zone $3)::date)::text as until_on,
       p.amount::text as amount, p.currency
     from subscription_order o
     join payment p on p.tenant_id = o.tenant_id and p.customer_id = o.customer_id
       and p.status = 'ActionRequired'
     where o.tenant_id = $1 and o.id = $2 and exists (select from invoice_line l
       where l.tenant_id = o.tenant_id and l.order_id = o.id
         and l.invoice_id = any(p.named_invoice_ids))
     order by p.id`,
    [tx.tenantId, orderId, timezone],
    'timeline-waiting-payments',
  );
}
