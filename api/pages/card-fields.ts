/** The fields of a card, which is never prefilled but for the name on it. */
import type { IsoDate } from '../../domain/calendar/date.ts';
import { fieldOf } from './fields.ts';
import type { FormContext, Option } from './fields.ts';

/** As far ahead as any issuer's cards run. */
export const EXPIRY_YEARS = 20;
const CODE_DIGITS_MAX = 4;

export interface CardSpec {
  readonly today: IsoDate;
  readonly cardholderName: string;
  readonly isRequired: boolean;
}

export function cardFieldsOf(context: FormContext, { today, ...spec }: CardSpec) {
  const { cardholderName, isRequired } = spec;
  const { card } = context.words;
  const digits = { inputMode: 'numeric', isLiteral: true, isRequired } as const;
  return {
    cardNumber: fieldOf(context, {
      ...digits,
      name: 'cardNumber',
      label: card.cardNumber,
      autocomplete: 'cc-number',
    }),
    expiryMonth: fieldOf(context, {
      name: 'expiryMonth',
      label: card.expiryMonth,
      autocomplete: 'cc-exp-month',
      isRequired,
      options: [{ value: '', text: card.month }, ...months],
    }),
    expiryYear: fieldOf(context, {
      name: 'expiryYear',
      label: card.expiryYear,
      autocomplete: 'cc-exp-year',
      isRequired,
      options: [{ value: '', text: card.year }, ...yearsFrom(today)],
    }),
    cvv: fieldOf(context, {
      ...digits,
      name: 'cvv',
      label: card.cvv,
      hint: card.cvvHint,
      autocomplete: 'cc-csc',
      maxLength: CODE_DIGITS_MAX,
    }),
    cardholderName: fieldOf(context, {
      name: 'cardholderName',
      label: card.cardholderName,
      value: cardholderName,
      autocomplete: 'cc-name',
      isRequired,
    }),
  };
}

const months: readonly Option[] = Array.from({ length: 12 }, (_, index) => {
  const value = String(index + 1).padStart(2, '0');
  return { value, text: value };
});

function yearsFrom(today: IsoDate): Option[] {
  const first = Number(today.slice(0, 'YYYY'.length));
  return Array.from({ length: EXPIRY_YEARS }, (_, index) => {
    const value = String(first + index);
    return { value, text: value };
  });
}
