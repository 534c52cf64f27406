/** Reads the payments and refunds that a customer sees: a page of their list, or one of them. */
import { isOutsideSignups, isPaidOutsideSignups } from '../../db/queries/context/invoices.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { type Decimal, negate, sum } from '../../domain/money/money.ts';
import type { PaymentMethodType } from '../../domain/payments/allocation.ts';
import { LISTED_MAX, type ListedPage, listedOf } from './account.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface ListedPayment extends RowOf<
  typeof Payment,
  | 'id'
  | 'status'
  | 'effectiveDate'
  | 'currency'
  /** Of a refund negative. */
  | 'amount'
> {
  readonly type: 'Payment' | 'Refund';
  readonly methodType: PaymentMethodType | null;
  /** Masked. */
  readonly method: string | null;
}

export interface AccountPayment extends ListedPayment {
  /** The first of its cascade. */
  readonly cascadeId: number;
  /** A debit, which its gateway has accepted. */
  readonly takesDays?: boolean;
  /** While it waits for its payer: whether he is there. */
  readonly isPayerPresent: boolean;
  readonly surcharge: Decimal;
  /** Kept as credit. */
  readonly unapplied: Decimal;
  /** Paid back, or taken back by the bank. */
  readonly goneBack: Decimal;
  /** Applied to debts that are no invoices. */
  readonly otherDebts: Decimal;
  /** Applied to invoices beyond those that are named. */
  readonly furtherInvoices: Decimal;
  /** The first that it paid. */
  readonly invoices: readonly PaidInvoice[];
}

export interface PaidInvoice {
  readonly id: number;
  readonly invoiceNumber: string;
  readonly invoiceDate: IsoDate;
  readonly amount: Decimal;
}

/** Named on the page and on the receipt of a payment; the sum of the others is a row of its own. */
export const PAID_INVOICES_MAX = 500;

type StoredPayment = Omit<AccountPayment, 'invoices' | 'furtherInvoices'>;

const columns = `p.id, p.payment_type as type, p.status, p.effective_date,
  p.currency, p.amount::text as amount, p.payment_method_type as method_type,
  p.payment_method_context as method`;

const isLast = `not exists (select from payment later where later.tenant_id = p.tenant_id
  and later.cascade_id = p.cascade_id and (later.attempt, later.id) > (p.attempt, p.id))`;

const isShown = `p.tenant_id = $1 and p.customer_id = $2 and p.payment_type in ('Payment', 'Refund')
  and ${isPaidOutsideSignups('p')}`;

/**
 * The newest first; of a cascade its last attempt.
 *
 * @param before the id of the payment that the page before ended with
 */
export async function listAccountPayments(
  tx: Tx,
  customerId: number,
  before: number | null,
): Promise<ListedPage<ListedPayment>> {
  const rows = await tx.query<ListedPayment & Record<string, unknown>>(
    `select ${columns} from payment p
     where ${isShown} and ${isLast} and p.id < $3
     order by p.id desc limit ${LISTED_MAX + 1}`,
    [tx.tenantId, customerId, before ?? Number.MAX_SAFE_INTEGER],
    'self-service-payment-list',
  );
  return listedOf(rows);
}

/**
 * The last attempt of the cascade that the payment belongs to; undefined if the customer has no such
 * payment to see.
 */
export async function readAccountPayment(
  tx: Tx,
  { customerId, id }: { readonly customerId: number; readonly id: number },
): Promise<AccountPayment | undefined> {
  const [payment] = await tx.query<StoredPayment & Record<string, unknown>>(
    `select ${columns}, p.phase is not distinct from 'Processing' as takes_days,
       p.cascade_id, p.action_ends_at is not null as is_payer_present,
       p.surcharge::text as surcharge,
       p.balance::text as unapplied, (p.refunded + p.withdrawn)::text as gone_back,
       (select coalesce(sum(a.amount_applied), 0)::text from invoice_payment a
        where a.tenant_id = p.tenant_id and a.payment_id = p.id and a.debit_id is not null
       ) as other_debts
     from payment asked
     join payment p on p.tenant_id = asked.tenant_id and p.cascade_id = asked.cascade_id
     where asked.tenant_id = $1 and asked.id = $3 and ${isShown} and ${isLast}`,
    [tx.tenantId, customerId, id],
    'self-service-payment',
  );
  if (payment === undefined) return undefined;
  return { ...payment, ...(await readPaidInvoices(tx, payment.id)) };
}

type PaidInvoices = Pick<AccountPayment, 'invoices' | 'furtherInvoices'>;

/** What was taken back of an invoice counts no more. */
async function readPaidInvoices(tx: Tx, paymentId: number): Promise<PaidInvoices> {
  const rows = await tx.query<PaidInvoice & { total: Decimal } & Record<string, unknown>>(
    `select i.id, i.invoice_number as invoice_number, i.invoice_date,
       sum(a.amount_applied)::text as amount, (sum(sum(a.amount_applied)) over ())::text as total
     from invoice_payment a
     join invoice i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
     where a.tenant_id = $1 and a.payment_id = $2 and ${isOutsideSignups('i')}
     group by i.tenant_id, i.id having sum(a.amount_applied) <> 0
     order by min(a.id) limit ${PAID_INVOICES_MAX}`,
    [tx.tenantId, paymentId],
    'self-service-paid-invoices',
  );
  const invoices = rows.map(({ total: _total, ...invoice }) => invoice);
  const named = sum(invoices.map(({ amount }) => amount));
  return { invoices, furtherInvoices: sum([rows[0]?.total ?? '0', negate(named)]) };
}
