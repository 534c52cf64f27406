/** Lets a try wait for the button of a page, whose address is mailed to whom the visitor named. */
import {
  CONFIRMS_PER_HOUR_MAX,
  CONFIRM_MINUTES,
  CONFIRM_MINUTES_MAX,
} from '../../domain/signups/signup.ts';
import { signupAfter } from '../../domain/signups/state.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { queueMail } from '../../db/queries/mail/queue.ts';
import type { OperationContext } from '../context/context.ts';
import { mailNudge } from '../context/nudge.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { type SignupRow, lockSignup, readSignup, stateOf, writeTransition } from './signup-row.ts';
import type { Signup } from '../../db/entities/hosted-pages.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import { useForm } from '../hosted-pages/forms.ts';
import type { MethodInVault } from '../payment-methods/methods.ts';
import { storeCard } from './take.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The page says the same whether a mail goes out or not: an address gets so many an hour. This
 * transaction must have locked the signup.
 */
export async function askToConfirm(context: OperationContext, row: SignupRow): Promise<string> {
  const { tx, realNow } = context;
  const { lastTry, email } = row;
  if (lastTry === null) throw new Error(`signup ${row.id} has no try to confirm`);
  const since = new Date(realNow.getTime() - HOUR_MS);
  const asked = await countAsked(tx, { email, since });
  tx.send(
    `update signup_try set confirm_asked_at = $3, confirm_until = $4
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, lastTry.id, realNow, confirmEnd(realNow)],
    'ask-to-confirm',
  );
  writeTransition(context, row, signupAfter(stateOf(row), { happened: 'asked' }));
  if (asked >= CONFIRMS_PER_HOUR_MAX) return 'waits for its button, without a further mail';
  queueMail(tx, { kind: 'signupConfirm', customerId: null, objectId: lastTry.id });
  enqueue(context, [mailNudge]);
  return 'waits for the button of a mailed page';
}

const confirmEnd = (from: Date): Date => new Date(from.getTime() + CONFIRM_MINUTES * MINUTE_MS);

async function countAsked(
  tx: Tx,
  { email, since }: { readonly email: string | null; readonly since: Date },
): Promise<number> {
  const [found] = await tx.query<{ count: number }>(
    `select count(*)::int as count from signup_try t
     join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id
     where t.tenant_id = $1 and t.confirm_asked_at > $3 and lower(s.email) = lower($2)`,
    [tx.tenantId, email, since],
    'count-asked-to-confirm',
  );
  return found?.count ?? 0;
}

/** To another price, or once what was not ready is: the same page, for the rest of its time. */
export function askAgain(context: OperationContext, row: SignupRow): void {
  const { tx } = context;
  tx.send(
    'update signup_try set confirmed_at = null where tenant_id = $1 and id = $2',
    [tx.tenantId, row.lastTry?.id ?? null],
    'ask-again-to-confirm',
  );
  writeTransition(context, row, signupAfter(stateOf(row), { happened: 'asked' }));
}

export type MailedConfirmation = RowOf<
  typeof Signup,
  'email' | 'firstName' | 'lastName' | 'companyName' | 'locale'
>;

/**
 * Gives the page a token in place of the one before, for 30 minutes; undefined if nothing waits for
 * its button any more. Mails that cannot be sent put off the end for an hour at most.
 */
export async function renewConfirmation(
  tx: Tx,
  { tryId, hash, realNow }: { tryId: number; hash: Buffer; realNow: Date },
): Promise<MailedConfirmation | undefined> {
  const [renewed] = await tx.query<MailedConfirmation & Record<string, unknown>>(
    `update signup_try t set confirm_hash = $3, confirm_until =
       least($4::timestamptz, t.confirm_asked_at + make_interval(mins => ${CONFIRM_MINUTES_MAX}))
     from signup s
     where t.tenant_id = $1 and t.id = $2 and t.status = 'confirming' and t.confirm_until > $5
       and s.tenant_id = t.tenant_id and s.id = t.signup_id and s.status = 'DRAFT'
     returning s.email, s.first_name, s.last_name,
       s.company_name, s.locale`,
    [tx.tenantId, tryId, hash, confirmEnd(realNow), realNow],
    'renew-confirmation',
  );
  return renewed;
}

/* The page that a mail leads to: finds its try, and takes its button. */

/** What the page showed when its button was pressed. */
export interface Confirmation {
  readonly tokenHash: Buffer;
  readonly formKey: string;
  readonly shownAmount: Decimal;
  readonly quoteHash: string;
  readonly startDate: IsoDate;
  readonly taxBasis: string;
  /** Sealed: the address of the page. */
  readonly returnSealed?: string | null;
  /** Entered on the page, where something is due that the form before did not pay; else null. */
  readonly entered?: EnteredCard | null;
}

export interface EnteredCard {
  readonly inVault: MethodInVault;
  /** Null of an account. */
  readonly cardholderName: string | null;
  /** It is put on file. */
  readonly saves: boolean;
}

export interface MailedSignup {
  readonly tryId: number;
  readonly row: SignupRow;
}

/** Undefined if no mail has led there, or a further one leads elsewhere. */
export async function findMailed(
  tx: Pick<Tx, 'tenantId' | 'query'>,
  tokenHash: Buffer,
): Promise<MailedSignup | undefined> {
  const [found] = await tx.query<{ id: number; signupId: number }>(
    `select id, signup_id from signup_try
     where tenant_id = $1 and confirm_hash = $2`,
    [tx.tenantId, tokenHash],
    'try-by-confirmation',
  );
  const row = found && (await readSignup(tx, { id: found.signupId }));
  return found && row && { tryId: found.id, row };
}

/** Whether its button counts now: the try waits for it, and its time is not over. */
export function isConfirmable(
  { tryId, row }: MailedSignup,
  { realNow }: Pick<OperationContext, 'realNow'>,
): boolean {
  const { status, lastTry, cancelReason } = row;
  return (
    status === 'DRAFT' &&
    cancelReason === null &&
    lastTry?.id === tryId &&
    lastTry.status === 'confirming' &&
    lastTry.confirmUntil !== null &&
    realNow < lastTry.confirmUntil
  );
}

/** False if it does not count any more, or the form has been used: the page shows what is so. */
export async function confirmTry(
  context: OperationContext,
  { tokenHash, formKey, entered = null, ...shown }: Confirmation,
): Promise<boolean> {
  const { tx, realNow } = context;
  const found = await findMailed(tx, tokenHash);
  const row = found && (await lockSignup(tx, { id: found.row.id }));
  if (found === undefined || row === undefined) return false;
  if (!isConfirmable({ ...found, row }, context)) return false;
  if (!(await useForm(context, formKey))) return false;
  tx.send(
    `update signup_try set confirmed_at = $3, shown_amount = $4, quote_hash = $5, start_date = $6,
       tax_basis = $7, return_sealed = $8
     where tenant_id = $1 and id = $2`,
    [
      tx.tenantId,
      found.tryId,
      realNow,
      shown.shownAmount,
      shown.quoteHash,
      shown.startDate,
      shown.taxBasis,
      shown.returnSealed ?? null,
    ],
    'confirm-signup',
  );
  if (entered !== null) noteCard(context, { row, tryId: found.tryId }, entered);
  writeTransition(context, row, signupAfter(stateOf(row), { happened: 'confirmed' }));
  enqueue(context, [{ kind: 'signup', objectId: row.id }]);
  return true;
}

function noteCard(
  { tx, time }: OperationContext,
  { row, tryId }: MailedSignup,
  { inVault, cardholderName, saves }: EnteredCard,
): void {
  storeCard(tx, tryId, inVault);
  const { brand, expiry } = inVault.method;
  tx.send(
    `update signup set card_type = $3, expiry = $4, cardholder_name = $5,
       save_payment_method = save_payment_method or $6, updated_at = $7
     where tenant_id = $1 and id = $2`,
    [
      tx.tenantId,
      row.id,
      brand,
      expiry,
      cardholderName,
      saves && row.isNewCustomer !== false,
      time.now,
    ],
    'signup-card-of-mailed-page',
  );
}
