/** What an order of a page bills at once: as it was shown, as it was made, and what stays open. */
import { compare, formatAmount, sum, type Decimal } from '../../domain/money/money.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-waits.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { TenantInfo } from '../context/context.ts';
import { invoicesOfForm } from '../hosted-pages/forms.ts';
import { isUntaxedAt, taxBasis } from '../orders/quote-hash.ts';

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

export interface TaxTerms {
  /** What decides about the customer's taxes, hashed. */
  readonly taxBasis: string;
  /** The tenant taxes, and no rate matches. */
  readonly isUntaxed: boolean;
}

export async function taxTermsOf(
  tx: Tx,
  tenant: TenantInfo,
  customerId: number,
): Promise<TaxTerms> {
  const address = (await readTaxAddresses(tx, [customerId])).get(customerId) ?? null;
  return {
    taxBasis: taxBasis(tenant, address),
    isUntaxed: isUntaxedAt(tenant, address),
  };
}

/** Throws PriceMoved if other taxes are due than the page showed. */
export async function refuseOtherTaxes(
  tx: Tx,
  tenant: TenantInfo,
  { customerId, taxBasis: shown }: { readonly customerId: number } & Pick<TaxTerms, 'taxBasis'>,
): Promise<void> {
  const { taxBasis: now } = await taxTermsOf(tx, tenant, customerId);
  if (now !== shown) throw new PriceMoved();
}

/** Invoices that the customer has to pay itself. */
export interface OpenInvoices {
  readonly currency: string;
  readonly ids: readonly number[];
}

/**
 * Of one currency, as a payment is: of the preferred one, if something of it is open. Without those
 * that autopay will pay.
 */
export async function openAmong(
  tx: Tx,
  invoiceIds: readonly number[],
  preferred: string | null,
): Promise<OpenInvoices | null> {
  if (invoiceIds.length === 0) return null;
  const open = await tx.query<{ id: number; currency: string }>(
    `select id, currency from invoice
     where tenant_id = $1 and id = any($2) and status = 'Outstanding'
       and outstanding_balance > 0 and autopay_on is null
     order by id`,
    [tx.tenantId, invoiceIds],
    'open-among-invoices',
  );
  const first = open.find((invoice) => invoice.currency === preferred) ?? open[0];
  if (first === undefined) return null;
  const { currency } = first;
  return {
    currency,
    ids: open.filter((invoice) => invoice.currency === currency).map(({ id }) => id),
  };
}

/** What is still open of the invoices that a form has made. */
export interface MadeByForm {
  readonly open: OpenInvoices | null;
}

/** Null if the form has made nothing yet. */
export async function madeByForm(tx: Tx, key: string): Promise<MadeByForm | null> {
  const ids = await invoicesOfForm(tx, key);
  return ids === null ? null : { open: await openAmong(tx, ids, null) };
}
