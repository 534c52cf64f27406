/** What a payment plan says, and what a request may make of it. */
import { DomainError, type DomainErrorCode } from '../errors.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import { compare, exactAmount, fitsBooks, minorDigits, type Decimal } from '../money/money.ts';
import { installmentDay, type InstallmentSchedule } from './schedule.ts';

export interface PlanTerms extends InstallmentSchedule {
  readonly chargeAmount: Decimal;
  readonly chargeOnlyIfBalanceOwed: boolean;
  readonly totalNumberOfInstallments: number;
}

/** As a request says it: what it leaves out, or leaves empty, is null or undefined. */
export type PlanInput = {
  readonly [Key in keyof PlanTerms]?: PlanTerms[Key] | null | undefined;
} & { readonly isEnabled?: boolean | null | undefined };

export const INSTALLMENTS_MAX = 1_000;
export const FREQUENCY_MAX = 1_000;
/** Far from the end of the calendar, where days are no longer distinct. */
const LAST_DAY_MAX: IsoDate = '2999-12-31';

export interface PlanBasis {
  readonly today: IsoDate;
  readonly currency: string;
}

/**
 * The terms of a new plan. Throws an error that names the element at fault.
 *
 * @example newTerms({ chargeAmount: '50', startDate: '2027-01-31', totalNumberOfInstallments: 3,
 *   frequencyValue: 1, frequencyUnits: 'Months' }, { today: '2027-01-15', currency: 'USD' })
 *   // { chargeAmount: '50', chargeOnlyIfBalanceOwed: true, ... }
 */
export function newTerms(input: PlanInput, basis: PlanBasis): PlanTerms {
  const { startDate: sent, isEnabled } = input;
  if (isEnabled === false) {
    throw refused('field.invalid', 'isEnabled', 'of a new plan must be true', 'false');
  }
  const startDate = required(sent, 'startDate');
  refusePast(startDate, basis.today);
  return checked(
    {
      startDate,
      frequencyValue: required(input.frequencyValue, 'frequencyValue'),
      frequencyUnits: required(input.frequencyUnits, 'frequencyUnits'),
      chargeAmount: required(input.chargeAmount, 'chargeAmount'),
      chargeOnlyIfBalanceOwed: input.chargeOnlyIfBalanceOwed ?? true,
      totalNumberOfInstallments: required(
        input.totalNumberOfInstallments,
        'totalNumberOfInstallments',
      ),
    },
    basis,
  );
}

export interface ChangeBasis extends PlanBasis {
  /** The installments that have had their turn. */
  readonly counted: number;
}

/**
 * The terms after a change. An absent element stays. The start date is checked where it changes.
 *
 * @example changedTerms(terms, { chargeAmount: '60' }, { today: '2027-02-01', currency: 'USD',
 *   counted: 1 }).chargeAmount // '60'
 */
export function changedTerms(before: PlanTerms, input: PlanInput, basis: ChangeBasis): PlanTerms {
  for (const key of elements) {
    if (input[key] === null) throw refused('field.required', key, 'cannot be empty', null);
  }
  const { startDate = before.startDate, totalNumberOfInstallments: total } = input;
  if (startDate !== null && startDate !== before.startDate) refusePast(startDate, basis.today);
  const { counted } = basis;
  if (total != null && total < counted) {
    const why = `cannot be less than the ${counted} installments that have had their turn`;
    throw refused('field.invalid', 'totalNumberOfInstallments', why, String(total));
  }
  return checked(
    {
      startDate: startDate ?? before.startDate,
      frequencyValue: input.frequencyValue ?? before.frequencyValue,
      frequencyUnits: input.frequencyUnits ?? before.frequencyUnits,
      chargeAmount: input.chargeAmount ?? before.chargeAmount,
      chargeOnlyIfBalanceOwed: input.chargeOnlyIfBalanceOwed ?? before.chargeOnlyIfBalanceOwed,
      totalNumberOfInstallments: total ?? before.totalNumberOfInstallments,
    },
    basis,
  );
}

const elements = [
  'chargeAmount',
  'chargeOnlyIfBalanceOwed',
  'startDate',
  'totalNumberOfInstallments',
  'frequencyValue',
  'frequencyUnits',
] as const satisfies readonly (keyof PlanTerms)[];

/**
 * Whether a change moves the days of the installments to come.
 *
 * @example movesDays(terms, { ...terms, chargeAmount: '60' }) // false
 */
export function movesDays(before: InstallmentSchedule, after: InstallmentSchedule): boolean {
  return (
    before.startDate !== after.startDate ||
    before.frequencyValue !== after.frequencyValue ||
    before.frequencyUnits !== after.frequencyUnits
  );
}

function checked(terms: PlanTerms, { currency }: PlanBasis): PlanTerms {
  const { chargeAmount, totalNumberOfInstallments: total } = terms;
  if (compare(chargeAmount, '0') <= 0) {
    throw refused('payment.amount', 'chargeAmount', 'must be above zero', chargeAmount);
  }
  const exact = exactAmount(currency, chargeAmount);
  if (exact === null) {
    const why = `has more than the ${minorDigits(currency)} decimals of ${currency}`;
    throw refused('payment.amount', 'chargeAmount', why, chargeAmount);
  }
  if (!fitsBooks(chargeAmount)) {
    throw refused('field.invalid', 'chargeAmount', 'is more than the books can hold', chargeAmount);
  }
  // Each change may begin the count of days again, so the whole plan has to fit from its start.
  if (installmentDay(terms, total - 1) > LAST_DAY_MAX) {
    const why = `would bring an installment after ${LAST_DAY_MAX}`;
    throw refused('field.invalid', 'totalNumberOfInstallments', why, String(total));
  }
  return { ...terms, chargeAmount: exact };
}

function refusePast(startDate: IsoDate, today: IsoDate): void {
  if (startDate >= today) return;
  throw refused('field.invalid', 'startDate', `is before today, ${today}`, startDate);
}

function required<Value>(value: Value | null | undefined, name: string): Value {
  if (value != null) return value;
  throw refused('field.required', name, 'is required', null);
}

function refused(
  code: DomainErrorCode,
  name: string,
  why: string,
  value: string | null,
): DomainError {
  return new DomainError(code, `${name} ${why}`, { path: `paymentPlan/${name}`, value });
}
