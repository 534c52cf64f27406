/** Returns debits of the sandbox on their day. */
import { add, compare, negate } from '../../../domain/money/money.ts';
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { MadeCharge, Withdrawal } from '../gateway.ts';
import { isToBeReturned, newEntry } from './answers.ts';
import { endNews, enter, goneBack, lockCharge, returnsOf } from './rows.ts';

const RETURN_REASON = 'insufficient_funds';

/** Returns the part of a charge that was not refunded, once, on the day of its return. */
export async function withdrawals(
  tx: Tx,
  { transactionId, currency }: MadeCharge,
  today: IsoDate,
): Promise<readonly Withdrawal[]> {
  const charge = await lockCharge(tx, transactionId);
  if (!charge) return [];
  if (isToBeReturned(charge) && (charge.newsOn ?? today) <= today) {
    const key = `return/${charge.id}`;
    const amount = add(charge.amount, negate(await goneBack(tx, charge, key)));
    const call = { idempotencyKey: key, amount, currency: charge.currency };
    const asked = { ...newEntry('return', call, null), chargeId: transactionId };
    if (compare(amount, '0') > 0) await enter(tx, asked);
    await endNews(tx, charge);
  }
  const made = await returnsOf(tx, charge);
  return made.map(({ id, amount }) => ({
    kind: 'return',
    ref: String(id),
    amount,
    currency,
    reason: RETURN_REASON,
    isHardDecline: false,
    isReinstated: false,
  }));
}
