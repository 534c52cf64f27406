/** Applies a PUT to an order. */
import { refuseTooManyLines } from '../../domain/billing/limits.ts';
import { termOn } from '../../domain/calendar/terms.ts';
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { type OrderStatus, assertTransition, canEdit } from '../../domain/standing/status.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { checkTerms, invalid, type ProposedTerms } from '../../domain/orders/terms.ts';
import type { SubscriptionOrder } from '../../db/entities/orders.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import type { NumberedAddress } from '../context/locks.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { creditUnusedDays } from '../payments/credit-unused.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { planVersions } from '../plans/versions.ts';
import { loadOrderWithLines } from './aggregate.ts';
import { hasUsage, lockUsage } from '../../db/queries/usage/lines.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { wasBilled } from './billed.ts';
import { editFreely } from './edit.ts';
import { refuseFixedFields } from '../../domain/orders/merge.ts';
import { moveTo } from './moves.ts';
import { alignNext } from './pending.ts';

/**
 * Applies a PUT and returns the order's id. An absent element keeps its value, an empty one clears
 * it.
 */
export async function updateOrder(
  dependencies: Dependencies,
  context: OperationContext,
  address: NumberedAddress,
  input: OrderInput,
): Promise<number> {
  const { tx, time } = context;
  refuseTooManyLines(input.orderLineItems?.length ?? 0);
  const order = await loadOrderWithLines(context, address);
  const { status: before } = order;
  refuseIfNotEditable(before, input);
  const plan = await currentPlan(dependencies, context, order.planId);
  // A change of what is billed may make much due, and so may the activation of a Draft.
  let isLimited = before === 'Draft';
  const isFixed = (await wasBilled(context, order.id)) || (await isUsed(tx, order.id));
  if (isFixed) {
    const couponCode = await couponCodeOf(dependencies, context, order);
    const lines = order.lines.getItems();
    refuseFixedFields(order, { plan, couponCode, lines }, input);
  } else if (await editFreely(dependencies, context, order, plan, input)) isLimited = true;
  changeEnd(order, input, time.today);
  if (input.isAutoRenew !== undefined) {
    order.isAutoRenew = input.isAutoRenew ?? plan.isAutoRenew ?? true;
  }
  // A status sent back as it was read asks for no move, wherever another startDate put the order.
  let others: readonly number[] = [];
  if (input.orderStatus && input.orderStatus !== before) {
    others = await moveTo(context, order, input.orderStatus);
  }
  checkTerms(termsOf(order));
  await tx.flush();
  if (isLimited && order.changeOn != null) await alignNext(context, order);
  const orderIds = [order.id, ...others];
  const updated = new Set(orderIds);
  const hasLeftDraft =
    before === 'Draft' && (order.status === 'Active' || order.status === 'Provisioning');
  const options = { isLimited, updated, hasLeftDraft };
  await rescheduleOrders(context, { orderIds }, options);
  if (order.status === 'Canceled') await creditUnusedDays(dependencies, context, [order.id]);
  return order.id;
}

/** Records of usage fix what a bill fixes. No upload of the order is under way after this. */
async function isUsed(tx: Tx, orderId: number): Promise<boolean> {
  lockUsage(tx, orderId);
  return hasUsage(tx, orderId);
}

function refuseIfNotEditable(status: OrderStatus, input: OrderInput): void {
  if (canEdit(status)) return;
  // A change of a final status has a separate error code.
  if (input.orderStatus) assertTransition(status, input.orderStatus);
  throw new DomainError('order.notEditable', `a ${status} order can no longer change`, {
    path: 'subscriptionOrder',
    value: status,
  });
}

function termsOf(order: SubscriptionOrder): ProposedTerms {
  return {
    startDate: order.startDate,
    endDate: order.endDate ?? null,
    currency: order.currency,
    separateInvoice: order.separateInvoice,
    jobCode: order.jobCode ?? null,
    dueDateValue: order.dueDateValue ?? null,
  };
}

async function couponCodeOf(
  { db }: Dependencies,
  { tx }: OperationContext,
  { couponId }: SubscriptionOrder,
): Promise<string | null> {
  const id = couponId ?? null;
  return (await couponVersions(db, tx, [id])).get(id ?? 0)?.code ?? null;
}

async function currentPlan(
  dependencies: Dependencies,
  context: OperationContext,
  planId: number,
): Promise<Plan> {
  const plan = (await planVersions(dependencies.db, context.tx, [planId])).get(planId);
  if (!plan) throw new Error(`plan ${planId} of an order is not there`);
  return plan;
}

/** A later end, an earlier one, none: the term from the current one's start to it is the new term. */
function changeEnd(order: SubscriptionOrder, input: OrderInput, today: IsoDate): void {
  const endDate = input.endDate === undefined ? (order.endDate ?? null) : input.endDate;
  if (endDate === (order.endDate ?? null)) return;
  if (endDate !== null && endDate < today) {
    throw invalid('endDate', `endDate is before today, ${today}`, endDate);
  }
  if (endDate !== null && endDate < order.startDate) {
    throw invalid('endDate', `endDate is before startDate ${order.startDate}`, endDate);
  }
  // If the new start is beyond the previous end, the term begins at the start.
  if (order.termFirstEnd && order.termFirstEnd >= order.termStart) {
    const term = { termStart: order.termStart, termFirstEnd: order.termFirstEnd };
    const current = termOn(term, order.endDate ?? today);
    order.termStart = current.start;
  }
  order.endDate = endDate;
  order.termFirstEnd = endDate;
}
