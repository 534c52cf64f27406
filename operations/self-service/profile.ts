/** What a customer may see and change of itself: its billing contact. */
import { DomainError } from '../../domain/errors.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { assertVersion } from '../context/versions.ts';
import type { OperationContext } from '../context/context.ts';
import type { ContactFields } from '../customers/contact-input.ts';
import { mailContactChange } from '../customers/contact-changed.ts';
import { updateContact } from '../customers/contact-write.ts';
import { useForm } from '../hosted-pages/forms.ts';
import { type ContactField, contactFieldNames } from '../../db/entities/columns.ts';
import type { Contact, Customer } from '../../db/entities/customers.ts';
import { type RowOf, columnOf } from '../../db/entities/rows.ts';

/** The version is the customer's, to which the contact belongs. */
export interface Profile
  extends RowOf<typeof Customer, 'version'>, RowOf<typeof Contact, 'login' | ContactField> {
  readonly contactId: number;
  /** Hashed, or waiting for it. */
  readonly hasPassword: boolean;
}

/** Undefined if the customer has no billing contact. */
export async function readProfile(tx: Tx, customerId: number): Promise<Profile | undefined> {
  const [profile] = await tx.query<Profile & Record<string, unknown>>(
    `select c.version, k.id as contact_id, k.login, ${columns},
       k.password_hash is not null or exists (select from password_to_hash w
         where w.tenant_id = k.tenant_id and w.contact_id = k.id) as has_password
     from customer c join contact k
       on k.tenant_id = c.tenant_id and k.customer_id = c.id and k.kind = 'billing'
     where c.tenant_id = $1 and c.id = $2`,
    [tx.tenantId, customerId],
    'profile-of-customer',
  );
  return profile;
}

const columns = contactFieldNames.map((name) => `k.${columnOf(name)}`).join(', ');

/** The customer is not the one that the form showed. */
export class ProfileChanged extends Error {}

export interface ProfileChange {
  readonly customerId: number;
  /** The one that the form showed. */
  readonly version: number;
  readonly formKey: string;
  /** What is to be changed; a password ends the other sessions. */
  readonly fields: ContactFields;
  /** The present password was shown. */
  readonly isProven: boolean;
  readonly sessionId: number;
}

/** A form that has stored something before changes nothing. Throws ProfileChanged. */
export async function changeProfile(
  context: OperationContext,
  { customerId, version, formKey, fields, isProven, sessionId }: ProfileChange,
): Promise<void> {
  if (!(await useForm(context, formKey))) return;
  const address = { id: customerId };
  try {
    await assertVersion(context.tx, { kind: 'customer', address }, [version]);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'object.changed') throw new ProfileChanged();
    throw error;
  }
  const before = await readProfile(context.tx, customerId);
  const options = { keptSession: sessionId, isUnproven: !isProven };
  await updateContact(context, address, 'billing', fields, options);
  if (before !== undefined && fields.emailPrimary !== undefined) {
    const { contactId, emailPrimary } = before;
    await mailContactChange(context, { customerId, contactId, address: emailPrimary });
  }
}
