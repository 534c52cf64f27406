/** A usage record as it is sent, and what is wrong with its form, whatever is stored. */
import type { DomainErrorCode } from '../errors.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import { signOf, type Decimal } from '../money/money.ts';

/** What a record says; null for what it leaves out. */
export interface UsageRecord {
  readonly extRefId: string | null;
  readonly extCustomerRef: string | null;
  readonly customerId: number | null;
  readonly orderNumber: string | null;
  readonly orderId: number | null;
  readonly lineId: number | null;
  readonly priceCode: string | null;
  readonly quantity: Decimal | null;
  readonly amount: Decimal | null;
  readonly unitPrice: Decimal | null;
  /** Null for today. */
  readonly chargeDate: IsoDate | null;
  readonly chargeEndDate: IsoDate | null;
  readonly invoiceText: string | null;
  readonly correctsExtRefId: string | null;
}

/** What is wrong with a record, by the element at fault. */
export interface UsageFault {
  readonly code: DomainErrorCode;
  readonly element: UsageElement;
  readonly message: string;
  readonly value: string | null;
}

/** The elements at which a record can be at fault. */
export type UsageElement =
  | 'extRefId'
  | 'extCustomerRef'
  | 'customer/@id'
  | 'orderNumber'
  | 'order/@id'
  | 'orderLineItem/@id'
  | 'priceCode'
  | 'quantity'
  | 'amount'
  | 'unitPrice'
  | 'chargeDate'
  | 'chargeEndDate'
  | 'correctsExtRefId';

/** Makes a fault; a value of null is not shown. */
export function fault(
  code: DomainErrorCode,
  element: UsageElement,
  message: string,
  value: string | number | null = null,
): UsageFault {
  return { code, element, message, value: value === null ? null : String(value) };
}

type Form = Pick<
  UsageRecord,
  'quantity' | 'amount' | 'unitPrice' | 'chargeDate' | 'chargeEndDate' | 'correctsExtRefId'
>;

/**
 * The faults of a record that nothing stored has to be known for.
 *
 * @example formFaults({ ...record, quantity: null, amount: null })
 *   // [{ code: 'field.required', element: 'quantity', ... }]
 */
export function formFaults(record: Form): readonly UsageFault[] {
  const { quantity, amount, unitPrice } = record;
  const faults: UsageFault[] = [];
  if (quantity === null && amount === null) {
    faults.push(fault('field.required', 'quantity', 'quantity or amount is required'));
  }
  const isCorrection = record.correctsExtRefId !== null;
  if (quantity !== null) {
    const sign = signOf(quantity);
    if (isCorrection && sign >= 0) {
      faults.push(invalid('quantity', 'must be negative in a correction', quantity));
    } else if (!isCorrection && sign < 0) {
      faults.push(invalid('quantity', 'must not be negative without correctsExtRefId', quantity));
    }
  }
  if (amount !== null) {
    const sign = signOf(amount);
    if (isCorrection && sign > 0) {
      faults.push(invalid('amount', 'must not be positive in a correction', amount));
    } else if (!isCorrection && sign < 0) {
      faults.push(invalid('amount', 'must not be negative without correctsExtRefId', amount));
    }
  }
  if (unitPrice !== null && signOf(unitPrice) < 0) {
    faults.push(invalid('unitPrice', 'must not be negative', unitPrice));
  }
  const { chargeDate, chargeEndDate } = record;
  if (chargeDate !== null) faults.push(...endFaults(chargeDate, chargeEndDate));
  return faults;
}

/** @example endFaults('2027-01-06', '2027-01-05') // one at chargeEndDate */
export function endFaults(chargeDate: IsoDate, chargeEndDate: IsoDate | null): UsageFault[] {
  if (chargeEndDate === null || chargeEndDate >= chargeDate) return [];
  return [
    invalid('chargeEndDate', `must not be before the chargeDate ${chargeDate}`, chargeEndDate),
  ];
}

function invalid(element: UsageElement, what: string, value: string): UsageFault {
  return fault('field.invalid', element, `${element} ${what}, not "${value}"`, value);
}

/**
 * The quantity of a record: one unit, or in a correction one unit less, where only an amount is
 * given.
 *
 * @example quantityOf({ quantity: null, correctsExtRefId: null }) // '1'
 */
export function quantityOf({
  quantity,
  correctsExtRefId,
}: Pick<UsageRecord, 'quantity' | 'correctsExtRefId'>): Decimal {
  return quantity ?? (correctsExtRefId === null ? '1' : '-1');
}
