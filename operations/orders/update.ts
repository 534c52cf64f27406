/** Changes an order: what a PUT may change of it, and the moves of its status. */
import { firstIndex, scheduleOf } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate, OrderStatus, Plan } from '../../domain/model.ts';
import { refuseTooManyLines } from '../../domain/billing/limits.ts';
import { orderLinesFor } from '../../domain/orders/lines.ts';
import { assertTransition, canEdit } from '../../domain/orders/status.ts';
import { termOn } from '../../domain/calendar/terms.ts';
import { OrderLine, SubscriptionOrder } from '../../db/entities/index.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { generateInvoices } from '../billing/generate.ts';
import { wasBilled } from './billed.ts';
import { insertLines, refuseIfItCannotBill } from './create.ts';
import type { OrderInput } from './input.ts';
import { refuseFixedFields, mergedLines } from './merge.ts';
import { moveTo } from './moves.ts';
import { lockOrder, type NumberedAddress } from '../context/locks.ts';
import {
  checkProposal,
  dueUnits,
  invalid,
  planForOrder,
  startingStatus,
  type ProposedOrder,
} from './terms.ts';
import { creditUnusedDays } from '../payments/credit-unused.ts';
import { planVersions } from '../plans/versions.ts';
import { rescheduleOrders } from '../billing/reschedule-orders.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';

/** Bills everything due of the order's customer now; answers how many invoices that made. */
export async function generateForOrder(
  dependencies: Dependencies,
  context: OperationContext,
  address: NumberedAddress,
): Promise<number> {
  const { id, customer } = await lockOrder(context.tx, address);
  const order = await context.tx.em.findOneOrFail(SubscriptionOrder, {
    tenantId: context.tx.tenantId,
    id,
  });
  refuseIfItCannotBill(order.status, customer);
  return (await generateInvoices(dependencies, context, customer.id)).length;
}

/** Applies a PUT and answers the order's id. An absent element stays, an empty one clears. */
export async function updateOrder(
  dependencies: Dependencies,
  context: OperationContext,
  address: NumberedAddress,
  input: OrderInput,
): Promise<number> {
  const { tx, time } = context;
  refuseTooManyLines(input.orderLineItems?.length ?? 0);
  const order = await orderOf(context, address);
  const { status: before } = order;
  refuseIfNotEditable(before, input);
  const plan = await currentPlan(dependencies, context, order.planId);
  const lines = await tx.em.find(OrderLine, { order }, { orderBy: { position: 1 } });
  // A change of what is billed may make much of it due, and so may the end of a Draft.
  let isLimited = before === 'Draft';
  if (await wasBilled(context, order.id)) refuseFixedFields(order, plan, lines, input);
  else if (await editFreely(dependencies, context, order, { plan, lines }, input)) isLimited = true;
  changeEnd(order, input, time.today);
  if (input.isAutoRenew !== undefined) {
    order.isAutoRenew = input.isAutoRenew ?? plan.isAutoRenew ?? true;
  }
  // A status sent back as it was read asks for no move, wherever another startDate put the order.
  if (input.orderStatus && input.orderStatus !== before) {
    await moveTo(context, order, input.orderStatus);
  }
  checkProposal(proposalOf(order));
  await tx.em.flush();
  await rescheduleOrders(dependencies, context, { orderIds: [order.id] }, { isLimited });
  if (order.status === 'Canceled') await creditUnusedDays(dependencies, context, [order.id]);
  return order.id;
}

/** Suspends or activates an order as an action; throws order.transition where it may not move. */
export async function moveOrder(
  dependencies: Dependencies,
  context: OperationContext,
  address: NumberedAddress,
  to: 'Suspended' | 'Active',
): Promise<number> {
  const order = await orderOf(context, address);
  const isLimited = order.status === 'Draft';
  if (order.status === to) {
    throw new DomainError('order.transition', `the order is already ${to}`, { value: to });
  }
  await moveTo(context, order, to);
  await context.tx.em.flush();
  await rescheduleOrders(dependencies, context, { orderIds: [order.id] }, { isLimited });
  return order.id;
}

async function orderOf(
  context: OperationContext,
  address: NumberedAddress,
): Promise<SubscriptionOrder> {
  const { id } = await lockOrder(context.tx, address);
  const { tenantId, em } = context.tx;
  return em.findOneOrFail(SubscriptionOrder, { tenantId, id }, { refresh: true });
}

function refuseIfNotEditable(status: OrderStatus, input: OrderInput): void {
  if (canEdit(status)) return;
  // A move out of a final status has a code of its own.
  if (input.orderStatus) assertTransition(status, input.orderStatus);
  throw new DomainError('order.notEditable', `a ${status} order can no longer change`, {
    path: 'subscriptionOrder',
    value: status,
  });
}

function proposalOf(order: SubscriptionOrder): ProposedOrder {
  return {
    startDate: order.startDate,
    endDate: order.endDate ?? null,
    currency: order.currency,
    separateInvoice: order.separateInvoice,
    jobCode: order.jobCode ?? null,
    dueDateValue: order.dueDateValue ?? null,
  };
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

interface Stored {
  readonly plan: Plan;
  readonly lines: readonly OrderLine[];
}

/**
 * Before its first invoice everything of an order may change, but for its customer. Answers whether
 * its lines did, or where their periods lie.
 */
async function editFreely(
  dependencies: Dependencies,
  context: OperationContext,
  order: SubscriptionOrder,
  stored: Stored,
  input: OrderInput,
): Promise<boolean> {
  if (input.customerId && input.customerId !== order.customerId) {
    throw new DomainError('field.notEditable', 'an order cannot move to another customer', {
      path: 'subscriptionOrder/customer/@id',
      value: String(input.customerId),
    });
  }
  const startDate = input.startDate ?? order.startDate;
  const plan = await chosenPlan(dependencies, context, stored.plan, startDate, input);
  const currency = input.currency ?? order.currency;
  setPlainFields(order, input);
  const rebuilt = plan.id !== stored.plan.id || startDate !== order.startDate;
  const linesChange = rebuilt || currency !== order.currency || input.orderLineItems !== undefined;
  if (startDate !== order.startDate) restart(order, startDate, context.time.today);
  order.planId = plan.id;
  order.currency = currency;
  order.anchor = scheduleOf(plan, startDate).anchor;
  if (linesChange) await replaceLines(context, order, plan, stored, input);
  return linesChange;
}

async function chosenPlan(
  dependencies: Dependencies,
  context: OperationContext,
  stored: Plan,
  startDate: IsoDate,
  input: OrderInput,
): Promise<Plan> {
  const { contractCode, contractOfferingId } = input;
  const sameCode = !contractCode || contractCode === stored.contractCode;
  const sameId = !contractOfferingId || contractOfferingId === stored.id;
  if (sameCode && sameId) return stored;
  // Of the two names of the plan, the one that differs from what is stored is the wish.
  const choice = sameCode
    ? { contractCode: null, contractOfferingId }
    : { contractCode, contractOfferingId: sameId ? null : contractOfferingId };
  return planForOrder(dependencies, context.tx, choice, { startDate, today: context.time.today });
}

function setPlainFields(order: SubscriptionOrder, input: OrderInput): void {
  if (input.separateInvoice !== undefined) order.separateInvoice = input.separateInvoice ?? 0;
  if (input.jobCode !== undefined) order.jobCode = input.jobCode;
  if (input.isAutoPay !== undefined) order.isAutoPay = input.isAutoPay ?? false;
  if (input.invoiceText !== undefined) order.invoiceText = input.invoiceText;
  if (input.invoiceNotes !== undefined) order.invoiceNotes = input.invoiceNotes;
  if (input.notes !== undefined) order.notes = input.notes;
  if (input.dueDateValue !== undefined) order.dueDateValue = input.dueDateValue;
  if (input.dueDateUnits !== undefined) order.dueDateUnits = input.dueDateUnits;
  order.dueDateUnits = dueUnits(order.dueDateValue ?? null, order.dueDateUnits);
}

function restart(order: SubscriptionOrder, startDate: IsoDate, today: IsoDate): void {
  order.startDate = startDate;
  order.termStart = startDate;
  // Of an order that has renewed since, the first end may lie before.
  order.termFirstEnd = order.endDate;
  if (order.status === 'Active' || order.status === 'Provisioning') {
    order.status = startingStatus('Active', startDate, today);
  }
}

/** Lines with an id are changed, lines without are new, stored lines that are absent go. */
async function replaceLines(
  context: OperationContext,
  order: SubscriptionOrder,
  plan: Plan,
  stored: Stored,
  input: OrderInput,
): Promise<void> {
  const { tx, time } = context;
  const samePlan = plan.id === stored.plan.id;
  const merged = mergedLines(stored.lines, samePlan, input.orderLineItems);
  const lines = orderLinesFor(
    plan,
    merged.map((line) => line.requested),
    order.currency,
  );
  const first = firstIndex(scheduleOf(plan, order.startDate), order.startDate);
  const kept = new Set<number>();
  const added: number[] = [];
  for (const [index, line] of lines.entries()) {
    const before = merged[index]?.stored;
    if (!before) {
      added.push(index);
      continue;
    }
    kept.add(before.id);
    tx.em.assign(before, {
      position: line.position,
      chargeId: line.charge.id,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      invoiceText: line.invoiceText,
      isActive: line.isActive,
      nextPeriodIndex: line.charge.chargeType === 'OneTimeCharge' ? 0 : first,
      updatedAt: time.now,
    });
  }
  for (const line of stored.lines) if (!kept.has(line.id)) tx.em.remove(line);
  await tx.em.flush();
  const ids = await takeIds(tx, added.length);
  const fresh = lines.filter((_, index) => added.includes(index));
  insertLines(context, order.id, plan, order.startDate, fresh, ids);
}

/**
 * A later end, an earlier one, none: the term from the current one's start to it is the new term.
 */
function changeEnd(order: SubscriptionOrder, input: OrderInput, today: IsoDate): void {
  const endDate = input.endDate === undefined ? (order.endDate ?? null) : input.endDate;
  if (endDate === (order.endDate ?? null)) return;
  if (endDate !== null && endDate < today) {
    throw invalid('endDate', `endDate is before today, ${today}`, endDate);
  }
  if (endDate !== null && endDate < order.startDate) {
    throw invalid('endDate', `endDate is before startDate ${order.startDate}`, endDate);
  }
  // A start put beyond the end that was begins the term by itself.
  if (order.termFirstEnd && order.termFirstEnd >= order.termStart) {
    const term = { termStart: order.termStart, termFirstEnd: order.termFirstEnd };
    const current = termOn(term, order.endDate ?? today);
    order.termStart = current.start;
  }
  order.endDate = endDate;
  order.termFirstEnd = endDate;
}
