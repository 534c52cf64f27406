/** Decides and builds the sandbox's answer to a call. */
import { add, compare, formatAmount, type Decimal } from '../../../domain/money/money.ts';
import { approved, declined, pending } from '../declines.ts';
import {
  GatewayDifference,
  type AskedFor,
  type GatewayAnswer,
  type GatewayOperation,
  type ReturnCall,
} from '../gateway.ts';
import type { Entry, NewEntry } from './rows.ts';
import type { KeptMethod } from './vault.ts';

export interface Return extends ReturnCall {
  readonly operation: 'refund' | 'void';
}

/** ISO 4217's code for no currency, used by validations. */
export const noCurrency = 'XXX';

export function newEntry(
  operation: NewEntry['operation'],
  call: { readonly idempotencyKey: string; readonly amount: Decimal; readonly currency: string },
  errorCode: string | null,
): NewEntry {
  return {
    key: call.idempotencyKey,
    operation,
    token: null,
    chargeId: null,
    amount: call.amount,
    currency: call.currency,
    status: errorCode === null ? 'Approved' : 'Declined',
    errorCode,
    newsOn: null,
  };
}

export function refusalOf(call: Return, charge: Entry | undefined, gone: Decimal): string | null {
  if (!charge) return 'unknown_charge';
  if (charge.currency !== call.currency) return 'currency_mismatch';
  const isWhole = compare(call.amount, charge.amount) === 0 && compare(gone, '0') === 0;
  if (call.operation === 'void') return isWhole ? null : 'not_voidable';
  return compare(add(gone, call.amount), charge.amount) > 0 ? 'refund_exceeds_charge' : null;
}

/** Throws if the key belongs to another call. */
export function refuseAnother(entry: Entry, operation: GatewayOperation, asked: AskedFor): void {
  const isSame =
    entry.operation === operation &&
    entry.currency === asked.currency &&
    compare(entry.amount, asked.amount) === 0;
  if (isSame) return;
  const isValidation = entry.operation === 'validate';
  const amount = isValidation ? '0' : formatAmount(entry.currency, entry.amount);
  const text = isValidation
    ? 'a validation'
    : `a ${entry.operation} over ${amount} ${entry.currency}`;
  throw new GatewayDifference({ text, transactionId: String(entry.id) }, asked);
}

const APPROVAL_CODE_DIGITS = 6;

export function answerOf(entry: Entry, kept: KeptMethod | null): GatewayAnswer {
  const evidence = {
    transactionId: String(entry.id),
    avsCode: kept?.avsCode ?? null,
    cvvCode: kept?.cvvCode ?? null,
  };
  if (entry.status === 'Processing') return pending(evidence, entry.newsOn);
  if (entry.status === 'Declined') return declined(entry.errorCode ?? 'card_declined', evidence);
  const approvalCode = String(entry.id)
    .slice(-APPROVAL_CODE_DIGITS)
    .padStart(APPROVAL_CODE_DIGITS, '0');
  const answer = approved({ ...evidence, approvalCode });
  return isToBeReturned(entry) ? { ...answer, newsOn: entry.newsOn } : answer;
}

/** An approved charge that still has a news day is returned on that day. */
export function isToBeReturned({ status, newsOn }: Pick<Entry, 'status' | 'newsOn'>): boolean {
  return status === 'Approved' && newsOn !== null;
}
