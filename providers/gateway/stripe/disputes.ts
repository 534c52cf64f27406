/** Disputes at Stripe, which also represent debits that the bank returned late. */
import type Stripe from 'stripe';
import { isHardDecline } from '../declines.ts';
import { GatewayError, type MadeCharge, type Withdrawal } from '../gateway.ts';
import { amountOfStripe } from './amount.ts';
import { failureOf, isMissing } from './errors.ts';

const DISPUTES_MAX = 100;

/** Why banks return debits (docs.stripe.com/payments/ach-direct-debit, "Disputed payments"). */
const reasonsOfReturns: ReadonlySet<string> = new Set([
  'bank_cannot_process',
  'debit_not_authorized',
  'incorrect_account_details',
  'insufficient_funds',
]);

/** Stripe's reasons that correspond to one of our codes. */
const codeOf: ReadonlyMap<string, string> = new Map([
  ['incorrect_account_details', 'invalid_account'],
]);

export async function withdrawals(
  stripe: Stripe,
  { transactionId }: MadeCharge,
): Promise<readonly Withdrawal[]> {
  if (!/^pi_\w+$/.test(transactionId)) return [];
  try {
    const { data } = await stripe.disputes.list({
      payment_intent: transactionId,
      limit: DISPUTES_MAX,
    });
    return data.filter(isWithdrawn).map(withdrawalOf);
  } catch (error) {
    if (isMissing(error)) return [];
    throw failureOf(error) ?? new GatewayError('unavailable', 'disputes_refused');
  }
}

/** An inquiry, or a dispute that was prevented, has moved no money. */
function isWithdrawn({ status, balance_transactions: moved }: Stripe.Dispute): boolean {
  return status === 'lost' || moved.some(({ amount }) => amount < 0);
}

function withdrawalOf({ id, status, reason, ...dispute }: Stripe.Dispute): Withdrawal {
  const currency = dispute.currency.toUpperCase();
  const amount = amountOfStripe(currency, dispute.amount);
  if (amount === null) throw new GatewayError('unknown', 'currency');
  const code = /^[a-z_]{1,64}$/.test(reason) ? reason : 'general';
  return {
    kind: reasonsOfReturns.has(code) ? 'return' : 'dispute',
    ref: id,
    amount,
    currency,
    reason: code,
    isHardDecline: isHardDecline(codeOf.get(code) ?? code),
    isReinstated:
      status === 'won' && dispute.balance_transactions.some((moved) => moved.amount > 0),
  };
}
