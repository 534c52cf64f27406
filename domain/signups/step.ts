/** What is to be done next for a sign-up, by what its rows say. */
import type { PaymentStatus } from '../payments/allocation.ts';
import { openTries } from './signup.ts';
import type { SignupState } from './state.ts';

/** What became of its invoices: open, at least one cancelled, or nothing open; none without any. */
export type InvoicesNow = 'none' | 'open' | 'cancelled' | 'settled';

export interface SignupFacts extends SignupState {
  /** The link takes no further forms. */
  readonly isOver: boolean;
  /** An operator has asked for its end. */
  readonly isCancelled: boolean;
  /** The newest try waits for its card for so long that the process of its form is gone. */
  readonly isAbandoned: boolean;
  /** The newest try has waited for the button of its mail for too long. */
  readonly isConfirmOver: boolean;
  /** Of the newest try; null if it has none. */
  readonly payment: PaymentStatus | null;
  /** Its gateway has accepted the debit, which takes days. */
  readonly isAccepted?: boolean;
  readonly invoices: InvoicesNow;
}

export type SignupStep =
  | { readonly do: 'end' }
  | { readonly do: 'wait'; readonly for: 'form' | 'card' | 'confirmation' | 'payment' | 'payer' }
  /** The first try that makes something, or a further payment of what was made. */
  | { readonly do: 'make' | 'pay' }
  | { readonly do: 'finish' | 'decline' | 'expire' | 'cancel' }
  /** The form is shown again. */
  | { readonly do: 'return'; readonly code: string }
  | { readonly do: 'fail'; readonly code: string };

/** The interface or its vault did not answer. */
export const LOST_CODE = 'service.unavailable';
/** Somebody has ended it by hand. */
export const OPERATOR_CODE = 'operator';

/**
 * A try that was taken is carried to its end, whatever the time; only then do the end of the link
 * and an operator count.
 *
 * @example // its payment was declined
 *   nextStep({ ...signup, lastTry: 'charging', payment: 'Declined' }) // { do: 'decline' }
 */
export function nextStep(facts: SignupFacts): SignupStep {
  const { status, lastTry, isMade, invoices, isCancelled } = facts;
  if (status !== 'DRAFT') return { do: 'end' };
  if (lastTry !== null && openTries.includes(lastTry)) {
    if (lastTry === 'charging') return afterCharge(facts);
    if (isCancelled) return { do: 'cancel' };
    if (lastTry === 'storing') return afterStoring(facts);
    if (lastTry === 'confirming') {
      return facts.isConfirmOver ? { do: 'expire' } : { do: 'wait', for: 'confirmation' };
    }
    if (!isMade) return { do: 'make' };
    return invoices === 'open' ? { do: 'pay' } : afterOthers(facts);
  }
  if (isMade && invoices !== 'open') return afterOthers(facts);
  if (isCancelled) return { do: 'cancel' };
  return facts.isOver ? { do: 'expire' } : { do: 'wait', for: 'form' };
}

function afterStoring({ isAbandoned }: SignupFacts): SignupStep {
  return isAbandoned ? { do: 'return', code: LOST_CODE } : { do: 'wait', for: 'card' };
}

function afterCharge(facts: SignupFacts): SignupStep {
  switch (facts.payment) {
    case 'Pending':
    case 'ActionRequired':
      // A decline that comes later is the customer's.
      return facts.isAccepted === true ? { do: 'finish' } : { do: 'wait', for: 'payment' };
    case 'Declined':
      return { do: 'decline' };
    case 'Canceled':
    case null:
      // It charged nobody: its invoices had nothing open in its turn, or a payment plan pays them.
      if (facts.invoices !== 'open') return afterOthers(facts);
      return { do: 'return', code: 'payment.canceled' };
    default:
      // Also if the money went back since.
      return { do: 'finish' };
  }
}

/** Its invoices were paid or cancelled by somebody else. */
function afterOthers({ invoices }: SignupFacts): SignupStep {
  return invoices === 'cancelled' ? { do: 'fail', code: OPERATOR_CODE } : { do: 'finish' };
}
