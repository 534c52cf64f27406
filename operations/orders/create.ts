/**
 * Makes a subscription order with its first invoice if requested; stores nothing if any part fails.
 */
import { refuseTooManyLines } from '../../domain/billing/limits.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { idsWanted, proposeOrder } from '../../domain/orders/propose.ts';
import type { OrderProposal, ProposalBasis } from '../../domain/orders/propose.ts';
import { pausesOfCustomer } from '../../db/queries/billing/pauses.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import {
  allowLinesBeforeOrder,
  insertOrder,
  insertOrderLines,
} from '../../db/queries/orders/write.ts';
import { prepareInvoices, writeInvoices } from '../billing/generate.ts';
import { takeNewOrder, type BilledNewOrder } from '../billing/store.ts';
import { lockCustomer } from '../context/locks.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { chosenCoupon } from './coupon-choice.ts';
import { parentAddress, refuseParent, requiredParent } from './parent.ts';
import { namedPlan } from './plan-choice.ts';
import { refuseMoved } from './quote-hash.ts';
import { lineInserts, orderInsert, ratedOrder } from './rows.ts';

export interface CreateOptions {
  /** The query's extCustomerRef, in place of the body's customer. */
  readonly extCustomerRef?: string | undefined;
  /** Bills everything due of the customer at once. */
  readonly generateInvoice: boolean;
  /** Also bills this order's next due date, even if it is in the future. */
  readonly forceInvoiceGeneration: boolean;
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
  const order = proposeOrder(input, await basisOf(dependencies, context, input, options, bills));
  refuseMoved(input, order, context.tenant);
  if (!bills) {
    raiseCreated(context, order);
    writeLines(context, order, new Map());
    insertOrder(context.tx, orderInsert(order), context.time.now);
    return order.id;
  }
  const billing = await prepareInvoices(dependencies, context, order.customerId, {
    newOrder: ratedOrder(order),
    isForced,
  });
  const lineIds = new Set(order.lines.map(({ id }) => id));
  const billed = takeNewOrder(billing, order.id, lineIds);
  raiseCreated(context, order);
  writeLines(context, order, billed.nextPeriodIndexes);
  await writeInvoices(context, billed.prepared, () =>
    insertOrder(context.tx, { ...orderInsert(order), ...billed.order }, context.time.now),
  );
  return order.id;
}

/** Raised before the events of the order's first invoices. */
function raiseCreated(context: OperationContext, { id, customerId, dates }: OrderProposal): void {
  // A Draft is mailed when it leaves that status.
  const detail = dates.status === 'Draft' ? { draft: true } : undefined;
  raise(context, [{ type: 'order.created', customerId, objectId: id, objectVersion: 1, detail }]);
}

/** Written before the order, whose number locks the tenant's counter until the commit. */
function writeLines(
  context: OperationContext,
  order: OrderProposal,
  nextPeriodIndexes: BilledNewOrder['nextPeriodIndexes'],
): void {
  const { tx, time } = context;
  allowLinesBeforeOrder(tx);
  const lines = lineInserts(order).map((line) => ({
    ...line,
    next_period_index: nextPeriodIndexes.get(line.id) ?? line.next_period_index,
  }));
  insertOrderLines(tx, lines, time);
  enqueue(context, [{ kind: 'order', objectId: order.id }]);
}

/** An order and its lines, as a rule: ids may have gaps, and asking once more costs a round trip. */
const IDS_AHEAD = 8;

async function basisOf(
  dependencies: Dependencies,
  context: OperationContext,
  input: OrderInput,
  { extCustomerRef }: CreateOptions,
  bills: boolean,
): Promise<ProposalBasis> {
  const { tx, time } = context;
  const customer = await lockCustomer(tx, requiredParent(parentAddress(input, extCustomerRef)));
  refuseParent(customer, input);
  const [offer, pauses, ids] = await Promise.all([
    namedPlan(dependencies, tx, input),
    pausesOfCustomer(tx, customer.id),
    takeIds(tx, IDS_AHEAD),
  ]);
  ids.push(...(await takeIds(tx, Math.max(0, idsWanted(input, offer.plan) - IDS_AHEAD))));
  const { today } = time;
  const currency = input.currency ?? customer.currency;
  const coupon = await chosenCoupon(tx, input, { plan: offer.plan, currency, today });
  return { customer, offer, coupon, pauses, today, ids, bills };
}
