/** How long a payment waits for its payer, and what the payer agrees to. */
import { addDays, type IsoDate } from '../calendar/calendar.ts';
import { startOfDay } from '../calendar/zone.ts';
import { add, compare, negate, type Decimal } from '../money/money.ts';
import type { PaymentState, WaitsUntil } from './happened.ts';

/** A payer on a page has so long, in real time. */
export const PRESENT_MINUTES_MAX = 30;

/**
 * Until when a payment waits for a payer who is present.
 *
 * @example presentUntil(new Date('2027-01-15T10:00:00Z')).at // 10:30
 */
export function presentUntil(realNow: Date): Extract<WaitsUntil, { readonly payer: 'present' }> {
  return { payer: 'present', at: new Date(realNow.getTime() + PRESENT_MINUTES_MAX * 60_000) };
}

export interface AbsentWait {
  readonly today: IsoDate;
  /** Of the tenant; 1 or more. */
  readonly actionDays: number;
  /** Of an installment: the day of the next one of its plan. */
  readonly nextInstallmentOn?: IsoDate | null;
}

/**
 * The day at whose 00:00 a payment no longer waits for an absent payer.
 *
 * @example absentUntil({ today: '2027-01-15', actionDays: 3 }) // { payer: 'absent', on: '2027-01-18' }
 */
export function absentUntil({ today, actionDays, nextInstallmentOn }: AbsentWait): WaitsUntil {
  const on = addDays(today, actionDays);
  const isEarlier =
    nextInstallmentOn != null && nextInstallmentOn > today && nextInstallmentOn < on;
  return { payer: 'absent', on: isEarlier ? nextInstallmentOn : on };
}

type Waiting = Pick<PaymentState, 'status' | 'newsOn' | 'actionEndsAt'>;

/**
 * The instant at which the payment no longer waits; null if it does not wait for its payer.
 *
 * @example
 * waitsUntil({ status: 'ActionRequired', newsOn: '2027-01-18', actionEndsAt: null },
 *   'America/New_York') // 2027-01-18T05:00:00Z
 */
export function waitsUntil(payment: Waiting, timezone: string): Date | null {
  const { status, newsOn, actionEndsAt } = payment;
  if (status !== 'ActionRequired') return null;
  if (actionEndsAt !== null) return actionEndsAt;
  return newsOn === null ? null : new Date(startOfDay(timezone, newsOn));
}

/**
 * Whether the wait is over: an absent payer's by the tenant's clock, a present one's in real time.
 *
 * @example isWaitOver(payment, { today: '2027-01-18', realNow }) // from that day's 00:00 on
 */
export function isWaitOver(
  { newsOn, actionEndsAt }: Waiting,
  { today, realNow }: { readonly today: IsoDate; readonly realNow: Date },
): boolean {
  if (actionEndsAt !== null) return realNow >= actionEndsAt;
  return newsOn !== null && newsOn <= today;
}

/**
 * What the payer agrees to: what is open now of what the payment names, at most its amount; with its
 * surcharge.
 *
 * @example agreedOf({ amount: '103', surcharge: '3' }, '40') // '43'
 */
export function agreedOf(
  { amount, surcharge }: Pick<PaymentState, 'amount' | 'surcharge'>,
  open: Decimal,
): Decimal {
  const asked = add(amount, negate(surcharge));
  return compare(open, asked) < 0 ? add(open, surcharge) : amount;
}

/**
 * The Web UI's words.
 *
 * @example waitText(new Date('2027-01-18T05:00:00Z'))
 *   // 'waits for the payer until 2027-01-18 05:00 UTC'
 */
export function waitText(until: Date): string {
  const [day, time = ''] = until.toISOString().split('T');
  return `waits for the payer until ${day} ${time.slice(0, 'hh:mm'.length)} UTC`;
}
