/** Stores what a visitor enters before the price is shown. */
import { DomainError } from '../../domain/errors.ts';
import { openTries } from '../../domain/signups/signup.ts';
import type { OperationContext } from '../context/context.ts';
import { useForm } from '../hosted-pages/forms.ts';
import {
  lockSignup,
  type SignupCustomerFields,
  type SignupOrderFields,
  type SignupRow,
} from './signup-row.ts';

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
