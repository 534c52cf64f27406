/** How a payment method on file is named: never by more of its number than the end. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { fill } from '../../../../domain/text/fill.ts';
import type { PayWords } from '../../../../domain/text/messages.ts';
import type { FiledMethod } from '../../../../operations/self-service/methods.ts';
import { isUsable } from './pay-form.ts';

/** `Visa ending in 1111` */
export function methodName({ type, brand, lastFour }: FiledMethod, own: PayWords): string {
  const name = brand ?? (type === 'ACH' ? own.account : own.card);
  return lastFour === null ? name : fill(own.masked, { name, end: lastFour });
}

/** `expires 12/2029`, as it stands on the card; null where nothing expires. */
export function expiryText(method: FiledMethod, own: PayWords, today: IsoDate): string | null {
  const { expiry } = method;
  if (expiry === null) return null;
  const [year = '', month = ''] = expiry.split('-');
  return fill(isUsable(method, today) ? own.expires : own.expired, { date: `${month}/${year}` });
}
