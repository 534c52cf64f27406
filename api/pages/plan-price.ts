/** What a plan, or an order that runs, costs, in one line. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Formats } from '../../domain/invoices/formats.ts';
import { compare, type Decimal } from '../../domain/money/money.ts';
import type { PeriodPrice } from '../../domain/self-service/per-day.ts';
import type { PlanPrice, RunningPrice } from '../../domain/self-service/running-price.ts';
import { fill } from '../../domain/text/fill.ts';
import type { PageWords } from '../../domain/text/messages.ts';

export interface PriceTexts {
  readonly words: PageWords;
  readonly formats: Pick<Formats, 'amount' | 'date'>;
}

/** @example periodText({ amount: '29.95', billingPeriod: 'Monthly' }, texts) // '$29.95 a month' */
export function periodText(
  { amount, billingPeriod }: PeriodPrice,
  { words, formats }: PriceTexts,
): string {
  return fill(words.per[billingPeriod], { amount: formats.amount(amount) });
}

/**
 * Before discounts and taxes.
 *
 * @example planPriceText(gold, texts) // '$29.95 a month + $49.00 once'; of a plan of usage 'by usage'
 */
export function planPriceText(price: PlanPrice, texts: PriceTexts): string {
  const { amount, once, hasUsage } = price;
  const { plan } = texts.words;
  const parts = [
    ...(isSome(amount) ? [periodText(price, texts)] : []),
    ...(isSome(once) ? [fill(plan.once, { amount: texts.formats.amount(once) })] : []),
  ];
  if (parts.length === 0) return hasUsage ? plan.byUsage : plan.free;
  return [...parts, ...(hasUsage ? [plan.usage] : [])].join(' + ');
}

/**
 * The last free day before a price, if there is one.
 *
 * @example withTrial('$29.95 a month', '2027-01-31', texts) // 'free to January 31, 2027, then $29.95 a month'
 */
export function withTrial(
  price: string | null,
  trialEndDate: IsoDate | null,
  { words, formats }: PriceTexts,
): string | null {
  if (trialEndDate === null) return price;
  const date = formats.date(trialEndDate);
  const { plan } = words;
  return price === null ? fill(plan.trial, { date }) : fill(plan.trialThen, { date, price });
}

/** What is billed in each period, with the coupon of today; what was billed once is over. */
export function runningPriceText(price: RunningPrice, texts: PriceTexts): string {
  const amount = price.coupon?.amount ?? price.amount;
  const once = isSome(price.amount) || price.hasUsage ? '0' : price.once;
  return planPriceText({ ...price, amount, once }, texts);
}

/**
 * Until when its coupon holds, and what it costs without it; null without a coupon.
 *
 * @example couponText(gold, texts) // 'WELCOME10 until April 14, 2027, then $29.95 a month'
 */
export function couponText(price: RunningPrice, texts: PriceTexts): string | null {
  const { coupon } = price;
  if (coupon === null) return null;
  const { code, isOnce, until } = coupon;
  const { plan } = texts.words;
  const values = { code, price: periodText(price, texts) };
  if (until !== null) {
    return fill(plan.couponUntil, { ...values, date: texts.formats.date(until) });
  }
  return fill(isOnce ? plan.couponOnce : plan.couponAlways, values);
}

const isSome = (amount: Decimal): boolean => compare(amount, '0') !== 0;
