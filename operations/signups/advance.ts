/**
 * Carries a sign-up on: one step after the other, each a transaction that reads its rows anew, until
 * it has to wait. However often it is called, each step is done once.
 */
import { takeIds } from '../../db/queries/billing/write.ts';
import { UnansweredTaxes } from '../../domain/billing/rate/provider-tax.ts';
import { DomainError } from '../../domain/errors.ts';
import { PriceMoved } from '../../domain/signups/price-moved.ts';
import { type SignupStep, nextStep } from '../../domain/signups/step.ts';
import type { Gateways, MadeMethod } from '../../providers/gateway/gateway.ts';
import type { SignupLook } from '../../workflows/contract/contract.ts';
import { answersTo } from '../billing/asking.ts';
import type { AnswerTo } from '../billing/tax-answers.ts';
import { type Dependencies, type OperationContext, inOperation } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { askToConfirm } from './ask-to-confirm.ts';
import { type SignupNow, decline, factsOf, payAgain, refused, returned, settle } from './steps.ts';
import { CardUnvalidated, OnlyOwnMoney, makeSignup } from './make.ts';
import { type SignupRow, lockSignup } from './signup-row.ts';
import { noteAsked, type Validation, validateCard } from './validate.ts';
import { DECLINES_MAX, STORING_SECONDS_MAX, openTries } from '../../domain/signups/signup.ts';

export interface SignupHooks {
  readonly gateways: Gateways;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
}

/** More steps than any sign-up takes at once. */
const STEPS_MAX = 10;

export async function advanceSignup(
  dependencies: Dependencies,
  hooks: SignupHooks,
  tenantId: number,
  signupId: number,
): Promise<SignupLook> {
  const happened: string[] = [];
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const moved = await moveOn(dependencies, hooks, tenantId, signupId);
    if (typeof moved !== 'string') return { ...moved, happened };
    happened.push(moved);
  }
  throw new Error(`signup ${signupId} takes more than ${STEPS_MAX} steps`);
}

/** A step's words; what people see if there is none to take. */
type Moved = string | Look;

/** What the repetitions of a step share: all of them make the same. */
interface Attempt {
  /** The try that the step was taken for. */
  tryId: number | null;
  newCustomerId: number;
  answerTo: AnswerTo;
  isValidated: boolean;
  made: MadeMethod | null;
  /** The user name that was typed is somebody else's, which the page does not tell. */
  isWithoutLogin: boolean;
  isLoginTyped: boolean;
}

/** What is asked may change while it is asked. */
const ROUNDS_MAX = 4;

async function moveOn(
  dependencies: Dependencies,
  hooks: SignupHooks,
  tenantId: number,
  signupId: number,
): Promise<Moved> {
  const at = { tenantId, signupId };
  const attempt: Attempt = {
    tryId: null,
    newCustomerId: 0,
    answerTo: () => null,
    isValidated: false,
    made: null,
    isWithoutLogin: false,
    isLoginTyped: false,
  };
  try {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      try {
        return await inStep(dependencies, hooks, at, (context, row) =>
          takeStep(dependencies, context, row, attempt),
        );
      } catch (error) {
        // Nothing was stored: what is missing is asked for outside of any transaction.
        if (error instanceof UnansweredTaxes) {
          attempt.answerTo = await answersTo(dependencies, tenantId, error.documents);
        } else if (error instanceof CardUnvalidated) {
          const found = await validateCard(dependencies, hooks.gateways, tenantId, signupId);
          if (found.is === 'asks') return await waitForPayer(dependencies, hooks, at, found);
          if (found.is !== 'approved') return await giveBack(dependencies, hooks, at, found);
          attempt.isValidated = true;
          attempt.made = found.made;
        } else if (error instanceof OnlyOwnMoney) {
          return await inStep(dependencies, hooks, at, (context, row) =>
            attempt.tryId !== null && isStill(row, attempt.tryId)
              ? askToConfirm(context, row)
              : Promise.resolve(ENDED_MEANWHILE),
          );
        } else if (isTakenLogin(error) && attempt.isLoginTyped) attempt.isWithoutLogin = true;
        else throw error;
      }
    }
    throw new DomainError('tax.unavailable', 'what the tax provider is asked changes each time');
  } catch (error) {
    const { tryId } = attempt;
    const isRefusal = error instanceof DomainError || error instanceof PriceMoved;
    if (tryId === null || !isRefusal) throw error;
    return inStep(dependencies, hooks, at, (context, row) =>
      isStill(row, tryId)
        ? refused(dependencies, context, row, error)
        : Promise.resolve(ENDED_MEANWHILE),
    );
  }
}

const isTakenLogin = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'contact.usernameTaken';

const ENDED_MEANWHILE = 'was ended meanwhile';

function giveBack(
  dependencies: Dependencies,
  hooks: SignupHooks,
  at: SignupPlace,
  found: Exclude<Validation, { readonly is: 'approved' | 'asks' }>,
): Promise<Moved> {
  return inStep(dependencies, hooks, at, async (context, row) => {
    if (!isStill(row, found.tryId)) return ENDED_MEANWHILE;
    if (found.is === 'declined') return decline(dependencies, context, row, found.code);
    return returned(context, row, found);
  });
}

type Asks = Extract<Validation, { readonly is: 'asks' }>;

/** The page leads the payer on; whatever he does there nudges the sign-up. */
function waitForPayer(
  dependencies: Dependencies,
  hooks: SignupHooks,
  at: SignupPlace,
  { tryId, validationId }: Asks,
): Promise<Moved> {
  return inStep(dependencies, hooks, at, async (context, row) => {
    if (!isStill(row, tryId)) return ENDED_MEANWHILE;
    const asking = noteAsked(context, row, validationId);
    const now = await factsOf(context, asking);
    return lookOf(context, asking, { step: { do: 'wait', for: 'payer' }, now });
  });
}

function isStill({ status, lastTry }: SignupRow, tryId: number): boolean {
  return status === 'DRAFT' && lastTry?.id === tryId && lastTry.status === 'submitted';
}

interface SignupPlace {
  readonly tenantId: number;
  readonly signupId: number;
}

/** A transaction that has locked the signup, then its customer. */
async function inStep(
  dependencies: Dependencies,
  { dispatch }: SignupHooks,
  { tenantId, signupId }: SignupPlace,
  take: (context: OperationContext, row: SignupRow) => Promise<Moved>,
): Promise<Moved> {
  const { moved, nudges } = await inOperation(dependencies, tenantId, async (context) => {
    const row = await lockSignup(context.tx, { id: signupId });
    if (row === undefined) return { moved: goneLook, nudges: [] };
    if (row.status === 'DRAFT' && row.customerId !== null) {
      await lockCustomers(context.tx, [row.customerId]);
    }
    return { moved: await take(context, row), nudges: context.nudges };
  });
  dispatch(tenantId, nudges);
  return moved;
}

async function takeStep(
  dependencies: Dependencies,
  context: OperationContext,
  row: SignupRow,
  attempt: Attempt,
): Promise<Moved> {
  const now = await factsOf(context, row);
  const step = nextStep(now);
  switch (step.do) {
    case 'end':
    case 'wait':
      return lookOf(context, row, { step, now });
    case 'make':
    case 'pay':
      attempt.tryId = row.lastTry?.id ?? null;
      attempt.isLoginTyped = !row.hideCustomerFields && !row.linkHasPassword;
      if (step.do === 'pay') return payAgain(dependencies, context, row);
      if (attempt.newCustomerId === 0) [attempt.newCustomerId = 0] = await takeIds(context.tx, 1);
      return makeSignup(dependencies, context, row, attempt);
    default:
      return settle(dependencies, context, row, { step, now });
  }
}

/* What people see of a sign-up, and how long its workflow sleeps. */

type Look = Omit<SignupLook, 'happened'>;

/** A payment nudges when it is final; this covers a lost nudge. */
const PAYMENT_PAUSE_MS = 3_600_000;
/** Timers of the engine and the clock here may differ. */
const LATER_MS = 50;

const goneLook: Look = {
  phase: 'Gone',
  told: 'there is no such signup',
  openTry: null,
  failureCode: null,
  waitMs: null,
  ended: true,
};

function lookOf(
  { tenant, realNow }: OperationContext,
  row: SignupRow,
  { step, now }: Standing,
): Look {
  const { lastTry, failureCode } = row;
  const ended = step.do === 'end';
  const phase = phaseOf(row);
  const facts = [
    ended ? `${row.status}${failureCode === null ? '' : ` (${failureCode})`}` : null,
    !ended && phase === 'Open' ? `open until ${timeIn(tenant.timezone, row.expiresAt)}` : null,
    !ended && phase !== 'Open' ? doesNow({ step, now }, lastTry) : null,
    row.declines === 0 ? null : `${row.declines} of ${DECLINES_MAX} tries declined`,
    now.orderNumber === null ? null : `order ${now.orderNumber}`,
    !ended && row.cancelReason !== null ? 'an operator ends it' : null,
  ];
  return {
    phase,
    told: facts.filter((fact) => fact !== null).join(', '),
    openTry: isWorking(lastTry) && !isAsked(step, now) ? String(lastTry?.id) : null,
    failureCode,
    waitMs: ended ? null : waitOf(row, step, realNow),
    ended,
  };
}

const doesWhat: Readonly<Record<string, string>> = {
  storing: 'the card goes to the vault',
  submitted: 'a form is under way',
  charging: 'waits for the payment',
  confirming: 'waits for the button of the mailed page',
};

interface Standing {
  readonly step: SignupStep;
  readonly now: SignupNow;
}

const doesNow = ({ step, now }: Standing, lastTry: SignupRow['lastTry']): string | undefined =>
  isAsked(step, now) ? 'waits for the payer' : doesWhat[lastTry?.status ?? 'storing'];

/** The page leads its payer on, and nobody waits here. */
const isAsked = (step: SignupStep, { payment }: SignupNow): boolean =>
  step.do === 'wait' &&
  (step.for === 'payer' || (step.for === 'payment' && payment === 'ActionRequired'));

/** Whoever sent the form does not wait for the mail. */
const isWorking = (lastTry: SignupRow['lastTry']): boolean =>
  lastTry !== null && lastTry.status !== 'confirming' && openTries.includes(lastTry.status);

function phaseOf({ status, lastTry }: SignupRow): string {
  switch (status) {
    case 'PROCESSED':
      return 'Processed';
    case 'FAILED':
      return 'Failed';
    case 'EXPIRED':
      return 'Expired';
    case 'DRAFT':
      break;
  }
  if (lastTry?.status === 'storing') return 'Storing';
  if (lastTry?.status === 'submitted') return 'Working';
  if (lastTry?.status === 'confirming') return 'Confirming';
  return lastTry?.status === 'charging' ? 'Charging' : 'Open';
}

/** At least a moment, so that no look follows another without end. */
function waitOf({ expiresAt, lastTry }: SignupRow, step: SignupStep, realNow: Date): number {
  const until = (instantMs: number) => Math.max(0, instantMs - realNow.getTime()) + LATER_MS;
  if (step.do !== 'wait' || step.for === 'form') return until(expiresAt.getTime());
  if (step.for === 'payment') return PAYMENT_PAUSE_MS;
  if (step.for === 'payer') return until(lastTry?.asksUntil?.getTime() ?? 0);
  if (step.for === 'confirmation') return until(lastTry?.confirmUntil?.getTime() ?? 0);
  return until((lastTry?.createdAt.getTime() ?? 0) + STORING_SECONDS_MAX * 1_000);
}

/** `10:30` of the tenant. */
function timeIn(timezone: string, instant: Date): string {
  const options = { timeZone: timezone, hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(instant);
}
