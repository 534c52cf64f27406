/** Lists usage records for the interface, with the amounts that billing gave them. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { freeJson, sharedJson, windowOfRecord } from '../../db/queries/usage/records.ts';
import {
  dayOf,
  startConditions,
  type ByCustomer,
  type Conditions,
  type Page,
  type Reader,
} from '../context/listing.ts';
import type { TenantInfo } from '../context/context.ts';
import { viewOfRow, type ActivityRow, type ActivityView, type ViewBasis } from './view.ts';
import type { Activity } from '../../db/entities/usage.ts';

export interface ActivityFilter extends Page, ByCustomer {
  /** Of the order; undefined for any. */
  readonly orderNumber: number | undefined;
  /** Of the invoice that billed it; undefined for any. */
  readonly invoiceNumber: string | undefined;
  readonly priceCode: string | null;
  /** Of the chargeDate, both inclusive. */
  readonly beginDate: IsoDate | null;
  readonly endDate: IsoDate | null;
}

/** By chargeDate, then id. */
export async function listActivities(
  tx: Reader,
  tenant: TenantInfo,
  { today, ...filter }: ActivityFilter & Pick<ViewBasis, 'today'>,
): Promise<ActivityView[]> {
  const conditions = startConditions<typeof Activity>('a');
  conditions.value(tenant.timezone);
  const page = pageOf(conditions, filter);
  const rows = await tx.query<ActivityRow & Record<string, unknown>>(
    `select ${columns} from (${page}) a ${joined} order by a.charge_date, a.id`,
    conditions.values,
  );
  const { usageGraceDays } = tenant.settings;
  return rows.map((row) => viewOfRow(row, { today, usageGraceDays }));
}

/** Those of the ids that exist, in any order. */
export async function readActivities(
  tx: Reader,
  tenant: TenantInfo,
  { ids, today }: { readonly ids: readonly number[] } & Pick<ViewBasis, 'today'>,
): Promise<ActivityView[]> {
  const rows = await tx.query<ActivityRow & Record<string, unknown>>(
    `select ${columns} from (select * from activity where id = any($2)) a ${joined}`,
    [tenant.timezone, ids],
    'read-activities',
  );
  const { usageGraceDays } = tenant.settings;
  return rows.map((row) => viewOfRow(row, { today, usageGraceDays }));
}

/**
 * The records of a page. Those of an order or an invoice are read line by line or window by window,
 * each up to the end of the page; otherwise the index of the customer or that of dates leads.
 */
function pageOf(conditions: Conditions<typeof Activity>, filter: ActivityFilter): string {
  const { orderNumber, invoiceNumber, priceCode, offset, max } = filter;
  conditions.add('chargeDate', filter.beginDate, '>=');
  conditions.add('chargeDate', filter.endDate, '<=');
  conditions.addCustomer(filter);
  const byOrder = orderNumber === undefined ? null : linesOfOrder(conditions.value(orderNumber));
  const byCode = priceCode === null ? null : linesOfCode(conditions.value(priceCode));
  const end = 'order by a.charge_date, a.id limit';
  const limit = `${end} ${conditions.value(max)} offset ${conditions.value(offset)}`;
  const where = conditions.where() || 'where true';
  const ofCode = byCode === null ? '' : `and ${byCode}`;
  if (byOrder === null && invoiceNumber === undefined) {
    return `select a.* from activity a ${where} ${ofCode} ${limit}`;
  }
  const partLimit = `${end} ${conditions.value(max + offset)}`;
  if (invoiceNumber !== undefined) {
    const windows = `select w.id from billed w join invoice i
        on i.tenant_id = w.tenant_id and i.id = w.invoice_id
      where w.is_usage and i.invoice_number = ${conditions.value(invoiceNumber)}`;
    const ofOrder = byOrder === null ? '' : `and a.order_line_id in (${byOrder})`;
    return `select a.* from (${windows}) w cross join lateral (
        select * from activity a ${where} and a.window_id = w.id ${ofOrder} ${ofCode} ${partLimit}) a
      ${limit}`;
  }
  return `select a.* from (${byOrder}) l cross join lateral (
      select * from activity a ${where} and a.order_line_id = l.id ${ofCode} ${partLimit}) a
    ${limit}`;
}

function linesOfOrder(orderNumber: string): string {
  return `select l.id from subscription_order o
    join order_line l on l.tenant_id = o.tenant_id and l.order_id = o.id
    join plan_charge h on h.tenant_id = l.tenant_id and h.id = l.charge_id
      and h.charge_type = 'UsageCharge'
    where o.order_number = ${orderNumber}`;
}

function linesOfCode(priceCode: string): string {
  return `exists (select from order_line l
    join plan_charge h on h.tenant_id = l.tenant_id and h.id = l.charge_id
    where l.tenant_id = a.tenant_id and l.id = a.order_line_id and h.price_code = ${priceCode})`;
}

const columns = `a.id, a.ext_ref_id, c.ext_customer_ref,
  a.customer_id, o.order_number, o.id as order_id,
  a.order_line_id as order_line_item_id, h.price_code,
  trim_scale(a.quantity)::text as quantity, trim_scale(a.amount)::text as amount,
  trim_scale(a.unit_price)::text as unit_price, a.charge_date,
  a.charge_end_date, a.invoice_text,
  (select k.ext_ref_id from activity k
   where k.tenant_id = a.tenant_id and k.id = a.corrects_id) as corrects_ext_ref_id,
  i.invoice_number, a.batch_id as activity_batch_id,
  ${dayOf('a.created_at', '$1')} as date_created, o.currency,
  case when w.last_activity_id is not null then ${sharedJson} end as shared,
  ${freeJson('$1')} as free`;

const joined = `
  join order_line l on l.tenant_id = a.tenant_id and l.id = a.order_line_id
  join subscription_order o on o.tenant_id = a.tenant_id and o.id = l.order_id
  join plan_charge h on h.tenant_id = a.tenant_id and h.id = l.charge_id
  join customer c on c.tenant_id = a.tenant_id and c.id = a.customer_id
  ${windowOfRecord}
  left join invoice i on i.tenant_id = a.tenant_id and i.id = w.invoice_id`;
