/** Reads what the first page of hosted self-service shows: the customer, and what it owes. */
import { invoiceNumberOf } from '../../db/queries/context/invoices.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Decimal, IsoDate } from '../../domain/model.ts';

export interface AccountBalance {
  readonly currency: string;
  /** Of all open invoices. */
  readonly open: Decimal;
  /** Of those whose due date is past. */
  readonly overdue: Decimal;
  /** Money of the customer that is applied to no invoice. */
  readonly unapplied: Decimal;
}

export interface OpenInvoice {
  readonly invoiceNumber: string;
  readonly invoiceDate: IsoDate;
  readonly dueDate: IsoDate;
  readonly currency: string;
  readonly open: Decimal;
}

export interface AccountHome {
  readonly name: string;
  /** As the customer has it: `de_AT`. */
  readonly locale: string | null;
  /** Of the tenant's address. */
  readonly countryCode: string | null;
  /** The customer's currency first; its balance is there even if it is all zero. */
  readonly balances: readonly AccountBalance[];
  /** The newest open ones, the newest first. */
  readonly invoices: readonly OpenInvoice[];
}

const INVOICES_SHOWN_MAX = 5;

/**
 * Undefined if the customer was deleted meanwhile.
 *
 * @param today the tenant's
 */
export async function readHome(
  tx: Tx,
  customerId: number,
  today: IsoDate,
): Promise<AccountHome | undefined> {
  const [customer, balances, invoices] = await Promise.all([
    readAccount(tx, customerId),
    readBalances(tx, customerId, today),
    readNewestOpen(tx, customerId),
  ]);
  if (customer === undefined) return undefined;
  const { currency, ...account } = customer;
  const own = balances.find((balance) => balance.currency === currency);
  const others = balances.filter((balance) => balance !== own);
  const none = { currency, open: '0', overdue: '0', unapplied: '0' };
  return { ...account, balances: [own ?? none, ...others], invoices };
}

type Account = Pick<AccountHome, 'name' | 'locale' | 'countryCode'> & {
  readonly currency: string;
};

async function readAccount(tx: Tx, customerId: number): Promise<Account | undefined> {
  const [account] = await tx.query<Account & Record<string, unknown>>(
    `select c.name, c.locale, c.currency, t.file->'address'->>'countryCode' as "countryCode"
     from customer c join tenant t on t.id = c.tenant_id
     where c.tenant_id = $1 and c.id = $2`,
    [tx.tenantId, customerId],
    'self-service-account',
  );
  return account;
}

/** As the customer's financials have them. */
function readBalances(tx: Tx, customerId: number, today: IsoDate): Promise<AccountBalance[]> {
  return tx.query<AccountBalance & Record<string, unknown>>(
    `select currency, sum(open)::text as open, sum(overdue)::text as overdue,
       sum(unapplied)::text as unapplied
     from (
       select currency, outstanding_balance as open,
         case when due_date < $3 then outstanding_balance else 0 end as overdue, 0 as unapplied
       from invoice where tenant_id = $1 and customer_id = $2 and status = 'Outstanding'
       union all
       select currency, 0, 0, balance
       from payment where tenant_id = $1 and customer_id = $2 and balance > 0) money
     group by currency order by currency`,
    [tx.tenantId, customerId, today],
    'self-service-balances',
  );
}

function readNewestOpen(tx: Tx, customerId: number): Promise<OpenInvoice[]> {
  return tx.query<OpenInvoice & Record<string, unknown>>(
    `select ${invoiceNumberOf('i')} as "invoiceNumber", i.invoice_date as "invoiceDate",
       i.due_date as "dueDate", i.currency, i.outstanding_balance::text as open
     from invoice i
     where i.tenant_id = $1 and i.customer_id = $2 and i.status = 'Outstanding'
       and i.outstanding_balance > 0
     order by i.invoice_date desc, i.id desc limit ${INVOICES_SHOWN_MAX}`,
    [tx.tenantId, customerId],
    'self-service-invoices',
  );
}
