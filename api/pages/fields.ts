/** The fields of hosted forms as templates show them, with the problem of each beside it. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { fill, type Text } from '../../domain/text/fill.ts';
import { languageOf, type Language } from '../../domain/text/language.ts';
import type { PageWords } from '../../domain/text/messages.ts';
import { messages } from '../../messages/messages.ts';
import { linkable } from './frame.ts';
import type { FormView, PageProblem, PageView, ProblemKey } from './view.ts';

export interface Option {
  readonly value: string;
  readonly text: string;
}

/** The states of the countries that have a choice, for the script: a line `CA AB Alberta|..` for each. */
export interface StateList {
  readonly list: string;
  /** Countries, with blanks between. */
  readonly requiredIn: string;
  /** The text for none. */
  readonly none: string;
}

/** What a form says of a field; the rest follows from its problems. */
export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  /** What browsers fill in by themselves (HTML, 4.10.18.7). */
  readonly autocomplete: string;
  readonly type?: 'text' | 'email' | 'tel' | 'password' | 'date';
  readonly inputMode?: 'numeric';
  /** A code or a name to log in by, which no keyboard may correct. */
  readonly isLiteral?: boolean;
  readonly maxLength?: number;
  readonly isRequired?: boolean;
  readonly hint?: string;
  /** A list to choose from instead of text. */
  readonly options?: readonly Option[];
  /** Its choice follows the country. */
  readonly states?: StateList;
}

export interface CheckboxSpec {
  readonly name: string;
  /** The text, perhaps with a place for the link. */
  readonly label: string | Text<'link'>;
  readonly link?: { readonly address: string; readonly text: string };
  readonly isTicked: boolean;
  readonly isRequired?: boolean;
}

/** The words and problems of the form that fields belong to. */
export interface FormContext {
  readonly language: Language;
  readonly words: PageWords;
  readonly form: FormView;
}

interface FormPageView extends Pick<PageView, 'locale'> {
  readonly form: FormView;
}

/** What each field has in its template. */
export interface FieldState {
  readonly name: string;
  /** Names the field in the list of problems; null for a box, whose problems say all. */
  readonly label: string | null;
  readonly isRequired: boolean;
  readonly error: string | null;
  /** Ids of what is read out after the field. */
  readonly describedBy: string;
}

/** In the language of a page. */
export function formContext({ locale, form }: FormPageView): FormContext {
  const language = languageOf(locale);
  return { language, words: messages[language].page, form };
}

/** Null if no field has the mark. */
export function requiredText({ words }: FormContext, fields: readonly FieldState[]): string | null {
  const hasMarks = fields.some(({ isRequired }) => isRequired);
  return hasMarks ? fill(words.requiredNote, { mark: '*' }) : null;
}

export function fieldOf(context: FormContext, spec: FieldSpec) {
  const { value = '', type = 'text', inputMode = null, hint = null, options = null } = spec;
  return {
    ...stateOf(context, { ...spec, isList: options !== null }),
    value,
    type,
    inputMode,
    hint,
    options,
    autocomplete: spec.autocomplete,
    isLiteral: spec.isLiteral ?? false,
    maxLength: spec.maxLength ?? null,
    states: spec.states ?? null,
  };
}

export function checkboxOf(context: FormContext, { label, link, isTicked, ...spec }: CheckboxSpec) {
  const { newTab } = context.words;
  const [before = '', after = ''] =
    typeof label === 'string' ? [label] : label.pattern.split('{link}');
  return {
    ...stateOf(context, { ...spec, label: null }),
    before,
    after,
    link: link === undefined ? null : { ...link, address: linkable(link.address), newTab },
    isTicked,
  };
}

interface StateSpec {
  readonly name: string;
  readonly label: string | null;
  readonly isRequired?: boolean;
  readonly hint?: string;
  readonly isList?: boolean;
}

function stateOf({ words, form }: FormContext, { name, label, ...spec }: StateSpec): FieldState {
  const { isRequired = false, hint, isList = false } = spec;
  const problem = form.problems.find(({ field }) => field === name);
  const error = problem === undefined ? null : problemText(words, problem, isList);
  const parts = [hint === undefined ? [] : 'hint', error === null ? [] : 'error'].flat();
  const describedBy = parts.map((part) => `${name}-${part}`).join(' ');
  return { name, label, isRequired, error, describedBy };
}

/** The list at the top: every problem, with a link to its field if the page has it. */
export function problemsOf({ words, form }: FormContext, fields: readonly FieldState[]) {
  return form.problems.map((problem) => {
    const field = fields.find(({ name }) => name === problem.field);
    if (field === undefined) {
      return { anchor: null, text: problemText(words, { ...problem, field: null }) };
    }
    const text = field.error ?? '';
    const { name, label } = field;
    return { anchor: name, text: label === null ? text : fill(words.labelled, { label, text }) };
  });
}

/** The form around the fields; with a card it says the tenant's day, for the script. */
export function formOf(
  { words, form }: FormContext,
  { today = null }: { readonly today?: IsoDate | null } = {},
) {
  const { key } = form;
  return { action: linkable(form.action), key, today, scriptWords: scriptWords(words) };
}

/** The texts that the script says by itself, for its attribute. */
function scriptWords({ problem, ...words }: PageWords): string {
  const { problemsTitle, labelled, pleaseWait } = words;
  return JSON.stringify({
    problemsTitle,
    labelled: labelled.pattern,
    pleaseWait,
    required: problem.required,
    choose: problem.choose,
    number: problem['card.number'],
    length: problem['card.length'],
    past: problem['expiry.past'],
    code: problem['cvv.length'],
    tos: problem['tos.required'],
    iban: problem['iban.invalid'],
    mandate: problem['mandate.required'],
  });
}

/** Codes of refusals that a page can have, too; other codes are keys themselves. */
const keyOfCode: Readonly<Record<string, ProblemKey>> = {
  'field.required': 'required',
  'field.tooLong': 'tooLong',
  'field.invalid': 'invalid',
  'address.invalid': 'address',
  'address.notValidated': 'address',
  'paymentMethod.declined': 'card.refused',
  'quote.moved': 'price.moved',
  'card.tooManyDeclines': 'tooMany',
};

/** A list is not filled in: something is chosen. */
function problemText({ problem: texts }: PageWords, problem: PageProblem, isList = false): string {
  const key = keyOf(texts, problem);
  return texts[isList && key === 'required' ? 'choose' : key];
}

/** The form is shown even if a refusal has no text of its own. */
function keyOf(texts: PageWords['problem'], problem: PageProblem): ProblemKey {
  if ('key' in problem) return problem.key;
  const { field, code } = problem;
  const known = keyOfCode[code] ?? code;
  if (isProblemKey(texts, known)) return known;
  return field === null ? 'tryAgain' : 'invalid';
}

function isProblemKey(texts: PageWords['problem'], key: string): key is ProblemKey {
  return Object.hasOwn(texts, key);
}
