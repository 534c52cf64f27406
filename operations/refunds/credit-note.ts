/**
 * Gives charges of an invoice back by a credit note, an invoice with a negative total; and, if asked to,
 * what was paid on it by a refund.
 */
import { notedCharges } from '../../domain/billing/credit/note.ts';
import { type CreditNoteInput, noteRequestOf } from '../../domain/invoices/credit-note.ts';
import { add, compare, negate, sum, type Decimal } from '../../domain/money/money.ts';
import { waiting } from '../../domain/payments/transitions.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { type CreditableInvoice, readCreditable } from '../../db/queries/billing/creditable.ts';
import { insertPayments, newPayment } from '../../db/queries/payments/new-payments.ts';
import type { OperationContext } from '../context/context.ts';
import { type InvoiceAddress, lockInvoice } from '../context/locks.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { makeNote, refuseUncreditable, type NoteTerms } from './make-note.ts';
import { refundAtOnce, reserveShares } from './refund.ts';
import { anySource, gatewayOf, sharesOfInvoices } from './refund-source.ts';

export interface NoteOptions {
  /** What is left of the note goes back to the payments applied to the invoice. */
  readonly refund?: boolean;
  /** Who asks for it. */
  readonly userId?: number | null;
}

/**
 * Returns the id of the note. Throws invoice.unknown, invoice.notCreditable, creditNote.tooHigh,
 * creditNote.nothingLeft, or an error that names an element of the input.
 */
export async function createCreditNote(
  context: OperationContext,
  address: InvoiceAddress,
  input: CreditNoteInput,
  { refund = false, userId = null }: NoteOptions = {},
): Promise<number> {
  const { tx } = context;
  const { id } = await lockInvoice(tx, address);
  const original = await readCreditable(tx, id);
  refuseUncreditable(original);
  const noted = notedCharges(original, noteRequestOf(input, original.currency));
  const terms = { noted, notes: input.reason ?? null };
  return refund
    ? makeRefunded(context, original, { ...terms, userId })
    : makeNote(context, original, terms);
}

interface RefundedTerms extends Pick<NoteTerms, 'noted' | 'notes'> {
  readonly userId: number | null;
}

/** What closes the invoice does not go back, nor what no payment paid. */
async function makeRefunded(
  context: OperationContext,
  original: CreditableInvoice,
  { userId, ...terms }: RefundedTerms,
): Promise<number> {
  const { tx, time } = context;
  const { id: invoiceId, customerId, currency, open } = original;
  const rest = add(sum(terms.noted.map((each) => each.amount)), negate(open));
  const { takes, shares } = await sharesOfInvoices(tx, original, {
    amount: compare(rest, '0') > 0 ? rest : '0',
    source: anySource,
    invoiceIds: [invoiceId],
  });
  if (takes.length === 0) return makeNote(context, original, terms);
  const [refundId = 0] = await takeIds(tx, 1);
  const amount = negate(sum(takes.map((take) => take.amount)));
  const row = newPayment(waiting('Refund', { amount, surcharge: '0' }), {
    ...anySource,
    id: refundId,
    customerId,
    currency,
    effectiveDate: time.today,
    baseUserId: userId,
    gateway: gatewayOf(shares),
  });
  insertPayments(tx, [row], time.now);
  await reserveShares(context, refundId, shares);
  const back = new Map<number, Decimal>(takes.map((take) => [take.paymentId, take.amount]));
  const noteId = await makeNote(context, original, { ...terms, back, refundId });
  if (row.gateway === null) await refundAtOnce(context, row);
  else enqueue(context, [{ kind: 'payment', objectId: refundId }]);
  return noteId;
}
