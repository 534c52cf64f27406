/** Changes an order that has billed nothing: its terms, its plan and its lines. */
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate, Schedule } from '../../domain/calendar/calendar.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { orderLinesFor, type TakenOver } from '../../domain/orders/lines.ts';
import { firstPeriods } from '../../domain/orders/propose.ts';
import { dueUnits, invalid, refuseRetired, startingStatus } from '../../domain/orders/terms.ts';
import { OrderLine, type SubscriptionOrder } from '../../db/entities/orders.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { openWindows } from '../../db/queries/usage/lines.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { couponAfter } from './coupon-choice.ts';
import { mergedLines } from '../../domain/orders/merge.ts';
import { replacedBy, setPeriods } from './pending.ts';
import { namedPlan } from './plan-choice.ts';

/**
 * Before its first invoice everything of an order may change, except its customer. Returns whether
 * its lines, or their periods, have changed.
 */
export async function editFreely(
  dependencies: Dependencies,
  context: OperationContext,
  order: SubscriptionOrder,
  before: Plan,
  input: OrderInput,
): Promise<boolean> {
  if (input.customerId && input.customerId !== order.customerId) {
    throw new DomainError('field.notEditable', 'an order cannot move to another customer', {
      path: 'subscriptionOrder/customer/@id',
      value: String(input.customerId),
    });
  }
  const startDate = startDateOf(order, input);
  const plan = await chosenPlan(dependencies, context, before, startDate, input);
  const currency = input.currency ?? order.currency;
  const { today } = context.time;
  const replaced = await replacedBy(context, order, input);
  const couponId = await couponAfter(dependencies.db, context.tx, order, {
    plan,
    currency,
    today,
    couponCode: input.couponCode,
    ofCurrent: replaced?.couponId ?? null,
  });
  setPlainFields(order, input);
  order.couponId = couponId;
  const rebuilt = plan.id !== before.id || startDate !== order.startDate;
  const linesChange = rebuilt || currency !== order.currency || input.orderLineItems !== undefined;
  if (startDate !== order.startDate) restart(order, startDate, today);
  order.planId = plan.id;
  order.currency = currency;
  const schedule = setPeriods(order, plan, replaced);
  const taken = replaced?.taken;
  if (linesChange) await replaceLines(context, order, { before, plan, schedule, taken }, input);
  return linesChange;
}

/** The day of a change is the startDate of the order that begins on it. */
function startDateOf(order: SubscriptionOrder, { startDate }: OrderInput): IsoDate {
  if (!startDate || startDate === order.startDate) return order.startDate;
  if (order.previousOrderId != null) {
    const text = 'the order begins on the day of its change';
    const where = { path: 'subscriptionOrder/startDate', value: startDate };
    throw new DomainError('field.notEditable', text, where);
  }
  if (order.changeOn != null && startDate > order.changeOn) {
    throw invalid('startDate', `startDate is after its change on ${order.changeOn}`, startDate);
  }
  return startDate;
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
  // The body may name the plan in two ways; the one that differs from the stored plan is the
  // change.
  const choice = sameCode
    ? { contractCode: null, contractOfferingId }
    : { contractCode, contractOfferingId: sameId ? null : contractOfferingId };
  const offer = await namedPlan(dependencies, context.tx, choice);
  refuseRetired(offer, { startDate, today: context.time.today });
  return offer.plan;
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
  // The first end of an order that has renewed since may be earlier.
  order.termFirstEnd = order.endDate;
  if (order.status === 'Active' || order.status === 'Provisioning') {
    order.status = startingStatus('Active', startDate, today);
  }
}

interface LinesBasis {
  readonly before: Plan;
  readonly plan: Plan;
  readonly schedule: Schedule;
  readonly taken: TakenOver | undefined;
}

/**
 * Lines with an id are changed, lines without are new, stored lines that are absent go. The order is
 * billed from its first period on, whatever of it has passed without usage.
 */
async function replaceLines(
  { tx, time }: OperationContext,
  order: SubscriptionOrder,
  { before, plan, schedule, taken }: LinesBasis,
  input: OrderInput,
): Promise<void> {
  const stored = order.lines.getItems();
  const merged = mergedLines(stored, plan.id === before.id, input.orderLineItems);
  const lines = orderLinesFor(
    plan,
    merged.map((line) => line.requested),
    order.currency,
    taken,
  );
  const firstPeriod = firstPeriods(schedule, order.startDate);
  openWindows(tx, order.id);
  const kept = new Set(merged.map((line) => line.stored));
  for (const line of stored) if (!kept.has(line)) order.lines.remove(line);
  const ids = (
    await takeIds(tx, lines.length - (kept.size - Number(kept.has(undefined))))
  ).values();
  for (const [index, line] of lines.entries()) {
    const content = {
      position: line.position,
      chargeId: line.charge.id,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      invoiceText: line.invoiceText,
      isActive: line.isActive,
      nextPeriodIndex: firstPeriod(line.charge),
      updatedAt: time.now,
    };
    const known = merged[index]?.stored;
    if (known) Object.assign(known, content);
    else {
      const id = ids.next().value ?? 0;
      const { tenantId } = tx;
      tx.em.create(OrderLine, { ...content, tenantId, id, order, createdAt: time.now });
    }
  }
}
