/** The payment method that hosted forms take by their own fields: a card, or an account to debit. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { isAbaRoutingNumber, isAccountNumber } from '../../domain/payments/cards.ts';
import {
  type DebitKind,
  debitKinds,
  ibanCharacters,
  isSepaIban,
} from '../../domain/payments/debits.ts';
import type { EnteredMethod } from '../../domain/payments/gateway-settings.ts';
import { fill } from '../../domain/text/fill.ts';
import type { FormFields } from '../calls/route-types.ts';
import { type Card, cardFieldOf, digits, readCard, shownCard } from './card-form.ts';
import { checkboxOf, fieldOf, type FieldState, type FormContext } from './fields.ts';
import { type Fields, readFields, shownFields } from './form.ts';
import { type Refuse, shownAgain } from './typed-text.ts';
import { messages } from '../../messages/messages.ts';

/** None of them is ever shown again, but for the name of the holder. */
const accountFields = {
  iban: {
    label: 'iban',
    autocomplete: 'off',
    isLiteral: true,
    isRequired: true,
    holds: 'anything',
    check: (text) => (isSepaIban(ibanCharacters(text) ?? '') ? null : 'iban.invalid'),
  },
  abaRoutingNumber: {
    ...digits,
    label: 'abaRoutingNumber',
    autocomplete: 'off',
    check: (text) => (isAbaRoutingNumber(text) ? null : 'account.routing'),
  },
  accountNumber: {
    ...digits,
    label: 'accountNumber',
    autocomplete: 'off',
    check: (text) => (isAccountNumber(text) ? null : 'account.number'),
  },
  accountHolder: { label: 'accountHolder', autocomplete: 'name', isRequired: true },
} as const satisfies Fields;

type AccountField = keyof typeof accountFields;

const fieldsOf: Readonly<Record<DebitKind, readonly AccountField[]>> = {
  sepa: ['iban', 'accountHolder'],
  usBankAccount: ['abaRoutingNumber', 'accountNumber', 'accountHolder'],
};

export type OwnMethod =
  | { readonly kind: 'card'; readonly card: Card }
  | { readonly kind: 'sepa'; readonly iban: string; readonly accountHolder: string }
  | {
      readonly kind: 'usBankAccount';
      readonly abaRoutingNumber: string;
      readonly accountNumber: string;
      readonly accountHolder: string;
    };

/** The field that a vault calls so; null if the method has no such field. */
export function fieldOfMethod({ kind }: OwnMethod, name: string): string | null {
  if (kind === 'card') return cardFieldOf(name);
  const own = fieldsOf[kind].find((each) => each === name);
  return own ?? (name === 'accountName' ? 'accountHolder' : null);
}

/** The name on it, to be shown with a sign-up; an account has none there. */
export const nameOnCard = (method: OwnMethod | null): string | null =>
  method?.kind === 'card' ? method.card.cardholderName : null;

interface Taking {
  readonly today: IsoDate;
  /** What the tenant takes in the currency. */
  readonly taken: readonly EnteredMethod[];
}

/** What is at fault is noted; the method is of use if nothing is. It calls nobody. */
export function readOwnMethod(
  posted: FormFields,
  { today, taken }: Taking,
  refuse: Refuse,
): OwnMethod {
  const kind = chosenOf(posted, taken);
  if (kind === undefined) {
    refuse('methodType', 'choose');
    return { kind: 'sepa', iban: '', accountHolder: '' };
  }
  if (kind === 'card') return { kind, card: readCard(posted, today, refuse) };
  const fields = fieldsOf[kind];
  const own = Object.fromEntries(
    Object.entries(accountFields).filter(([name]) => fields.some((each) => each === name)),
  ) as typeof accountFields;
  const read = readFields(own, posted, { refuse });
  if (!posted.has('mandateAccepted')) refuse('mandateAccepted', 'mandate.required');
  const accountHolder = read.accountHolder ?? '';
  if (kind === 'sepa') return { kind, iban: ibanCharacters(read.iban ?? '') ?? '', accountHolder };
  const { abaRoutingNumber, accountNumber } = read;
  return {
    kind,
    abaRoutingNumber: abaRoutingNumber ?? '',
    accountNumber: accountNumber ?? '',
    accountHolder,
  };
}

/** A form without the choice has the fields of a card. */
function chosenOf(posted: FormFields, taken: readonly EnteredMethod[]): EnteredMethod | undefined {
  const chosen = posted.get('methodType') ?? (taken.includes('card') ? 'card' : taken[0]);
  return taken.find((kind) => kind === chosen);
}

export interface OwnMethodSpec extends Taking {
  readonly cardholderName: string;
  readonly isRequired: boolean;
  readonly typed?: FormFields | undefined;
}

/** For the template `@own-method`; `fields` are all of them, in its order. */
export function shownOwnMethod(context: FormContext, spec: OwnMethodSpec) {
  const { taken, typed, today, cardholderName, isRequired } = spec;
  const hasCard = taken.includes('card');
  const card = hasCard ? shownCard(context, { today, cardholderName, isRequired }) : null;
  const debits = debitKinds.filter((kind) => taken.includes(kind));
  const names = [...new Set(debits.flatMap((kind) => fieldsOf[kind]))];
  const accountHolder = shownAgain(typed?.get('accountHolder'));
  const shown = shownFields(context, accountFields, {
    values: { accountHolder },
    isUnmarked: !isRequired,
  });
  const accounts = names
    .toSorted((one, other) => Number(one === 'accountHolder') - Number(other === 'accountHolder'))
    .map((name) => ({
      field: shown[name],
      kinds: debits.filter((kind) => fieldsOf[kind].includes(name)).join(' '),
    }));
  const choice = choiceOf(context, { taken, chosen: chosenOf(typed ?? new Map(), taken) });
  const fields: FieldState[] = [
    ...(choice === null ? [] : [choice.state]),
    ...Object.values(card ?? {}),
    ...accounts.map(({ field }) => field),
  ];
  return { choice, only: taken.length === 1 && !hasCard ? taken[0] : null, card, accounts, fields };
}

interface Choosing {
  readonly taken: readonly EnteredMethod[];
  readonly chosen: EnteredMethod | undefined;
}

/** Null where there is nothing to choose. */
function choiceOf(context: FormContext, { taken, chosen }: Choosing) {
  if (taken.length < 2) return null;
  const { kinds } = context.words.method;
  const label = messages[context.language].field.methodType;
  const state = fieldOf(context, { name: 'methodType', label, autocomplete: 'off' });
  const options = taken.map((kind) => ({
    value: kind,
    text: kinds[kind],
    isChosen: kind === chosen,
  }));
  return { state, label, options };
}

export interface MandateSpec {
  readonly taken: readonly EnteredMethod[];
  /** Who debits. */
  readonly creditor: string;
  readonly isTicked?: boolean;
  /** The gateway's own fields ask for the consent themselves. */
  readonly hasBox?: boolean;
}

/** For the template `@mandate`, above the button; null where no account can be entered. */
export function shownMandate(context: FormContext, spec: MandateSpec) {
  const { taken, creditor, isTicked = false, hasBox = true } = spec;
  const { mandate } = context.words.method;
  const texts = debitKinds.flatMap((kind) =>
    taken.includes(kind) ? [{ kind, text: fill(mandate[kind], { creditor }) }] : [],
  );
  if (texts.length === 0) return null;
  const label = mandate.accept;
  const box = hasBox
    ? checkboxOf(context, { name: 'mandateAccepted', label, isTicked, isRequired: true })
    : null;
  return { texts, box, kinds: texts.map(({ kind }) => kind).join(' ') };
}
