/** Rates the customers of a batch up to one transaction's limit; a failure holds one customer. */
import { RATED_CHARGES_MAX } from '../../domain/billing/due/limits.ts';
import { type DueCut, type DueOrders, loadDueOrders } from '../../db/queries/billing/load.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { ratingBasis } from './basis.ts';
import { holdCodeOf, isBug } from './faults.ts';
import { type CustomerBilling, rateCustomer } from '../../domain/billing/rate-customer.ts';
import type {
  BilledCustomer,
  RateCustomerInput,
  RatingBasis,
} from '../../domain/billing/due/open-orders.ts';
import { taxingOf } from './tax-answers.ts';
import { type UsageRead, readDueUsage } from './usage.ts';
import type { HeldCustomer } from '../../domain/billing/rate/by-answers.ts';

export interface RatedBatch {
  readonly billings: CustomerBilling[];
  readonly held: HeldCustomer[];
  /** Customers beyond the limit of one transaction, in whole or in part. */
  readonly left: number[];
  readonly bugs: Error[];
}

type Rating = Pick<OperationContext, 'tx' | 'tenant' | 'time'>;

/**
 * Reads and rates what is due of these customers, which are in the order of their ids. Billing, which
 * has locked them, locks their usage too.
 */
export async function rateDue(
  dependencies: Dependencies,
  rating: Rating,
  customers: readonly BilledCustomer[],
  { locks }: { readonly locks: boolean },
): Promise<RatedBatch> {
  const { tx, tenant, time } = rating;
  const customerIds = customers.map(({ id }) => id);
  const [due, taxing] = await Promise.all([
    loadDueOrders(tx, { customerIds, by: time.today, atOnce: false }),
    taxingOf(tx, tenant, customerIds, time.today),
  ]);
  const basis = await ratingBasis(dependencies, tx, { rows: due.rows, taxingOf: taxing });
  const inputs = inputsOf(rating, customers, due, basis);
  return rateBatch(await readDueUsage(tx, inputs, { locks }), due);
}

function inputsOf(
  { tenant, time: { today } }: Pick<OperationContext, 'tenant' | 'time'>,
  customers: readonly BilledCustomer[],
  { rows, cut }: DueOrders,
  basis: RatingBasis,
): readonly RateCustomerInput[] {
  const ordersOf = Map.groupBy(rows, (row) => row.customerId);
  const { paymentTerms: tenantTerms, settings } = tenant;
  const { usageGraceDays } = settings;
  return customers.map((customer) => ({
    customer,
    rows: ordersOf.get(customer.id) ?? [],
    basis,
    tenantTerms,
    usageGraceDays,
    today,
    restOn: isCutOff(customer, cut) ? cut.restOn : null,
  }));
}

/** Only some orders of the customer were read. */
function isCutOff({ id }: BilledCustomer, cut: DueOrders['cut']): cut is DueCut {
  return cut !== null && !cut.isWhole && id === cut.customerId;
}

function rateBatch({ inputs, count }: UsageRead, { cut }: DueOrders): RatedBatch {
  const batch: RatedBatch = { billings: [], held: [], left: [], bugs: [] };
  let charges = 0;
  for (const [index, input] of inputs.entries()) {
    const { customer } = input;
    const isCut = isCutOff(customer, cut);
    // Another batch takes customers that do not fit into this one, and all that follow.
    const leave = (): void => {
      batch.left.push(...inputs.slice(index).map((each) => each.customer.id));
    };
    const isUnread = index >= count || (cut !== null && customer.id > cut.customerId);
    if (isUnread || (isCut && batch.billings.length > 0)) {
      leave();
      break;
    }
    try {
      const billing = rateCustomer(input);
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
