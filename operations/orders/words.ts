/** The sentences about an order, which its timeline and its details in the Web UI share. */
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import { canEdit, type OrderStatus } from '../../domain/standing/status.ts';
import { isInTrial } from '../../domain/standing/trial.ts';
import { compare, formatAmount, negate, type Decimal } from '../../domain/money/money.ts';
import type { NoticeKind } from '../../domain/events/notices.ts';
import type { NoticeRow, PaymentRow, WaitingRow } from '../../db/queries/orders/timeline.ts';
import type { BilledUsage, NeighbourRow } from '../../db/queries/orders/wake.ts';
import type { UsageStep } from './next-usage.ts';

export interface ShownInvoice {
  readonly number: string;
  /** Of a credit note: the number of the invoice of which it gives back. */
  readonly noteOf?: string | null;
  readonly currency: string;
  readonly amount: Decimal;
  /** The order's own part of it. */
  readonly part: Decimal;
}

/**
 * An invoice that orders share shows the order's part.
 *
 * @example invoiceText(shared) // 'invoice 1001, 29.95 of 108.90 USD'
 * @example invoiceText(note) // 'credit note 1002 of invoice 1001, -9.80 USD'
 */
export function invoiceText(invoice: ShownInvoice): string {
  const { number, noteOf = null, currency, amount, part } = invoice;
  const what = noteOf === null ? `invoice ${number}` : `credit note ${number} of invoice ${noteOf}`;
  const whole = moneyText(currency, amount);
  const isShared = compare(part, amount) !== 0;
  return `${what}, ${isShared ? `${formatAmount(currency, part)} of ` : ''}${whole}`;
}

/** @example usageText('1007', january, 'USD') // 'invoice 1007: 180 minute of MINUTES, 16.40' */
export function usageText(invoice: string, usage: BilledUsage, currency: string): string {
  const { quantity, unitOfMeasure, priceCode, amount } = usage;
  const units = unitOfMeasure === null ? quantity : `${quantity} ${unitOfMeasure}`;
  return `invoice ${invoice}: ${units} of ${priceCode}, ${formatAmount(currency, amount)}`;
}

/** @example usageStepText(january) // 'bills usage of 2027-01' */
export function usageStepText({ period }: UsageStep): string {
  return `bills usage of ${period}`;
}

/** @example usageFact(january) // 'bills usage of 2027-01 on 2027-02-03' */
export function usageFact(step: UsageStep): string {
  return `${usageStepText(step)} on ${step.on}`;
}

/** @example moneyText('USD', '29.95') // '29.95 USD' */
export function moneyText(currency: string, amount: Decimal): string {
  return `${formatAmount(currency, amount)} ${currency}`;
}

/** @example isText('Suspended', 'Active') // 'is Suspended, was Active' */
export function isText(status: OrderStatus, before?: string): string {
  return before === undefined ? `is ${status}` : `is ${status}, was ${before}`;
}

const announcedDates: Readonly<Partial<Record<NoticeKind, string>>> = {
  trialEnding: 'the end of the trial',
  renewalNotice: 'renewal',
  priceChange: 'new prices',
};

/** @example noticeText(row) // 'renewal on 2028-01-15 announced' */
export function noticeText({ kind, onDate }: Pick<NoticeRow, 'kind' | 'onDate'>): string {
  return `${announcedDates[kind] ?? kind} on ${onDate} announced`;
}

/** What becomes of an order when its status or its term changes by itself. */
function transitionText(
  order: Pick<NeighbourRow, 'status'> & { readonly isAutoRenew: boolean },
): 'activates' | 'renews' | 'completes' {
  if (order.status === 'Provisioning') return 'activates';
  return order.isAutoRenew ? 'renews' : 'completes';
}

export interface OwnStep {
  readonly what: 'changes' | 'bills' | 'activates' | 'renews' | 'completes' | 'takes new prices';
  readonly on: IsoDate;
}

/**
 * What the order does by itself on the days of its row, the earlier first. A change of a day comes
 * before its bill, and its bill before what else becomes of the order.
 *
 * @example ownStepsOf(order)[0] // { what: 'bills', on: '2027-02-15' }
 */
export function ownStepsOf(order: SteppingOrder): readonly OwnStep[] {
  const { changeOn, billOn, transitionOn: on } = order;
  const isChange = on !== null && on === changeOn;
  const isOfPrices = on !== null && on === order.priceChangeOn && !isTurn(order, on);
  const what = isChange ? 'changes' : isOfPrices ? 'takes new prices' : transitionText(order);
  const becomes: OwnStep[] = on === null ? [] : [{ what, on }];
  const bills: OwnStep[] = billOn === null ? [] : [{ what: 'bills', on: billOn }];
  const steps = isChange ? [...becomes, ...bills] : [...bills, ...becomes];
  return steps.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0));
}

interface SteppingOrder extends Pick<
  NeighbourRow,
  'status' | 'startDate' | 'endDate' | 'changeOn' | 'priceChangeOn'
> {
  readonly isAutoRenew: boolean;
  readonly billOn: IsoDate | null;
  readonly transitionOn: IsoDate | null;
}

/** Its status or its term changes on the day. */
function isTurn({ status, startDate, endDate }: SteppingOrder, on: IsoDate): boolean {
  if (status === 'Provisioning') return startDate === on;
  return endDate !== null && addDays(endDate, 1) === on;
}

/** @example heldText('order.priceMissing') // 'the customer is held from billing: order.priceMissing' */
export function heldText(code: string): string {
  return `the customer is held from billing: ${code}`;
}

export interface Change {
  readonly on: IsoDate;
  readonly isPending: boolean;
  /** `replaces order 1042` */
  readonly text: string;
}

/** That it replaces an order, and that an order replaces it; the earlier one first. */
export function changesOf(order: NeighbourRow): Change[] {
  const { status, startDate: startOn, changeOn, previousNumber, successor } = order;
  const changes: Change[] = [];
  if (previousNumber !== null) {
    const text = `replaces order ${previousNumber}`;
    changes.push({ on: startOn, isPending: status === 'Provisioning', text });
  }
  if (successor) {
    const isPending = changeOn !== null;
    const text = `${isPending ? 'changes to' : 'replaced by'} order ${successor.number}`;
    changes.push({ on: changeOn ?? successor.startDate, isPending, text });
  }
  return changes;
}

/** @example changeFact(pending) // 'changes to order 1043 on 2027-03-20' */
export function changeFact({ on, isPending, text }: Change): string {
  return `${text} ${isPending ? 'on' : 'since'} ${on}`;
}

type Ending = Pick<NeighbourRow, 'status' | 'endDate' | 'isEndRequested' | 'cancelReason'>;

/** @example endText(gold) // 'ends by request: too dear' */
export function endText({ cancelReason }: Pick<Ending, 'cancelReason'>): string {
  return `ends ${byRequest(cancelReason)}`;
}

/** Null without a requested end to come. @example endFact(gold) // 'ends on 2027-02-14 by request: too dear' */
export function endFact({ status, endDate, isEndRequested, cancelReason }: Ending): string | null {
  if (!isEndRequested || endDate === null || !canEdit(status)) return null;
  return `ends on ${endDate} ${byRequest(cancelReason)}`;
}

/** Null if none is. @example elsewhereFact(gold) // 'billed elsewhere to 2027-01-14' */
export function elsewhereFact({
  billedThrough,
}: Pick<NeighbourRow, 'billedThrough'>): string | null {
  return billedThrough === null ? null : `billed elsewhere to ${billedThrough}`;
}

/** The trial, until it is over. @example trialFact(gold, '2027-01-20') // 'trial to 2027-01-31' */
export function trialFact(order: NeighbourRow, today: IsoDate): string | null {
  return isInTrial(order, today) && canEdit(order.status) ? `trial to ${order.trialEndDate}` : null;
}

/** The pauses that end by themselves. @example pauseFacts(gold) // ['paused until 2027-03-01'] */
export function pauseFacts({ status, pausedUntil, customerPausedUntil }: NeighbourRow): string[] {
  const ofCustomer = canEdit(status) ? customerPausedUntil : null;
  return [
    ...(pausedUntil === null ? [] : [`paused until ${pausedUntil}`]),
    ...(ofCustomer === null ? [] : [`the service of the customer is paused until ${ofCustomer}`]),
  ];
}

/** Null without new prices to come. @example pricesFact(gold) // 'new prices on 2027-02-15' */
export function pricesFact({ status, priceChangeOn }: NeighbourRow): string | null {
  return priceChangeOn === null || !canEdit(status) ? null : `new prices on ${priceChangeOn}`;
}

/** Whoever wrote the reason may have used several lines. */
const byRequest = (reason: string | null): string =>
  reason === null ? 'by request' : `by request: ${reason.replaceAll(/\s+/g, ' ')}`;

export type ShownPayment = Omit<PaymentRow, 'id' | 'on'>;

/** @example paymentText(declined) // 'payment 4711 declined, 73.44 USD of invoice 1001' */
export function paymentText({ paymentId: id, ...payment }: ShownPayment): string {
  const { type, isDeclined, amount, currency, invoice } = payment;
  const money = type === 'Credit' ? `credit ${id}` : `payment ${id}`;
  if (isDeclined) return `${money} declined, ${moneyText(currency, amount)} of invoice ${invoice}`;
  if (compare(amount, '0') > 0)
    return `${money}, ${moneyText(currency, amount)} to invoice ${invoice}`;
  return `${money} taken back, ${moneyText(currency, negate(amount))} of invoice ${invoice}`;
}

/** @example waitingText(row) // 'payment 4711 of 81.61 USD waits for the payer' */
export function waitingText({ id, amount, currency }: WaitingRow): string {
  return `payment ${id} of ${moneyText(currency, amount)} waits for the payer`;
}

/** @example unconfirmedText(4711) // 'payment 4711 is declined unless the payer confirms' */
export const unconfirmedText = (id: number): string =>
  `payment ${id} is declined unless the payer confirms`;
