/** The forms of the operator's page: each field is declared once, in the one language of operators. */
import { messages } from '../../messages/messages.ts';
import { outcomes } from '../../operations/operator/updates.ts';
import type { FormFields } from '../calls/route-types.ts';
import { fieldOf, type FieldSpec, problemsOf } from '../pages/fields.ts';
import { typedText } from '../pages/typed-text.ts';
import type { PageProblem } from '../pages/view.ts';
import { render } from './view.ts';

interface Declared extends Omit<FieldSpec, 'name' | 'value'> {
  readonly isSecret?: boolean;
}

const anyText = { autocomplete: 'off', isRequired: true } as const;

const fields = {
  username: {
    label: 'User name',
    autocomplete: 'username',
    isLiteral: true,
    isRequired: true,
  },
  name: {
    label: 'Your name',
    autocomplete: 'name',
    isRequired: true,
    maxLength: 100,
    hint: 'What you do is kept with it.',
  },
  password: {
    label: 'Password',
    autocomplete: 'current-password',
    type: 'password',
    isRequired: true,
    isSecret: true,
  },
  reason: {
    ...anyText,
    label: 'Reason',
    maxLength: 255,
    hint: 'It is kept. Name a ticket rather than a person.',
  },
  outcome: {
    ...anyText,
    label: 'What became of the call',
    options: ['', ...outcomes].map((value) => ({ value, text: value || 'Please choose' })),
  },
  transactionId: {
    label: 'The gateway’s id of an approved charge',
    autocomplete: 'off',
    isLiteral: true,
    hint: 'Without it the gateway cannot refund the charge.',
  },
  workflow: {
    ...anyText,
    label: 'Workflow',
    isLiteral: true,
    hint: 'Its id in the Temporal Web UI, for example order/demo/17.',
  },
  day: {
    ...anyText,
    label: 'Day of the run',
    hint: 'today, tomorrow, or a date up to 31 days ahead: 2027-02-15.',
  },
  hold: {
    ...anyText,
    label: 'Hold the outliers from billing',
    options: [
      { value: 'no', text: 'No' },
      { value: 'yes', text: 'Yes, until somebody releases them' },
    ],
  },
} as const satisfies Readonly<Record<string, Declared>>;

export type FieldName = keyof typeof fields;

export type Typed = Readonly<Partial<Record<FieldName, string | null>>>;

export interface ReadForm {
  readonly typed: Typed;
  readonly problems: readonly PageProblem[];
}

/** Of a password as it was typed; of all others without blanks around. */
export function readForm(names: readonly FieldName[], form: FormFields): ReadForm {
  const problems: PageProblem[] = [];
  const typed = names.map((name) => {
    const { isRequired = false, isSecret = false }: Declared = fields[name];
    const text = isSecret
      ? form.get(name) || null
      : typedText(form, { name }, (field, key) => problems.push({ field, key }));
    if (text === null && isRequired) problems.push({ field: name, key: 'required' });
    return [name, text];
  });
  return { typed: Object.fromEntries(typed) as Typed, problems };
}

export interface ShownForm {
  readonly names: readonly FieldName[];
  readonly action: string;
  readonly key: string;
  readonly lead?: string;
  readonly submit: string;
  readonly read?: ReadForm;
  /** Why it was not taken as a whole. */
  readonly refusal?: { readonly title: string; readonly text: string };
}

export function formHtml({ names, read, refusal, ...form }: ShownForm): string {
  const { problems = [], typed = {} } = read ?? {};
  const view = { action: form.action, key: form.key, problems };
  const context = { language: 'en', words: messages.en.page, form: view } as const;
  const shown = names.map((name) => {
    const { isSecret = false, ...spec }: Declared = fields[name];
    return fieldOf(context, { ...spec, name, value: isSecret ? '' : (typed[name] ?? '') });
  });
  return render('operator-form', {
    ...form,
    lead: form.lead ?? null,
    fields: shown,
    words: messages.en.page,
    problems: problemsOf(context, shown),
    triesLeft: null,
    refusal: refusal?.text ?? null,
    refusalTitle: refusal?.title ?? '',
  });
}
