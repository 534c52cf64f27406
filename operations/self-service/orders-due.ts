/** What an order of a page bills at once: as it was shown, as it was made, and what stays open. */
import type { Decimal } from '../../domain/model.ts';
import { compare, formatAmount, sum } from '../../domain/money/money.ts';
import type { Tx } from '../../db/connection/tenancy.ts';

/** What is due of one currency. */
export interface Due {
  readonly currency: string;
  /** Below zero it becomes a credit. */
  readonly amount: Decimal;
}

interface Billed {
  readonly currency: string;
  readonly amount: Decimal;
}

/** The totals of invoices by currency, the order's own currency first. */
export function dueOf(invoices: readonly Billed[], currency: string): readonly Due[] {
  const totals = Map.groupBy(invoices, (invoice) => invoice.currency);
  const others = [...totals.keys()].filter((each) => each !== currency).toSorted();
  return [currency, ...others].map((each) => ({
    currency: each,
    amount: formatAmount(each, sum((totals.get(each) ?? []).map(({ amount }) => amount))),
  }));
}

/** What was made is not what the page showed; nothing is stored. */
export class PriceMoved extends Error {
  constructor() {
    super('the price is no longer that of the page');
  }
}

export function refuseOtherDue(made: readonly Due[], shown: readonly Due[]): void {
  const isSame =
    made.length === shown.length &&
    made.every(({ currency, amount }, index) => {
      const other = shown[index];
      return other?.currency === currency && compare(other.amount, amount) === 0;
    });
  if (!isSame) throw new PriceMoved();
}

/** Invoices that the customer has to pay itself. */
export interface OpenInvoices {
  readonly currency: string;
  readonly ids: readonly number[];
}

/** Of one currency, as a payment is: of the order's own, if something of it is open. */
export async function openAmong(
  tx: Tx,
  invoiceIds: readonly number[],
  currency: string,
): Promise<OpenInvoices | null> {
  if (invoiceIds.length === 0) return null;
  return ofOneCurrency(await standingOpen(tx, { invoiceIds }), currency);
}

/** The same of what an order was ever billed, for a form that comes again. */
export async function openOfOrder(
  tx: Tx,
  { id, currency }: { readonly id: number; readonly currency: string },
): Promise<OpenInvoices | null> {
  return ofOneCurrency(await standingOpen(tx, { orderId: id }), currency);
}

function ofOneCurrency(
  open: readonly { readonly id: number; readonly currency: string }[],
  preferred: string,
): OpenInvoices | null {
  const own = open.find((invoice) => invoice.currency === preferred) ?? open[0];
  if (own === undefined) return null;
  const { currency } = own;
  return {
    currency,
    ids: open.filter((invoice) => invoice.currency === currency).map(({ id }) => id),
  };
}

type Which = { readonly invoiceIds: readonly number[] } | { readonly orderId: number };

/** Without those that autopay will pay. */
function standingOpen(tx: Tx, which: Which): Promise<{ id: number; currency: string }[]> {
  const byIds = 'invoiceIds' in which;
  const chosen = byIds
    ? 'i.id = any($2)'
    : `i.id in (select l.invoice_id from invoice_line l
         where l.tenant_id = $1 and l.order_id = $2)`;
  return tx.query<{ id: number; currency: string }>(
    `select i.id, i.currency from invoice i
     where i.tenant_id = $1 and ${chosen} and i.status = 'Outstanding'
       and i.outstanding_balance > 0 and i.autopay_on is null
     order by i.id`,
    [tx.tenantId, byIds ? which.invoiceIds : which.orderId],
    byIds ? 'open-among-invoices' : 'open-invoices-of-order',
  );
}
