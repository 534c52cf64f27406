/** Starts a hosted sign-up: its row, its workflow, and the secret of its page. */
import { randomBytes } from 'node:crypto';
import { LINK_MINUTES } from '../../domain/signups/signup.ts';
import { noteObject } from '../../db/connection/audited.ts';
import { insertText } from '../../db/queries/context/insertion.ts';
import type { OperationContext } from '../context/context.ts';
import { newPageToken } from '../hosted-pages/tokens.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { SignupCustomerFields, SignupOrderFields, SignupRow } from './signup-row.ts';
import { Signup } from '../../db/entities/hosted-pages.ts';

/** What the tenant's site says of a sign-up. */
export type StartInput = SignupCustomerFields &
  SignupOrderFields &
  Pick<
    SignupRow,
    | 'successUrl'
    | 'failUrl'
    | 'cssUrl'
    | 'hideCustomerFields'
    | 'hideOrderFields'
    | 'displayAmount'
    | 'tosLink'
    | 'extCustomerRef'
    | 'startDate'
    | 'sku'
    | 'billerCode'
    | 'profileId'
  >;

export interface StartedSignup {
  readonly id: number;
  /** The last part of the page's address; only its hash is stored. */
  readonly token: string;
}

const TRACKING_BYTES = 16;
const MS_PER_MINUTE = 60_000;

/** @param passwordHash that of the password that came with the link */
export async function startSignup(
  context: OperationContext,
  input: StartInput,
  passwordHash: string | null,
): Promise<StartedSignup> {
  const { tx, time, realNow } = context;
  const { token, hash } = newPageToken();
  const row = {
    ...input,
    passwordHash,
    tracking: randomBytes(TRACKING_BYTES).toString('base64url'),
    linkHasPassword: passwordHash !== null,
    hasDetails: input.hideCustomerFields && input.hideOrderFields,
    expiresAt: new Date(realNow.getTime() + LINK_MINUTES * MS_PER_MINUTE),
  };
  const [inserted] = await tx.query<{ id: number }>(
    insertSignup,
    [tx.tenantId, JSON.stringify([row]), time.now, hash],
    'start-signup',
  );
  if (inserted === undefined) throw new Error('a signup was not inserted');
  noteObject(tx, 'signup', inserted.id);
  enqueue(context, [{ kind: 'signup', objectId: inserted.id }]);
  return { id: inserted.id, token };
}

const insertSignup = insertText({
  into: Signup,
  columns: [
    'tracking',
    'successUrl',
    'failUrl',
    'cssUrl',
    'hideCustomerFields',
    'hideOrderFields',
    'displayAmount',
    'tosLink',
    'sku',
    'billerCode',
    'profileId',
    'linkHasPassword',
    'extCustomerRef',
    'companyName',
    'firstName',
    'lastName',
    'email',
    'phone',
    'street',
    'city',
    'state',
    'zipcode',
    'country',
    'login',
    'passwordHash',
    'contractCode',
    'quantity',
    'startDate',
    'couponCode',
    'hasDetails',
    'expiresAt',
  ],
  values: { tokenHash: '$4', status: `'DRAFT'`, createdAt: '$3', updatedAt: '$3' },
  ending: 'returning id',
});
