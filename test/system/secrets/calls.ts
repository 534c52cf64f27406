/** Calls with numbers wherever a caller may put one, valid or not. */
import {
  account,
  amount,
  autopay,
  cash,
  dto,
  pay,
  payWithAutopay,
  token,
} from '../../api/payments/bodies.ts';
import type { Secrets } from '../../support/leaks.ts';

/**
 * The security codes equal no id of the tests; those of three digits have other digits after them.
 */
const CODE = '989';
const LONG_CODE = '7391';
const GOOD = '4929420573595709';
const AMEX = '378282246310005';
/** Named by what the sandbox does with them. */
const DECLINED = '4000000000000002';
const NO_FUNDS = '4000000000009995';
const DECLINED_LATER = '4000000000000341';
const PASSING = '4000000000000119';
const TIMES_OUT = '4000000000000044';
const ACCOUNT = '88000445566778899';
const CLOSED_ACCOUNT = '000111111116';
const CHECK_ACCOUNT = '77400199234561';
const CHECK_NUMBER = '990017723001';
const IBAN = 'DE89370400440532013000';
const WRONG_IBAN = 'DE88370400440532013000';
const DEBITED_ACCOUNT = '55123400998871';
/** More digits than an account has. */
const LONG_ACCOUNT = '551234009988715512';
/** Of customers who sign up: in an address, in a form, and in one that is refused. */
export const passwords = ['Hush-Link-71', 'Hush-Form-72', 'hush-weak-73'] as const;

export const secrets: Secrets = {
  numbers: [
    GOOD,
    AMEX,
    DECLINED,
    NO_FUNDS,
    DECLINED_LATER,
    PASSING,
    TIMES_OUT,
    ACCOUNT,
    CLOSED_ACCOUNT,
    CHECK_ACCOUNT,
    CHECK_NUMBER,
    IBAN,
    WRONG_IBAN,
    DEBITED_ACCOUNT,
    LONG_ACCOUNT,
    ...passwords,
  ],
  codes: [CODE, LONG_CODE],
};

const field = (name: string, value: string): string => `<${name}>${value}</${name}>`;
const preference = (n: number): string => field('autopayPreference', String(n));

export function card(number: string, { code = CODE, holder = 'Ada', more = '' } = {}): string {
  const inner = [
    field('cardNumber', number),
    field('expiry', '2029-12-31'),
    field('cardholderName', holder),
    field('cvv', code),
    more,
  ];
  return dto('CreditCard', field('creditCardPaymentMethod', inner.join('')));
}

const check = (inner: string): string =>
  dto('Check', field('checkPaymentMethod', `${field('checkNumber', CHECK_NUMBER)}${inner}`));

/** Accepted calls, whatever their outcome. */
const methods = [
  card(GOOD),
  card(AMEX, { code: LONG_CODE }),
  ...[DECLINED, NO_FUNDS, DECLINED_LATER, PASSING].map((number) => card(number)),
  card(GOOD, { holder: 'SLOW CHARGE 1' }),
  account(ACCOUNT, '021000021'),
  account(CLOSED_ACCOUNT, '021000021'),
  check(field('accountNumber', CHECK_ACCOUNT) + field('notes', `of ${GOOD}`)),
  cash(field('notes', `paid ${GOOD}, not 4929 4205 7359 5709`)),
  token(),
];

/** Refused calls, each for another reason. */
const mistakes = [
  card(`${GOOD}1`),
  card(GOOD, { code: `${CODE}${CODE}` }),
  card(AMEX, { code: CODE }),
  card(GOOD, { more: field('cardType', GOOD) }),
  card(GOOD, { more: field('cvv', CODE) }),
  card(GOOD, { more: field('number', GOOD) }),
  card(GOOD, { more: `<card${GOOD}/>` }),
  card(GOOD, { more: field('securityCode', LONG_CODE) }),
  dto('CreditCard', `<creditCardPaymentMethod cardNumber="${GOOD}" cvv="${LONG_CODE}"/>`),
  dto('CreditCard', field('creditCardPaymentMethod', GOOD)),
  dto(GOOD, ''),
  account(`${ACCOUNT}1`, '021000021'),
  account(ACCOUNT, ACCOUNT),
  account(ACCOUNT, '021000021', field('accountType', ACCOUNT)),
  check(field('checkAccount', CHECK_ACCOUNT)),
  check(field('checkDate', CHECK_ACCOUNT)),
  token('tok_ok', field('lastFour', GOOD)),
  `${card(GOOD)}${account(ACCOUNT)}`,
  `${card(GOOD)}<amount>${GOOD}</amount>`,
  field('currencyCode', GOOD) + card(GOOD),
  field('effectiveDate', GOOD) + card(GOOD),
  `${card(GOOD)}<invoices><invoice id="${GOOD}"/></invoices>`,
  `<cardNumber>${GOOD}</cardNumber>`,
  `${card(GOOD)}</oops>`,
  `${card(GOOD)}<!-- ${GOOD} --><![CDATA[${GOOD}`,
  `${card(GOOD)}&n${GOOD};`,
];

const notes = field('internalNotes', `card ${GOOD}`) + field('invoiceText', GOOD);

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Sent twice. */
  readonly key?: string;
}

/** The reference of a customer. */
export function callsOf(reference: string): Call[] {
  const of = `extCustomerRef=${reference}`;
  const file = `/customer/autopay?${of}`;
  const post = (path: string, inner: string, key?: string): Call => ({
    method: 'POST',
    path: `${path}?${of}`,
    body: pay(amount('1.00') + inner),
    ...(key === undefined ? {} : { key }),
  });
  const put = (method: string, path = file): Call => ({
    method: 'PUT',
    path,
    body: autopay(method),
  });
  return [
    ...methods.map((method, index) => post('/payments', notes + method, `taken ${index}`)),
    ...mistakes.flatMap((inner, index) => [
      post('/payments', inner, `mistaken ${index}`),
      post('/credits', inner),
      post('/refunds', inner),
      put(inner),
    ]),
    put(card(NO_FUNDS), `${file}&validate=true`),
    put(card(DECLINED_LATER, { more: preference(1) }), `${file}&validate=true`),
    put(account(ACCOUNT, '021000021', preference(2))),
    put(card(AMEX, { code: LONG_CODE, more: preference(3) })),
    { method: 'POST', path: `/payments/autopay?${of}`, body: payWithAutopay(amount('2.00')) },
    post('/refunds', card(GOOD)),
    post('/refunds', ''),
    post('/credits', notes + check(field('accountNumber', CHECK_ACCOUNT))),
    { method: 'GET', path: `/payments?extCustomerRef=${GOOD}` },
    { method: 'GET', path: `/payments?status=${GOOD}&cvv=${LONG_CODE}` },
    { method: 'GET', path: `/customers?extCustomerRef=${GOOD}&cardNumber=${ACCOUNT}` },
    { ...post('/payments', card(GOOD)), path: `/payments?extCustomerRef=${GOOD}&pan=${ACCOUNT}` },
    { method: 'GET', path: `/payment/${GOOD}` },
    { method: 'DELETE', path: `/payment/${GOOD}` },
    { method: 'PUT', path: `/customer/${GOOD}/autopay`, body: autopay(card(GOOD)) },
    { method: 'GET', path: `/cards/${GOOD}` },
    ...['/payments', '/refunds', '/credits', '/customers', '/invoices', file].map((path) => ({
      method: 'GET',
      path,
    })),
  ];
}

/** The cards that sign-ups try, by fields of their page. */
export const typed = {
  good: { cardNumber: GOOD, cvv: CODE },
  amex: { cardNumber: AMEX, cvv: LONG_CODE },
  declined: { cardNumber: DECLINED_LATER, cvv: CODE },
  /** The code of another brand. */
  mixed: { cardNumber: AMEX, cvv: CODE },
} as const;

const usAccount = { methodType: 'usBankAccount', abaRoutingNumber: '021000021' } as const;

/** Accounts that are debited, by fields of pages. */
export const debited = {
  holder: { accountHolder: 'Ada', mandateAccepted: 'true' },
  iban: { methodType: 'sepa', iban: IBAN },
  wrongIban: { methodType: 'sepa', iban: WRONG_IBAN },
  account: { ...usAccount, accountNumber: DEBITED_ACCOUNT },
  wrongAccount: { ...usAccount, accountNumber: LONG_ACCOUNT },
} as const;

/** Nobody waits for this answer, which comes late. */
export const silent = pay(amount('3.00') + card(TIMES_OUT));
