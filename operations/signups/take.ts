/** Takes the form that submits a sign-up: the row begins to work, and the card goes to the vault. */
import assert from 'node:assert';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import { LOST_CODE } from '../../domain/signups/step.ts';
import { signupAfter } from '../../domain/signups/state.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { STORING_SECONDS_MAX } from '../../domain/signups/signup.ts';
import type { MethodInVault } from '../payment-methods/methods.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';
import { refuseTooManyDeclines } from '../hosted-pages/declines.ts';
import { takesForms, unknownSignup } from './details.ts';
import { useForm, wasFormUsed } from '../hosted-pages/forms.ts';
import { type SignupRow, lockSignup, stateOf, writeTransition } from './signup-row.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { SignupTry } from '../../db/entities/hosted-pages.ts';

export interface TakenForm {
  readonly tokenHash: Buffer;
  readonly formKey: string;
  readonly network: string;
  /** Due today, as the page showed it. */
  readonly shownAmount: Decimal;
  /** Of the price that the page showed, and its first day; null: whatever they are. */
  readonly quoteHash: string | null;
  readonly startDate: IsoDate | null;
  /** What decides about its taxes, hashed; null: whatever does. */
  readonly taxBasis: string | null;
  /** Of the signup that was priced. */
  readonly version: number;
  readonly hasCard: boolean;
  readonly cardholderName: string | null;
  readonly savePaymentMethod: boolean;
  readonly tosAccepted: boolean;
  /** By Accept-Language. */
  readonly locale: string | null;
  /** Sealed: the address of its page. */
  readonly returnSealed?: string | null;
}

export type Taken =
  | {
      readonly kind: 'taken';
      readonly signupId: number;
      readonly tryId: number;
      readonly number: number;
    }
  /** The form has stored something before. */
  | { readonly kind: 'repeated' }
  /** The link takes no forms any more. */
  | { readonly kind: 'over' }
  /** Another try is under way. */
  | { readonly kind: 'working' }
  /** It is no longer what was priced. */
  | { readonly kind: 'changed' };

/** Throws signup.unknown, card.tooManyDeclines. */
export async function takeTry(context: OperationContext, form: TakenForm): Promise<Taken> {
  const { tx } = context;
  const { tokenHash } = form;
  let row = await lockSignup(tx, { tokenHash });
  if (row === undefined) throw unknownSignup();
  const isPriced = row.version === form.version;
  if (isAbandoned(context, row)) {
    writeTransition(context, row, signupAfter(stateOf(row), { happened: 'returned' }), {
      code: LOST_CODE,
    });
    row = await lockSignup(tx, { tokenHash });
    if (row === undefined) throw unknownSignup();
  }
  const state = takesForms(context, row);
  if (state !== 'open') return { kind: state };
  await refuseTooManyDeclines(context, { network: form.network, customerId: null });
  if (await wasFormUsed(tx, form.formKey)) return { kind: 'repeated' };
  if (!isPriced) return { kind: 'changed' };
  if (!(await useForm(context, form.formKey))) return { kind: 'repeated' };
  return insertTry(context, row, form);
}

/** The process that took its card is gone. */
export function isAbandoned(
  { realNow }: Pick<OperationContext, 'realNow'>,
  { lastTry }: SignupRow,
): boolean {
  if (lastTry?.status !== 'storing') return false;
  return realNow.getTime() - lastTry.createdAt.getTime() > STORING_SECONDS_MAX * 1_000;
}

const insertTryRow = insertingOne('take-signup-try', {
  into: SignupTry,
  columns: [
    'id',
    'signupId',
    'number',
    'status',
    'network',
    'shownAmount',
    'quoteHash',
    'startDate',
    'taxBasis',
    'returnSealed',
    'createdAt',
  ],
});

async function insertTry(
  context: OperationContext,
  row: SignupRow,
  form: TakenForm,
): Promise<Taken> {
  const { tx, time, realNow } = context;
  const { hasCard } = form;
  const { lastTry: status } = signupAfter(stateOf(row), { happened: 'taken', hasCard }).state;
  assert(status !== null, 'a form that is taken is a try');
  const [tryId = 0] = await takeIds(tx, 1);
  const number = (row.lastTry?.number ?? 0) + 1;
  const { network, shownAmount, quoteHash, startDate, taxBasis, returnSealed = null } = form;
  insertTryRow(tx, {
    id: tryId,
    signupId: row.id,
    number,
    status,
    network,
    shownAmount,
    quoteHash,
    startDate,
    taxBasis,
    returnSealed,
    createdAt: realNow,
  });
  tx.send(
    `update signup set cardholder_name = $3, save_payment_method = $4, tos_accepted = $5,
       locale = coalesce($6, locale), card_type = null, expiry = null,
       version = version + 1, updated_at = $7
     where tenant_id = $1 and id = $2`,
    [
      tx.tenantId,
      row.id,
      form.cardholderName,
      // A customer that existed before keeps its own methods.
      form.savePaymentMethod && hasCard && row.isNewCustomer !== false,
      form.tosAccepted,
      form.locale,
      time.now,
    ],
    'signup-submitted',
  );
  if (!hasCard) enqueue(context, [{ kind: 'signup', objectId: row.id }]);
  return { kind: 'taken', signupId: row.id, tryId, number };
}

/**
 * Stores what the vault gave, and nudges the workflow. Does nothing if the try is no longer open:
 * the vault took too long, or an operator has ended the sign-up.
 */
export async function storeTry(
  context: OperationContext,
  { tryId, method }: { readonly tryId: number; readonly method: MethodInVault },
): Promise<void> {
  const { tx, time } = context;
  const row = await lockStoring(context, tryId);
  if (row === undefined) return;
  storeCard(tx, tryId, method);
  const { brand, expiry } = method.method;
  tx.send(
    'update signup set card_type = $3, expiry = $4, updated_at = $5 where tenant_id = $1 and id = $2',
    [tx.tenantId, row.id, brand, expiry satisfies IsoDate | null, time.now],
    'signup-card',
  );
  writeTransition(context, row, signupAfter(stateOf(row), { happened: 'stored' }));
  enqueue(context, [{ kind: 'signup', objectId: row.id }]);
}

/** Gives a try what the vault has of its card. */
export function storeCard(tx: Tx, tryId: number, { type, gateway, method }: MethodInVault): void {
  const { token, brand, lastFour, expiry, debit = null, country = null, mandate = null } = method;
  tx.send(
    `update signup_try set gateway = $3, method_type = $4, token = $5, brand = $6, last_four = $7,
       expiry = $8, debit = $9, country = $10, mandate = $11
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, tryId, gateway, type, token, brand, lastFour, expiry, debit, country, mandate],
    'store-signup-card',
  );
}

/** The vault refused the card, or did not answer: the form is shown again. */
export async function returnTry(
  context: OperationContext,
  {
    tryId,
    code,
    field,
  }: { readonly tryId: number; readonly code: string; readonly field: string | null },
): Promise<void> {
  const row = await lockStoring(context, tryId);
  if (row === undefined) return;
  writeTransition(context, row, signupAfter(stateOf(row), { happened: 'returned' }), {
    code,
    field,
  });
  enqueue(context, [{ kind: 'signup', objectId: row.id }]);
}

/** The signup whose newest try is this one, and still waits for its card. */
async function lockStoring(
  { tx }: OperationContext,
  tryId: number,
): Promise<SignupRow | undefined> {
  const [found] = await tx.query<{ id: number }>(
    'select signup_id as id from signup_try where tenant_id = $1 and id = $2',
    [tx.tenantId, tryId],
    'signup-of-try',
  );
  const row = found && (await lockSignup(tx, { id: found.id }));
  return row?.lastTry?.id === tryId && row.lastTry.status === 'storing' ? row : undefined;
}
