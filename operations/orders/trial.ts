/** Decides the trial of a stored order, and what a change of it moves. */
import { minDate, periodIndexOf, type IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { termStartAfter } from '../../domain/orders/align.ts';
import { refuseTrialBeside } from '../../domain/orders/billed-through.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import type { Replaced } from '../../domain/orders/replaced.ts';
import { startingStatus } from '../../domain/orders/terms.ts';
import { refusePassedDays, refuseTrialDays, trialEndDateOf } from '../../domain/orders/trial.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { statusOn } from '../../domain/standing/status.ts';
import { billsFrom, isInTrial, type TrialDays } from '../../domain/standing/trial.ts';
import type { SubscriptionOrder } from '../../db/entities/orders.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { hasHadTrial, placeUsage, usageDays } from '../../db/queries/orders/trials.ts';
import { holdWindows, inOrderOfLocks } from '../../db/queries/usage/windows.ts';
import type { OperationContext } from '../context/context.ts';
import { isEndRequested, termsOfAggregate, trialDaysOf } from './aggregate.ts';

export interface TrialChoice extends Pick<OrderInput, 'trialDays'> {
  readonly plan: Plan;
  /** Null: nobody that is known, or proven. */
  readonly customerId: number | null;
  /** A stored order, which is none beside itself; null for a new one. */
  readonly orderId: number | null;
}

/** Whether the trial of the plan, which the order would have, is that of an earlier order already. */
export async function isTrialUsed(
  tx: Tx,
  { plan: { trial, contractCode }, trialDays, customerId, orderId }: TrialChoice,
): Promise<boolean> {
  if (trial === null || trialDays != null || customerId === null) return false;
  return hasHadTrial(tx, { customerId, contractCode, orderId });
}

/** The trial of an order after a PUT. */
export interface TrialAfter extends TrialDays {
  readonly trialDays: number | null;
}

type TrialInput = Pick<OrderInput, 'trialDays' | 'billedThrough'>;

export interface TrialEdit {
  readonly plan: Plan;
  readonly startDate: IsoDate;
  readonly replaced: Replaced | null;
  /** Something of the order was billed. */
  readonly isBilled: boolean;
}

/**
 * The trial of an order that bills nothing yet after a PUT: it moves with the startDate, is that of
 * another plan, or has the days that the body says. Throws field.notEditable once it is over or billed,
 * order.changePending, and field.invalid for days that have passed.
 */
export async function trialAfter(
  { tx, time: { today } }: OperationContext,
  order: SubscriptionOrder,
  { trialDays: sent, billedThrough = order.billedThrough }: TrialInput,
  { plan, startDate, replaced, isBilled }: TrialEdit,
): Promise<TrialAfter> {
  refuseTrialDays(sent);
  const before = trialDaysOf(order);
  refuseTrialBeside(sent, billedThrough ?? null);
  const asked = (sent === undefined ? order.trialDays : sent) ?? null;
  // What is billed elsewhere is not free, whatever the plan has.
  const trialDays = billedThrough == null ? asked : 0;
  const isSame =
    sent === undefined &&
    trialDays === (order.trialDays ?? null) &&
    plan.id === order.planId &&
    startDate === order.startDate;
  if (isSame) return { ...before, trialDays };
  const { customerId, id: orderId } = order;
  const choice = { plan, trialDays, customerId, orderId };
  const isUsed = replaced === null && (await isTrialUsed(tx, choice));
  const basis = { plan, startDate, trialDays, isUsed, replaces: replaced };
  const after = { startDate, trialEndDate: trialEndDateOf(basis), trialDays };
  if (sent !== undefined && after.trialEndDate !== before.trialEndDate) {
    refuseTrialEdit(order, after, { today, isBilled });
  }
  return after;
}

interface Editing {
  readonly today: IsoDate;
  readonly isBilled: boolean;
}

function refuseTrialEdit(
  order: SubscriptionOrder,
  { trialEndDate, trialDays }: TrialAfter,
  { today, isBilled }: Editing,
): void {
  const where = { path: 'subscriptionOrder/trialDays', value: String(trialDays ?? '') };
  const { status } = statusOn(termsOfAggregate(order), today);
  const hasBegun = status !== 'Draft' && status !== 'Provisioning';
  if (isBilled || (hasBegun && !isInTrial(trialDaysOf(order), today))) {
    const why = isBilled ? 'the order has invoices' : 'its trial is over';
    throw new DomainError('field.notEditable', `trialDays cannot change once ${why}`, where);
  }
  if (order.changeOn != null) {
    throw new DomainError('order.changePending', 'a change of the order is pending', where);
  }
  if (hasBegun) refusePassedDays(trialEndDate, order, { today, trialDays });
}

/** The order starts on another day, or bills from another day on: its term moves along. */
export function restart(
  order: SubscriptionOrder,
  { trialDays, ...days }: TrialAfter,
  { today, replaced }: { readonly today: IsoDate; readonly replaced: Replaced | null },
): void {
  const from = billsFrom(days);
  const { termStart, termFirstEnd = null } = order;
  const before = { ...trialDaysOf(order), termStart, termFirstEnd };
  const { startDate } = order;
  Object.assign(order, { ...days, trialDays });
  if (replaced !== null) {
    order.termStart = termStartAfter(before, replaced.term ?? before, from);
    return;
  }
  order.termStart = from;
  // The first end of an order that has renewed since may be earlier.
  order.termFirstEnd = isEndRequested(order) ? order.keptEndDate : order.endDate;
  const { status } = order;
  if (days.startDate !== startDate && (status === 'Active' || status === 'Provisioning')) {
    order.status = startingStatus('Active', days.startDate, today);
  }
}

/* Usage of days that become free, or are no longer. */

/** As a rule the days of today alone: a change of a trial moves at most so many, of all lines. */
const USAGE_DAYS_MAX = 5_000;

/**
 * Places the records of an unbilled order anew, whose windows are open and which takes no upload
 * meanwhile. Throws field.notEditable if these are too many.
 */
export async function placeUsageAnew(
  { tx }: OperationContext,
  order: SubscriptionOrder,
  before: TrialDays,
  plan: Pick<Plan, 'billingPeriod' | 'alignmentDay'>,
): Promise<void> {
  const from = billsFrom(trialDaysOf(order));
  const first = minDate(from, billsFrom(before));
  const days = await usageDays(tx, order.id, { from: first, max: USAGE_DAYS_MAX + 1 });
  if (days.length > USAGE_DAYS_MAX) {
    const text = `usage of more than ${USAGE_DAYS_MAX} days is dated from ${first} on`;
    const where = { path: 'subscriptionOrder/trialDays', value: String(order.trialDays ?? '') };
    throw new DomainError('field.notEditable', text, where);
  }
  const { anchor } = order;
  const { billingPeriod, alignmentDay } = plan;
  const schedule = { billingPeriod, anchor, alignmentDay };
  const keyOf = ({ line, day }: (typeof days)[number]) =>
    day < from ? null : { line, period: periodIndexOf(schedule, day) };
  const textOf = (key: { readonly line: number; readonly period: number }) =>
    `${key.line} ${key.period}`;
  const keys = new Map(
    days.flatMap((each) => keyOf(each) ?? []).map((key) => [textOf(key), key] as const),
  );
  const held = await holdWindows(tx, inOrderOfLocks(keys.values()));
  const ids = new Map(held.map((window) => [textOf(window), window.id]));
  const rows = days.map((each) => {
    const key = keyOf(each);
    return { ...each, window: key === null ? null : (ids.get(textOf(key)) ?? null) };
  });
  placeUsage(tx, rows);
}
