/** Reads and checks what step 1 of a sign-up takes; it calls nobody. */
import type { AskedPlace } from '../../../../domain/tax/place.ts';
import type {
  SignupCustomerFields,
  SignupOrderFields,
  SignupRow,
} from '../../../../operations/signups/signup-row.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { noting, readFields } from '../../../pages/form.ts';
import { readOrder } from '../../../pages/order-fields.ts';
import { readPlace } from '../../../pages/place.ts';
import { passwordFault, type Refuse } from '../../../pages/typed-text.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { textFields } from './detail-fields.ts';

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
  const { problems, refuse } = noting();
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

function readCustomer(
  fields: FormFields,
  { row, asked }: Omit<DetailsForm, 'locale'>,
  refuse: Refuse,
): SignupCustomerFields {
  // What is missing is listed first.
  const others: Parameters<Refuse>[] = [];
  const texts = readFields(textFields, fields, {
    refuse: (field, key) => {
      if (key === 'required') refuse(field, key);
      else others.push([field, key]);
    },
  });
  for (const [field, key] of others) refuse(field, key);
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
  const fault = password === null ? null : passwordFault(password);
  if (fault !== null) refuse('passwd', fault);
}
