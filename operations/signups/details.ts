/** Stores what a visitor enters before the price is shown. */
import { DomainError } from '../../domain/errors.ts';
import { openTries } from '../../domain/signups/signup.ts';
import type { OperationContext } from '../context/context.ts';
import { useForm } from '../hosted-pages/forms.ts';
import {
  type SignupCustomerFields,
  type SignupOrderFields,
  type SignupRow,
  lockSignup,
} from './signup-row.ts';
import { isCountry } from '../../domain/customers/postal-address.ts';
import type { WrittenAddress } from '../../domain/tax/documents.ts';
import type { ContactFields } from '../customers/contact-input.ts';

export interface EnteredDetails {
  readonly tokenHash: Buffer;
  readonly formKey: string;
  /** Null: the link hides them; then they keep the link's values. */
  readonly customer: SignupCustomerFields | null;
  readonly order: SignupOrderFields | null;
  /** Of the entered password; null without a login, or if the link came with one. */
  readonly passwordHash: string | null;
  /** By Accept-Language. */
  readonly locale: string | null;
}

/**
 * Stores nothing for a form that was used before, or while a try is under way, or once the link is
 * over or a try has made the order: the page shows what is so. Throws signup.unknown.
 */
export async function enterDetails(
  context: OperationContext,
  { tokenHash, formKey, ...entered }: EnteredDetails,
): Promise<void> {
  const row = await lockSignup(context.tx, { tokenHash });
  if (row === undefined) throw unknownSignup();
  if (takesForms(context, row) !== 'open' || row.orderId !== null) return;
  if (!(await useForm(context, formKey))) return;
  if (entered.customer !== null && !row.hideCustomerFields) {
    storeCustomer(context, row, entered.customer, entered.passwordHash);
  }
  if (entered.order !== null && !row.hideOrderFields) storeOrder(context, row, entered.order);
  const { tx, time } = context;
  tx.send(
    `update signup set has_details = true, locale = $3,
       version = version + 1, updated_at = $4
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, row.id, entered.locale, time.now],
    'signup-has-details',
  );
}

export function unknownSignup(): DomainError {
  return new DomainError('signup.unknown', 'there is no such signup');
}

/** Whether a form of the page may store something: over after its end or its 30 minutes. */
export function takesForms(
  { realNow }: Pick<OperationContext, 'realNow'>,
  { status, expiresAt, lastTry, cancelReason }: SignupRow,
): 'open' | 'working' | 'over' {
  if (status !== 'DRAFT') return 'over';
  if (lastTry !== null && openTries.includes(lastTry.status)) return 'working';
  return realNow >= expiresAt || cancelReason !== null ? 'over' : 'open';
}

function storeCustomer(
  { tx }: OperationContext,
  { id, linkHasPassword }: SignupRow,
  fields: SignupCustomerFields,
  passwordHash: string | null,
): void {
  const { companyName, firstName, lastName, email, phone, street, city, state } = fields;
  tx.send(
    `update signup set company_name = $3, first_name = $4, last_name = $5, email = $6, phone = $7,
       street = $8, city = $9, state = $10, zipcode = $11, country = $12
     where tenant_id = $1 and id = $2`,
    [
      tx.tenantId,
      id,
      companyName,
      firstName,
      lastName,
      email,
      phone,
      street,
      city,
      state,
      fields.zipcode,
      fields.country,
    ],
    'signup-customer',
  );
  if (linkHasPassword) return;
  tx.send(
    'update signup set login = $3, password_hash = $4 where tenant_id = $1 and id = $2',
    [tx.tenantId, id, fields.login, fields.login === null ? null : passwordHash],
    'signup-login',
  );
}

function storeOrder(
  { tx }: OperationContext,
  { id }: SignupRow,
  { contractCode, quantity, couponCode }: SignupOrderFields,
): void {
  tx.send(
    `update signup set contract_code = $3, quantity = $4, coupon_code = $5
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, id, contractCode, quantity, couponCode],
    'signup-order',
  );
}

/* The contact and the address of a sign-up's customer, from what was sent or entered. */

type AddressFields = Pick<
  SignupCustomerFields,
  'street' | 'city' | 'state' | 'zipcode' | 'country'
>;

/** As its customer is taxed by it. */
export function addressOf(row: AddressFields): WrittenAddress {
  const { street: street1, city, state, zipcode: zip, country } = row;
  return { street1, street2: null, city, state, zip, country, countryCode: codeOf(country) };
}

/** A country of two letters is a countryCode, too. */
function codeOf(country: string | null): string | null {
  const code = country?.toUpperCase() ?? '';
  return isCountry(code) ? code : null;
}

/** The billing contact of a customer of its own. */
export function contactOf(
  row: SignupCustomerFields & { readonly passwordHash: string | null },
): ContactFields {
  const { companyName, firstName, lastName, email, phone, login, passwordHash } = row;
  return {
    username: login,
    passwordHash,
    firstName,
    lastName,
    companyName,
    emailPrimary: email,
    workPhone: phone,
    ...addressOf(row),
  };
}
