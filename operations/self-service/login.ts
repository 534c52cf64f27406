/** Logs a contact in: finds it by its user name, and starts a session. */
import { createHash } from 'node:crypto';
import { DEFAULT_PROFILE, switchesOf } from '../../domain/self-service/switches.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { type HashedPassword, storeHashes } from '../../db/queries/imports/rows.ts';
import type { OperationContext } from '../context/context.ts';
import { readProfile, startSession } from './start.ts';
import type { Contact } from '../../db/entities/customers.ts';
import type { Invoice } from '../../db/entities/invoices.ts';
import { isOutsideSignups } from '../../db/queries/context/invoices.ts';
import { pageTokenHash } from '../hosted-pages/tokens.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface ContactLogin extends RowOf<typeof Contact, 'customerId' | 'passwordHash'> {
  readonly contactId: number;
  /** An imported password that waits to be hashed; it is newer than the hash. */
  readonly sealed: string | null;
}

/**
 * The contact of a user name. It has no null-byte: PostgreSQL cannot store one. Contacts that
 * shared a name before names were unique have no login.
 *
 * @param lock the password stays as it is until the transaction ends
 */
export async function findContactLogin(
  tx: Tx,
  login: string,
  lock: 'share' | 'none' = 'none',
): Promise<ContactLogin | undefined> {
  if (login.includes('\u0000')) return undefined;
  const [contact] = await tx.query<ContactLogin & Record<string, unknown>>(
    `select k.id as contact_id, k.customer_id, k.password_hash,
       w.sealed
     from contact k
     left join password_to_hash w on w.tenant_id = k.tenant_id and w.contact_id = k.id
     where k.tenant_id = $1 and k.login = $2 ${lock === 'share' ? 'for share of k' : ''}`,
    [tx.tenantId, login],
    lock === 'share' ? 'lock-contact-login' : 'contact-login',
  );
  return contact;
}

/**
 * The invoice if it is of the customer whose session has just begun, and the session pays; undefined for
 * any other, whether there is one or not.
 */
export async function findPayableInvoice(
  tx: Tx,
  { token, invoiceId }: { readonly token: string; readonly invoiceId: number },
): Promise<RowOf<typeof Invoice, 'currency'> | undefined> {
  const [invoice] = await tx.query<RowOf<typeof Invoice, 'currency'>>(
    `select i.currency from self_service_session s
     join invoice i on i.tenant_id = s.tenant_id and i.customer_id = s.customer_id
     where s.tenant_id = $1 and s.token_hash = $2 and s.allow_payments and i.id = $3
       and ${isOutsideSignups('i')}`,
    [tx.tenantId, pageTokenHash(token), invoiceId],
    'invoice-to-pay-after-login',
  );
  return invoice;
}

/** Tells a stored password from others; useless for finding it. */
export function passwordMark({
  sealed,
  passwordHash,
}: Pick<ContactLogin, 'sealed' | 'passwordHash'>): string {
  return createHash('sha256')
    .update(sealed ?? passwordHash ?? '')
    .digest('base64');
}

export interface VerifiedLogin {
  readonly login: string;
  /** Of the password that was verified. */
  readonly mark: string;
  /** The same password if it waited to be hashed. */
  readonly hashed: HashedPassword | null;
  /** An absolute address. */
  readonly loginUrl: string;
  readonly cssUrl: string;
}

/**
 * Returns the token of a new session; undefined if the password was changed since it was verified,
 * so that no session outlives the change of its password.
 */
export async function logIn(
  context: Pick<OperationContext, 'tx' | 'realNow'>,
  { login, mark, hashed, loginUrl, cssUrl }: VerifiedLogin,
): Promise<string | undefined> {
  const { tx } = context;
  // Before the contact is locked and read: whoever changes or hashes a password takes the waiting
  // one first, too, and a read that waits for the contact would still see a waiting one that is gone.
  if (hashed !== null) storeHashes(tx, [hashed]);
  const contact = await findContactLogin(tx, login, 'share');
  const now = hashed === null ? mark : passwordMark({ sealed: null, passwordHash: hashed.hash });
  if (contact === undefined || passwordMark(contact) !== now) return undefined;
  const { customerId } = contact;
  const switches = switchesOf({}, await readProfile(tx, DEFAULT_PROFILE));
  return startSession(context, { customer: { id: customerId }, cssUrl, loginUrl, switches });
}
