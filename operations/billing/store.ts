/**
 * Turns rated charges into rows and writes them. These are two steps, so that a caller may write in
 * between.
 */
import {
  type BillingWrite,
  type InvoiceInsert,
  takeIds,
  writeBilling,
} from '../../db/queries/billing/write.ts';
import { carryOut } from '../collection/carry-out.ts';
import { madeInvoices, raiseMade } from './invoice-events.ts';
import type { OperationContext } from '../context/context.ts';
import { raise, type RaisedEvent } from '../events/raise.ts';
import { balancesOf } from './balances.ts';
import type { CustomerBilling, OrderBilling } from '../../domain/billing/rate-customer.ts';
import { billingRows, idsNeeded } from './rows.ts';
import type { AnsweredCustomer } from './customers.ts';
import { balanceKey, type Balances } from '../../domain/billing/balance.ts';
import { refuseUntaxed } from '../../domain/billing/provider-tax.ts';

/** Rows that can be written without another read. */
export interface PreparedBilling {
  readonly rows: BillingWrite;
  readonly balances: Balances;
  /** @see CustomerBilling */
  readonly newOrder: OrderBilling | null;
  /** Stored orders whose status changes; new dates alone are no event. */
  readonly moved: readonly MovedOrder[];
  /** A customer whose taxes a provider has answered at once; null for a batch. */
  readonly answered: AnsweredCustomer | null;
}

interface MovedOrder {
  readonly id: number;
  readonly customerId: number;
}

export interface Payable {
  /** The payment whose generateInvoice makes the invoices. */
  readonly forPaymentId: number | null;
  /** Autopay pays those with isAutoPay; false: never. */
  readonly paysItself: boolean;
}

/** Throws billing.amountTooLarge, and UnansweredTaxes: nobody is billed untaxed. */
export async function prepareBilling(
  { tx, tenant }: OperationContext,
  billings: readonly CustomerBilling[],
  { forPaymentId = null, paysItself = true }: Partial<Payable> = {},
): Promise<PreparedBilling> {
  refuseUntaxed(billings.flatMap(({ invoices }) => invoices));
  const autopayOn = paysItself ? tenant.settings.autopayOn : null;
  const [balances, ids] = await Promise.all([
    balancesOf(
      tx,
      billings.filter(({ invoices }) => invoices.length > 0).map((each) => each.customerId),
    ),
    takeIds(tx, idsNeeded(billings)),
  ]);
  const rows = billingRows(billings, { balances, ids, autopayOn, forPaymentId });
  const [newOrder = null] = billings.flatMap((billing) => billing.newOrder ?? []);
  return { rows, balances, newOrder, moved: billings.flatMap(movedOf), answered: null };
}

function movedOf({ customerId, orders }: CustomerBilling): MovedOrder[] {
  const moved = orders.filter(({ before, dates }) => dates.status !== before);
  return moved.map(({ row }) => ({ id: row.id, customerId }));
}

/** Allocates the customers' unapplied money to the invoices, which it returns. */
export async function writePrepared(
  context: OperationContext,
  { rows, balances, moved }: PreparedBilling,
  insertNewOrder?: () => void,
): Promise<readonly InvoiceInsert[]> {
  // The versions of the orders are written by then, and the invoices are not, whose numbers lock the
  // tenant's counter until the commit.
  const withUsage = usageInvoices(rows);
  const made = madeInvoices(rows.invoices, ({ id, customerId, currency }) => ({
    billsUsage: withUsage.has(id),
    meetsMoney: balances.get(balanceKey(customerId, currency))?.hasUnapplied ?? false,
  }));
  const onOrders = (): void => {
    raise(context, moved.map(updated));
    raiseMade(context, made);
  };
  writeBilling(context.tx, rows, context.time, { onOrders, insertNewOrder });
  await carryOut(context, { invoices: made, isRaised: true });
  return rows.invoices;
}

function usageInvoices({ windows = [] }: BillingWrite): ReadonlySet<number> {
  return new Set(windows.flatMap(({ billed }) => billed?.invoiceId ?? []));
}

function updated({ id: objectId, customerId }: MovedOrder): RaisedEvent {
  return { type: 'order.updated', customerId, objectId };
}
