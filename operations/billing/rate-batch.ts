/** Rates the customers of a batch up to one transaction's limit; a failure holds one customer. */
import { RATED_CHARGES_MAX } from '../../domain/billing/limits.ts';
import { loadDueOrders, type DueOrders } from '../../db/queries/billing/load.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { ratingBasis, type RatingBasis } from './basis.ts';
import type { HeldCustomer } from './customers.ts';
import { holdCodeOf, isBug } from './faults.ts';
import { rateCustomer, type CustomerBilling } from './rate-customer.ts';
import type { BilledCustomer } from './open-orders.ts';
import { taxingOf } from './taxing.ts';

export interface RatedBatch {
  readonly billings: CustomerBilling[];
  readonly held: HeldCustomer[];
  /** Customers beyond the limit of one transaction, in whole or in part. */
  readonly left: number[];
  readonly bugs: Error[];
}

type Rating = Pick<OperationContext, 'tx' | 'tenant' | 'time'>;

/** Reads and rates what is due of these customers, which are in the order of their ids. */
export async function rateDue(
  dependencies: Dependencies,
  rating: Rating,
  customers: readonly BilledCustomer[],
): Promise<RatedBatch> {
  const { tx, tenant, time } = rating;
  const customerIds = customers.map(({ id }) => id);
  const [due, taxing] = await Promise.all([
    loadDueOrders(tx, { customerIds, by: time.today, atOnce: false }),
    taxingOf(tx, tenant, customerIds, time.today),
  ]);
  const basis = await ratingBasis(dependencies, tx, { rows: due.rows, taxingOf: taxing });
  return rateBatch(rating, customers, due, basis);
}

function rateBatch(
  { tenant, time }: Pick<OperationContext, 'tenant' | 'time'>,
  customers: readonly BilledCustomer[],
  { rows, cut }: DueOrders,
  basis: RatingBasis,
): RatedBatch {
  const ordersOf = Map.groupBy(rows, (row) => row.customer_id);
  const batch: RatedBatch = { billings: [], held: [], left: [], bugs: [] };
  const tenantTerms = tenant.paymentTerms;
  const { today } = time;
  let charges = 0;
  for (const [index, customer] of customers.entries()) {
    const isCut = cut !== null && !cut.isWhole && customer.id === cut.customerId;
    // Another batch takes customers that do not fit into this one, and all that follow.
    const leave = (): void => {
      batch.left.push(...customers.slice(index).map(({ id }) => id));
    };
    if ((cut !== null && customer.id > cut.customerId) || (isCut && batch.billings.length > 0)) {
      leave();
      break;
    }
    try {
      const orders = ordersOf.get(customer.id) ?? [];
      const restOn = isCut ? cut.restOn : null;
      const billing = rateCustomer({ customer, rows: orders, basis, tenantTerms, today, restOn });
      if (charges > 0 && charges + billing.ratedCount > RATED_CHARGES_MAX) {
        leave();
        break;
      }
      charges += billing.ratedCount;
      batch.billings.push(billing);
      if (billing.hasMore || isCut) batch.left.push(customer.id);
    } catch (error) {
      // Rating is a pure computation, so a failure repeats each time, and only for this customer.
      const code = holdCodeOf(error) ?? 'service.fault';
      batch.held.push({ customerId: customer.id, code });
      if (isBug(error))
        batch.bugs.push(new Error(`customer ${customer.id} is held`, { cause: error }));
    }
  }
  return batch;
}
