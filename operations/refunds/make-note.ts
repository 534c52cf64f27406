/** Makes the credit note of an invoice: by a call, or once a gateway has refunded what was paid on it. */
import assert from 'node:assert';
import { standsOfInvoice, type NotedCharge } from '../../domain/billing/credit/note.ts';
import { taxReturn } from '../../domain/billing/rate/provider-tax.ts';
import { DomainError } from '../../domain/errors.ts';
import { draftNote } from '../../domain/invoices/credit-note.ts';
import { invoiceAfter } from '../../domain/invoices/state.ts';
import { compare, formatAmount, sum, type Decimal } from '../../domain/money/money.ts';
import type { InvoiceTake } from '../../domain/payments/allocation.ts';
import { taxedAddress } from '../../domain/tax/documents.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-waits.ts';
import { type CreditableInvoice, readCreditable } from '../../db/queries/billing/creditable.ts';
import { readShipFrom } from '../../db/queries/tax-records/records.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { balancesOf } from '../billing/draft-rows.ts';
import { makeInvoice } from '../billing/make.ts';
import { allocateUnapplied, carryOut, reverseAllocations } from '../collection/carry-out.ts';
import type { OperationContext } from '../context/context.ts';

export interface NoteTerms {
  readonly noted: readonly NotedCharge[];
  readonly notes: string | null;
  /** By payment, what of the money applied to the invoice goes back: the note takes its place. */
  readonly back?: ReadonlyMap<number, Decimal>;
  /** The refund by which it goes back. */
  readonly refundId?: number | null;
}

/** Returns the id of the note. The customer is locked, and refunds have reserved what goes back. */
export async function makeNote(
  context: OperationContext,
  original: CreditableInvoice,
  { noted, notes, back = new Map(), refundId = null }: NoteTerms,
): Promise<number> {
  const { tx, time } = context;
  const { id: invoiceId, customerId } = original;
  const draft = await recorded(context, original, draftNote(original, noted, time.today));
  const replaces = back.size > 0;
  const note = await makeInvoice(
    context,
    { ...draft, refundId },
    {
      balances: await balancesOf(tx, [customerId]),
      autopayOn: null,
      notes,
      noted: { metadata: original.metadata, hasOwnMetadata: original.hasOwnMetadata },
      keepsCredit: replaces,
    },
  );
  if (replaces) {
    const credit = await creditOf(tx, note);
    await reverseAllocations(context, { invoiceId, amounts: back, credit });
    await allocateUnapplied(context, [customerId]);
  }
  const credited = {
    invoice: original,
    transition: invoiceAfter(original, { happened: 'credited' }),
  };
  await carryOut(context, {
    invoices: [credited],
    chargeIds: noted.map(({ charge }) => charge.id),
  });
  return note.id;
}

interface NoteRow {
  readonly id: number;
  readonly customerId: number;
}

/** What the note leaves, still applied to nothing. */
async function creditOf(tx: Tx, { id, customerId }: NoteRow) {
  const [credit] = await tx.query<{ id: number; balance: Decimal }>(
    `select id, balance from payment
     where customer_id = $1 and balance > 0 and credited_invoice_id = $2`,
    [customerId, id],
    'credit-of-new-note',
  );
  assert(credit, 'a note leaves a credit');
  return credit;
}

/** Throws invoice.notCreditable. */
export function refuseUncreditable(invoice: CreditableInvoice): void {
  const { status, isImported, isOfOpenSignup, currentAmountDue } = invoice;
  const why = ((): string | null => {
    if (isImported) return 'an imported invoice is credited where it was made';
    if (status === 'Cancelled' || status === 'CarriedOver') return `the invoice is ${status}`;
    if (isOfOpenSignup) return 'its sign-up is not PROCESSED yet';
    return compare(currentAmountDue, '0') > 0 ? null : 'its total is zero or less';
  })();
  if (why !== null) throw new DomainError('invoice.notCreditable', why);
}

interface Refunding {
  readonly invoiceIds: readonly number[];
  readonly takes: readonly InvoiceTake[];
  /** The root element of the request, the start of error paths. */
  readonly root: string;
}

/**
 * Whether each of the invoices may have a note of what a refund takes of it. Throws
 * invoice.notCreditable, creditNote.tooHigh and creditNote.nothingLeft.
 */
export async function assertNotable(
  tx: Pick<Tx, 'query'>,
  { invoiceIds, takes, root }: Refunding,
): Promise<void> {
  const invoices: CreditableInvoice[] = [];
  for (const id of invoiceIds) invoices.push(await readCreditable(tx, id));
  invoices.forEach(refuseUncreditable);
  for (const invoice of invoices) {
    const { id, currency } = invoice;
    const of = takes.filter(({ invoiceId }) => invoiceId === id);
    const [back, stands] = [sum(of.map(({ amount }) => amount)), standsOfInvoice(invoice)];
    if (of.length === 0 || compare(back, stands) <= 0) continue;
    const isLeft = compare(stands, '0') > 0;
    const left = isLeft ? `no more than ${formatAmount(currency, stands)}` : 'nothing';
    throw new DomainError(
      isLeft ? 'creditNote.tooHigh' : 'creditNote.nothingLeft',
      `${left} stands of invoice ${id}`,
      { path: `${root}/amount`, value: formatAmount(currency, back) },
    );
  }
}

/** With what the tax provider of the invoice is told; as it is if there is none. */
async function recorded(
  { tx, time }: OperationContext,
  { isProvided, customerId, currency }: CreditableInvoice,
  draft: ReturnType<typeof draftNote>,
): Promise<ReturnType<typeof draftNote>> {
  if (!isProvided) return draft;
  const [shipFrom, addresses] = await Promise.all([
    readShipFrom(tx),
    readTaxAddresses(tx, [customerId]),
  ]);
  const told = taxReturn(
    draft.lines.flatMap(({ charges }) =>
      charges.flatMap(({ charge }) => (charge.kind === 'credit' ? [charge] : [])),
    ),
    {
      customerId,
      invoiceDate: time.today,
      currency,
      shipFrom: taxedAddress(shipFrom),
      shipTo: taxedAddress(addresses.get(customerId) ?? {}),
    },
  );
  if (told === null) return draft;
  return { ...draft, asked: { document: told.document, credits: told.credits, isAnswered: true } };
}
