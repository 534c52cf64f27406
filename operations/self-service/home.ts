/** Reads what the first page of hosted self-service shows: what the customer owes. */
import { isOutsideSignups, isPaidOutsideSignups } from '../../db/queries/context/invoices.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { Account } from './account.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface AccountBalance {
  readonly currency: string;
  /** Of all open invoices. */
  readonly open: Decimal;
  /** Of those whose due date is past. */
  readonly overdue: Decimal;
  /** Money of the customer that is applied to no invoice. */
  readonly unapplied: Decimal;
}

export interface OpenInvoice extends RowOf<
  typeof Invoice,
  'id' | 'invoiceDate' | 'dueDate' | 'currency'
> {
  readonly invoiceNumber: string;
  readonly open: Decimal;
}

export interface AccountHome {
  /** The customer's currency first; its balance is there even if it is all zero. */
  readonly balances: readonly AccountBalance[];
  /** The newest open ones, the newest first. */
  readonly invoices: readonly OpenInvoice[];
}

const INVOICES_SHOWN_MAX = 5;

/** @param today the tenant's */
export async function readHome(
  tx: Tx,
  { customerId, currency }: Pick<Account, 'customerId' | 'currency'>,
  today: IsoDate,
): Promise<AccountHome> {
  const [balances, invoices] = await Promise.all([
    readBalances(tx, customerId, today),
    readNewestOpen(tx, customerId),
  ]);
  const own = balances.find((balance) => balance.currency === currency);
  const others = balances.filter((balance) => balance !== own);
  const none = { currency, open: '0', overdue: '0', unapplied: '0' };
  return { balances: [own ?? none, ...others], invoices };
}

/** As the customer's financials have them, without what a sign-up under way has made. */
function readBalances(tx: Tx, customerId: number, today: IsoDate): Promise<AccountBalance[]> {
  return tx.query<AccountBalance & Record<string, unknown>>(
    `select currency, sum(open)::text as open, sum(overdue)::text as overdue,
       sum(unapplied)::text as unapplied
     from (
       select currency, outstanding_balance as open,
         case when due_date < $3 then outstanding_balance else 0 end as overdue, 0 as unapplied
       from invoice i where tenant_id = $1 and customer_id = $2 and status = 'Outstanding'
         and ${isOutsideSignups('i')}
       union all
       select currency, 0, 0, balance
       from payment p where tenant_id = $1 and customer_id = $2 and balance > 0
         and ${isPaidOutsideSignups('p')}) money
     group by currency order by currency`,
    [tx.tenantId, customerId, today],
    'self-service-balances',
  );
}

function readNewestOpen(tx: Tx, customerId: number): Promise<OpenInvoice[]> {
  return tx.query<OpenInvoice & Record<string, unknown>>(
    `select i.id, i.invoice_number as invoice_number, i.invoice_date,
       i.due_date, i.currency, i.outstanding_balance::text as open
     from invoice i
     where i.tenant_id = $1 and i.customer_id = $2 and i.status = 'Outstanding'
       and i.outstanding_balance > 0 and ${isOutsideSignups('i')}
     order by i.invoice_date desc, i.id desc limit ${INVOICES_SHOWN_MAX}`,
    [tx.tenantId, customerId],
    'self-service-invoices',
  );
}
