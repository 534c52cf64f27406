/** What of a stored order is billed elsewhere, and where its lines begin because of that. */
import { type IsoDate, type Schedule, addDays } from '../../domain/calendar/calendar.ts';
import {
  type BilledElsewhere,
  billedElsewhere,
  hasDaysElsewhere,
  laterStart,
  startsElsewhere,
} from '../../domain/billing/due/elsewhere.ts';
import { scheduleOfOrder } from '../../domain/billing/order-to-rate.ts';
import { refuseBilledThrough } from '../../domain/orders/billed-through.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { type TakenOver, isAdded } from '../../domain/orders/lines.ts';
import type { MergedLine } from '../../domain/orders/merge.ts';
import { requestedLine } from '../../domain/orders/terms.ts';
import type { Charge, Plan } from '../../domain/plans/plan.ts';
import type { OrderLine, SubscriptionOrder } from '../../db/entities/orders.ts';

export function elsewhereOf(order: SubscriptionOrder): BilledElsewhere {
  const { billedThrough = null, arrearsBilledThrough = null } = order;
  return { billedThrough, arrearsBilledThrough };
}

/** The order before a PUT. */
export interface BeforeEdit {
  readonly startDate: IsoDate;
  readonly elsewhere: BilledElsewhere;
  /** The first days that lines have of their own, wherever else they are billed. */
  readonly ownStarts: ReadonlyMap<OrderLine, IsoDate | null>;
}

/** Its lines are loaded. */
export function beforeEdit(order: SubscriptionOrder, plan: Plan): BeforeEdit {
  const elsewhere = elsewhereOf(order);
  const lines = order.lines.getItems();
  const startOf = startsOf(order, plan, scheduleOfOrder(order, plan));
  const ownStarts = lines.map((line): [OrderLine, IsoDate | null] => {
    const { startsOn = null } = line;
    return [line, startsOn === startOf(line) ? null : startsOn];
  });
  return { startDate: order.startDate, elsewhere, ownStarts: new Map(ownStarts) };
}

export interface ElsewhereEdit {
  readonly before: BeforeEdit;
  readonly schedule: Schedule;
  /** It has another plan, or other periods. */
  readonly isRebuilt: boolean;
  readonly today: IsoDate;
}

/** Sets what a PUT says of it; returns whether something of it has changed. Throws field.invalid. */
export function setElsewhere(
  order: SubscriptionOrder,
  input: Pick<OrderInput, 'billedThrough' | 'endDate' | 'isAutoRenew'>,
  { before, schedule, isRebuilt, today }: ElsewhereEdit,
): boolean {
  const { startDate } = order;
  const stored = before.elsewhere.billedThrough;
  const billedThrough = input.billedThrough === undefined ? stored : input.billedThrough;
  const isOther = billedThrough !== stored;
  if (!isOther && (billedThrough === null || !isRebuilt)) return false;
  const endDate = input.endDate === undefined ? (order.endDate ?? null) : input.endDate;
  if (billedThrough !== null && (isOther || startDate !== before.startDate)) {
    const first = order.previousOrderId == null ? startDate : addDays(startDate, -1);
    refuseBilledThrough(billedThrough, { first, endDate, today });
  }
  const isAutoRenew = input.isAutoRenew ?? order.isAutoRenew;
  const periods = { schedule, startDate, lastDay: isAutoRenew ? null : endDate };
  // What is sent back as it was read says nothing anew, except of other periods.
  Object.assign(order, billedElsewhere(billedThrough, periods, today));
  return true;
}

/** Sets the first days of the lines. */
export function setStarts(
  order: SubscriptionOrder,
  plan: Plan,
  { schedule, own }: { readonly schedule: Schedule; readonly own?: BeforeEdit['ownStarts'] },
): void {
  const startOf = startsOf(order, plan, schedule);
  for (const line of order.lines) {
    line.startsOn = laterStart(own?.get(line) ?? null, startOf(line));
  }
}

function startsOf(
  order: SubscriptionOrder,
  plan: Plan,
  schedule: Schedule,
): (line: Pick<OrderLine, 'chargeId'>) => IsoDate | null {
  const charges = new Map<number, Charge>(plan.charges.map((charge) => [charge.id, charge]));
  const { startDate } = order;
  const known = order.lines.getItems().flatMap(({ chargeId, isActive }) => {
    const charge = charges.get(chargeId);
    return charge === undefined ? [] : [{ charge, isActive }];
  });
  const startOf = startsElsewhere(known, { ...elsewhereOf(order), schedule, startDate });
  return ({ chargeId }) => {
    const charge = charges.get(chargeId);
    return charge === undefined ? null : startOf(charge);
  };
}

export interface OnceBasis {
  readonly edited: BeforeEdit;
  readonly plan: Plan;
  readonly taken: TakenOver;
  /** The PUT sends no lines of an order that was made as the whole plan. */
  readonly isWhole: boolean;
}

/**
 * The lines after a PUT: the whole plan loses its one-time charges once days of the order are billed
 * elsewhere, and has them again once none is.
 */
export function withOnce(
  order: SubscriptionOrder,
  lines: readonly MergedLine<OrderLine>[],
  { edited, plan, taken, isWhole }: OnceBasis,
): { readonly merged: readonly MergedLine<OrderLine>[]; readonly namesOnce: boolean } {
  const namesOnce = hasDaysElsewhere(elsewhereOf(order), order.startDate);
  const isSame = namesOnce === hasDaysElsewhere(edited.elsewhere, edited.startDate);
  if (!isWhole || isSame) return { merged: lines, namesOnce };
  const once = plan.charges.filter(
    ({ chargeType, isPenalty }) => chargeType === 'OneTimeCharge' && !isPenalty,
  );
  if (namesOnce) {
    const ids = new Set(once.map(({ id }) => id));
    const left = lines.filter(({ stored }) => stored === undefined || !ids.has(stored.chargeId));
    return { merged: left, namesOnce };
  }
  const has = new Set(lines.map(({ stored }) => stored?.chargeId));
  const added = once
    .filter((charge) => !has.has(charge.id) && isAdded(charge, taken))
    .map(({ id: contractChargeId }) => ({
      stored: undefined,
      requested: requestedLine({ contractChargeId }),
    }));
  return { merged: [...lines, ...added], namesOnce };
}
