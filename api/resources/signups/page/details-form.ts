/** Reads and checks what step 1 of a sign-up takes; it calls nobody. */
import { isMailAddress } from '../../../../domain/mail/kinds.ts';
import type { AskedPlace } from '../../../../domain/tax/place.ts';
import type {
  SignupCustomerFields,
  SignupOrderFields,
  SignupRow,
} from '../../../../operations/signups/signup-row.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { readPlace } from '../../../pages/place.ts';
import { isStrongPassword, refuseName, typedText } from '../../../pages/typed-text.ts';
import { readQuantity } from '../../../pages/quantity.ts';
import type { QuantityForm } from '../../../pages/quantity.ts';
import type { Refuse } from '../../../pages/typed-text.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { customerFieldNames } from './views.ts';

export interface ReadDetails {
  /** Null: the link hides them. */
  readonly customer: SignupCustomerFields | null;
  readonly order: SignupOrderFields | null;
  /** Null if none was typed. */
  readonly password: string | null;
  readonly problems: readonly PageProblem[];
}

const LOGIN_LENGTH_MIN = 6;

export interface DetailsForm {
  readonly row: SignupRow;
  readonly locale: string;
  readonly asked: AskedPlace;
}

/** Fields that the page does not have are not read, whatever a form sends. */
export function readDetails(fields: FormFields, { row, locale, asked }: DetailsForm): ReadDetails {
  const problems: PageProblem[] = [];
  const refuse = (field: string, key: string): void => void problems.push({ field, key });
  const password = fields.get('passwd') || null;
  const asksLogin = !row.hideCustomerFields && !row.linkHasPassword;
  const customer = row.hideCustomerFields ? null : readCustomer(fields, { row, asked }, refuse);
  if (customer !== null && asksLogin) {
    checkLogin({ login: customer.login, password, hasHash: row.passwordHash !== null }, refuse);
  }
  const order = row.hideOrderFields
    ? null
    : readOrder(fields, { locale, kept: row.quantity }, refuse);
  return { customer, order, password: asksLogin ? password : null, problems };
}

const ofPlace: readonly string[] = ['state', 'country'];

function readCustomer(
  fields: FormFields,
  { row, asked }: Omit<DetailsForm, 'locale'>,
  refuse: Refuse,
): SignupCustomerFields {
  const names = customerFieldNames.filter((name) => name !== 'passwd' && !ofPlace.includes(name));
  const texts = Object.fromEntries(
    names.map((name) => [name, typedText(fields, name, refuse)]),
  ) as unknown as SignupCustomerFields;
  for (const name of ['firstName', 'lastName', 'email'] as const) {
    if (texts[name] === null) refuse(name, 'required');
  }
  for (const name of ['companyName', 'firstName', 'lastName'] as const) {
    refuseName(name, texts[name], refuse);
  }
  if (texts.email !== null && !isMailAddress(texts.email)) refuse('email', 'email');
  if (texts.phone !== null && !/\d/.test(texts.phone)) refuse('phone', 'phone');
  const place = readPlace(fields, { asked, stored: row }, refuse);
  const login = row.linkHasPassword ? row.login : texts.login;
  return { ...texts, login, ...place };
}

interface TypedLogin {
  readonly login: string | null;
  readonly password: string | null;
  /** A password was entered before, and is not shown again. */
  readonly hasHash: boolean;
}

function checkLogin({ login, password, hasHash }: TypedLogin, refuse: Refuse): void {
  if (login !== null && login.length < LOGIN_LENGTH_MIN) refuse('login', 'login.tooShort');
  if (login === null && password !== null) refuse('login', 'passwd.needsLogin');
  if (login !== null && password === null && !hasHash) refuse('passwd', 'login.needsPassword');
  if (password !== null && !isStrongPassword(password)) refuse('passwd', 'passwd.weak');
}

function readOrder(fields: FormFields, form: QuantityForm, refuse: Refuse): SignupOrderFields {
  const contractCode = typedText(fields, 'contractCode', refuse);
  if (contractCode === null) refuse('contractCode', 'required');
  const couponCode = typedText(fields, 'couponCode', refuse);
  const typed = fields.get('quantity')?.trim() ?? '';
  const quantity = readQuantity(typed, form);
  if (typed === '') refuse('quantity', 'required');
  else if (quantity === null) refuse('quantity', 'quantity.form');
  return { contractCode, couponCode, quantity: quantity ?? typed };
}
