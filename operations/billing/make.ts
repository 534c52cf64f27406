/** Writes an invoice that no run makes: one by hand, or a credit note. */
import assert from 'node:assert';
import type { Balances } from '../../domain/billing/rate/balance.ts';
import type { DraftInvoice } from '../../domain/billing/rate/total.ts';
import type { AutopayOn } from '../../domain/invoices/transitions.ts';
import { type InvoiceInsert, takeIds, writeBilling } from '../../db/queries/billing/write.ts';
import { carryOut } from '../collection/carry-out.ts';
import type { CarriedInvoice } from '../collection/invoice-consequences.ts';
import type { OperationContext } from '../context/context.ts';
import { type NotedMetadata, addDraft, noDraftRows, writeOf } from './draft-rows.ts';
import { madeInvoices, raiseMade } from './invoice-events.ts';

interface Single {
  /** The customer's, before it. */
  readonly balances: Balances;
  /** Null: it never pays itself. */
  readonly autopayOn: AutopayOn | null;
  readonly notes: string | null;
  readonly noted: NotedMetadata;
  /** Its customer has unapplied money. */
  readonly meetsMoney?: boolean;
  /** The credit that it leaves is applied by the caller. */
  readonly keepsCredit?: boolean;
}

/** The customer is locked. What follows from it is carried out. Throws billing.amountTooLarge. */
export async function makeInvoice(
  context: OperationContext,
  draft: DraftInvoice,
  { balances, autopayOn, notes, noted, meetsMoney = false, keepsCredit = false }: Single,
): Promise<InvoiceInsert> {
  const { tx, time, tenant } = context;
  const ids = (await takeIds(tx, 1 + draft.lines.length)).values();
  const rows = noDraftRows();
  const invoice = addDraft(rows, draft, {
    balances,
    nextId: () => ids.next().value ?? assert.fail('an id for the invoice, and one for each line'),
    // It has no order: autopay claims it when it is made, or in the billing run of its due date.
    autopay: { autopayOn, orderId: null, afterPaymentId: null },
    notes,
    noted,
  });
  const made = madeInvoices(rows.invoices, () => ({ meetsMoney }));
  raiseMade(context, made);
  const write = { periods: [], orders: [], pointers: [], ...writeOf(rows) };
  writeBilling(tx, write, { ...time, numbering: tenant.numbering });
  const invoices = keepsCredit ? made.map(keepingCredit) : made;
  await carryOut(context, { invoices, isRaised: true });
  return invoice;
}

const keepingCredit = ({ invoice, transition }: CarriedInvoice): CarriedInvoice => ({
  invoice,
  transition: { ...transition, allocates: false },
});
