/** Announced debits: which hold, what is to be announced, and the rows of what was. */
import { DEBIT_NOTICE_DAYS_MIN } from '../../../domain/payments/debits.ts';
import { gatewaySettingsOf } from '../../../domain/payments/gateway-settings.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { DebitNotice } from '../../entities/collection.ts';
import type { DuePage } from '../ageing/due.ts';
import { given, type InsertedBy, inserting } from '../context/insertion.ts';
import { paysItself } from './attempts.ts';

/**
 * The condition that the notice `n` of the invoice `i` holds: the invoice pays itself on the announced
 * day, and the account is on file.
 */
export const isAnnounced = (i: string, n: string): string => `${n}.tenant_id = ${i}.tenant_id
  and ${n}.invoice_id = ${i}.id and ${n}.debit_on = ${i}.autopay_on and ${i}.status = 'Outstanding'
  and exists (select from payment_method own_method
    where own_method.tenant_id = ${n}.tenant_id and own_method.id = ${n}.payment_method_id
      and own_method.autopay_preference is not null)`;

/** A debit that was announced, and may be made on its day. */
export interface AnnouncedDebit {
  readonly invoiceId: number;
  readonly methodId: number;
  /** At most. */
  readonly amount: Decimal;
}

/** By invoice; of several notices of one day the last one holds. */
export async function announcedDebits(
  tx: Tx,
  invoiceIds: readonly number[],
): Promise<ReadonlyMap<number, AnnouncedDebit>> {
  const rows = await tx.query<AnnouncedDebit & Record<string, unknown>>(
    `select distinct on (i.id) i.id as invoice_id, n.payment_method_id as method_id, n.amount
     from invoice i join debit_notice n on ${isAnnounced('i', 'n')}
     where i.tenant_id = $1 and i.id = any($2) order by i.id, n.id desc`,
    [tx.tenantId, invoiceIds],
    'announced-debits',
  );
  return new Map(rows.map((row) => [row.invoiceId, row]));
}

/** What is announced of the customers' invoices and still to be debited, by invoice. */
export async function debitsAhead(
  tx: Pick<Tx, 'tenantId' | 'query'>,
  customerIds: readonly number[],
  today: IsoDate,
): Promise<ReadonlyMap<number, Decimal>> {
  const rows = await tx.query<{ invoiceId: number; amount: Decimal }>(
    `select i.id as invoice_id, max(n.amount) as amount
     from debit_notice n join invoice i on ${isAnnounced('i', 'n')} and ${paysItself('i')}
     where n.tenant_id = $1 and n.customer_id = any($2) and n.debit_on >= $3 group by i.id`,
    [tx.tenantId, customerIds, today],
    'debits-ahead',
  );
  return new Map(rows.map(({ invoiceId, amount }) => [invoiceId, amount]));
}

/* What is to be announced: invoices whose day comes with a SEPA debit as the first method on file. */

const DAYS_USUAL = gatewaySettingsOf({}, { tellsPayers: false }).debitNoticeDays;

const days = `(select greatest(${DEBIT_NOTICE_DAYS_MIN},
    coalesce((own.file->'gateway'->>'debitNoticeDays')::int, ${DAYS_USUAL}))
  from tenant own where own.id = $1)`;

/** The last day whose announcements are complete. */
const marked = `(
  select case when max(d.noticed_on) is null then '-infinity' else max(d.noticed_on) end
  from notice_mark d where d.tenant_id = $1 and d.kind = 'debitNotice')`;

/** Rows (object_id, customer_id, due_on); what has become due on a complete day waits for the next one. */
const unannounced = `
    select i.id as object_id, i.customer_id,
      greatest(i.autopay_on - ${days}, ${marked} + 1) as due_on
    from payment_method m
    join invoice i on i.tenant_id = m.tenant_id and i.customer_id = m.customer_id
    where m.tenant_id = $1 and m.debit = 'sepa' and m.autopay_preference is not null
      and not exists (select from payment_method f
        where f.tenant_id = m.tenant_id and f.customer_id = m.customer_id
          and f.autopay_preference < m.autopay_preference)
      and i.status = 'Outstanding' and ${paysItself('i')}
      and i.autopay_on - ${days} <= $2 and ${marked} < $2
      and not exists (select from debit_notice n where ${isAnnounced('i', 'n')})`;

/** The branch of the agenda. */
export const debitNoticesDue = `
    select u.object_id, u.due_on from (${unannounced}) u where u.due_on <= $2`;

/** A page of the customers of whom a debit is to be announced today. */
export async function customersToAnnounce(
  tx: Tx,
  { today, after, limit }: DuePage,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct u.customer_id as id from (${unannounced}) u
     where u.customer_id > $3 order by id limit $4`,
    [tx.tenantId, today, after, limit],
    'customers-to-announce',
  );
  return rows.map(({ id }) => id);
}

/** The invoices of these customers of which a debit is to be announced today. */
export async function invoicesToAnnounce(
  tx: Tx,
  customerIds: readonly number[],
  today: IsoDate,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select u.object_id as id from (${unannounced}) u where u.customer_id = any($3) order by id`,
    [tx.tenantId, today, customerIds],
    'invoices-to-announce',
  );
  return rows.map(({ id }) => id);
}

/** For the audit: what the run of the day should have announced. */
export async function debitsUnannounced(tx: Tx, today: IsoDate): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select u.object_id as id from (${unannounced}) u
     where exists (select from notice_mark k where k.tenant_id = $1 and k.kind = 'debitNotice')
     order by id`,
    [tx.tenantId, today],
    'debits-unannounced',
  );
  return rows.map(({ id }) => id);
}

/* The rows of what is announced. */

const insertNotices = inserting('insert-debit-notices', {
  into: DebitNotice,
  columns: ['id', 'customerId', 'invoiceId', 'paymentMethodId', 'amount', 'debitOn'],
  at: { announcedOn: 'today', createdAt: 'now' },
});

export type DebitNoticeInsert = InsertedBy<typeof insertNotices>;

const mailed = given(DebitNotice, ['id', 'customerId']);

/** With their mails, if the tenant sends them; returns how many there are of these. */
export async function announce(
  tx: Tx,
  rows: readonly DebitNoticeInsert[],
  time: { readonly now: Date; readonly today: IsoDate },
): Promise<number> {
  insertNotices(tx, rows, time);
  const mails = await tx.query(
    `insert into mail (tenant_id, kind, customer_id, object_id)
     select $1, 'debitNotice', r."customerId", r.id from ${mailed.recordset}
     where exists (select from notification n
       where n.tenant_id = $1 and n.kind = 'debitNotice' and n.enabled_at is not null)
     order by r.id returning id`,
    [tx.tenantId, mailed.json(rows)],
    'queue-debit-notices',
  );
  return mails.length;
}
