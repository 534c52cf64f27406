/** Writes the result of a billing batch in one statement per table. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { type Numbering, seriesOfInvoice } from '../../../domain/invoices/number-series.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { BilledPeriod, Invoice, InvoiceCharge, InvoiceLine } from '../../entities/invoices.ts';
import { OrderLine } from '../../entities/orders.ts';
import { ChargeCredit, CustomerBalance, LedgerEntry } from '../../entities/payments.ts';
import { type TaxRecordInsert, insertTaxRecords } from '../tax-records/records.ts';
import {
  type GivenBy,
  type InsertedBy,
  given,
  insertText,
  inserting,
} from '../context/insertion.ts';
import { type WindowClose, closeWindows } from './usage-windows.ts';
import {
  type OrderUpdate,
  type RepricedLine,
  type RepricedOrder,
  repriceOrders,
  updateOrders,
} from '../standing/advance.ts';
import { type LineChange, type OrderChange, writeChanges } from '../standing/changes.ts';
import { numberColumns, numbersFor, numberText, placed, takenNumbers } from '../context/numbers.ts';
import { columnOf, type RowOf } from '../../entities/rows.ts';
import { freezeCustomers, frozenParties } from '../parties/parties.ts';

export interface BillingWrite {
  readonly periods: readonly InsertedBy<typeof insertPeriods>[];
  readonly lines: readonly LineInsert[];
  readonly charges: readonly ChargeInsert[];
  readonly credits: readonly CarriedCredit[];
  readonly ledger: readonly InsertedBy<typeof insertLedger>[];
  readonly orders: readonly OrderUpdate[];
  /** Orders that take other prices, and all lines of them, in place of the above and of pointers. */
  readonly repriced?: readonly RepricedOrder[];
  readonly repricedLines?: readonly RepricedLine[];
  /** The usage windows that are closed. */
  readonly windows?: readonly WindowClose[];
  readonly pointers: readonly GivenBy<typeof movedPointers>[];
  /** What changes make of orders and their lines. */
  readonly changes?: readonly OrderChange[];
  readonly changedLines?: readonly LineChange[];
  /** Of the invoices that a tax provider taxes. */
  readonly taxRecords: readonly TaxRecordInsert[];
  /** Ordered by number. */
  readonly invoices: readonly InvoiceInsert[];
}

/** Ids for rows that other rows of the same batch refer to; they may have gaps. */
export async function takeIds(tx: Tx, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.query<{ id: number }>(
    // Within a select the count says nothing to the planner, which would plan each count anew.
    `select nextval('id_seq') as id from generate_series(1, (select $1::int))`,
    [count],
    'take-ids',
  );
  return rows.map((row) => row.id);
}

/** The ids that were taken ahead, and what is still missing of them. */
export async function withMoreIds(
  tx: Tx,
  taken: readonly number[],
  wanted: number,
): Promise<readonly number[]> {
  return [...taken, ...(await takeIds(tx, Math.max(0, wanted - taken.length)))];
}

export interface Making {
  readonly now: Date;
  readonly today: IsoDate;
  readonly numbering: Numbering;
}

export interface WriteHooks {
  /** Called when the orders are written, and no invoice is. */
  readonly onOrders?: () => void;
  /** Inserts the order that is made with these invoices. */
  readonly insertNewOrder?: (() => void) | undefined;
}

/**
 * Writes what takes a number last, and together with the next statement of the transaction: the
 * counters stay locked until commit, so no round trip may come in between.
 */
export function writeBilling(
  tx: Tx,
  write: BillingWrite,
  making: Making,
  { onOrders, insertNewOrder }: WriteHooks = {},
): void {
  freezeCustomers(
    tx,
    write.invoices.map(({ customerId }) => customerId),
  );
  // Before the pointers, which take the marks of billed penalties away.
  writeChanges(tx, write.changes ?? [], write.changedLines ?? []);
  if (write.orders.length > 0) updateOrders(tx, write.orders, making.now);
  repriceOrders(tx, write.repriced ?? [], write.repricedLines ?? [], making.now);
  onOrders?.();
  insertPeriods(tx, write.periods);
  insertLines(tx, write.lines);
  insertCharges(tx, write.charges);
  insertCarriedCredits(tx, write.credits);
  insertTaxRecords(tx, write.taxRecords);
  insertLedger(tx, write.ledger, making);
  closeWindows(tx, write.windows ?? [], making.now);
  if (write.pointers.length > 0) movePointers(tx, write.pointers);
  insertNewOrder?.();
  if (write.invoices.length > 0) insertInvoices(tx, write.invoices, making);
}

const insertPeriods = inserting('insert-periods', {
  into: BilledPeriod,
  columns: [
    'id',
    'orderLineId',
    'chargeId',
    'periodIndex',
    'segment',
    'billedFrom',
    'billedTo',
    'invoiceId',
  ],
});

const insertLines = inserting('insert-lines', {
  into: InvoiceLine,
  columns: [
    'id',
    'invoiceId',
    'position',
    'orderId',
    'contractCode',
    'invoiceText',
    'billingStartDate',
    'billingEndDate',
    'lineAmountTotal',
    'purchaseOrder',
  ],
});

export type LineInsert = InsertedBy<typeof insertLines>;

const insertCharges = inserting('insert-charges', {
  into: InvoiceCharge,
  columns: [
    'invoiceLineId',
    'position',
    'kind',
    'orderLineId',
    'chargeId',
    'pricingTierId',
    'billedPeriodId',
    'usageWindowId',
    'basePositions',
    'couponId',
    'taxCode',
    'taxCategory',
    'taxReason',
    'taxJurisdiction',
    'taxCodes',
    'priceCode',
    'accountingCode',
    'invoiceText',
    'isPercent',
    'billingStartDate',
    'billingEndDate',
    'chargeDate',
    'unitPrice',
    'quantity',
    'unitOfMeasure',
    'amount',
  ],
  values: { isUsageChargeSubTotal: `r.kind = 'usageSubTotal'` },
});

/** What a charge of these invoices gives back of an earlier one. */
const insertCarriedCredits = inserting('insert-carried-credits', {
  into: ChargeCredit,
  columns: ['invoiceChargeId', 'amount', 'unusedFrom', 'unusedTo', 'byNote'],
  // The charge that carries the credit.
  besides: { invoiceLineId: 'bigint', position: 'int' },
  values: {
    creditChargeId: `(select c.id from invoice_charge c where c.tenant_id = $1
      and c.invoice_line_id = r."invoiceLineId" and c.position = r.position)`,
  },
});

export type CarriedCredit = InsertedBy<typeof insertCarriedCredits>;

export type ChargeInsert = InsertedBy<typeof insertCharges>;

export const insertLedger = inserting('insert-ledger', {
  into: LedgerEntry,
  columns: ['customerId', 'currency', 'kind', 'amount', 'invoiceId'],
  at: { enteredOn: 'today', enteredAt: 'now' },
});

/** After a cancellation; a trigger keeps the balances of the customers of new invoices. */
export const upsertBalances = inserting('upsert-balances', {
  into: CustomerBalance,
  columns: ['customerId', 'currency', 'balance', 'lastTotalDue'],
  ending: `on conflict (tenant_id, customer_id, currency) do update
    set balance = excluded.balance, last_total_due = excluded.last_total_due`,
});

const movedPointers = given(OrderLine, ['id', 'nextPeriodIndex']);

function movePointers(tx: Tx, rows: BillingWrite['pointers']): void {
  tx.send(
    `update order_line l set next_period_index = r."nextPeriodIndex",
       penalty_since = case when l.penalty_since is not null and not exists (
         select from plan_charge g where g.tenant_id = l.tenant_id and g.id = l.charge_id
           and g.charge_type = 'OneTimeCharge') then l.penalty_since end
     from ${movedPointers.recordset}
     where l.tenant_id = $1 and l.id = r.id`,
    [tx.tenantId, movedPointers.json(rows)],
    'move-pointers',
  );
}

const invoiceColumns = [
  'id',
  'status',
  'customerId',
  'currency',
  'invoiceDate',
  'dueDate',
  'billingStartDate',
  'billingEndDate',
  'billingPeriod',
  'previousBalance',
  'paymentsAndAdjustments',
  'currentAmountDue',
  'totalDue',
  'outstandingBalance',
  'isAutoPay',
  /** The day from which autopay pays it; null without autopay. */
  'autopayOn',
  /** The order whose workflow pays it; null for an invoice made by hand. */
  'autopayOrderId',
  /** The payment whose generateInvoice made it. */
  'autopayAfterPaymentId',
  'notes',
  'creditNoteOf',
  'refundId',
  'metadata',
  'hasOwnMetadata',
] as const;

/** A credit note has the parties of the invoice of which it gives back. */
const partyOfNote = (key: keyof typeof frozenParties): string =>
  `coalesce((select o.${columnOf(key)} from invoice o
     where o.tenant_id = $1 and o.id = r."creditNoteOf"), ${frozenParties[key]})`;

export type InvoiceInsert = RowOf<typeof Invoice, (typeof invoiceColumns)[number]>;

const insertInvoicesText = `with ${takenNumbers('$2')}
  ${insertText({
    into: Invoice,
    columns: invoiceColumns,
    besides: placed,
    rows: '$3',
    values: {
      ...numberColumns,
      invoiceNumber: numberText,
      createdAt: '$4',
      updatedAt: '$4',
      customerPartyId: partyOfNote('customerPartyId'),
      tenantPartyId: partyOfNote('tenantPartyId'),
    },
  })}`;

function insertInvoices(tx: Tx, rows: readonly InvoiceInsert[], { now, numbering }: Making): void {
  const { numbered, counters } = numbersFor(rows, ({ currentAmountDue, invoiceDate }) => ({
    series: seriesOfInvoice(numbering, currentAmountDue),
    date: invoiceDate,
  }));
  const values = [tx.tenantId, counters, JSON.stringify(numbered), now];
  tx.send(insertInvoicesText, values, 'insert-invoices');
}
