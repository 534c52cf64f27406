/** The next bill of a customer, as its first page shows it: the day, what it comes to, what pays it. */
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { sum, type Decimal } from '../../domain/money/money.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { nextInvoices } from '../invoices/next.ts';
import type { FiledMethod } from '../payment-methods/methods-on-file.ts';
import type { ListedOrder } from './orders-own.ts';

export interface NextBill {
  readonly on: IsoDate;
  /** By currency, with taxes and discounts, and what was used so far; null if it is not known. */
  readonly amounts: readonly CurrencyAmount[] | null;
  /** Usage until then is added. */
  readonly hasUsage: boolean;
  /** Charged by itself; null: the customer pays it. */
  readonly method: FiledMethod | null;
}

export interface CurrencyAmount {
  readonly currency: string;
  readonly amount: Decimal;
}

export interface BilledAccount {
  readonly customerId: number;
  readonly orders: readonly ListedOrder[];
  readonly methods: readonly FiledMethod[];
}

/** Null if nothing will be billed. */
export async function readNextBill(
  dependencies: Dependencies,
  tenant: TenantInfo,
  { customerId, orders, methods }: BilledAccount,
): Promise<NextBill | null> {
  const billing = orders.filter(isBilling);
  const [on] = billing.map(({ nextBillOn }) => nextBillOn ?? '').toSorted();
  if (on === undefined) return null;
  const next = billing.filter(({ nextBillOn }) => nextBillOn === on);
  const isAutoPay = next.some((order) => order.isAutoPay);
  return {
    on,
    amounts: await amountsOf(dependencies, tenant, { customerId, billing }),
    hasUsage: next.some(({ price }) => price?.hasUsage ?? true),
    method: isAutoPay ? (methods[0] ?? null) : null,
  };
}

const isBilling = ({ status, nextBillOn }: ListedOrder): boolean =>
  nextBillOn !== null && (status === 'Active' || status === 'Provisioning');

/** Forecasting more than so many orders is too much for a page that anyone may reload. */
const FORECAST_ORDERS_MAX = 20;

interface Forecast {
  readonly customerId: number;
  readonly billing: readonly ListedOrder[];
}

/** A tax provider is asked for an invoice, not for each look at a page. */
async function amountsOf(
  dependencies: Dependencies,
  tenant: TenantInfo,
  { customerId, billing }: Forecast,
): Promise<NextBill['amounts']> {
  const isTooMuch = billing.length > FORECAST_ORDERS_MAX || billing.some(isUnpriced);
  if (isTooMuch || tenant.taxProvider !== null) return null;
  try {
    const invoices = await nextInvoices(dependencies, tenant, { id: customerId }, null);
    const byCurrency = Map.groupBy(invoices, ({ currency }) => currency);
    return [...byCurrency].map(([currency, all]) => ({
      currency,
      amount: sum(all.map(({ currentAmountDue }) => currentAmountDue)),
    }));
  } catch (error) {
    // A held customer has a bill whose amount nobody knows yet.
    if (error instanceof DomainError) return null;
    throw error;
  }
}

const isUnpriced = ({ price }: ListedOrder): boolean => price === null;
