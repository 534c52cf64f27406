/** Reads the invoices that a customer sees: a page of their list, or whether one may be shown. */
import { isOutsideSignups } from '../../db/queries/context/invoices.ts';
import { cancellationNumberOf } from '../../db/queries/invoices/cancellations.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Decimal } from '../../domain/money/money.ts';
import { LISTED_MAX, type ListedPage, listedOf } from './account.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface ListedInvoice extends RowOf<
  typeof Invoice,
  'id' | 'invoiceDate' | 'dueDate' | 'status' | 'currency'
> {
  readonly invoiceNumber: string;
  readonly cancellationNumber: string | null;
  /** Negative: it is a credit note. */
  readonly amount: Decimal;
  readonly open: Decimal;
}

const columns = `i.id, i.invoice_number as invoice_number,
  ${cancellationNumberOf('i')} as cancellation_number, i.invoice_date,
  i.due_date, i.status, i.currency, i.current_amount_due::text as amount,
  i.outstanding_balance::text as open`;

const isShown = `i.tenant_id = $1 and i.customer_id = $2 and ${isOutsideSignups('i')}`;

/**
 * The newest first.
 *
 * @param before the id of the invoice that the page before ended with
 */
export async function listAccountInvoices(
  tx: Tx,
  customerId: number,
  before: number | null,
): Promise<ListedPage<ListedInvoice>> {
  const rows = await tx.query<ListedInvoice & Record<string, unknown>>(
    `select ${columns} from invoice i
     where ${isShown} and (i.invoice_date, i.id) < (
       coalesce((select last.invoice_date from invoice last
         where last.tenant_id = $1 and last.customer_id = $2 and last.id = $3), 'infinity'), $3)
     order by i.invoice_date desc, i.id desc limit ${LISTED_MAX + 1}`,
    [tx.tenantId, customerId, before ?? Number.MAX_SAFE_INTEGER],
    'self-service-invoice-list',
  );
  return listedOf(rows);
}

/** Undefined if the customer has no such invoice to see. */
export async function readAccountInvoice(
  tx: Tx,
  { customerId, id }: { readonly customerId: number; readonly id: number },
): Promise<ListedInvoice | undefined> {
  const [invoice] = await tx.query<ListedInvoice & Record<string, unknown>>(
    `select ${columns} from invoice i where ${isShown} and i.id = $3`,
    [tx.tenantId, customerId, id],
    'self-service-invoice',
  );
  return invoice;
}
