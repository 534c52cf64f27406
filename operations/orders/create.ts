/**
 * Makes a subscription order with its first invoice if requested; stores nothing if any part fails.
 */
import { refuseTooManyLines } from '../../domain/billing/due/limits.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { type ProposalBasis, idsWanted, proposeOrder } from '../../domain/orders/propose.ts';
import { pausesOfCustomer } from '../../db/queries/billing/load.ts';
import { takeIds, withMoreIds } from '../../db/queries/billing/write.ts';
import { type BegunInvoices, beginInvoices } from '../billing/generate.ts';
import { allDone } from '../context/lanes.ts';
import { lockCustomer } from '../context/locks.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { chosenCoupon, namedPlan } from './plan-choice.ts';
import { parentAddress, refuseParent, requiredParent } from '../../domain/orders/parent.ts';
import { refuseMoved } from './quote.ts';
import { isTrialUsed } from './trial.ts';
import { newOrderRows, storeOrder } from './store.ts';

/** An order, its lines and its first invoice, as a rule: ids may have gaps, and asking once more costs a round trip. */
const IDS_AHEAD = 12;

export interface CreateOptions {
  /** The query's extCustomerRef, in place of the body's customer. */
  readonly extCustomerRef?: string | undefined;
  /** Bills everything due of the customer at once. */
  readonly generateInvoice: boolean;
  /** Also bills this order's next due date, even if it is in the future. */
  readonly forceInvoiceGeneration: boolean;
  /** Nothing proves that whoever orders is the customer: its own redemptions are not looked at. */
  readonly isUnproven?: boolean;
}

/**
 * Makes an order in the given transaction and returns its id. Throws customer.unknown (the parent),
 * and for anything wrong in the body an error that names the element.
 */
export async function createOrder(
  dependencies: Dependencies,
  context: OperationContext,
  input: OrderInput,
  options: CreateOptions,
): Promise<number> {
  const { generateInvoice, forceInvoiceGeneration: isForced } = options;
  const bills = generateInvoice || isForced;
  refuseTooManyLines(input.orderLineItems?.length ?? 0);
  const { basis, begun } = await basisOf(dependencies, context, input, options, bills);
  const order = proposeOrder(input, basis);
  refuseMoved(input, order, context.tenant);
  await storeOrder(dependencies, context, newOrderRows(order), { bills, isForced, begun });
  return order.id;
}

interface Basis {
  readonly basis: ProposalBasis;
  /** What the first invoices rest on; null if none are asked for. */
  readonly begun: BegunInvoices | null;
}

async function basisOf(
  dependencies: Dependencies,
  context: OperationContext,
  input: OrderInput,
  { extCustomerRef, isUnproven = false }: CreateOptions,
  bills: boolean,
): Promise<Basis> {
  const { tx, tenant, time } = context;
  const { usageGraceDays } = tenant.settings;
  const customer = await lockCustomer(tx, requiredParent(parentAddress(input, extCustomerRef)));
  refuseParent(customer, input);
  // Asked together, they share packets.
  const [offer, pauses, first, due] = await allDone([
    namedPlan(dependencies, tx, input),
    pausesOfCustomer(tx, customer.id),
    takeIds(tx, IDS_AHEAD),
    bills ? beginInvoices(dependencies, context, customer.id, { locked: customer }) : null,
  ]);
  const wanted = idsWanted(input, offer.plan);
  const ids = await withMoreIds(tx, first, wanted);
  const { today } = time;
  const currency = input.currency ?? customer.currency;
  const customerId = isUnproven ? null : customer.id;
  const coupon = await chosenCoupon(tx, input, {
    plan: offer.plan,
    currency,
    today,
    customerId,
    isForGood: true,
  });
  const choice = { plan: offer.plan, trialDays: input.trialDays, customerId, orderId: null };
  const basis = {
    customer,
    offer,
    coupon,
    pauses,
    today,
    usageGraceDays,
    ids,
    bills,
    isTrialUsed: await isTrialUsed(tx, choice),
  };
  return { basis, begun: due && { ...due, ids: ids.slice(wanted) } };
}
