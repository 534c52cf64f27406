/** The timeline of an order: the newest of what happened to it, then what comes next. */
import { addDays, maxDate, minDate, type IsoDate } from '../../domain/calendar/calendar.ts';
import { termOn } from '../../domain/calendar/terms.ts';
import { billsFrom } from '../../domain/standing/trial.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  TIMELINE_ENTRIES_MAX,
  readTimelineInvoices,
  readTimelineNotices,
  readTimelineOrder,
  readTimelinePauses,
  readTimelinePayments,
  readTimelineUsage,
  readTimelineWaiting,
  type InvoiceRow,
  type NoticeRow,
  type PauseRow,
  type PaymentRow,
  type TimelineOrder,
  type UsageRow,
  type WaitingRow,
} from '../../db/queries/orders/timeline.ts';
import { retryText } from '../collection/installments.ts';
import { tenantTimeOf, type Dependencies, type TenantInfo } from '../context/context.ts';
import type { NumberedAddress } from '../context/locks.ts';
import { couponEnd, couponFact } from './story.ts';
import { mayUse, nextUsage, type UsageStep } from './next-usage.ts';
import {
  changesOf,
  endText,
  heldText,
  invoiceText,
  isText,
  moneyText,
  noticeText,
  ownStepsOf,
  paymentText,
  unconfirmedText,
  usageStepText,
  usageText,
  waitingText,
} from './words.ts';

export interface TimelineEntry {
  readonly date: IsoDate;
  readonly state: 'happened' | 'next';
  readonly text: string;
}

/** Oldest first. Undefined if there is no such order. */
export function orderTimeline(
  dependencies: Dependencies,
  tenant: TenantInfo,
  address: NumberedAddress,
): Promise<TimelineEntry[] | undefined> {
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const [{ today }, order] = await Promise.all([
        tenantTimeOf(dependencies, tenant, tx, 'none'),
        readTimelineOrder(tx, tenant.timezone, address),
      ]);
      if (!order) return undefined;
      const { usageGraceDays } = tenant.settings;
      const isUsed = await mayUse(dependencies.db, tx, order);
      const [pauses, notices, invoices, payments, waiting, usage, usageStep] = await Promise.all([
        readTimelinePauses(tx, order),
        readTimelineNotices(tx, order.id),
        readTimelineInvoices(tx, order.id),
        readTimelinePayments(tx, tenant.timezone, order.id),
        readTimelineWaiting(tx, tenant.timezone, order.id),
        isUsed ? readTimelineUsage(tx, order.id) : [],
        nextUsage(dependencies.db, tx, order, { today, usageGraceDays }),
      ]);
      const rows = { order, pauses, notices, invoices, payments, waiting, usage, usageStep };
      return timelineOf(rows, today);
    },
    { readOnly: true, snapshot: true },
  );
}

export interface TimelineRows {
  readonly order: TimelineOrder;
  readonly pauses: readonly PauseRow[];
  readonly notices: readonly NoticeRow[];
  readonly invoices: readonly InvoiceRow[];
  readonly payments: readonly PaymentRow[];
  readonly waiting?: readonly WaitingRow[];
  readonly usage: readonly UsageRow[];
  readonly usageStep: UsageStep | null;
}

const NEW_PRICES = 'new prices';

/** The order within a day: what begins, what happens by the ids of its rows, what ends. */
const ranks = { made: 0, begins: 1, happens: 2, ends: 3, stands: 4 } as const;

interface Dated {
  readonly date: IsoDate;
  readonly text: string;
  readonly rank: number;
  /** Ids of all tables come from one sequence. */
  readonly id?: number;
}

export function timelineOf(rows: TimelineRows, today: IsoDate): TimelineEntry[] {
  const happened = [
    ...lifeOf(rows.order, today),
    ...pausesOf(rows),
    ...rows.notices.map((row) => happens(row.noticedOn, noticeText(row))),
    // Before its invoice, which has the same id.
    ...rows.usage.map(({ id, date, number, currency, ...usage }) => ({
      ...happens(date, usageText(number, usage, currency)),
      id,
    })),
    ...rows.invoices.flatMap(invoiceEntries),
    ...rows.payments.map((row) => ({ ...happens(row.on, paymentText(row)), id: row.id })),
    ...(rows.waiting ?? []).map((row) => ({ ...happens(row.on, waitingText(row)), id: row.id })),
  ];
  const next = nextOf(rows, today).map((entry) => ({ ...entry, date: maxDate(entry.date, today) }));
  const coupon = couponOf(rows.order, today);
  if (coupon) (coupon.isOver ? happened : next).push(coupon.entry);
  return [
    ...inOrder(happened)
      .slice(-TIMELINE_ENTRIES_MAX)
      .map(({ date, text }) => ({ date, state: 'happened' as const, text })),
    ...inOrder(next).map(({ date, text }) => ({ date, state: 'next' as const, text })),
  ];
}

function inOrder(entries: readonly Dated[]): Dated[] {
  return entries.toSorted(
    (a, b) =>
      (a.date < b.date ? -1 : a.date > b.date ? 1 : 0) ||
      a.rank - b.rank ||
      (a.id ?? 0) - (b.id ?? 0),
  );
}

const happens = (date: IsoDate, text: string): Dated => ({ date, text, rank: ranks.happens });
const begins = (date: IsoDate, text: string): Dated => ({ date, text, rank: ranks.begins });

/** The order itself, from its creation to its end. */
function lifeOf(order: TimelineOrder, today: IsoDate): Dated[] {
  const { startDate: startOn, heldCode, heldOn } = order;
  const entries: Dated[] = [{ date: order.createdOn, text: 'created', rank: ranks.made }];
  const hasBegun = startOn <= today && !['Draft', 'Provisioning'].includes(order.status);
  if (hasBegun && (order.status !== 'Canceled' || order.endedOn !== null)) {
    entries.push(begins(startOn, isText('Active')));
  }
  for (const { on, isPending, text } of changesOf(order)) {
    if (!isPending) entries.push(begins(on, text));
  }
  entries.push(...renewalsOf(order));
  const overOn = trialOverOn(order);
  if (overOn !== null && hasBegun && overOn <= today) entries.push(begins(overOn, 'trial over'));
  const newest = (order.earlierPrices ?? []).slice(-TIMELINE_ENTRIES_MAX);
  entries.push(...newest.map(({ until }) => begins(until, NEW_PRICES)));
  const endedOn = endOf(order);
  if (endedOn !== null && order.status === 'Complete' && order.isEndRequested) {
    entries.push(begins(endedOn, endText(order)));
  }
  if (endedOn !== null && order.status !== 'Superseded') {
    entries.push({ date: endedOn, text: isText(order.status), rank: ranks.ends });
  }
  if (heldCode !== null && heldOn !== null && endedOn === null) {
    entries.push({ date: heldOn, text: heldText(heldCode), rank: ranks.stands });
  }
  return entries;
}

/** The first day after its trial, if it serves that day. */
function trialOverOn(order: TimelineOrder): IsoDate | null {
  const { trialEndDate, status, endDate, isAutoRenew, endedOn, changeOn } = order;
  if (trialEndDate === null || status === 'Draft') return null;
  const on = billsFrom(order);
  const isReplaced = changeOn !== null && changeOn < on;
  const last =
    status === 'Canceled' || status === 'Superseded' ? endedOn : isAutoRenew ? null : endDate;
  const hasNone = (status === 'Canceled' || status === 'Superseded') && endedOn === null;
  return isReplaced || hasNone || (last !== null && last < on) ? null : on;
}

/** The day on which its status became final; null while it is not. */
function endOf({ status, ...order }: TimelineOrder): IsoDate | null {
  if (status === 'Complete') return order.endDate && addDays(order.endDate, 1);
  if (status === 'Superseded') return order.successor?.startDate ?? order.updatedOn;
  // One that was canceled before it began has no last day, and does not change any more.
  return status === 'Canceled' ? (order.endedOn ?? order.updatedOn) : null;
}

/** The renewals since the term was last set, the newest ones. */
function renewalsOf(order: TimelineOrder): Dated[] {
  const { termStart, termFirstEnd, keptEndDate } = order;
  // An end by request may lie beyond the term, which does not renew then.
  const endDate = keptEndDate ?? order.endDate;
  if (termFirstEnd === null || termFirstEnd < termStart || endDate === null) return [];
  const renewals: Dated[] = [];
  for (let last = endDate; renewals.length < TIMELINE_ENTRIES_MAX;) {
    const { start, end } = termOn({ termStart, termFirstEnd }, last);
    if (start <= termStart) break;
    renewals.push(begins(start, `renewed to ${end}`));
    last = addDays(start, -1);
  }
  return renewals;
}

/** Pauses of the order, and those of its customer while the order was there. */
function pausesOf({ order, pauses }: TimelineRows): Dated[] {
  const endedOn = endOf(order);
  const isOfOrder = (on: IsoDate) => on >= order.startDate && (endedOn === null || on <= endedOn);
  return pauses.flatMap(({ id, isOfCustomer, suspendedOn, resumedOn }) => {
    const [suspended, resumed] = isOfCustomer
      ? ['the service of the customer is suspended', 'the service of the customer is resumed']
      : [isText('Suspended', 'Active'), isText('Active', 'Suspended')];
    const both = [{ ...happens(suspendedOn, suspended), id }];
    if (resumedOn !== null) both.push({ ...happens(resumedOn, resumed), id });
    return isOfCustomer ? both.filter(({ date }) => isOfOrder(date)) : both;
  });
}

function invoiceEntries(invoice: InvoiceRow): Dated[] {
  const { id, date, number, currency, cancelled, debits } = invoice;
  const own = { ...happens(date, invoiceText(invoice)), id };
  const announced = (debits ?? []).map(({ id: noticeId, on, debitOn, amount }) => {
    const text = `debit of ${moneyText(currency, amount)} for invoice ${number} on ${debitOn} announced`;
    return { ...happens(on, text), id: noticeId };
  });
  const made = [own, ...announced];
  if (cancelled === null) return made;
  const text =
    cancelled.number === null
      ? `invoice ${number} cancelled`
      : `cancellation ${cancelled.number} of invoice ${number}`;
  return [...made, { ...happens(cancelled.on, text), id: cancelled.id }];
}

/** How far the coupon is used, on its last day; without one on the order's first day. */
function couponOf(
  order: TimelineOrder,
  today: IsoDate,
): { readonly entry: Dated; readonly isOver: boolean } | null {
  const { coupon, status, startDate: startOn } = order;
  if (coupon === null || status === 'Draft') return null;
  const last = couponEnd(coupon);
  const endedOn = endOf(order);
  const date = minDate(last ?? startOn, endedOn ?? last ?? startOn);
  const isOver = last === null || endedOn !== null ? date <= today : date < today;
  return { entry: { date, text: couponFact(coupon), rank: ranks.stands }, isOver };
}

/** What is to happen to the order; days that have passed are those of what waits. */
function nextOf(
  { order, invoices, waiting = [], usageStep }: TimelineRows,
  today: IsoDate,
): Dated[] {
  const { status } = order;
  const changes = changesOf(order).filter(({ isPending }) => isPending);
  const entries = changes.map(({ on, text }) => begins(on, text));
  for (const { id, untilOn } of waiting) {
    entries.push({ ...happens(untilOn, unconfirmedText(id)), id });
  }
  for (const { what, on } of ownStepsOf(order)) {
    if (what === 'bills') entries.push(happens(on, what));
    // A change is told by its words, on both of its orders.
    else if (what === 'takes new prices') continue;
    else if (what !== 'changes' && !changes.some((each) => each.on === on)) {
      const isByRequest = what === 'completes' && order.isEndRequested;
      entries.push(begins(on, isByRequest ? endText(order) : what));
    }
  }
  const overOn = trialOverOn(order);
  if (overOn !== null && overOn > today) entries.push(begins(overOn, 'trial over'));
  const { pausedUntil, customerPausedUntil, priceChangeOn } = order;
  if (priceChangeOn !== null) entries.push(begins(priceChangeOn, NEW_PRICES));
  if (pausedUntil !== null) entries.push(begins(pausedUntil, 'resumes'));
  if (customerPausedUntil !== null && endOf(order) === null) {
    entries.push(begins(customerPausedUntil, 'the service of the customer resumes'));
  }
  if (usageStep !== null) entries.push(happens(usageStep.on, usageStepText(usageStep)));
  for (const { number, currency, open, paysOn, retry } of invoices) {
    if (paysOn !== null) {
      entries.push(happens(paysOn, `pays invoice ${number}, ${moneyText(currency, open)}`));
    }
    if (retry !== null) {
      entries.push(happens(retry.on, retryText({ invoice: number, attempt: retry.attempt })));
    }
  }
  return status === 'Draft' ? [] : entries;
}
