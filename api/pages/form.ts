/** The fields of hosted forms: each is declared once, and is read, shown and shown again by that. */
import type { FieldWords } from '../../domain/text/messages.ts';
import { messages } from '../../messages/messages.ts';
import type { FormFields } from '../calls/route-types.ts';
import { fieldOf, type FieldSpec, type FormContext } from './fields.ts';
import { shownAgain, typedText, type Holds, type Refuse } from './typed-text.ts';
import type { PageProblem, ProblemKey } from './view.ts';

/** What a page may say of a field beside its declaration: choices, and what is required there. */
type Look = Omit<FieldSpec, 'name' | 'label' | 'value' | 'hint'>;

export interface Field extends Look {
  readonly label: keyof FieldWords;
  readonly hint?: keyof FieldWords;
  readonly holds?: Holds;
  /** Of a text that is no other one's; what depends on more is a check of its form. */
  readonly check?: Check;
  /** A card that was typed into it is shown again. */
  readonly isShownAsTyped?: boolean;
}

/** By their names, in the order in which they are read. */
export type Fields = Readonly<Record<string, Field>>;

/** What is wrong with a text that was typed; null for nothing. */
type Check = (text: string) => ProblemKey | null;

type TextOf<Of extends Fields> = Readonly<Record<keyof Of, string | null>>;

export interface Reading<Name extends PropertyKey> {
  readonly refuse: Refuse;
  /** What the form came with may stay, and is not checked. */
  readonly stored?: Readonly<Partial<Record<Name, string | null>>>;
  /** Checks by what else is known. */
  readonly checks?: Readonly<Partial<Record<Name, Check>>>;
}

/** The texts without blanks around them, and null for none; blanks belong to a password. */
export function readFields<Of extends Fields>(
  fields: Of,
  posted: FormFields,
  { refuse, stored, checks }: Reading<keyof Of>,
): TextOf<Of> {
  const entries = Object.entries<Field>(fields).map(([name, field]) => {
    const text = isSecret(field)
      ? posted.get(name) || null
      : typedText(posted, { ...field, name }, refuse);
    if (text === null) {
      if (field.isRequired === true) refuse(name, 'required');
    } else if (text !== stored?.[name]) {
      for (const check of [field.check, checks?.[name]]) {
        const fault = check?.(text) ?? null;
        if (fault !== null) refuse(name, fault);
      }
    }
    return [name, text];
  });
  return Object.fromEntries(entries) as TextOf<Of>;
}

/** Collects what is wrong with a form. */
export function noting(): { readonly problems: PageProblem[]; readonly refuse: Refuse } {
  const problems: PageProblem[] = [];
  return { problems, refuse: (field, key) => void problems.push({ field, key }) };
}

export type Shown<Of extends Fields> = Readonly<Record<keyof Of, string>>;

/** What a form came with. */
export function shownTexts<Of extends Fields>(fields: Of, values: Partial<TextOf<Of>>): Shown<Of> {
  const entries = Object.keys(fields).map((name) => [name, values[name] ?? '']);
  return Object.fromEntries(entries) as Shown<Of>;
}

/** What was typed. */
export function typedAgain<Of extends Fields>(fields: Of, posted: FormFields): Shown<Of> {
  const entries = Object.entries<Field>(fields).map(([name, field]) => {
    const text = isSecret(field) ? '' : posted.get(name);
    return [name, field.isShownAsTyped === true ? (text ?? '') : shownAgain(text)];
  });
  return Object.fromEntries(entries) as Shown<Of>;
}

export interface Showing<Name extends PropertyKey> {
  readonly values?: Readonly<Partial<Record<Name, string | undefined>>>;
  readonly looks?: Readonly<Partial<Record<Name, Partial<Look>>>>;
  /** The page marks none as required. */
  readonly isUnmarked?: boolean;
}

export type ShownField = ReturnType<typeof fieldOf>;

/** In the order of the declaration. */
export function shownFields<Of extends Fields>(
  context: FormContext,
  fields: Of,
  { values, looks, isUnmarked = false }: Showing<keyof Of> = {},
): Readonly<Record<keyof Of, ShownField>> {
  const words = messages[context.language].field;
  const entries = Object.entries<Field>(fields).map(([name, { label, hint, ...field }]) => [
    name,
    fieldOf(context, {
      ...field,
      ...(isUnmarked && { isRequired: false }),
      ...looks?.[name],
      name,
      label: words[label],
      ...(hint !== undefined && { hint: words[hint] }),
      // Whatever a view holds: a password is never written into a page.
      value: isSecret(field) ? '' : values?.[name],
    }),
  ]);
  return Object.fromEntries(entries) as Readonly<Record<keyof Of, ShownField>>;
}

const isSecret = ({ type }: Look): boolean => type === 'password';
