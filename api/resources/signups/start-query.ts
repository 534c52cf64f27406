/** The parameters of `signup/start`, as far as they can be judged without a tenant. */
import { z } from 'zod';
import { hasParameter, isPageAddress } from '../../../domain/hosted-pages/address.ts';
import { displayAmounts } from '../../../domain/signups/signup.ts';
import { extCustomerRef } from '../../calls/queries.ts';
import { boolean, date, enumeration, ORDER_DATE_LAST, password, text } from '../../xml/types.ts';
import { pageAddress, stylesheet, where } from '../page-writes.ts';
import { aboveZero, mailAddress } from '../shared-schema.ts';

/** The parameter that is added to the addresses of redirects. */
const TRACKING = 'tracking';
const LOGIN_LENGTH_MIN = 6;

const redirect = () =>
  pageAddress().refine((address) => !hasParameter(address, TRACKING), {
    params: { expected: `an address without a parameter ${TRACKING}` },
  });

const terms = () =>
  where(
    (address) => /^https:/i.test(address) && isPageAddress(address),
    'an absolute address that begins with https://, without user info, backslashes, blanks and ' +
      'control characters',
  );

const A_PASSWORD =
  '8 to 255 characters with a letter in upper case, a letter in lower case and a digit';

const newPassword = () =>
  password().refine(
    (value) =>
      value.length >= 8 && /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value) && /\d/.test(value),
    { params: { expected: A_PASSWORD } },
  );

const login = () =>
  text().refine((value) => value.length >= LOGIN_LENGTH_MIN, {
    params: { expected: `${LOGIN_LENGTH_MIN} to 255 characters` },
  });

export const startQuery = z.object({
  successURL: redirect(),
  failURL: redirect(),
  cssURL: stylesheet(),
  hideCustomerFields: boolean().default(false),
  companyName: text().optional(),
  extCustomerRef: extCustomerRef()
    .optional()
    .meta({ description: 'Your own key of the customer.' }),
  login: login().optional(),
  passwd: newPassword().optional(),
  firstName: text().optional(),
  lastName: text().optional(),
  phone: text().optional(),
  email: mailAddress().optional(),
  street: text().optional(),
  city: text().optional(),
  state: text().optional(),
  zipcode: text().optional(),
  country: text().optional(),
  hideOrderFields: boolean().default(false),
  contractCode: text().optional(),
  quantity: aboveZero().default('1'),
  startDate: date(ORDER_DATE_LAST)
    .optional()
    .meta({ description: 'The first day of the order: the day of submission by default.' }),
  sku: text().optional(),
  couponCode: text().optional(),
  billerCode: text().optional(),
  tosLink: terms().optional(),
  displayAmount: enumeration(displayAmounts).default('allCharges'),
  profileId: text().optional(),
});

export type StartQuery = z.output<typeof startQuery>;

/** The page could not ask for what it does not show. */
export function startRequires({
  hideCustomerFields,
  hideOrderFields,
  passwd,
}: Readonly<Record<string, unknown>>): (keyof StartQuery)[] {
  return [
    ...(hideCustomerFields === true ? hiddenFields : []),
    ...(hideOrderFields === true ? (['contractCode'] as const) : []),
    ...(passwd === undefined ? [] : (['login'] as const)),
  ];
}

const hiddenFields = ['extCustomerRef', 'firstName', 'lastName', 'email'] as const;
