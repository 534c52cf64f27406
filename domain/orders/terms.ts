/** Checks for new and changed orders; each error names its element. */
import { DomainError } from '../errors.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { TermUnit } from '../calendar/terms.ts';
import type { Plan } from '../plans/plan.ts';
import type { OrderStatus } from '../standing/status.ts';
import { billsFrom } from '../standing/trial.ts';
import { isCurrency } from '../money/money.ts';
import type { OrderLineInput } from './input.ts';
import type { RequestedLine } from './lines.ts';

/** The proposed values of an order, which may contradict each other. */
export interface ProposedTerms {
  readonly startDate: IsoDate;
  readonly endDate: IsoDate | null;
  /** The last free day. */
  readonly trialEndDate: IsoDate | null;
  readonly isAutoRenew: boolean;
  readonly currency: string;
  readonly separateInvoice: number;
  readonly jobCode: string | null;
  readonly dueDateValue: number | null;
}

export interface CheckedTerms extends ProposedTerms {
  readonly separateInvoice: 0 | 1 | 2;
}

const DUE_DATE_VALUE_MAX = 3650;

/**
 * Refuses terms that contradict each other.
 *
 * @example checkTerms({ ...terms, startDate: '2027-02-01', endDate: '2027-01-31' }) // throws
 */
export function checkTerms(order: ProposedTerms): asserts order is CheckedTerms {
  if (order.endDate !== null && order.endDate < order.startDate) {
    throw invalid('endDate', `endDate is before startDate ${order.startDate}`, order.endDate);
  }
  if (order.endDate !== null && order.isAutoRenew && order.endDate < billsFrom(order)) {
    const text = `an endDate before ${billsFrom(order)}, after the trial, needs isAutoRenew false`;
    throw invalid('endDate', text, order.endDate);
  }
  if (!isCurrency(order.currency)) {
    throw invalid('currency/@id', 'currency/@id is not an ISO 4217 code', order.currency);
  }
  if (![0, 1, 2].includes(order.separateInvoice)) {
    throw invalid('separateInvoice', 'separateInvoice is 0, 1 or 2', `${order.separateInvoice}`);
  }
  if (order.separateInvoice === 2 && order.jobCode === null) {
    throw new DomainError(
      'field.required',
      'separateInvoice 2 groups by jobCode, which is missing',
      {
        path: 'subscriptionOrder/jobCode',
      },
    );
  }
  const { dueDateValue } = order;
  if (dueDateValue !== null && (dueDateValue < 0 || dueDateValue > DUE_DATE_VALUE_MAX)) {
    throw invalid('dueDateValue', `dueDateValue is 0 to ${DUE_DATE_VALUE_MAX}`, `${dueDateValue}`);
  }
}

/**
 * Due terms as they are stored: the unit of a value is Days by default.
 *
 * @example dueUnits(30, null) // 'Days'
 */
export function dueUnits(
  value: number | null,
  units: TermUnit | null | undefined,
): TermUnit | null {
  return value === null ? null : (units ?? 'Days');
}

/**
 * The status of an order for which Active or Provisioning is requested.
 *
 * @example startingStatus('Active', '2027-02-01', '2027-01-15') // 'Provisioning'
 */
export function startingStatus(
  asked: 'Active' | 'Provisioning',
  startDate: IsoDate,
  today: IsoDate,
): OrderStatus {
  if (startDate > today) return 'Provisioning';
  if (asked === 'Active') return 'Active';
  throw invalid('orderStatus', 'Provisioning needs a startDate in the future', 'Provisioning');
}

/** A plan version as an order names it. */
export interface PlanOffer {
  readonly plan: Plan;
  readonly isNewest: boolean;
  readonly startDate: IsoDate | null;
  readonly endDate: IsoDate | null;
  /** The field by which the caller named it. */
  readonly named: { readonly path: string; readonly value: string; readonly id: number | null };
}

type Availability = Pick<PlanOffer, 'isNewest' | 'startDate' | 'endDate'>;

interface OrderDays {
  readonly startDate: IsoDate;
  readonly today: IsoDate;
}

/**
 * Whether a plan version takes a new order: the newest of its code does, while it is open.
 *
 * @example takesOrders(gold, { startDate: '2027-02-01', today: '2027-01-15' }) // true
 */
export function takesOrders(
  { isNewest, startDate, endDate }: Availability,
  dates: OrderDays,
): boolean {
  const last = dates.startDate > dates.today ? dates.startDate : dates.today;
  const isOver = !isNewest || (endDate !== null && endDate < last);
  return !isOver && (startDate === null || startDate <= dates.startDate);
}

/**
 * Refuses a plan version that takes no new order.
 *
 * @example refuseRetired(gold, { startDate: '2027-02-01', today: '2027-01-15' })
 */
export function refuseRetired(
  offer: Availability & Pick<PlanOffer, 'named'>,
  dates: OrderDays,
): void {
  if (takesOrders(offer, dates)) return;
  const { named } = offer;
  const message = `plan ${named.value} takes no new order that starts on ${dates.startDate}`;
  throw new DomainError('plan.retired', message, named);
}

/**
 * A line as a caller sends it, where absent and empty mean the same.
 *
 * @example requestedLine({ priceCode: 'FEE' }) // the charge FEE, everything else null
 */
export function requestedLine(line: OrderLineInput): RequestedLine {
  return {
    priceCode: line.priceCode ?? null,
    chargeId: line.contractChargeId ?? null,
    position: line.position ?? null,
    quantity: line.quantity ?? null,
    unitPrice: line.unitPrice ?? null,
    invoiceText: line.invoiceText ?? null,
    isActive: line.isActive ?? null,
  };
}

/**
 * A value that is no good; the path is within the order.
 *
 * @example invalid('endDate', 'endDate is before startDate', '2027-01-01')
 */
export function invalid(element: string, message: string, value: string): DomainError {
  return new DomainError('field.invalid', message, {
    path: `subscriptionOrder/${element}`,
    value,
  });
}
