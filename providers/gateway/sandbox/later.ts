/** What the sandbox says days after a charge: how a debit ends, and that it is returned. */
import { addDays, type IsoDate } from '../../../domain/calendar/calendar.ts';
import { add, compare, negate } from '../../../domain/money/money.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { MadeCharge, Withdrawal } from '../gateway.ts';
import {
  type Ending,
  endNews,
  type Entry,
  enter,
  goneBack,
  lockCharge,
  newEntry,
  returnsOf,
} from './rows.ts';
import { LATE_DECLINE, type Script } from './script.ts';

/** How an entry ends on its day. */
export function endingOf({ newsOn }: Entry, { later }: Script): Ending {
  if (later?.what === 'declined') {
    return { status: 'Declined', errorCode: LATE_DECLINE, newsOn: null };
  }
  const after = later?.returnedAfter ?? null;
  const returnedOn = after === null || newsOn === null ? null : addDays(newsOn, after);
  return { status: 'Approved', errorCode: null, newsOn: returnedOn };
}

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
    reason: LATE_DECLINE,
    isHardDecline: false,
    isReinstated: false,
  }));
}

/** An approved charge that still has a news day is returned on that day. */
export function isToBeReturned({ status, newsOn }: Pick<Entry, 'status' | 'newsOn'>): boolean {
  return status === 'Approved' && newsOn !== null;
}
