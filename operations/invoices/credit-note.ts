/** Gives charges of an invoice back by a credit note: an invoice with a negative total. */
import { notedCharges } from '../../domain/billing/credit/note.ts';
import { taxReturn } from '../../domain/billing/rate/provider-tax.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  type CreditNoteInput,
  draftNote,
  noteRequestOf,
} from '../../domain/invoices/credit-note.ts';
import { invoiceAfter } from '../../domain/invoices/state.ts';
import { compare } from '../../domain/money/money.ts';
import { taxedAddress } from '../../domain/tax/documents.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-waits.ts';
import { type CreditableInvoice, readCreditable } from '../../db/queries/billing/creditable.ts';
import { readShipFrom } from '../../db/queries/tax-records/records.ts';
import { balancesOf } from '../billing/draft-rows.ts';
import { carryOut } from '../collection/carry-out.ts';
import type { OperationContext } from '../context/context.ts';
import { type InvoiceAddress, lockInvoice } from '../context/locks.ts';
import { makeInvoice } from './make.ts';

/**
 * Returns the id of the note. Throws invoice.unknown, invoice.notCreditable, creditNote.tooHigh,
 * creditNote.nothingLeft, or an error that names an element of the input.
 */
export async function createCreditNote(
  context: OperationContext,
  address: InvoiceAddress,
  input: CreditNoteInput,
): Promise<number> {
  const { tx, time } = context;
  const { id } = await lockInvoice(tx, address);
  const original = await readCreditable(tx, id);
  refuseUncreditable(original);
  const { customerId, currency, lines } = original;
  const noted = notedCharges(lines, noteRequestOf(input, currency), currency);
  const draft = await recorded(context, original, draftNote(original, noted, time.today));
  const note = await makeInvoice(context, draft, {
    balances: await balancesOf(tx, [customerId]),
    autopayOn: null,
    notes: input.reason ?? null,
  });
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

function refuseUncreditable(invoice: CreditableInvoice): void {
  const { status, isImported, isOfOpenSignup, currentAmountDue } = invoice;
  const why = ((): string | null => {
    if (isImported) return 'an imported invoice is credited where it was made';
    if (status === 'Cancelled' || status === 'CarriedOver') return `the invoice is ${status}`;
    if (isOfOpenSignup) return 'its sign-up is not PROCESSED yet';
    return compare(currentAmountDue, '0') > 0 ? null : 'its total is zero or less';
  })();
  if (why !== null) throw new DomainError('invoice.notCreditable', why);
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
