/** Applies a PUT to an order. */
import { refuseTooManyLines } from '../../domain/billing/due/limits.ts';
import { termOn } from '../../domain/calendar/terms.ts';
import { DomainError } from '../../domain/errors.ts';
import { type IsoDate, type Schedule, maxDate } from '../../domain/calendar/calendar.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { type OrderStatus, assertTransition, canEdit } from '../../domain/standing/status.ts';
import { billsFrom } from '../../domain/standing/trial.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import {
  type ProposedTerms,
  checkTerms,
  dueUnits,
  invalid,
  refuseRetired,
} from '../../domain/orders/terms.ts';
import { OrderLine, type SubscriptionOrder } from '../../db/entities/orders.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import type { NumberedAddress } from '../context/locks.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { creditUnusedDays } from '../payments/credit-unused.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { planVersions } from '../plans/versions.ts';
import {
  forgetRequest,
  isEndRequested,
  loadOrderWithLines,
  trialDaysOf,
  wasBilled,
  withoutRequest,
} from './aggregate.ts';
import { hasUsage, lockUsage, openWindows } from '../../db/queries/usage/lines.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { mergedLines, refuseFixedFields } from '../../domain/orders/merge.ts';
import { moveTo } from './actions.ts';
import { alignNext, replacedBy, setPeriods } from './pending.ts';
import {
  type BeforeEdit,
  beforeEdit,
  elsewhereOf,
  setElsewhere,
  setStarts,
  withOnce,
} from './elsewhere.ts';
import type { Reader } from '../context/listing.ts';
import { type TakenOver, nothingTaken, orderLinesFor } from '../../domain/orders/lines.ts';
import { firstPeriods } from '../../domain/orders/propose.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { couponAfter, namedPlan } from './plan-choice.ts';
import { type TrialAfter, placeUsageAnew, restart, trialAfter } from './trial.ts';

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
  const elsewhere = elsewhereOf(order);
  refuseIfNotEditable(before, input);
  const plan = await currentPlan(dependencies, context, order.planId);
  // A change of what is billed may make much due, and so may the activation of a Draft.
  let isLimited = before === 'Draft';
  const isBilled = await wasBilled(context, order.id);
  const isFixed = isBilled || (await isUsed(tx, order.id));
  if (isFixed) {
    const couponCode = await couponCodeOf(dependencies, context, order);
    const lines = order.lines.getItems();
    refuseFixedFields(order, { plan, couponCode, lines }, input);
    if (input.trialDays !== undefined) await moveTrial(context, order, plan, { input, isBilled });
  } else if (await editFreely(dependencies, context, order, plan, input)) isLimited = true;
  changeEnd(order, input, plan, time.today);
  // A status sent back as it was read asks for no move, wherever another startDate put the order.
  let others: readonly number[] = [];
  if (input.orderStatus && input.orderStatus !== before) {
    others = await moveTo(context, order, input.orderStatus);
  }
  checkTerms(termsOf(order));
  checkKeptTerms(order);
  await tx.flush();
  if (isLimited && order.changeOn != null) await alignNext(context, order, elsewhere);
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
    ...trialDaysOf(order),
    endDate: order.endDate ?? null,
    // A cancellation may have ended it in its trial.
    isAutoRenew: order.isAutoRenew && canEdit(order.status),
    currency: order.currency,
    separateInvoice: order.separateInvoice,
    jobCode: order.jobCode ?? null,
    dueDateValue: order.dueDateValue ?? null,
  };
}

/** What a requested end set aside must be possible, as it may be taken back. */
function checkKeptTerms(order: SubscriptionOrder): void {
  const kept = withoutRequest(order);
  if (kept === null || order.trialEndDate == null || !canEdit(order.status)) return;
  checkTerms({ ...termsOf(order), endDate: kept.endDate, isAutoRenew: kept.isAutoRenew });
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

/**
 * A later end, an earlier one, none: the term from the current one's start to it is the new term. It
 * is no end by request any more, and neither is one that renews.
 */
function changeEnd(order: SubscriptionOrder, input: OrderInput, plan: Plan, today: IsoDate): void {
  const endDate = input.endDate === undefined ? (order.endDate ?? null) : input.endDate;
  const isAutoRenew =
    input.isAutoRenew === undefined
      ? order.isAutoRenew
      : (input.isAutoRenew ?? plan.isAutoRenew ?? true);
  const isSameEnd = endDate === (order.endDate ?? null);
  const endsRequest = isEndRequested(order) && (!isSameEnd || isAutoRenew);
  if (!isSameEnd) refuseEnd(order, endDate, today);
  if (!isSameEnd || endsRequest) setTerm(order, endDate, today);
  if (endsRequest) forgetRequest(order);
  order.isAutoRenew = isAutoRenew;
}

function refuseEnd(order: SubscriptionOrder, endDate: IsoDate | null, today: IsoDate): void {
  if (endDate !== null && endDate < today) {
    throw invalid('endDate', `endDate is before today, ${today}`, endDate);
  }
  if (endDate !== null && endDate < order.startDate) {
    throw invalid('endDate', `endDate is before startDate ${order.startDate}`, endDate);
  }
}

function setTerm(order: SubscriptionOrder, endDate: IsoDate | null, today: IsoDate): void {
  // The present term is not that of an end by request.
  const own = isEndRequested(order)
    ? order.keptEndDate && maxDate(order.keptEndDate, today)
    : order.endDate;
  // If the new start is beyond the previous end, the term begins at the start.
  if (order.termFirstEnd && order.termFirstEnd >= order.termStart) {
    const term = { termStart: order.termStart, termFirstEnd: order.termFirstEnd };
    const current = termOn(term, own ?? today);
    order.termStart = current.start;
  }
  order.endDate = endDate;
  order.termFirstEnd = endDate;
}

/* Decides whether an order may be changed. */

export interface Editability {
  readonly editable: boolean;
  readonly reason: string | null;
}

/** Whether an order may be changed, and if not, why. */
export async function orderEditability(
  tx: Reader,
  address: NumberedAddress,
): Promise<Editability | undefined> {
  const byId = 'id' in address;
  const [order] = await tx.query<{ status: OrderStatus }>(
    `select status from subscription_order where ${byId ? 'id' : 'order_number'} = $1`,
    [byId ? address.id : address.number],
  );
  if (!order) return undefined;
  const editable = canEdit(order.status);
  return { editable, reason: editable ? null : `a ${order.status} order can no longer change` };
}

/* Changes an order that has billed nothing: its terms, its plan and its lines. */

/**
 * Before its first invoice everything of an order may change, except its customer. Returns whether
 * its lines, or their periods, have changed.
 */
async function editFreely(
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
    customerId: order.customerId,
    isForGood: true,
  });
  const edited = beforeEdit(order, before);
  setPlainFields(order, input);
  order.couponId = couponId;
  const edit = { plan, startDate, replaced, isBilled: false };
  const trial = await trialAfter(context, order, input, edit);
  const isMoved = startDate !== order.startDate || isOtherTrial(order, trial);
  const rebuilt = plan.id !== before.id || isMoved;
  const isSent = input.orderLineItems !== undefined || currency !== order.currency;
  if (isMoved) restart(order, trial, { today, replaced });
  order.trialDays = trial.trialDays;
  // Of another plan it has had no version.
  if (plan.id !== before.id) order.earlierPrices = null;
  order.planId = plan.id;
  order.currency = currency;
  const schedule = setPeriods(order, plan, replaced);
  const moves = setElsewhere(order, input, { before: edited, schedule, isRebuilt: rebuilt, today });
  const linesChange = rebuilt || isSent || moves;
  const basis = { before, plan, schedule, taken: replaced?.taken, edited };
  if (linesChange) await replaceLines(context, order, basis, input);
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
  if (input.purchaseOrder !== undefined) order.purchaseOrder = input.purchaseOrder;
  if (input.isAutoPay !== undefined) order.isAutoPay = input.isAutoPay ?? false;
  if (input.invoiceText !== undefined) order.invoiceText = input.invoiceText;
  if (input.invoiceNotes !== undefined) order.invoiceNotes = input.invoiceNotes;
  if (input.notes !== undefined) order.notes = input.notes;
  if (input.metadata !== undefined) order.metadata = input.metadata;
  if (input.dueDateValue !== undefined) order.dueDateValue = input.dueDateValue;
  if (input.dueDateUnits !== undefined) order.dueDateUnits = input.dueDateUnits;
  order.dueDateUnits = dueUnits(order.dueDateValue ?? null, order.dueDateUnits);
}

const isOtherTrial = ({ trialEndDate }: SubscriptionOrder, after: TrialAfter): boolean =>
  after.trialEndDate !== (trialEndDate ?? null);

/** An order with usage, which fixes all else, gets other free days; its usage follows. */
async function moveTrial(
  context: OperationContext,
  order: SubscriptionOrder,
  plan: Plan,
  { input, isBilled }: { readonly input: OrderInput; readonly isBilled: boolean },
): Promise<void> {
  const replaced = await replacedBy(context, order, input);
  const { startDate } = order;
  const trial = await trialAfter(context, order, input, { plan, startDate, replaced, isBilled });
  if (!isOtherTrial(order, trial)) return;
  const before = trialDaysOf(order);
  const edited = beforeEdit(order, plan);
  restart(order, trial, { today: context.time.today, replaced });
  const schedule = setPeriods(order, plan, replaced);
  const basis = { before: plan, plan, schedule, taken: replaced?.taken, edited };
  await replaceLines(context, order, basis, {});
  await context.tx.flush();
  await placeUsageAnew(context, order, before, plan);
}

interface LinesBasis {
  readonly before: Plan;
  readonly plan: Plan;
  readonly schedule: Schedule;
  readonly taken: TakenOver | undefined;
  readonly edited: BeforeEdit;
}

/**
 * Lines with an id are changed, lines without are new, stored lines that are absent go. The order is
 * billed from its first period on, whatever of it has passed without usage.
 */
async function replaceLines(
  { tx, time }: OperationContext,
  order: SubscriptionOrder,
  { before, plan, schedule, taken = nothingTaken, edited }: LinesBasis,
  input: OrderInput,
): Promise<void> {
  const stored = order.lines.getItems();
  const isSamePlan = plan.id === before.id;
  const known = mergedLines(stored, isSamePlan, input.orderLineItems);
  const isWhole = order.takesPenalties && isSamePlan && input.orderLineItems === undefined;
  const { merged, namesOnce } = withOnce(order, known, { edited, plan, taken, isWhole });
  const requested = merged.map((line) => line.requested);
  const lines = orderLinesFor(plan, requested, order.currency, { ...taken, namesOnce });
  const firstPeriod = firstPeriods(schedule, billsFrom(trialDaysOf(order)));
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
    const own = merged[index]?.stored;
    if (own) Object.assign(own, content);
    else {
      const id = ids.next().value ?? 0;
      const { tenantId } = tx;
      tx.em.create(OrderLine, { ...content, tenantId, id, order, createdAt: time.now });
    }
  }
  setStarts(order, plan, { schedule, own: edited.ownStarts });
}
