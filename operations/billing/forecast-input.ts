/** Reads what a forecast of one customer rests on, in the caller's snapshot. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { loadDueOrders } from '../../db/queries/billing/load.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { LockedCustomer } from '../context/locks.ts';
import { balancesOf } from './balances.ts';
import { ratingBasis } from './basis.ts';
import { tooManyCharges, type ForecastInput } from '../../domain/billing/forecast.ts';
import { taxingOf } from './taxing.ts';
import { peekUsage } from './usage.ts';
import type { OrderToRate } from '../../domain/billing/order-to-rate.ts';
import type { Balances } from '../../domain/billing/balance.ts';

export interface Forecastable {
  readonly input: ForecastInput;
  readonly balances: Balances;
}

export interface ForecastOf {
  readonly customer: LockedCustomer;
  readonly today: IsoDate;
  readonly asOf: IsoDate;
  /** A change that is not stored. */
  readonly change?: {
    readonly currentId: number;
    /** What takes the place of the current order's row. */
    readonly row: OrderToRate;
    readonly next: OrderToRate;
  };
}

/** Throws field.invalid for asOf if the customer has more due than a forecast rates. */
export async function readForecast(
  dependencies: Dependencies,
  { tx, tenant }: { readonly tx: Tx; readonly tenant: TenantInfo },
  { customer, today, asOf, change }: ForecastOf,
): Promise<Forecastable> {
  const choice = { customerIds: [customer.id], by: asOf, atOnce: asOf === today };
  const [due, balances, taxing] = await Promise.all([
    loadDueOrders(tx, choice),
    balancesOf(tx, [customer.id]),
    taxingOf(tx, tenant, [customer.id], today),
  ]);
  if (due.cut !== null) throw tooManyCharges(asOf);
  const others = due.rows.filter(({ id }) => id !== change?.currentId);
  const rows = change === undefined ? others : [...others, change.row];
  const newOrders = change === undefined ? [] : [change.next];
  const basis = await ratingBasis(dependencies, tx, { rows, taxingOf: taxing, newOrders });
  const { paymentTerms: tenantTerms, settings } = tenant;
  const { usageGraceDays } = settings;
  const input = { customer, rows, basis, tenantTerms, usageGraceDays, today };
  return { input: { ...(await peekUsage(tx, input, asOf)), asOf }, balances };
}
