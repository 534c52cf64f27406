/** Reads and checks the card that a hosted form takes; it calls nobody. */
import { addDays } from '../../domain/calendar/calendar.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import { holdsCardNumber } from '../../domain/payments/card-masking.ts';
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
import { EXPIRY_YEARS } from './card-fields.ts';
import { isPlainText, TEXT_LENGTH_MAX } from './typed-text.ts';
import type { Refuse } from './typed-text.ts';

export interface Card {
  readonly cardNumber: string;
  /** The month's last day. */
  readonly expiry: IsoDate;
  readonly cvv: string;
  readonly cardholderName: string;
}

/** What is at fault is noted; the card is of use if nothing is. */
export function readCard(fields: FormFields, today: IsoDate, refuse: Refuse): Card {
  const text = (name: string): string => fields.get(name)?.trim() ?? '';
  const cardNumber = checkNumber(text('cardNumber'), refuse);
  const [month, year] = [text('expiryMonth'), text('expiryYear')];
  checkExpiry({ month, year, today }, refuse);
  const cvv = text('cvv');
  if (cvv === '') refuse('cvv', 'required');
  else if (!isSecurityCode(cvv, cardNumber)) refuse('cvv', 'cvv.length');
  const cardholderName = text('cardholderName');
  checkName(cardholderName, refuse);
  return { cardNumber, expiry: lastDayOf(month, year), cvv, cardholderName };
}

/** Its digits; empty if the text is no number. */
function checkNumber(text: string, refuse: Refuse): string {
  if (text === '') {
    refuse('cardNumber', 'required');
    return '';
  }
  const digits = cardDigits(text);
  if (digits === null) {
    refuse('cardNumber', 'card.number');
    return '';
  }
  if (isCardNumber(digits)) return digits;
  const { length } = digits;
  const isLong = length >= CARD_NUMBER_DIGITS_MIN && length <= CARD_NUMBER_DIGITS_MAX;
  refuse('cardNumber', isLong && !passesLuhn(digits) ? 'card.number' : 'card.length');
  return digits;
}

interface Expiry {
  readonly month: string;
  readonly year: string;
  readonly today: IsoDate;
}

function checkExpiry({ month, year, today }: Expiry, refuse: Refuse): void {
  if (month === '') refuse('expiryMonth', 'required');
  else if (!/^(0[1-9]|1[0-2])$/.test(month)) refuse('expiryMonth', 'invalid');
  else if (/^\d{4}$/.test(year) && isExpired(`${year}-${month}-01`, today)) {
    refuse('expiryMonth', 'expiry.past');
  }
  const yearMax = Number(today.slice(0, 'YYYY'.length)) + EXPIRY_YEARS;
  if (year === '') refuse('expiryYear', 'required');
  else if (!/^\d{4}$/.test(year) || Number(year) > yearMax) refuse('expiryYear', 'invalid');
}

function lastDayOf(month: string, year: string): IsoDate {
  if (!/^(0[1-9]|1[0-2])$/.test(month) || !/^\d{4}$/.test(year)) return '';
  const [nextMonth, itsYear] =
    month === '12' ? [1, Number(year) + 1] : [Number(month) + 1, Number(year)];
  const first = `${String(itsYear).padStart(4, '0')}-${String(nextMonth).padStart(2, '0')}-01`;
  return addDays(first, -1);
}

/** It is stored and shown, so that it may not be the number. */
function checkName(name: string, refuse: Refuse): void {
  if (name === '') refuse('cardholderName', 'required');
  else if (name.length > TEXT_LENGTH_MAX) refuse('cardholderName', 'tooLong');
  else if (!isPlainText(name) || holdsCardNumber(name)) refuse('cardholderName', 'invalid');
}
