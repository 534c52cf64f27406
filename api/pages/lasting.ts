/** Says above a button that orders what goes on: later prices, the coupon's end, renewal, the way out. */
import type { Formats } from '../../domain/invoices/formats.ts';
import { compare } from '../../domain/money/money.ts';
import { fill } from '../../domain/text/fill.ts';
import type { PageWords } from '../../domain/text/messages.ts';
import type { Lasting } from '../../domain/self-service/lasting.ts';
import { periodText } from './plan-price.ts';

export interface LastingOptions {
  readonly words: PageWords;
  readonly formats: Formats;
  /** Not where a link hides them. */
  readonly showsPrices: boolean;
  /** The tenant, who ends what the page itself cannot. */
  readonly sender: string;
  readonly canCancel: boolean;
}

export function lastingTexts(
  { trial, regular, coupon, end }: Lasting,
  { words, formats, showsPrices, sender, canCancel }: LastingOptions,
): string[] {
  const { lasting } = words;
  const price = periodText(regular, { words, formats });
  return [
    ...(trial === null ? [] : [trialText(trial, words, formats)]),
    ...(showsPrices && compare(regular.amount, '0') > 0 ? [fill(lasting.regular, { price })] : []),
    ...(coupon === null ? [] : [couponText(coupon, words, formats)]),
    end === null
      ? lasting.renews
      : fill(end.isRenewed ? lasting.renewsAfter : lasting.ends, { date: formats.date(end.on) }),
    canCancel ? lasting.cancelHere : fill(lasting.cancel, { sender }),
  ];
}

function trialText(
  { to, from }: NonNullable<Lasting['trial']>,
  { lasting }: PageWords,
  { date }: Formats,
): string {
  return fill(lasting.trial, { date: date(to), from: date(from) });
}

function couponText(
  { code, isOnce, until }: NonNullable<Lasting['coupon']>,
  { lasting }: PageWords,
  { date }: Formats,
): string {
  if (until !== null) return fill(lasting.couponUntil, { code, date: date(until) });
  return fill(isOnce ? lasting.couponOnce : lasting.couponAlways, { code });
}
