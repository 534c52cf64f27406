/** Takes the form of step 1 of a sign-up: what is at fault is shown again, the rest is stored. */
import type { AskedPlace } from '../../../../domain/tax/place.ts';
import { hashInTurn } from '../../../../operations/access/hash-turns.ts';
import { enterDetails } from '../../../../operations/signups/details.ts';
import type {
  SignupCustomerFields,
  SignupOrderFields,
  SignupRow,
} from '../../../../operations/signups/signup-row.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import type { SubmittedForm } from '../../../calls/page-route.ts';
import type { FormFields } from '../../../calls/route-types.ts';
import { noting, readFields } from '../../../pages/form.ts';
import { readOrder } from '../../../pages/order-fields.ts';
import { askedPlaceOf, readPlace } from '../../../pages/place.ts';
import { passwordFault, type Refuse } from '../../../pages/typed-text.ts';
import type { PageProblem } from '../../../pages/view.ts';
import { textFields } from './detail-fields.ts';
import { pricingOf } from './pricing.ts';
import { canEnter, showDetails } from './show.ts';
import { localeToKeep, pageView, storing, type Visit } from './visit.ts';

export async function enterForm(visit: Visit, { id, fields }: SubmittedForm): Promise<PageAnswer> {
  const { row, call, tokenHash } = visit;
  if (!canEnter(row)) return { to: call.path };
  const { problems, ...entered } = readDetails(fields, {
    row,
    locale: pageView(visit).locale,
    asked: askedPlaceOf(call.tenant),
  });
  if (problems.length > 0) return showDetails(visit, { status: 400, problems, typed: fields });
  const { customer, order } = entered;
  const wanted = { ...row, ...customer, ...order, isPricedByCustomer: false };
  const pricing = await pricingOf(visit, wanted);
  if ('problem' in pricing) {
    const { problem, status } = pricing;
    return showDetails(visit, { status, problems: [problem], typed: fields });
  }
  const passwordHash = await hashOf(visit, entered);
  const locale = localeToKeep(call, wanted);
  await storing(visit, (context) =>
    enterDetails(context, { tokenHash, formKey: id, customer, order, passwordHash, locale }),
  );
  return { to: `${call.path}?step=review` };
}

/** Hashing is slow, so it comes before the transaction. One that was entered before may stay. */
async function hashOf(
  { dependencies: { hashCost }, call: { tenant, stepOut }, row }: Visit,
  { password, customer }: Omit<ReadDetails, 'problems'>,
): Promise<string | null> {
  if (customer === null || row.linkHasPassword) return row.passwordHash;
  if (customer.login === null) return null;
  if (password === null) return row.passwordHash;
  return stepOut(() => hashInTurn(password, { hashCost, tenant }));
}

/* Reads and checks what step 1 of a sign-up takes; it calls nobody. */

interface ReadDetails {
  /** Null: the link hides them. */
  readonly customer: SignupCustomerFields | null;
  readonly order: SignupOrderFields | null;
  /** Null if none was typed. */
  readonly password: string | null;
  readonly problems: readonly PageProblem[];
}

const LOGIN_LENGTH_MIN = 6;

interface DetailsForm {
  readonly row: SignupRow;
  readonly locale: string;
  readonly asked: AskedPlace;
}

/** Fields that the page does not have are not read, whatever a form sends. */
function readDetails(fields: FormFields, { row, locale, asked }: DetailsForm): ReadDetails {
  const { problems, refuse } = noting();
  const password = fields.get('passwd') || null;
  const asksLogin = !row.hideCustomerFields && !row.linkHasPassword;
  // Problems are listed in the order of the page.
  const order = row.hideOrderFields
    ? null
    : readOrder(fields, { locale, quantity: row.quantity }, refuse);
  const customer = row.hideCustomerFields ? null : readCustomer(fields, { row, asked }, refuse);
  if (customer !== null && asksLogin) {
    checkLogin({ login: customer.login, password, hasHash: row.passwordHash !== null }, refuse);
  }
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
