/** The card that hosted forms take: its fields, which are never prefilled but for the name on it. */
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import {
  CARD_NUMBER_DIGITS_MAX,
  CARD_NUMBER_DIGITS_MIN,
  cardDigits,
  isCardNumber,
  isExpired,
  isSecurityCode,
  passesLuhn,
} from '../../domain/payments/cards.ts';
import type { FormFields } from '../calls/route-types.ts';
import type { FormContext, Option } from './fields.ts';
import { readFields, shownFields, type Fields } from './form.ts';
import type { Refuse } from './typed-text.ts';
import type { ProblemKey } from './view.ts';

/** As far ahead as any issuer's cards run. */
const EXPIRY_YEARS = 20;
const CODE_DIGITS_MAX = 4;

/** Of a number that is typed, and never shown again. */
export const digits = {
  inputMode: 'numeric',
  isLiteral: true,
  isRequired: true,
  holds: 'anything',
} as const;
const choice = { isRequired: true, holds: 'anything' } as const;

export const cardFields = {
  cardNumber: {
    ...digits,
    label: 'cardNumber',
    autocomplete: 'cc-number',
    check: numberFault,
  },
  expiryMonth: { ...choice, label: 'expiryMonth', autocomplete: 'cc-exp-month' },
  expiryYear: { ...choice, label: 'expiryYear', autocomplete: 'cc-exp-year' },
  cvv: {
    ...digits,
    label: 'cvv',
    hint: 'cvvHint',
    autocomplete: 'cc-csc',
    maxLength: CODE_DIGITS_MAX,
  },
  /** It is stored and shown, so that it may not be the number. */
  cardholderName: { label: 'cardholderName', autocomplete: 'cc-name', isRequired: true },
} as const satisfies Fields;

/** The field that a vault calls so; null if the card has no such field. */
export function cardFieldOf(name: string): keyof typeof cardFields | null {
  if (name === 'expiry') return 'expiryMonth';
  return isCardField(name) ? name : null;
}

const isCardField = (name: string): name is keyof typeof cardFields =>
  Object.hasOwn(cardFields, name);

export interface CardSpec {
  readonly today: IsoDate;
  readonly cardholderName: string;
  readonly isRequired: boolean;
}

export function shownCard(context: FormContext, { today, cardholderName, isRequired }: CardSpec) {
  const { month, year } = context.words.card;
  return shownFields(context, cardFields, {
    values: { cardholderName },
    looks: {
      expiryMonth: { options: [{ value: '', text: month }, ...months] },
      expiryYear: { options: [{ value: '', text: year }, ...yearsFrom(today)] },
    },
    isUnmarked: !isRequired,
  });
}

const months: readonly Option[] = Array.from({ length: 12 }, (_, index) => {
  const value = String(index + 1).padStart(2, '0');
  return { value, text: value };
});

function yearsFrom(today: IsoDate): Option[] {
  const first = yearOf(today);
  return Array.from({ length: EXPIRY_YEARS }, (_, index) => {
    const value = String(first + index);
    return { value, text: value };
  });
}

export interface Card {
  readonly cardNumber: string;
  /** The month's last day. */
  readonly expiry: IsoDate;
  readonly cvv: string;
  readonly cardholderName: string;
}

/** What is at fault is noted; the card is of use if nothing is. It calls nobody. */
export function readCard(posted: FormFields, today: IsoDate, refuse: Refuse): Card {
  const textOf = (name: keyof typeof cardFields): string => posted.get(name)?.trim() ?? '';
  const cardNumber = cardDigits(textOf('cardNumber')) ?? '';
  const [month, year] = [textOf('expiryMonth'), textOf('expiryYear')];
  const { cvv, cardholderName } = readFields(cardFields, posted, {
    refuse,
    checks: {
      expiryMonth: () => monthFault({ month, year, today }),
      expiryYear: () => (isYear(year) && Number(year) <= lastYear(today) ? null : 'invalid'),
      cvv: (code) => (isSecurityCode(code, cardNumber) ? null : 'cvv.length'),
    },
  });
  const expiry = lastDayOf(month, year);
  return { cardNumber, expiry, cvv: cvv ?? '', cardholderName: cardholderName ?? '' };
}

function numberFault(text: string): ProblemKey | null {
  const number = cardDigits(text);
  if (number === null) return 'card.number';
  if (isCardNumber(number)) return null;
  const { length } = number;
  const isLong = length >= CARD_NUMBER_DIGITS_MIN && length <= CARD_NUMBER_DIGITS_MAX;
  return isLong && !passesLuhn(number) ? 'card.number' : 'card.length';
}

interface Expiry {
  readonly month: string;
  readonly year: string;
  readonly today: IsoDate;
}

function monthFault({ month, year, today }: Expiry): ProblemKey | null {
  if (!isMonth(month)) return 'invalid';
  return isYear(year) && isExpired(`${year}-${month}-01`, today) ? 'expiry.past' : null;
}

const isMonth = (text: string): boolean => /^(0[1-9]|1[0-2])$/.test(text);
const isYear = (text: string): boolean => /^\d{4}$/.test(text);
const yearOf = (day: IsoDate): number => Number(day.slice(0, 'YYYY'.length));
const lastYear = (today: IsoDate): number => yearOf(today) + EXPIRY_YEARS;

function lastDayOf(month: string, year: string): IsoDate {
  if (!isMonth(month) || !isYear(year)) return '';
  const [nextMonth, itsYear] =
    month === '12' ? [1, Number(year) + 1] : [Number(month) + 1, Number(year)];
  const first = `${String(itsYear).padStart(4, '0')}-${String(nextMonth).padStart(2, '0')}-01`;
  return addDays(first, -1);
}
