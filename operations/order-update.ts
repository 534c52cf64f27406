/** Changes an order: what a PUT may change of it, and the moves of its status. */
import { firstK, scheduleOf } from '../domain/calendar.ts';
import { DomainError } from '../domain/errors.ts';
import type { IsoDate, OrderStatus, Plan } from '../domain/model.ts';
import { refuseTooManyLines } from '../domain/order-limits.ts';
import { orderLinesFor } from '../domain/order-lines.ts';
import { assertTransition, canEdit } from '../domain/orders.ts';
import { termOn } from '../domain/terms.ts';
import { OrderLine, SubscriptionOrder } from '../db/entities/index.ts';
import { takeIds } from '../db/queries/billing-write.ts';
import { generateInvoices } from './generate-invoices.ts';
import { wasBilled } from './order-billed.ts';
import { insertLines, refuseIfItCannotBill } from './order-create.ts';
import type { OrderInput } from './order-input.ts';
import { refuseFixedFields, mergedLines } from './order-merge.ts';
import { moveTo } from './order-moves.ts';
import { lockOrder, type NumberedAddress } from './locks.ts';
import {
  checkProposal,
  dueUnits,
  invalid,
  planForOrder,
  startingStatus,
  type ProposedOrder,
} from './order-terms.ts';
import { creditUnusedDays } from './payments/credit-unused.ts';
import { planVersions } from './plans.ts';
import { rescheduleOrders } from './rescheduling.ts';
import type { Services, Work } from './services.ts';

/** Bills everything due of the order's customer now; answers how many invoices that made. */
export async function generateForOrder(
  services: Services,
  work: Work,
  address: NumberedAddress,
): Promise<number> {
  const { id, customer } = await lockOrder(work.tx, address);
  const order = await work.tx.em.findOneOrFail(SubscriptionOrder, { id });
  refuseIfItCannotBill(order.status, customer);
  return (await generateInvoices(services, work, customer.id)).length;
}

/** Applies a PUT and answers the order's id. An absent element stays, an empty one clears. */
export async function updateOrder(
  services: Services,
  work: Work,
  address: NumberedAddress,
  input: OrderInput,
): Promise<number> {
  const { tx, moment } = work;
  refuseTooManyLines(input.orderLineItems?.length ?? 0);
  const order = await orderOf(work, address);
  const { status: before } = order;
  refuseIfNotEditable(before, input);
  const plan = await currentPlan(services, work, order.planId);
  const lines = await tx.em.find(OrderLine, { orderId: order.id }, { orderBy: { position: 1 } });
  // A change of what is billed may make much of it due, and so may the end of a Draft.
  let isLimited = before === 'Draft';
  if (await wasBilled(work, order.id)) refuseFixedFields(order, plan, lines, input);
  else if (await editFreely(services, work, order, { plan, lines }, input)) isLimited = true;
  changeEnd(order, input, moment.today);
  if (input.isAutoRenew !== undefined) {
    order.isAutoRenew = input.isAutoRenew ?? plan.isAutoRenew ?? true;
  }
  // A status sent back as it was read asks for no move, wherever another startDate put the order.
  if (input.orderStatus && input.orderStatus !== before) {
    await moveTo(work, order, input.orderStatus);
  }
  checkProposal(proposalOf(order));
  await tx.em.flush();
  await rescheduleOrders(services, work, { orderIds: [order.id] }, { isLimited });
  if (order.status === 'Canceled') await creditUnusedDays(services, work, [order.id]);
  return order.id;
}

/** Suspends or activates an order as an action; throws order.transition where it may not move. */
export async function moveOrder(
  services: Services,
  work: Work,
  address: NumberedAddress,
  to: 'Suspended' | 'Active',
): Promise<number> {
  const order = await orderOf(work, address);
  const isLimited = order.status === 'Draft';
  if (order.status === to) {
    throw new DomainError('order.transition', `the order is ${to} already`, { value: to });
  }
  await moveTo(work, order, to);
  await work.tx.em.flush();
  await rescheduleOrders(services, work, { orderIds: [order.id] }, { isLimited });
  return order.id;
}

async function orderOf(work: Work, address: NumberedAddress): Promise<SubscriptionOrder> {
  const { id } = await lockOrder(work.tx, address);
  return work.tx.em.findOneOrFail(SubscriptionOrder, { id }, { refresh: true });
}

function refuseIfNotEditable(status: OrderStatus, input: OrderInput): void {
  if (canEdit(status)) return;
  // A move out of a final status has a code of its own.
  if (input.orderStatus) assertTransition(status, input.orderStatus);
  throw new DomainError('order.notEditable', `a ${status} order does not change any more`, {
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

async function currentPlan(services: Services, work: Work, planId: number): Promise<Plan> {
  const plan = (await planVersions(services.db, work.tx, [planId])).get(planId);
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
  services: Services,
  work: Work,
  order: SubscriptionOrder,
  stored: Stored,
  input: OrderInput,
): Promise<boolean> {
  if (input.customerId && input.customerId !== order.customerId) {
    throw new DomainError('field.notEditable', 'an order stays with its customer', {
      path: 'subscriptionOrder/customer/@id',
      value: String(input.customerId),
    });
  }
  const startDate = input.startDate ?? order.startDate;
  const plan = await chosenPlan(services, work, stored.plan, startDate, input);
  const currency = input.currency ?? order.currency;
  setPlainFields(order, input);
  const rebuilt = plan.id !== stored.plan.id || startDate !== order.startDate;
  const linesChange = rebuilt || currency !== order.currency || input.orderLineItems !== undefined;
  if (startDate !== order.startDate) restart(order, startDate, work.moment.today);
  order.planId = plan.id;
  order.currency = currency;
  order.anchor = scheduleOf(plan, startDate).anchor;
  if (linesChange) await replaceLines(work, order, plan, stored, input);
  return linesChange;
}

async function chosenPlan(
  services: Services,
  work: Work,
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
  return planForOrder(services, work.tx, choice, { startDate, today: work.moment.today });
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
  work: Work,
  order: SubscriptionOrder,
  plan: Plan,
  stored: Stored,
  input: OrderInput,
): Promise<void> {
  const { tx, moment } = work;
  const samePlan = plan.id === stored.plan.id;
  const merged = mergedLines(stored.lines, samePlan, input.orderLineItems);
  const lines = orderLinesFor(
    plan,
    merged.map((line) => line.requested),
    order.currency,
  );
  const first = firstK(scheduleOf(plan, order.startDate), order.startDate);
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
      nextK: line.charge.chargeType === 'OneTimeCharge' ? 0 : first,
      updatedAt: moment.now,
    });
  }
  for (const line of stored.lines) if (!kept.has(line.id)) tx.em.remove(line);
  await tx.em.flush();
  const ids = await takeIds(tx, added.length);
  const fresh = lines.filter((_, index) => added.includes(index));
  insertLines(work, order.id, plan, order.startDate, fresh, ids);
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
  // A start put beyond the end that was begins the term by itself.
  if (order.termFirstEnd && order.termFirstEnd >= order.termStart) {
    const term = { termStart: order.termStart, termFirstEnd: order.termFirstEnd };
    const current = termOn(term, order.endDate ?? today);
    order.termStart = current.start;
  }
  order.endDate = endDate;
  order.termFirstEnd = endDate;
}
