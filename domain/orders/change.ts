/** Change orders: what the new order inherits, and which changes are refused. */
import { addDays, maxDate, minDate, type IsoDate } from '../calendar/calendar.ts';
import { termOn, type TermUnit } from '../calendar/terms.ts';
import { DomainError, type DomainErrorOptions } from '../errors.ts';
import type { OrderStatus } from '../standing/status.ts';
import type { Metadata } from '../text/metadata.ts';
import type { OrderInput } from './input.ts';
import { invalid } from './terms.ts';

/** What was billed of an order last. */
export interface NewestBilled {
  readonly startDate: IsoDate;
  /** The start of the newest period billed; null if none is. */
  readonly newestPeriodFrom: IsoDate | null;
  /** The last day of the newest usage billed; null if none is. */
  readonly usageBilledTo: IsoDate | null;
}

/** The order that is to be replaced. */
export interface CurrentOrder extends NewestBilled {
  readonly status: OrderStatus;
  /** It is part of a change that has not taken effect. */
  readonly isChanging: boolean;
  readonly customerId: number;
  readonly currency: string;
  readonly endDate: IsoDate | null;
  readonly isAutoRenew: boolean;
  readonly termStart: IsoDate;
  readonly termFirstEnd: IsoDate | null;
  readonly isAutoPay: boolean;
  readonly separateInvoice: number;
  readonly jobCode: string | null;
  readonly purchaseOrder: string | null;
  readonly dueDateValue: number | null;
  readonly dueDateUnits: TermUnit | null;
  readonly invoiceText: string | null;
  readonly invoiceNotes: string | null;
  readonly notes: string | null;
  readonly metadata: Metadata | null;
}

/** @param named the parameter that named the order, and its value */
export function refuseUnchangeable(
  { status, isChanging }: CurrentOrder,
  named: DomainErrorOptions,
): void {
  if (isChanging) {
    throw new DomainError('order.changePending', 'a change of the order is pending', named);
  }
  if (status === 'Active') return;
  const text = `only an Active order can be changed, this one is ${status}`;
  throw new DomainError('order.notChangeable', text, named);
}

/**
 * Refuses a day on which an order cannot be replaced: before the first one that can be, or after the
 * end of an order that does not renew.
 *
 * @example // billed from 2027-03-15 to 2027-04-14
 *   refuseDay('2027-03-14', gold, '2027-04-05') // throws field.invalid
 */
export function refuseDay(effectiveDate: IsoDate, current: CurrentOrder, today: IsoDate): void {
  const { endDate, isAutoRenew } = current;
  const first = firstChangeDay(current, today);
  if (effectiveDate < first) throw outside(`effectiveDate is before ${first}`, effectiveDate);
  if (!isAutoRenew && endDate !== null && effectiveDate > endDate) {
    throw outside(`effectiveDate is after the order's end ${endDate}`, effectiveDate);
  }
}

/**
 * The first day on which an order can be replaced: its startDate, the start of the newest period
 * billed (today if that is to come), or the day after the newest usage billed, which is billed whole.
 *
 * @example // usage billed to 2027-01-31
 *   firstChangeDay(metered, '2027-02-15') // '2027-02-01'
 */
export function firstChangeDay(
  { startDate, newestPeriodFrom, usageBilledTo }: NewestBilled,
  today: IsoDate,
): IsoDate {
  const period = newestPeriodFrom === null ? startDate : minDate(today, newestPeriodFrom);
  const usage = usageBilledTo === null ? startDate : addDays(usageBilledTo, 1);
  return maxDate(startDate, maxDate(period, usage));
}

function outside(text: string, value: IsoDate): DomainError {
  return new DomainError('field.invalid', text, { path: 'effectiveDate', value });
}

/** Refuses elements of the new order that only the change decides. */
export function refuseContradictions(
  { customerId, currency, startDate, orderStatus, ...plan }: OrderInput,
  current: Pick<CurrentOrder, 'customerId' | 'currency'>,
  {
    effectiveDate,
    keepsPrices,
  }: { readonly effectiveDate: IsoDate; readonly keepsPrices: boolean },
): void {
  if (customerId && customerId !== current.customerId) {
    throw invalid('customer/@id', 'a change keeps the customer', `${customerId}`);
  }
  if (currency && currency !== current.currency) {
    throw invalid('currency/@id', `a change keeps the currency, ${current.currency}`, currency);
  }
  if (startDate && startDate !== effectiveDate) {
    throw invalid('startDate', `startDate is the effectiveDate, ${effectiveDate}`, startDate);
  }
  if (orderStatus && orderStatus !== 'Active') {
    throw invalid('orderStatus', 'the new order of a change is Active', orderStatus);
  }
  if (!plan.contractCode && !plan.contractOfferingId && !keepsPrices) {
    throw new DomainError('field.required', 'contractCode names the plan of the new order', {
      path: 'subscriptionOrder/contractCode',
    });
  }
}

/**
 * The input of the new order: elements that are absent are those of the current order; its plan,
 * lines and coupon are the caller's alone.
 *
 * @example inheritedInput({ contractCode: 'GOLD' }, gold, '2027-02-01').jobCode // that of gold
 */
export function inheritedInput(
  input: OrderInput,
  current: CurrentOrder,
  effectiveDate: IsoDate,
): OrderInput {
  const own = <Value>(sent: Value | null | undefined, value: Value | null): Value | null =>
    sent === undefined ? value : sent;
  const { isAutoPay, separateInvoice, jobCode, invoiceText, invoiceNotes, notes } = current;
  return {
    ...input,
    customerId: current.customerId,
    currency: current.currency,
    startDate: effectiveDate,
    endDate: own(input.endDate, endOn(current, effectiveDate)),
    isAutoRenew: own(input.isAutoRenew, current.isAutoRenew),
    isAutoPay: own(input.isAutoPay, isAutoPay),
    separateInvoice: own(input.separateInvoice, separateInvoice),
    jobCode: own(input.jobCode, jobCode),
    purchaseOrder: own(input.purchaseOrder, current.purchaseOrder),
    dueDateValue: own(input.dueDateValue, current.dueDateValue),
    dueDateUnits: own(input.dueDateUnits, current.dueDateUnits),
    invoiceText: own(input.invoiceText, invoiceText),
    invoiceNotes: own(input.invoiceNotes, invoiceNotes),
    notes: own(input.notes, notes),
    metadata: own(input.metadata, current.metadata),
  };
}

/** The end of the term, or renewal, that contains a day; an order that does not renew has one end. */
function endOn(
  {
    endDate,
    isAutoRenew,
    termStart,
    termFirstEnd,
  }: Pick<CurrentOrder, 'endDate' | 'isAutoRenew' | 'termStart' | 'termFirstEnd'>,
  day: IsoDate,
): IsoDate | null {
  if (endDate === null || endDate >= day || !isAutoRenew) return endDate;
  return termOn({ termStart, termFirstEnd: termFirstEnd ?? endDate }, day).end;
}
