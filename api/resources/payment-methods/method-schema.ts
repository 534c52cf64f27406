/** Payment methods in requests: one container each. No answer contains them. */
import { z } from 'zod';
import { holdsCardNumber } from '../../../domain/payments/card-masking.ts';
import {
  cardBrand,
  cardDigits,
  isAbaRoutingNumber,
  isAccountNumber,
  isCardNumber,
  isSecurityCode,
} from '../../../domain/payments/cards.ts';
import { gatewayNames } from '../../../providers/gateway/gateway.ts';
import { compile } from '../../xml/codec.ts';
import {
  attribute,
  date,
  enumeration,
  formed,
  integer,
  listOf,
  longText,
  root,
  secret,
  text,
} from '../../xml/types.ts';
import { paymentMethodContext } from '../shared-schema.ts';

const PREFERENCE_MAX = 3;
const CHECK_NUMBER_LENGTH_MAX = 50;
const accountTypes = ['Checking', 'Savings'] as const;

export const autopayPreference = () => integer(1, PREFERENCE_MAX);

/** Full numbers of cards and accounts, and tokens: no error repeats them. */
const hidden = (isRight: (value: string) => boolean, expected: string) =>
  secret(text().refine(isRight, { params: { expected }, abort: true }));

/** A short text without a card number, whatever separates its digits. */
const isNoCard = (value: string) => !holdsCardNumber(value);

const billingAddress = z.strictObject({
  street1: text().nullish(),
  city: text().nullish(),
  state: text().nullish(),
  zip: text().nullish(),
  country: text().nullish(),
});

const creditCard = z
  .strictObject({
    autopayPreference: autopayPreference().nullish(),
    cardNumber: hidden(
      (value) => isCardNumber(cardDigits(value) ?? ''),
      'a card number: 13 to 19 digits with a valid check digit',
    ),
    expiry: date(),
    cardType: text().nullish(),
    cardholderName: text().nullish(),
    cvv: secret(formed(/^\d{3,4}$/, 'a security code of 3 digits, or 4')).nullish(),
    billingAddress: billingAddress.nullish(),
  })
  .superRefine(({ cardNumber, cardType, cvv }, context) => {
    const digits = cardDigits(cardNumber) ?? '';
    const brand = cardBrand(digits);
    if (cardType && brand !== null && brandNamed(cardType) !== brandNamed(brand)) {
      context.addIssue({
        code: 'custom',
        path: ['cardType'],
        params: { expected: `the brand of the card number, ${brand},` },
      });
    }
    if (cvv && !isSecurityCode(cvv, digits)) {
      const expected = `as long as that of ${brand ?? 'the card'}`;
      context.addIssue({ code: 'custom', path: ['cvv'], params: { expected } });
    }
  });

const shortNames = new Map([
  ['amex', 'americanexpress'],
  ['mc', 'mastercard'],
  ['diners', 'dinersclub'],
]);

/** `Master Card`, `MASTERCARD` and `MC` are the same brand. */
function brandNamed(cardType: string): string {
  const letters = cardType.toLowerCase().replaceAll(/[^a-z]/g, '');
  return shortNames.get(letters) ?? letters;
}

const ach = z.strictObject({
  autopayPreference: autopayPreference().nullish(),
  abaRoutingNumber: hidden(isAbaRoutingNumber, 'nine digits with a valid check digit'),
  accountNumber: hidden(isAccountNumber, '4 to 17 digits'),
  institutionName: text().nullish(),
  accountName: text().nullish(),
  accountType: enumeration(accountTypes).nullish(),
});

const check = z.strictObject({
  checkNumber: secret(text(CHECK_NUMBER_LENGTH_MAX)).nullish(),
  accountNumber: secret(text(CHECK_NUMBER_LENGTH_MAX)).nullish(),
  institutionName: text().nullish(),
  checkDate: date().nullish(),
  notes: longText().nullish(),
});

const cash = z.strictObject({ notes: longText().nullish() });

const token = z.strictObject({
  autopayPreference: autopayPreference().nullish(),
  // Long tokens of letters and digits may contain such digits by chance.
  token: hidden(
    (value) => /[a-z]/i.test(value) || isNoCard(value),
    "the gateway's name for the method, not a card number",
  ),
  gateway: enumeration(gatewayNames).nullish(),
  cardType: text()
    .refine(isNoCard, { params: { expected: 'the name of a brand' } })
    .nullish(),
  lastFour: formed(/^[0-9A-Za-z]{1,4}$/, 'up to four letters and digits').nullish(),
  expiry: date().nullish(),
  cardholderName: text().nullish(),
});

/** The child that each type has. */
const children = {
  CreditCard: 'creditCardPaymentMethod',
  ACH: 'achPaymentMethod',
  Check: 'checkPaymentMethod',
  Cash: 'cashPaymentMethod',
  Token: 'tokenPaymentMethod',
} as const;

const types = Object.keys(children);

const containers = z.strictObject({
  type: attribute(
    z.string().refine((type) => Object.hasOwn(children, type), {
      params: { code: 'payment.method', expected: 'Cash, ACH, CreditCard or Check' },
      abort: true,
    }),
  ).meta({ xml: { attribute: true }, enum: types }),
  // Callers also send numbers in the wrong element, so no error repeats any of these values.
  creditCardPaymentMethod: secret(creditCard).nullish(),
  achPaymentMethod: secret(ach).nullish(),
  checkPaymentMethod: secret(check).nullish(),
  cashPaymentMethod: cash.nullish(),
  tokenPaymentMethod: secret(token).nullish(),
});

export const paymentMethodDTO = containers.superRefine((value, context) => {
  const refuse = (message: string, path: string[] = []): void => {
    context.addIssue({ code: 'custom', path, message, params: { code: 'payment.method' } });
  };
  const wanted = children[value.type as keyof typeof children];
  const { type: _type, ...contents } = value;
  const given = Object.entries(contents).flatMap(([name, each]) =>
    each === undefined ? [] : [name],
  );
  const [first] = given;
  const surplus = given.find((name) => name !== wanted);
  if (first === undefined) {
    refuse(`paymentMethodDTO contains no payment method; its type requires ${wanted}`);
  } else if (surplus !== undefined) {
    const why =
      given.length === 1
        ? `does not match the type ${value.type}, which requires ${wanted}`
        : `is one of ${given.length} payment methods; the type requires ${wanted} alone`;
    refuse(`${surplus} ${why}`, [surplus]);
  } else if (contents[wanted] === null && wanted !== children.Cash && wanted !== children.Check) {
    refuse(`${first} is empty`, [first]);
  }
});
export type PaymentMethodDocument = z.output<typeof paymentMethodDTO>;

export const autopayRequest = compile(
  root('autopay', z.strictObject({ paymentMethodDTO: paymentMethodDTO })),
);
export type AutopayRequest = z.output<typeof autopayRequest.schema>;

/** A method on file as answers show it, without its number. */
const paymentMethod = z.strictObject({
  autopayPreference: autopayPreference(),
  type: enumeration(['CreditCard', 'ACH', 'Token']),
  paymentMethodContext: paymentMethodContext(),
  expiry: date().nullable(),
  gatewayUpdated: date().nullable(),
  mandate: text().nullable(),
});
export type MethodOnFileDocument = z.output<typeof paymentMethod>;

export const methodList = compile(root('list', listOf('paymentMethod', paymentMethod)));
