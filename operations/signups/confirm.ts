/** The page that a mail leads to: finds its try, and takes its button. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import { signupAfter } from '../../domain/signups/state.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { OperationContext } from '../context/context.ts';
import { useForm } from '../hosted-pages/forms.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { lockSignup, readSignup, type SignupRow } from './signup-row.ts';
import { stateOf, writeTransition } from './write.ts';

/** What the page showed when its button was pressed. */
export interface Confirmation {
  readonly tokenHash: Buffer;
  readonly formKey: string;
  readonly shownAmount: Decimal;
  readonly quoteHash: string;
  readonly startDate: IsoDate;
  readonly taxBasis: string;
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
  { tokenHash, formKey, ...shown }: Confirmation,
): Promise<boolean> {
  const { tx, realNow } = context;
  const found = await findMailed(tx, tokenHash);
  const row = found && (await lockSignup(tx, { id: found.row.id }));
  if (found === undefined || row === undefined) return false;
  if (!isConfirmable({ ...found, row }, context)) return false;
  if (!(await useForm(context, formKey))) return false;
  tx.send(
    `update signup_try set confirmed_at = $3, shown_amount = $4, quote_hash = $5, start_date = $6,
       tax_basis = $7
     where tenant_id = $1 and id = $2`,
    [
      tx.tenantId,
      found.tryId,
      realNow,
      shown.shownAmount,
      shown.quoteHash,
      shown.startDate,
      shown.taxBasis,
    ],
    'confirm-signup',
  );
  writeTransition(context, row, signupAfter(stateOf(row), { happened: 'confirmed' }));
  enqueue(context, [{ kind: 'signup', objectId: row.id }]);
  return true;
}
