/** Reads and checks what step 2 of a sign-up takes: the card, and what is ticked. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { readCard, type Card } from '../../../pages/card-form.ts';
import { noting } from '../../../pages/form.ts';
import type { PageProblem } from '../../../pages/view.ts';

export interface ReadPayment {
  /** Null if nothing is to be paid, and no card to be saved. */
  readonly card: Card | null;
  readonly savePaymentMethod: boolean;
  readonly tosAccepted: boolean;
  readonly problems: readonly PageProblem[];
}

export interface AskedPayment {
  /** Something is to be paid today. */
  readonly isDue: boolean;
  readonly tosLink: string | null;
  readonly today: IsoDate;
}

export function readPayment(
  fields: FormFields,
  { isDue, tosLink, today }: AskedPayment,
): ReadPayment {
  const { problems, refuse } = noting();
  const savePaymentMethod = fields.has('savePaymentMethod');
  const tosAccepted = fields.has('tosAccepted');
  const card = isDue || savePaymentMethod ? readCard(fields, today, refuse) : null;
  if (tosLink !== null && !tosAccepted) refuse('tosAccepted', 'tos.required');
  return { card, savePaymentMethod, tosAccepted: tosAccepted && tosLink !== null, problems };
}
