/** What people see of a sign-up, and how long its workflow sleeps. */
import { DECLINES_MAX, STORING_SECONDS_MAX, openTries } from '../../domain/signups/signup.ts';
import type { SignupStep } from '../../domain/signups/step.ts';
import type { SignupLook } from '../../workflows/contract.ts';
import type { OperationContext } from '../context/context.ts';
import type { SignupNow } from './facts.ts';
import type { SignupRow } from './signup-row.ts';

export type Look = Omit<SignupLook, 'happened'>;

/** A payment nudges when it is final; this covers a lost nudge. */
const PAYMENT_PAUSE_MS = 3_600_000;
/** Timers of the engine and the clock here may differ. */
const LATER_MS = 50;

export const goneLook: Look = {
  phase: 'Gone',
  told: 'there is no such signup',
  openTry: null,
  failureCode: null,
  waitMs: null,
  ended: true,
};

export function lookOf(
  { tenant, realNow }: OperationContext,
  row: SignupRow,
  { step, now }: { readonly step: SignupStep; readonly now: SignupNow },
): Look {
  const { lastTry, failureCode } = row;
  const ended = step.do === 'end';
  const phase = phaseOf(row);
  const facts = [
    ended ? `${row.status}${failureCode === null ? '' : ` (${failureCode})`}` : null,
    !ended && phase === 'Open' ? `open until ${timeIn(tenant.timezone, row.expiresAt)}` : null,
    !ended && phase !== 'Open' ? doesWhat[lastTry?.status ?? 'storing'] : null,
    row.declines === 0 ? null : `${row.declines} of ${DECLINES_MAX} tries declined`,
    now.orderNumber === null ? null : `order ${now.orderNumber}`,
    !ended && row.cancelReason !== null ? 'an operator ends it' : null,
  ];
  return {
    phase,
    told: facts.filter((fact) => fact !== null).join(', '),
    openTry: isWorking(lastTry) ? String(lastTry?.id) : null,
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
  if (step.for === 'confirmation') return until(lastTry?.confirmUntil?.getTime() ?? 0);
  return until((lastTry?.createdAt.getTime() ?? 0) + STORING_SECONDS_MAX * 1_000);
}

/** `10:30` of the tenant. */
function timeIn(timezone: string, instant: Date): string {
  const options = { timeZone: timezone, hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(instant);
}
