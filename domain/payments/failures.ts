/** The transitions of payments that bring no money, for the state machine (state.ts). */
import { outcomeOfUncharged } from './attempts.ts';
import type { ClaimedInvoice, PaymentState, Transition } from './happened.ts';
import { ending, nothing } from './transitions.ts';
import type { Uncharged } from './turn.ts';

/**
 * In its turn the payment charges nobody.
 *
 * @example uncharged(state, { kind: 'paid' }).attempt // 'overtaken'
 */
export function uncharged(state: PaymentState, why: Uncharged): Transition {
  return {
    ...nothing,
    state: ending(state, 'Canceled'),
    // Invoices made for it in another currency may still be open.
    madeInvoices: 'givenUp',
    attempt: outcomeOfUncharged(why),
    claimed: claimedAfter(why),
    freesTurn: true,
    tellsPage: 'ended',
  };
}

function claimedAfter(why: Uncharged): ClaimedInvoice | null {
  if (why.kind === 'setAside') return { until: 'setAside', cascadeId: why.cascadeId };
  return why.kind === 'planEnabled' ? { until: 'planEnded' } : null;
}

/**
 * Each payment of a cascade fails for itself; only after the last one the cascade has failed.
 *
 * @example declined(state, true).attempt // 'declined'
 */
export function declined(state: PaymentState, isLast: boolean): Transition {
  return {
    ...nothing,
    state: { ...ending(state, 'Declined'), newsOn: null },
    raises: { type: 'payment.failed', detail: { final: isLast } },
    madeInvoices: isLast ? 'givenUp' : null,
    attempt: isLast ? 'declined' : null,
    releases: state.phase === 'Processing',
    freesTurn: true,
    tellsPage: isLast ? 'declined' : 'ended',
  };
}
