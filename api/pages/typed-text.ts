/** Reads the texts that people type into the fields of a hosted form. */
import { hasWebAddress, NAME_LENGTH_MAX } from '../../domain/customers/typed-names.ts';
import { holdsCardNumber } from '../../domain/payments/card-masking.ts';
import type { FormFields } from '../calls/route-types.ts';
import type { ProblemKey } from './view.ts';

const TEXT_LENGTH_MAX = 255;

/** Notes what is wrong with a field. */
export type Refuse = (field: string, key: ProblemKey) => void;

/** A phone may have as many digits as a card; what its form judges itself may be any text. */
export type Holds = 'text' | 'phone' | 'anything';

/** Without a fault of its form: blanks around it are not meant, and none at all is null. */
export function typedText(
  fields: FormFields,
  { name, holds = 'text' }: { readonly name: string; readonly holds?: Holds | undefined },
  refuse: Refuse,
): string | null {
  const text = fields.get(name)?.trim() ?? '';
  if (text === '') return null;
  if (holds === 'anything') return text;
  if (text.length > TEXT_LENGTH_MAX) refuse(name, 'tooLong');
  else if (!isPlainText(text)) refuse(name, 'invalid');
  else if (holds !== 'phone' && holdsCardNumber(text)) refuse(name, 'invalid');
  return text;
}

/** Of a name that `typedText` has read. */
export function nameFault(text: string): ProblemKey | null {
  // A longer text than any field takes is refused already.
  if (text.length > TEXT_LENGTH_MAX) return null;
  if (text.length > NAME_LENGTH_MAX) return 'tooLong';
  return hasWebAddress(text) ? 'webAddress' : null;
}

/** Neither a document in XML nor PostgreSQL holds the others. */
const isPlainText = (text: string): boolean => !/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(text);

/** A card that was typed into another field is in no HTML, either. */
export const shownAgain = (text = ''): string => (holdsCardNumber(text) ? '' : text);

const PASSWORD_LENGTH_MIN = 8;

/** What `passwd.weak` asks for. */
export const passwordFault = (password: string): ProblemKey | null =>
  password.length >= PASSWORD_LENGTH_MIN &&
  password.length <= TEXT_LENGTH_MAX &&
  /\p{Lu}/u.test(password) &&
  /\p{Ll}/u.test(password) &&
  /\d/.test(password)
    ? null
    : 'passwd.weak';
