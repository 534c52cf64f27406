/** Builds the rows of drafted invoices: each continues from its customer's balance before it. */
import assert from 'node:assert';
import { taxToRecord } from '../../domain/billing/rate/provider-tax.ts';
import type { DraftInvoice, DraftLine } from '../../domain/billing/rate/total.ts';
import type {
  BillingWrite,
  CarriedCredit,
  ChargeInsert,
  InvoiceInsert,
  LineInsert,
} from '../../db/queries/billing/write.ts';
import {
  type BalanceBefore,
  type Balances,
  assertFits,
  balanceAfter,
  balanceKey,
  continueFrom,
  noBalance,
} from '../../domain/billing/rate/balance.ts';
import type { InvoiceCharge } from '../../domain/billing/charges.ts';
import { referencesOf } from '../../domain/billing/references.ts';
import { givenBackBy } from '../../domain/billing/credit/corrected.ts';
import type { DueCharge, UsageWindow } from '../../domain/billing/due/due-charges.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { Metadata } from '../../domain/text/metadata.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { ask, keyed } from '../../db/queries/context/keyed.ts';
import { autopayDay, invoiceMade } from '../../domain/invoices/transitions.ts';
import type { TenantSettings } from '../context/context.ts';

/** The rows so far, in the order of the invoices' numbers. */
export interface DraftRows {
  readonly invoices: InvoiceInsert[];
  readonly lines: BillingWrite['lines'][number][];
  readonly charges: BillingWrite['charges'][number][];
  readonly credits: BillingWrite['credits'][number][];
  readonly taxRecords: BillingWrite['taxRecords'][number][];
  readonly ledger: BillingWrite['ledger'][number][];
  /** By customer and currency, after their last invoice: the next one continues from it. */
  readonly balances: Map<string, BalanceBefore>;
}

export function noDraftRows(): DraftRows {
  return {
    invoices: [],
    lines: [],
    charges: [],
    credits: [],
    taxRecords: [],
    ledger: [],
    balances: new Map(),
  };
}

/** What is written of the invoices. */
export function writeOf({
  balances: _continued,
  ...rows
}: DraftRows): Omit<BillingWrite, keyof Advanced> {
  return rows;
}

/** What becomes of the orders that were billed. */
export type Advanced = Pick<
  BillingWrite,
  'periods' | 'orders' | 'windows' | 'pointers' | 'changes' | 'changedLines'
>;

export interface DraftOwn {
  /** The balances before any of these invoices. */
  readonly balances: Balances;
  /** One id for the invoice, and one for each of its lines. */
  readonly nextId: () => number;
  readonly autopay: AutopayBasis;
  readonly notes: string | null;
  readonly noted: NotedMetadata;
  /** What its charges bill; without it the draft bills nothing stored. */
  readonly billed?: BilledIds;
}

/** The metadata of an invoice, and whether a call gave it. */
export interface NotedMetadata {
  readonly metadata: Metadata | null;
  readonly hasOwnMetadata: boolean;
}

/** Adds the rows of one more invoice. Throws billing.amountTooLarge. */
export function addDraft(rows: DraftRows, draft: DraftInvoice, own: DraftOwn): InvoiceInsert {
  const { balances, nextId, autopay, notes, noted } = own;
  const id = nextId();
  const key = balanceKey(draft.customerId, draft.currency);
  const before = rows.balances.get(key) ?? balances.get(key) ?? noBalance;
  const made = invoiceRow(draft, { id, before, autopay, notes, noted });
  rows.invoices.push(made);
  rows.ledger.push(ledgerRow(made));
  rows.taxRecords.push(...taxRecordRows(draft, id));
  rows.balances.set(key, balanceAfter(made));
  const { billed = nothingBilled } = own;
  for (const line of draft.lines) {
    const lineId = nextId();
    rows.lines.push(lineRow(line, lineId, id));
    rows.charges.push(...chargeRows(line, lineId, billed));
    rows.credits.push(...creditRows(line, lineId));
  }
  return made;
}

const nothingBilled: BilledIds = {
  periodIdOf: () => assert.fail('a charge of a due one'),
  windowIdOf: () => assert.fail('a charge of a due window'),
};

/** None for an invoice that no provider taxes. */
function taxRecordRows(draft: DraftInvoice, id: number): DraftRows['taxRecords'] {
  const record = taxToRecord(draft);
  if (record === null) return [];
  const { document, credits, total, tax } = record;
  const own = { invoiceId: id, paymentId: null, document: { ...document, credits } };
  return [{ ...own, expectedTotal: total, expectedTax: tax }];
}

/* Builds the columns of a draft's charges: what each shows, and what it refers to by its kind. */

/** The stored rows that charges bill or discount; a charge made by hand is of none. */
interface BilledIds {
  /** The billed period of a due charge. */
  readonly periodIdOf: (due: DueCharge) => number;
  readonly windowIdOf: (window: UsageWindow) => number;
}

function chargeRows({ charges }: DraftLine, lineId: number, billed: BilledIds): ChargeInsert[] {
  const positions = new Map(charges.map(({ charge, position }) => [charge, position]));
  const positionOf = (charge: InvoiceCharge): number => {
    const position = positions.get(charge);
    assert(position !== undefined, 'the base of a charge is on its line');
    return position;
  };
  return charges.map((draft) => ({
    ...referenceColumns(draft.charge, { ...billed, positionOf }),
    invoiceLineId: lineId,
    position: draft.position,
    kind: draft.charge.kind,
    priceCode: draft.priceCode,
    accountingCode: draft.accountingCode,
    invoiceText: draft.invoiceText,
    isPercent: draft.isPercent,
    billingStartDate: draft.billingStartDate,
    billingEndDate: draft.billingEndDate,
    chargeDate: draft.chargeDate,
    unitPrice: draft.unitPrice,
    quantity: draft.quantity,
    unitOfMeasure: draft.unitOfMeasure,
    amount: draft.amount,
  }));
}

interface Lookup extends BilledIds {
  readonly positionOf: (charge: InvoiceCharge) => number;
}

/** Its base is stored by the positions on the same line. */
function referenceColumns(charge: InvoiceCharge, { periodIdOf, windowIdOf, positionOf }: Lookup) {
  const { orderLineId, chargeId, tierId, due, window, base, couponId, rate } = referencesOf(charge);
  return {
    orderLineId,
    chargeId,
    pricingTierId: tierId,
    billedPeriodId: due && periodIdOf(due),
    usageWindowId: window && windowIdOf(window),
    basePositions: base && base.map(positionOf).toSorted((one, other) => one - other),
    couponId,
    taxCode: rate?.taxCode ?? null,
    taxCategory: rate?.category ?? null,
    taxReason: rate?.exemptionReason ?? null,
    taxJurisdiction: rate?.jurisdiction ?? null,
    taxCodes: charge.kind === 'manual' ? charge.taxCodes : null,
  };
}

/** What the charges of a line give back of earlier ones. */
function creditRows({ charges }: DraftLine, lineId: number): CarriedCredit[] {
  return charges.flatMap(({ charge, position }) => {
    const byNote = charge.kind === 'credit' && charge.note !== undefined;
    const isUnused = charge.kind === 'credit' && charge.corrects === undefined && !byNote;
    const [from, to] = isUnused ? [charge.from, charge.to] : [null, null];
    const carrier = { invoiceLineId: lineId, position, unusedFrom: from, unusedTo: to, byNote };
    return givenBackBy(charge).map(({ chargeId: invoiceChargeId, amount }) => ({
      ...carrier,
      invoiceChargeId,
      amount,
    }));
  });
}

/* Balances of customers by currency, from which their next invoices continue. */

/** Reads the balances from which the customers' next invoices continue. */
export async function balancesOf(tx: Tx, ids: readonly number[]): Promise<Balances> {
  if (ids.length === 0) return new Map();
  const rows = await ask<{
    customerId: number;
    currency: string;
    balance: Decimal;
    lastTotalDue: Decimal;
    hasUnapplied: boolean;
  }>(tx, balancesBy(ids));
  return new Map(
    rows.map(({ customerId, currency, balance, lastTotalDue, hasUnapplied }) => [
      balanceKey(customerId, currency),
      { balance, lastTotalDue, hasUnapplied },
    ]),
  );
}

const balancesBy = keyed(
  'balances-of-customers',
  (are) => `select b.customer_id, b.currency, b.balance, b.last_total_due, exists (
     select from payment p where p.tenant_id = b.tenant_id and p.customer_id = b.customer_id
       and p.currency = b.currency and p.balance > 0) as has_unapplied
   from customer_balance b where b.customer_id ${are('$1')}`,
);

/* Builds the columns of one invoice and its lines from the invoice's draft. */

interface InvoiceOwn {
  readonly id: number;
  /** It continues from the total of the previous one by number. */
  readonly before: BalanceBefore;
  readonly autopay: AutopayBasis;
  readonly notes: string | null;
  readonly noted: NotedMetadata;
}

/** Throws billing.amountTooLarge. */
function invoiceRow(
  invoice: DraftInvoice,
  { id, before, autopay, notes, noted }: InvoiceOwn,
): InvoiceInsert {
  const { currentAmountDue, isAutoPay } = invoice;
  const continued = continueFrom(before, currentAmountDue);
  assertFits(invoice, continued);
  const on = autopayDay(invoice, autopay.autopayOn);
  const { state } = invoiceMade(currentAmountDue, { on, awaits: autopay.afterPaymentId });
  return {
    id,
    status: state.status,
    customerId: invoice.customerId,
    currency: invoice.currency,
    invoiceDate: invoice.invoiceDate,
    dueDate: invoice.dueDate,
    billingStartDate: invoice.billingStartDate,
    billingEndDate: invoice.billingEndDate,
    billingPeriod: invoice.billingPeriod,
    previousBalance: continued.previousBalance,
    paymentsAndAdjustments: continued.paymentsAndAdjustments,
    currentAmountDue,
    totalDue: continued.totalDue,
    outstandingBalance: state.open,
    isAutoPay,
    autopayOn: state.autopayOn,
    autopayOrderId: state.autopayOn === null ? null : autopay.orderId,
    autopayAfterPaymentId: state.awaits,
    notes,
    creditNoteOf: invoice.creditNoteOf ?? null,
    refundId: invoice.refundId ?? null,
    ...noted,
  };
}

function ledgerRow(invoice: InvoiceInsert): BillingWrite['ledger'][number] {
  const { id: invoiceId, customerId, currency, currentAmountDue: amount } = invoice;
  return { customerId, currency, kind: 'invoice', amount, invoiceId };
}

export interface AutopayBasis {
  /** Null: never, whatever its order says. */
  readonly autopayOn: TenantSettings['autopayOn'] | null;
  /** The order whose workflow pays it. */
  readonly orderId: number | null;
  readonly afterPaymentId: number | null;
}

function lineRow(line: DraftLine, id: number, invoiceId: number): LineInsert {
  return {
    id,
    invoiceId,
    position: line.position,
    orderId: line.order?.id ?? null,
    contractCode: line.order?.contractCode ?? null,
    invoiceText: line.invoiceText,
    billingStartDate: line.billingStartDate,
    billingEndDate: line.billingEndDate,
    lineAmountTotal: line.lineAmountTotal,
    purchaseOrder: line.purchaseOrder,
  };
}
