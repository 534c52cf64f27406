/** The sandbox's behaviour for each method, by number, token and holder's name. */

/** Null approves; else the code of the decline. */
type Ending = string | null;

/** How a call is answered; the operation itself is done at once unless stated otherwise. */
export interface Delivery {
  /** The answer never comes. */
  readonly isLost: boolean;
  readonly answerAfterMs: number;
  /** The delay before the operation is done. */
  readonly doneAfterMs: number;
}

/** After so many 00:00 of the tenant's clock a charge is approved, declined, or returned. */
export interface LateNews {
  readonly what: 'approved' | 'declined' | 'returned';
  readonly days: number;
  /** So many days after it was approved it is returned; null: never. */
  readonly returnedAfter: number | null;
}

/** Whether its payer has to authenticate: each time, or until that put it on file. */
export type Asking = 'always' | 'untilOnFile' | null;

export interface Script {
  readonly asks: Asking;
  readonly validate: Ending;
  readonly charge: Ending;
  readonly refund: Ending;
  /** The call with the same key that succeeds; earlier ones get a transient error. */
  readonly chargesFromCall: number;
  readonly charging: Delivery;
  readonly refunding: Delivery;
  /** Null if the first answer is final. */
  readonly later: LateNews | null;
}

const atOnce: Delivery = { isLost: false, answerAfterMs: 0, doneAfterMs: 0 };
const never: Delivery = { ...atOnce, isLost: true };
const approves: Script = {
  asks: null,
  validate: null,
  charge: null,
  refund: null,
  chargesFromCall: 1,
  charging: atOnce,
  refunding: atOnce,
  later: null,
};

function declines(code: string): Script {
  return { ...approves, validate: code, charge: code };
}

const cards: Readonly<Record<string, Script>> = {
  '4000000000000002': declines('card_declined'),
  '4000000000009995': declines('insufficient_funds'),
  '4000000000000341': { ...approves, charge: 'card_declined' },
  '4000002500003155': { ...approves, asks: 'untilOnFile' },
  '4000002760003184': { ...approves, asks: 'always' },
  '4000008260003178': { ...declines('insufficient_funds'), asks: 'always' },
  '4000000000000119': { ...approves, chargesFromCall: 3 },
  // The issuer does not answer: the caller gets no answer, and the log has the outcome.
  '4000000000000044': { ...approves, charge: 'gateway_timeout', charging: never },
};

const accounts: Readonly<Record<string, Script>> = {
  '000111111116': declines('account_closed'),
  '000222222226': { ...approves, later: { what: 'approved', days: 2, returnedAfter: null } },
  '000333333335': { ...approves, later: { what: 'returned', days: 2, returnedAfter: null } },
};

const SEPA_DAYS = 2;

/** Every debit of SEPA takes days. */
const debited: Script = {
  ...approves,
  later: { what: 'approved', days: SEPA_DAYS, returnedAfter: null },
};

const ibans: Readonly<Record<string, Script>> = {
  DE62370400440532013001: {
    ...debited,
    later: { what: 'declined', days: SEPA_DAYS, returnedAfter: null },
  },
  DE35370400440532013002: {
    ...debited,
    later: { what: 'approved', days: SEPA_DAYS, returnedAfter: 3 },
  },
};

/** The code of a debit that is declined after days, and of one that is returned. */
export const LATE_DECLINE = 'insufficient_funds';

const tokens: Readonly<Record<string, Script>> = {
  tok_ok: approves,
  tok_declined: declines('card_declined'),
};

/** The script of a token that the vault did not issue. */
export function scriptOfToken(token: string): Script {
  return (Object.hasOwn(tokens, token) && tokens[token]) || declines('invalid_token');
}

export interface ScriptedMethod {
  readonly type: 'CreditCard' | 'ACH' | 'SEPA';
  readonly number: string;
  readonly holder: string | null;
}

export function scriptOf({ type, number, holder }: ScriptedMethod): Script {
  const byNumber = { CreditCard: cards, ACH: accounts, SEPA: ibans }[type];
  const usual = type === 'SEPA' ? debited : approves;
  const script = (Object.hasOwn(byNumber, number) && byNumber[number]) || usual;
  return { ...script, ...byName(holder) };
}

const SECONDS_DEFAULT = 5;
const SECONDS_MAX = 60;

function byName(holder: string | null): Partial<Script> {
  const name = holder?.trim().toUpperCase() ?? '';
  if (name === 'LOST ANSWER') return { charging: never };
  if (name === 'LOST REFUND') return { refunding: never };
  if (name === 'REFUND REFUSED') return { refund: 'refund_refused' };
  const [, what, seconds] = /^SLOW (ANSWER|CHARGE|REFUND)(?: (\d{1,2}))?$/.exec(name) ?? [];
  const ms = Math.min(Number(seconds ?? SECONDS_DEFAULT), SECONDS_MAX) * 1_000;
  if (what === 'ANSWER') return { charging: { ...atOnce, answerAfterMs: ms } };
  if (what === 'CHARGE') return { charging: { ...atOnce, doneAfterMs: ms } };
  return what === 'REFUND' ? { refunding: { ...atOnce, answerAfterMs: ms } } : {};
}
