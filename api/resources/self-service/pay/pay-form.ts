/** Reads and checks what a form of payment takes; it calls nobody. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { isExpired } from '../../../../domain/payments/cards.ts';
import type { FiledMethod } from '../../../../operations/self-service/methods.ts';
import { PAYABLE_MAX } from '../../../../operations/self-service/payable.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { readCard, type Card } from '../../../pages/card-form.ts';
import { noting } from '../../../pages/form.ts';
import type { PageProblem } from '../../../pages/view.ts';

/** What chooses a card that is typed in. */
export const NEW_CARD = 'new';

/** By what is paid. */
export type PaidBy =
  | { readonly by: 'card'; readonly card: Card; readonly isSaved: boolean }
  | { readonly by: 'filed'; readonly method: FiledMethod };

export interface ReadPay {
  /** Undefined if something is at fault. */
  readonly paidBy: PaidBy | undefined;
  readonly problems: readonly PageProblem[];
}

export interface Offered {
  readonly methods: readonly FiledMethod[];
  readonly today: IsoDate;
}

export function readPay(fields: FormFields, { methods, today }: Offered): ReadPay {
  const { problems, refuse } = noting();
  const chosen = fields.get('method') ?? '';
  if (chosen === NEW_CARD) {
    const card = readCard(fields, today, refuse);
    const isSaved = fields.has('savePaymentMethod');
    return { paidBy: problems.length > 0 ? undefined : { by: 'card', card, isSaved }, problems };
  }
  const method = methods.find(({ id }) => String(id) === chosen);
  if (method !== undefined && isUsable(method, today)) {
    return { paidBy: { by: 'filed', method }, problems };
  }
  refuse('method', chosen === '' ? 'choose' : 'method.gone');
  return { paidBy: undefined, problems };
}

export const isUsable = ({ expiry }: FiledMethod, today: IsoDate): boolean =>
  expiry === null || !isExpired(expiry, today);

/** Ids with commas between, as the page writes them; none of anything else. */
export function readIds(text: string): number[] {
  if (!/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/.test(text)) return [];
  const ids = [...new Set(text.split(',').map(Number))];
  return ids.length > PAYABLE_MAX ? [] : ids;
}
