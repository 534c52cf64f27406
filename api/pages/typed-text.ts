/** Reads the texts that people type into the fields of a hosted form. */
import { hasWebAddress, NAME_LENGTH_MAX } from '../../domain/customers/typed-names.ts';
import { holdsCardNumber } from '../../domain/payments/card-masking.ts';
import type { FormFields } from '../calls/route-types.ts';

export const TEXT_LENGTH_MAX = 255;

/** Notes what is wrong with a field; the key selects its text. */
export type Refuse = (field: string, key: string) => void;

/** Without a fault of its form: blanks around it are not meant, and none at all is null. */
export function typedText(fields: FormFields, name: string, refuse: Refuse): string | null {
  const text = fields.get(name)?.trim() ?? '';
  if (text === '') return null;
  if (text.length > TEXT_LENGTH_MAX) refuse(name, 'tooLong');
  else if (!isPlainText(text)) refuse(name, 'invalid');
  // A phone may have as many digits as a card.
  else if (name !== 'phone' && holdsCardNumber(text)) refuse(name, 'invalid');
  return text;
}

/** Of a name that `typedText` has read. */
export function refuseName(name: string, text: string | null, refuse: Refuse): void {
  // A longer text than any field takes is refused already.
  if (text === null || text.length > TEXT_LENGTH_MAX) return;
  if (text.length > NAME_LENGTH_MAX) refuse(name, 'tooLong');
  else if (hasWebAddress(text)) refuse(name, 'webAddress');
}

/** Neither a document in XML nor PostgreSQL holds the others. */
export const isPlainText = (text: string): boolean => !/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(text);

/** A card that was typed into another field is in no HTML, either. */
export const shownAgain = (text = ''): string => (holdsCardNumber(text) ? '' : text);

const PASSWORD_LENGTH_MIN = 8;

/** What `passwd.weak` asks for. */
export const isStrongPassword = (password: string): boolean =>
  password.length >= PASSWORD_LENGTH_MIN &&
  password.length <= TEXT_LENGTH_MAX &&
  /\p{Lu}/u.test(password) &&
  /\p{Ll}/u.test(password) &&
  /\d/.test(password);
