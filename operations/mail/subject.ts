/** Reads what a mail speaks of: its invoice, order, payment, or overdue invoices. */
import { cancellationOf } from '../../domain/invoices/cancellation.ts';
import type { InvoiceSource } from '../../domain/invoices/page.ts';
import type { NoticeKind } from '../../domain/events/notices.ts';
import type { NotifiedMailKind } from '../../domain/mail/kinds.ts';
import type {
  MailDebit,
  MailInvoice,
  MailPayment,
  MailSource,
  MailSubject,
} from '../../domain/mail/source.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { methodContext, type ShownMethod } from '../../domain/payments/allocation.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import type { ClaimedMail } from '../../db/queries/mail/mails.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { hasEnabledPlan } from '../../db/queries/collection/attempts.ts';
import { isAnnounced } from '../../db/queries/collection/debit-notices.ts';
import { firstOf } from '../context/listing.ts';
import type { TenantInfo, TenantTime } from '../context/context.ts';
import { readInvoiceSource } from '../invoices/page-source.ts';
import { readOrder } from '../orders/read.ts';
import { payAddresses } from '../pay-links/mails.ts';
import { readPayment } from '../payments/read.ts';

export interface MailObject {
  readonly subject: MailSubject;
  /** The invoice to attach; null where there is none. */
  readonly invoice: InvoiceSource | null;
  /** To whom it speaks, instead of the billing contact. */
  readonly person?: Pick<MailPerson, 'firstName' | 'lastName'>;
}

type MailPerson = NonNullable<MailSource['customer']['billingContact']>;

/** Of a customer. */
type OwnMail = Pick<ClaimedMail, 'objectId'> & { readonly customerId: number };

export interface MailReading {
  readonly tx: Tx;
  readonly tenant: TenantInfo;
  readonly time: TenantTime;
}

/** What a mail has that is made when it is sent. */
export interface MailSending extends MailReading {
  readonly realNow: Date;
  /** Of the tenant's hosted pages. */
  readonly origin: string;
}

/**
 * A credit note, or the cancellation of an invoice that is none. Undefined if the object was deleted
 * meanwhile.
 */
export async function readMailObject(
  reading: MailSending,
  mail: OwnMail & { readonly kind: Exclude<NotifiedMailKind, NoticeKind | 'paymentAction'> },
): Promise<MailObject | 'notice.outdated' | undefined> {
  switch (mail.kind) {
    case 'newInvoice':
    case 'newCreditNote':
      return invoiceObject(reading, mail.kind, mail.objectId);
    case 'newOrder':
      return orderObject(reading, mail.objectId);
    case 'paymentReceived':
    case 'paymentFailed':
      return paymentObject(reading, mail.kind, mail.objectId);
    case 'customerOverdue':
      return overdueObject(reading, mail);
    case 'debitNotice':
      return debitObject(reading, mail.objectId);
  }
}

async function invoiceObject(
  sending: MailSending,
  kind: 'newInvoice' | 'newCreditNote',
  id: number,
): Promise<MailObject | undefined> {
  const { tx, tenant } = sending;
  const own = await readInvoiceSource(tx, tenant, { id });
  if (own === undefined) return undefined;
  const isCancelled = kind === 'newCreditNote' && own.creditNoteOf == null;
  const source = isCancelled ? cancellationOf(own) : own;
  if (source === undefined) return undefined;
  const row = await firstOf(
    tx.query<{ autopayOn: IsoDate | null; isPaidByPlan: boolean }>(
      `select i.autopay_on, ${hasEnabledPlan('i')} as is_paid_by_plan
       from invoice i where i.tenant_id = $1 and i.id = $2`,
      [tx.tenantId, id],
      'mail-collection',
    ),
  );
  const isPaidByPlan = row?.isPaidByPlan ?? false;
  // No invoice pays itself meanwhile; its day stays.
  const autopayOn = isPaidByPlan ? null : (row?.autopayOn ?? null);
  const { creditLeft, cancels } = source;
  const pages = kind === 'newInvoice' ? await payAddresses(sending, [id]) : null;
  const payAddress = pages?.get(id) ?? null;
  const invoice = { ...source.invoice, autopayOn, isPaidByPlan, creditLeft, cancels, payAddress };
  return { subject: { kind, invoice }, invoice: source };
}

async function orderObject(
  { tx, tenant }: MailReading,
  id: number,
): Promise<MailObject | undefined> {
  const order = await readOrder(tx, tenant, { id });
  if (order === undefined) return undefined;
  const { orderNumber, contractOfferingName: planName, startDate, endDate } = order;
  const { nextBillableDate } = order;
  return {
    subject: {
      kind: 'newOrder',
      order: { orderNumber, planName, startDate, endDate, nextBillableDate },
    },
    invoice: null,
  };
}

async function paymentObject(
  sending: MailSending,
  kind: 'paymentReceived' | 'paymentFailed',
  id: number,
): Promise<MailObject | undefined> {
  const { tx, tenant } = sending;
  const payment = await readPayment(tx, tenant, { id, type: 'Payment' });
  if (payment === undefined) return undefined;
  const { amount, currency, effectiveDate } = payment;
  const method = payment.paymentMethodContext ?? payment.paymentMethodType;
  // An application that was reversed has a negative one beside it.
  const invoices = await tx.query<MailPayment['invoices'][number] & Record<string, unknown>>(
    `select i.invoice_number as invoice_number, sum(a.amount_applied)::text as amount
     from invoice_payment a
     join invoice i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
     where a.tenant_id = $1 and a.payment_id = $2
     group by i.id, i.invoice_number having sum(a.amount_applied) > 0
     order by i.id`,
    [tx.tenantId, id],
    'mail-payment-invoices',
  );
  const named = kind === 'paymentFailed' ? await namedBy(tx, id) : [];
  const [payAddress = null] = (await payAddresses(sending, named)).values();
  const about: MailPayment = { amount, currency, effectiveDate, method, invoices, payAddress };
  return { subject: { kind, payment: about }, invoice: null };
}

async function namedBy(tx: Tx, paymentId: number): Promise<readonly number[]> {
  const row = await firstOf(
    tx.query<{ ids: number[] }>(
      'select named_invoice_ids as ids from payment where tenant_id = $1 and id = $2',
      [tx.tenantId, paymentId],
      'mail-named-invoices',
    ),
  );
  return row?.ids ?? [];
}

/** Late rather than never; `notice.outdated`: nothing was or will be debited as it was announced. */
async function debitObject(
  { tx }: MailReading,
  id: number,
): Promise<MailObject | 'notice.outdated' | undefined> {
  const row = await firstOf(
    tx.query<
      Omit<MailDebit, 'method'> & ShownMethod & { stands: boolean } & Record<string, unknown>
    >(
      `select n.amount, i.currency, n.debit_on as debit_date, i.invoice_number as invoice_number,
         m.type, m.brand, m.last_four, m.debit, m.country, m.mandate,
         coalesce(${isAnnounced('i', 'n')}, false) or exists (select from payment p
           where p.tenant_id = n.tenant_id and p.autopay_invoice_id = n.invoice_id
             and p.payment_method_id = n.payment_method_id and p.effective_date >= n.debit_on)
           as stands
       from debit_notice n
       join invoice i on i.tenant_id = n.tenant_id and i.id = n.invoice_id
       join payment_method m on m.tenant_id = n.tenant_id and m.id = n.payment_method_id
       where n.tenant_id = $1 and n.id = $2`,
      [tx.tenantId, id],
      'mail-debit',
    ),
  );
  if (row === undefined) return undefined;
  if (!row.stands) return 'notice.outdated';
  const { amount, currency, debitDate, invoiceNumber, mandate } = row;
  const debit = { amount, currency, debitDate, method: methodContext(row), mandate, invoiceNumber };
  return { subject: { kind: 'debitNotice', debit }, invoice: null };
}

/** The status is that of the transition; the invoices are those that are overdue now. */
async function overdueObject(
  sending: MailSending,
  { objectId, customerId }: OwnMail,
): Promise<MailObject | undefined> {
  const { tx, time } = sending;
  const transition = await firstOf(
    tx.query<{ status: CustomerStatus }>(
      'select new_status as status from customer_transition where tenant_id = $1 and id = $2',
      [tx.tenantId, objectId],
      'mail-transition',
    ),
  );
  if (transition === undefined) return undefined;
  const found = await tx.query<OverdueInvoice & Record<string, unknown>>(
    `select id, invoice.invoice_number as invoice_number, invoice_date,
       due_date, currency, current_amount_due::text as current_amount_due,
       outstanding_balance::text as outstanding_balance
     from invoice
     where tenant_id = $1 and customer_id = $2 and status = 'Outstanding' and due_date < $3
       and outstanding_balance > 0
     order by due_date, id limit ${OVERDUE_INVOICES_MAX}`,
    [tx.tenantId, customerId, time.today],
    'mail-overdue-invoices',
  );
  const pages = await payAddresses(
    sending,
    found.map(({ id }) => id),
  );
  const invoices = found.map(({ id, ...invoice }) => ({
    ...invoice,
    payAddress: pages.get(id) ?? null,
  }));
  const { status } = transition;
  return { subject: { kind: 'customerOverdue', status, invoices }, invoice: null };
}

type OverdueInvoice = Omit<MailInvoice, 'payAddress'> & { readonly id: number };

const OVERDUE_INVOICES_MAX = 100;
