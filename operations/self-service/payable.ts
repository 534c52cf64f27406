/** Reads the open invoices that a page of self-service can pay, and who pays them already. */
import { isOutsideSignups } from '../../db/queries/context/invoices.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { Account } from './account.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface PayableInvoice extends RowOf<typeof Invoice, 'id' | 'invoiceDate' | 'dueDate'> {
  readonly invoiceNumber: string;
  readonly open: Decimal;
  /** A Pending payment that names it; until that is final, nothing else pays it here. */
  readonly payingId: number | null;
  /** Another payment of it waits for its payer, and is ended if the invoice is paid here. */
  readonly isWaiting: boolean;
}

export interface Payable {
  /** The only one that is paid at once. */
  readonly currency: string;
  /** Those in which something is open, in alphabetical order. */
  readonly currencies: readonly string[];
  /** The first due first. */
  readonly invoices: readonly PayableInvoice[];
  /** There are more of them than are listed. */
  readonly isCut: boolean;
}

/** Listed and paid at once. */
export const PAYABLE_MAX = 100;

/** Of the invoice `i`. */
export const isOpenToPay = `i.status = 'Outstanding' and i.outstanding_balance > 0
  and ${isOutsideSignups('i')}`;

const isPayable = `i.tenant_id = $1 and i.customer_id = $2 and ${isOpenToPay}`;

/** @param wanted the currency; by default the customer's, or the first in which something is open */
export async function readPayable(
  tx: Tx,
  { customerId, currency: own }: Pick<Account, 'customerId' | 'currency'>,
  wanted: string | undefined,
): Promise<Payable> {
  const open = await tx.query<{ currency: string }>(
    `select distinct i.currency from invoice i where ${isPayable} order by 1`,
    [tx.tenantId, customerId],
    'payable-currencies',
  );
  const currencies = open.map(({ currency }) => currency);
  const first = currencies.includes(own) ? own : (currencies[0] ?? own);
  const currency = wanted !== undefined && currencies.includes(wanted) ? wanted : first;
  const found = await tx.query<PayableInvoice & Record<string, unknown>>(
    `with pending as materialized (
       select id, status, named_invoice_ids from payment
       where tenant_id = $1 and customer_id = $2 and status in ('Pending', 'ActionRequired'))
     select i.id, i.invoice_number as invoice_number, i.invoice_date,
       i.due_date, i.outstanding_balance::text as open,
       (select min(p.id) from pending p
        where p.status = 'Pending' and i.id = any(p.named_invoice_ids)) as paying_id,
       exists (select from pending p where p.status = 'ActionRequired'
         and i.id = any(p.named_invoice_ids)) as is_waiting
     from invoice i
     where ${isPayable} and i.currency = $3
     order by i.due_date, i.id limit ${PAYABLE_MAX + 1}`,
    [tx.tenantId, customerId, currency],
    'payable-invoices',
  );
  const invoices = found.slice(0, PAYABLE_MAX);
  return { currency, currencies, invoices, isCut: found.length > PAYABLE_MAX };
}

export interface NamedOpen extends Pick<PayableInvoice, 'id' | 'open'> {
  readonly currency: string;
}

/** What is open now of these invoices of the customer; none that cannot be paid. */
export function readNamedOpen(
  tx: Tx,
  customerId: number,
  ids: readonly number[],
): Promise<NamedOpen[]> {
  return tx.query<NamedOpen & Record<string, unknown>>(
    `select i.id, i.currency, i.outstanding_balance::text as open from invoice i
     where ${isPayable} and i.id = any($3) order by i.id`,
    [tx.tenantId, customerId, ids],
    'named-payable',
  );
}

/** The oldest Pending payment of the customer that names one of the invoices. */
export async function pendingNaming(
  tx: Tx,
  customerId: number,
  ids: readonly number[],
): Promise<number | undefined> {
  const [pending] = await tx.query<{ id: number }>(
    `select id from payment
     where tenant_id = $1 and customer_id = $2 and status = 'Pending' and named_invoice_ids && $3
     order by id limit 1`,
    [tx.tenantId, customerId, ids],
    'pending-naming',
  );
  return pending?.id;
}
