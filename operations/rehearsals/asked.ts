/** A rehearsal that a person asks for: its day in words, and the limits that nobody has to give. */
import type { OutlierLimits, RehearsalFigures } from '../../domain/billing/rehearsed.ts';
import { type IsoDate, addDays, isDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { amountTexts } from '../../domain/money/amounts.ts';
import type { Dependencies } from '../context/context.ts';
import { runOf, todayOf } from './rehearse.ts';

export const limitsByDefault: OutlierLimits = { ratio: '3', amount: '1000', amounts: {} };

/** @param day `today`, `tomorrow` or a date; throws field.invalid for another text */
export async function dayAsked(
  dependencies: Dependencies,
  tenantId: number,
  day: string,
): Promise<IsoDate> {
  const today = await todayOf(dependencies, tenantId);
  if (isDate(day)) {
    // One too far ahead is refused before anything begins.
    runOf(day, today);
    return day;
  }
  if (day === 'today') return today;
  if (day === 'tomorrow') return addDays(today, 1);
  const text = `a day is a date that exists, YYYY-MM-DD, today or tomorrow, not ${day}`;
  throw new DomainError('field.invalid', text, { path: 'runOn', value: day });
}

/** @example `12 customers, 14 orders, 12 invoices of 340.00 USD` */
export function ranWords({ run }: Pick<RehearsalFigures, 'run'>): string {
  const { customers, orders, invoices, amounts } = run;
  const sums = amountTexts(amounts).join(', ');
  const made = `${customers} customers, ${orders} orders, ${invoices} invoices`;
  return sums === '' ? made : `${made} of ${sums}`;
}
