/** Every statement that changes an invoice: what became of it. */
import type { InvoiceState, InvoiceTransition } from '../../../domain/invoices/happened.ts';
import { changesOf } from '../../../domain/access/audit-log.ts';
import { noteChanges } from '../../connection/audited.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { given } from '../context/insertion.ts';
import { Invoice } from '../../entities/invoices.ts';

/** The columns of an invoice's state, under the names that the state machine gives them. */
export const invoiceStateColumns = (i: string): string => `${i}.status,
  ${i}.outstanding_balance as open, ${i}.carried_over_from as carried_from,
  ${i}.carried_open, ${i}.autopay_on,
  ${i}.autopay_after_payment_id as awaits, ${i}.autopay_set_aside as is_set_aside`;

/** An invoice as it was read. */
export interface ReadInvoice extends InvoiceState {
  readonly id: number;
  readonly customerId: number;
  /** The order whose workflow pays it. */
  readonly orderId: number | null;
}

/** Which invoices: SQL over `i`. */
export interface InvoiceChoice {
  /** The name of the prepared statement. */
  readonly name: string;
  readonly where: string;
  readonly values: readonly unknown[];
}

/** Reads the states of invoices by id. The customers are locked. */
export function readInvoices(
  tx: Pick<Tx, 'query'>,
  { name, where, values }: InvoiceChoice,
): Promise<ReadInvoice[]> {
  return tx.query<ReadInvoice & Record<string, unknown>>(
    `select i.id, i.customer_id, i.autopay_order_id as order_id, ${invoiceStateColumns('i')}
     from invoice i where ${where} order by i.id`,
    values,
    name,
  );
}

/** An invoice as it was read, and what became of it. */
export interface InvoiceChange {
  readonly invoice: InvoiceState & { readonly id: number };
  readonly transition: Pick<InvoiceTransition, 'state' | 'shows'>;
}

const written = given(
  Invoice,
  {
    id: 'id',
    wasStatus: 'status',
    wasOpen: 'outstandingBalance',
    wasCarried: 'carriedOpen',
    wasOn: 'autopayOn',
    wasAwaits: 'autopayAfterPaymentId',
    status: 'status',
    open: 'outstandingBalance',
    carriedFrom: 'carriedOverFrom',
    carriedOpen: 'carriedOpen',
    autopayOn: 'autopayOn',
    awaits: 'autopayAfterPaymentId',
    isSetAside: 'autopaySetAside',
  },
  { besides: { shows: 'text' } },
);

const writeText = `with r as (select * from ${written.recordset}),
  written as (
    update invoice i set status = r.status, outstanding_balance = r.open,
      carried_over_from = r."carriedFrom", carried_open = r."carriedOpen",
      autopay_on = r."autopayOn", autopay_after_payment_id = r.awaits,
      autopay_set_aside = r."isSetAside",
      version = i.version + case r.shows when 'version' then 1 else 0 end,
      updated_at = case r.shows when 'version' then $3 else i.updated_at end
    from r where i.tenant_id = $1 and i.id = r.id and i.status = r."wasStatus"
      and i.outstanding_balance = r."wasOpen"
      and i.carried_open is not distinct from r."wasCarried"
      and i.autopay_on is not distinct from r."wasOn"
      and i.autopay_after_payment_id is not distinct from r."wasAwaits"
    returning i.id)
  select ('invoice ' || id || ' is no longer as it was read')::int
  from r where id not in (select id from written)`;

/**
 * Writes the states of many invoices in one statement. The customers are locked since they were
 * read: if one of them is no longer as it was read, the transaction fails.
 */
export function writeInvoices(tx: Tx, changes: readonly InvoiceChange[], now: Date): void {
  if (changes.length === 0) return;
  const values = [tx.tenantId, JSON.stringify(changes.map(rowOf)), now];
  tx.send(writeText, values, 'write-invoices');
  for (const { invoice, transition } of changes) {
    const object = { type: 'invoice', id: invoice.id } as const;
    noteChanges(tx, object, changesOf(seenOf(invoice), seenOf(transition.state)));
  }
}

/** What callers see of a state. */
const seenOf = ({ status, open }: InvoiceState) => ({ status, outstandingBalance: open });

function rowOf({ invoice, transition: { state, shows } }: InvoiceChange) {
  const { id, status, open, carriedOpen, autopayOn, awaits } = invoice;
  const was = { wasStatus: status, wasOpen: open, wasCarried: carriedOpen };
  return { ...state, ...was, wasOn: autopayOn, wasAwaits: awaits, id, shows };
}
